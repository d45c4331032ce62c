//! Decimals read from texts, which may have an exponent: `cast('1.5e3' as decimal(10,2))`. The stock cast reads none, and speaks
//! of another type than the one that was asked for.

use std::sync::{Arc, LazyLock};

use arrow::array::{Array, ArrayRef, StringArray};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DECIMAL256_MAX_PRECISION, DataType, Field, FieldRef};
use arrow::error::ArrowError;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{Expr, ReturnFieldArgs, ScalarUDF};
use datafusion::prelude::lit;

use crate::shared;
use crate::simple::Simple;
use quarry_types::byte_columns::text_of;
use quarry_types::invalid;
use quarry_types::type_names::type_name;

/// More digits than any decimal has, before the point or behind it.
const MANY: i64 = 80;

static READ: LazyLock<Arc<ScalarUDF>> =
    LazyLock::new(|| shared(Simple::udf("decimal_of_text", 2..=2, None, returns, |args, to| read(&args[0], to))));
static TRIED: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    shared(Simple::udf("decimal_of_text_or_null", 2..=2, None, returns, |args, to| tried(&args[0], to)))
});

fn returns(args: &ReturnFieldArgs) -> Result<FieldRef> {
    Ok(Arc::new(Field::new("decimal", args.arg_fields[1].data_type().clone(), true)))
}

/// A text as a decimal of this type, null for one that is none when `lenient`; `None` where the stock cast reads it as well, or
/// there is no such type.
pub fn decimal_of_text(text: &Expr, to: &DataType, lenient: bool) -> Option<Expr> {
    let typed = match to {
        DataType::Decimal128(digits, behind) => ScalarValue::Decimal128(None, *digits, *behind),
        DataType::Decimal256(digits, behind) => ScalarValue::Decimal256(None, *digits, *behind),
        _ => return None,
    };
    // A number that is written out stands in such a cast, and is known by it.
    let known = matches!(text, Expr::Literal(text, _) if text.cast_to(to).is_ok());
    let function = if lenient { &TRIED } else { &READ };
    (!known).then(|| function.call(vec![text.clone(), lit(typed)]))
}

/// Texts as decimals of a type, or an error that names the first which is none.
pub(super) fn read(texts: &ArrayRef, to: &Field) -> Result<ArrayRef> {
    if let Some(read) = cast(texts, to.data_type())? {
        return Ok(read);
    }
    let plain = plain(texts)?;
    if let Some(read) = cast(&plain, to.data_type())? {
        return Ok(read);
    }
    for (row, text) in text_of(texts)?.into_iter().enumerate() {
        if cast(&plain.slice(row, 1), to.data_type())?.is_none() {
            let (text, to) = (text.unwrap_or_default(), type_name(to.data_type(), false));
            return Err(invalid(format!("Cannot cast string '{text}' to value of {to} type.")));
        }
    }
    Err(invalid("A text can't be read as a decimal."))
}

/// The same with null for what is no number, or too large for the type.
fn tried(texts: &ArrayRef, to: &Field) -> Result<ArrayRef> {
    let read = cast_with_options(texts, to.data_type(), &CastOptions { safe: true, ..CastOptions::default() })?;
    if read.null_count() == texts.null_count() {
        return Ok(read);
    }
    Ok(cast_with_options(&plain(texts)?, to.data_type(), &CastOptions { safe: true, ..CastOptions::default() })?)
}

/// `None` where a text is no number.
fn cast(texts: &ArrayRef, to: &DataType) -> Result<Option<ArrayRef>> {
    match cast_with_options(texts, to, &CastOptions { safe: false, ..CastOptions::default() }) {
        Err(ArrowError::CastError(_)) => Ok(None),
        read => Ok(Some(read?)),
    }
}

/// Texts with their numbers spelled out; what is no number stays.
fn plain(texts: &ArrayRef) -> Result<ArrayRef> {
    let plain = |text: &str| spelled_out(text).unwrap_or_else(|| text.to_string());
    Ok(Arc::new(text_of(texts)?.into_iter().map(|text| text.map(plain)).collect::<StringArray>()))
}

/// A number without its exponent, and without digits that no decimal holds; `None` for what is no number.
fn spelled_out(text: &str) -> Option<String> {
    let (mantissa, exponent) = text.trim().split_once(['e', 'E']).unwrap_or((text.trim(), "0"));
    let exponent: i64 = exponent.parse().ok()?;
    let (sign, number) = match mantissa.strip_prefix('-') {
        Some(number) => ("-", number),
        None => ("", mantissa.strip_prefix('+').unwrap_or(mantissa)),
    };
    let (whole, behind) = number.split_once('.').unwrap_or((number, ""));
    let written = format!("{whole}{behind}");
    if written.is_empty() || !written.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let digits = written.trim_start_matches('0');
    let zeros = written.len() - digits.len();
    let point = (whole.len() as i64 - zeros as i64).checked_add(exponent)?;
    if digits.is_empty() || point < -MANY {
        return Some("0".to_string());
    }
    if point > MANY {
        return None;
    }
    let before = usize::try_from(point).unwrap_or(0);
    let (whole, behind) = digits.split_at(before.min(digits.len()));
    let behind = format!("{}{behind}", "0".repeat(usize::try_from(-point).unwrap_or(0)));
    let behind = &behind[..behind.len().min(DECIMAL256_MAX_PRECISION.into())];
    Some(format!("{sign}{whole:0<before$}.{behind}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_move_the_point() {
        for (text, wanted) in [
            ("1e3", Some("1000.")),
            (" -1.25E-2 ", Some("-.0125")),
            ("+12.5e1", Some("125.")),
            ("0012.50", Some("12.50")),
            (".5", Some(".5")),
            ("0e99999", Some("0")),
            ("1e-99999", Some("0")),
            ("1e99", None),
            ("1e", None),
            ("e5", None),
            (".", None),
            ("--1", None),
            ("1e99999999999999999999", None),
        ] {
            assert_eq!(spelled_out(text).as_deref(), wanted, "{text}");
        }
        let long = format!("0.{}", "3".repeat(90));
        assert_eq!(spelled_out(&long).unwrap().len(), 1 + 76);
    }
}
