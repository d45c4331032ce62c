//! Times read from texts as people write them: `2024-03-01 10:30` without seconds, `2024-3-1 9:05:00` with one digit of a part. The
//! built-in cast reads neither.

use datafusion::common::DFSchema;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::ExprSchemable;
use datafusion::logical_expr::expr::{Cast, TryCast};
use datafusion::prelude::lit;

use crate::prelude::*;

/// A text as a time or a day, if the cast is one of them. A constant stays one: rules recognize it, and its errors have a position.
pub fn text_as_time(cast: Expr, schema: &DFSchema) -> Transformed<Expr> {
    let (text, to, lenient) = match &cast {
        Expr::Cast(Cast { expr, field }) => (expr, field.data_type(), false),
        Expr::TryCast(TryCast { expr, field }) => (expr, field.data_type(), true),
        _ => return Transformed::no(cast),
    };
    let is_time = matches!(to, DataType::Timestamp(..) | DataType::Date32);
    if !is_time || !text.get_type(schema).is_ok_and(|from| is_text(&from)) {
        return Transformed::no(cast);
    }
    if let Expr::Literal(value, _) = text.as_ref() {
        let whole = value.try_as_str().flatten().and_then(completed).filter(|_| value.cast_to(to).is_err());
        return match whole {
            Some(whole) => Transformed::yes(cast_of(lit(whole), cast)),
            None => Transformed::no(cast),
        };
    }
    let Ok(typed) = ScalarValue::try_from(to) else { return Transformed::no(cast) };
    let function = match lenient {
        true => shared!(
            undocumented("time_of_text_or_null")
                .udf(2..=2, time_field, |args, to| { read_or_null(&args[0], to.data_type()) })
        ),
        // As a cast of a text, it may fail where another condition was to keep it from that.
        false => shared!(
            undocumented("time_of_text")
                .fallible()
                .udf(2..=2, time_field, |args, to| { read_times(&args[0], to.data_type()) })
        ),
    };
    Transformed::yes(function.call(vec![text.as_ref().clone(), lit(typed)]))
}

/// The same cast of another value.
fn cast_of(value: Expr, cast: Expr) -> Expr {
    match cast {
        Expr::Cast(cast) => Expr::Cast(Cast { expr: Box::new(value), ..cast }),
        Expr::TryCast(cast) => Expr::TryCast(TryCast { expr: Box::new(value), ..cast }),
        other => other,
    }
}

fn time_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    returns(args.arg_fields[1].data_type().clone())(args)
}

/// Texts as times of a type; one that is none is an error.
pub(super) fn read_times(texts: &ArrayRef, to: &DataType) -> Result<ArrayRef> {
    match strict_cast(texts, to) {
        Ok(read) => Ok(read),
        Err(_) => Ok(strict_cast(&completed_texts(texts)?, to)?),
    }
}

/// The same with null for what is no time.
fn read_or_null(texts: &ArrayRef, to: &DataType) -> Result<ArrayRef> {
    let read = cast(texts, to)?;
    if read.null_count() == texts.null_count() {
        return Ok(read);
    }
    Ok(cast(&completed_texts(texts)?, to)?)
}

fn completed_texts(texts: &ArrayRef) -> Result<ArrayRef> {
    map_rows::<StringArray, _, _>(text_of(texts)?, |text| Ok(completed(text).unwrap_or_else(|| text.to_string())))
}

/// A time with two digits of its month, day, hour and minute, and with seconds; `None` for what has them, or is something
/// else.
pub fn completed(text: &str) -> Option<String> {
    let digits =
        |part: &str, most| (1..=most).contains(&part.len()) && part.bytes().all(|digit| digit.is_ascii_digit());
    let text = text.trim();
    let (day, rest) = text.split_at(text.find([' ', 'T']).unwrap_or(text.len()));
    let mut parts = day.split('-');
    let (year, month, of_month) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || year.len() < 4 || ![month, of_month].iter().all(|part| digits(part, 2)) {
        return None;
    }
    let mut whole = format!("{year}-{month:0>2}-{of_month:0>2}");
    if let Some(between) = rest.chars().next() {
        let (clock, zone) = rest[1..].split_at(rest[1..].find(['Z', 'z', '+', '-', ' ']).unwrap_or(rest.len() - 1));
        let parts: Vec<&str> = clock.split(':').collect();
        let (hour, minute, second) = match parts.as_slice() {
            [hour, minute] => (hour, minute, "00"),
            [hour, minute, second] if second.starts_with(|sign: char| sign.is_ascii_digit()) => (hour, minute, *second),
            _ => return None,
        };
        if !digits(hour, 2) || !digits(minute, 2) {
            return None;
        }
        whole += &format!("{between}{hour:0>2}:{minute:0>2}:{second}{zone}");
    }
    (whole != text).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::completed;

    #[test]
    fn missing_digits_are_added() {
        for (text, wanted) in [
            ("2024-03-01 10:30", Some("2024-03-01 10:30:00")),
            ("2024-03-01T9:05", Some("2024-03-01T09:05:00")),
            ("2024-03-01 9:05:07.5", Some("2024-03-01 09:05:07.5")),
            ("2024-03-01 10:30:00", None),
            ("2024-03-01", None),
            ("a b:c", None),
            ("2024-03-01 10:30Z", Some("2024-03-01 10:30:00Z")),
            ("2024-03-01 9:30 UTC", Some("2024-03-01 09:30:00 UTC")),
            ("2024-3-1", Some("2024-03-01")),
            ("2024-3-1-1", None),
            ("-1 day", None),
            ("2024-03-01 10:30+02:00", Some("2024-03-01 10:30:00+02:00")),
        ] {
            assert_eq!(completed(text).as_deref(), wanted, "{text}");
        }
    }
}
