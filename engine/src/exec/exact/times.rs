//! Times as people write them beside a column of times: `'2024-03-01 10:30'` has no seconds, `'2024-03-01 9:05:00'` one
//! digit of the hour. The planner reads neither.

use arrow::datatypes::{DataType, Field};
use datafusion::logical_expr::{Expr, lit};

use super::literal;

/// What is compared with a time, with all the digits that one has.
pub(super) fn beside_time(expr: Expr, time: &Field) -> Expr {
    match literal::text(&expr).filter(|_| matches!(time.data_type(), DataType::Timestamp(..))).and_then(completed) {
        Some(text) => lit(text),
        None => expr,
    }
}

/// A time with two digits of the hour and with seconds; `None` for what has them, or is something else.
fn completed(text: &str) -> Option<String> {
    let (day, time) = text.trim().split_once([' ', 'T'])?;
    let parts: Vec<&str> = time.split(':').collect();
    let digits = |part: &&str| (1..=2).contains(&part.len()) && part.bytes().all(|digit| digit.is_ascii_digit());
    let (hour, minute, second) = match parts.as_slice() {
        [hour, minute] => (hour, minute, "00"),
        [hour, minute, second] if hour.len() == 1 => (hour, minute, *second),
        _ => return None,
    };
    [hour, minute].into_iter().all(digits).then(|| format!("{day} {hour:0>2}:{minute}:{second}"))
}

#[cfg(test)]
mod tests {
    use super::completed;

    #[test]
    fn what_is_missing_is_put_in() {
        for (text, wanted) in [
            ("2024-03-01 10:30", Some("2024-03-01 10:30:00")),
            ("2024-03-01T9:05", Some("2024-03-01 09:05:00")),
            ("2024-03-01 9:05:07.5", Some("2024-03-01 09:05:07.5")),
            ("2024-03-01 10:30:00", None),
            ("2024-03-01", None),
            ("a b:c", None),
            ("2024-03-01 10:30Z", None),
        ] {
            assert_eq!(completed(text).as_deref(), wanted, "{text}");
        }
    }
}
