//! Decimals read from texts, which may have an exponent: `cast('1.5e3' as decimal(10,2))`. The built-in cast reads no exponent, and
//! names another type in its errors.

use arrow::datatypes::DECIMAL256_MAX_PRECISION;
use arrow::error::ArrowError;
use datafusion::prelude::lit;

use crate::number_text::NumberText;
use crate::prelude::*;

/// More digits than any decimal has, before the point or behind it.
const MANY_DIGITS: i64 = 80;

fn udf(definition: Definition, read: fn(&ArrayRef, &Field) -> Result<ArrayRef>) -> ScalarUDF {
    let typed = |args: &ReturnFieldArgs<'_>| returns(args.arg_fields[1].data_type().clone())(args);
    definition.udf(2..=2, typed, move |args, to| read(&args[0], to))
}

/// A text as a decimal of this type, null for one that is none when `lenient`; `None` where the built-in cast reads it as well, or
/// there is no such type.
pub fn decimal_of_text(text: &Expr, to: &DataType, lenient: bool) -> Option<Expr> {
    let typed = match to {
        DataType::Decimal128(digits, behind) => ScalarValue::Decimal128(None, *digits, *behind),
        DataType::Decimal256(digits, behind) => ScalarValue::Decimal256(None, *digits, *behind),
        _ => return None,
    };
    // A number that is written out is such a cast, and rules recognize it.
    let is_constant = matches!(text, Expr::Literal(text, _) if text.cast_to(to).is_ok());
    let function = match lenient {
        true => shared!(udf(undocumented("decimal_of_text_or_null"), read_or_null)),
        false => shared!(udf(undocumented("decimal_of_text").fallible(), read)),
    };
    (!is_constant).then(|| function.call(vec![text.clone(), lit(typed)]))
}

/// Texts as decimals of a type, or an error that names the first which is none.
pub(super) fn read(texts: &ArrayRef, to: &Field) -> Result<ArrayRef> {
    if let Some(read) = try_cast(texts, to.data_type())? {
        return Ok(read);
    }
    let spelled_out = spelled_out_texts(texts)?;
    if let Some(read) = try_cast(&spelled_out, to.data_type())? {
        return Ok(read);
    }
    for (row, text) in text_of(texts)?.into_iter().enumerate() {
        if try_cast(&spelled_out.slice(row, 1), to.data_type())?.is_none() {
            let (text, to) = (text.unwrap_or_default(), type_name(to.data_type(), false));
            return Err(invalid(format!("Cannot cast string '{text}' to value of {to} type.")));
        }
    }
    Err(invalid("A string can't be converted to a decimal."))
}

/// The same with null for what is no number, or too large for the type.
fn read_or_null(texts: &ArrayRef, to: &Field) -> Result<ArrayRef> {
    let read = cast(texts, to.data_type())?;
    if read.null_count() == texts.null_count() {
        return Ok(read);
    }
    Ok(cast(&spelled_out_texts(texts)?, to.data_type())?)
}

/// `None` where a text is no number.
fn try_cast(texts: &ArrayRef, to: &DataType) -> Result<Option<ArrayRef>> {
    match strict_cast(texts, to) {
        Err(ArrowError::CastError(_)) => Ok(None),
        read => Ok(Some(read?)),
    }
}

/// Texts with their numbers spelled out; what is no number stays.
fn spelled_out_texts(texts: &ArrayRef) -> Result<ArrayRef> {
    map_rows::<StringArray, _, _>(text_of(texts)?, |text| Ok(spelled_out(text).unwrap_or_else(|| text.to_string())))
}

/// A number without its exponent, and without digits that no decimal holds; `None` for what is no number.
fn spelled_out(text: &str) -> Option<String> {
    let NumberText { is_negative, digits, point } = NumberText::parse(text)?;
    if digits.is_empty() || point < -MANY_DIGITS {
        return Some("0".to_string());
    }
    if point > MANY_DIGITS {
        return None;
    }
    let before = usize::try_from(point).unwrap_or(0);
    let (whole, behind) = digits.split_at(before.min(digits.len()));
    let behind = format!("{}{behind}", "0".repeat(usize::try_from(-point).unwrap_or(0)));
    let behind = &behind[..behind.len().min(DECIMAL256_MAX_PRECISION.into())];
    let sign = if is_negative { "-" } else { "" };
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
            ("0012.50", Some("12.5")),
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
