//! Equality, comparison and order of values: three different things in the language.

use std::cmp::Ordering;

use super::number::{compare_numbers, is_nan};
use super::{Map, Value, temporal};

/// `=`: unknown when a null decides.
pub(crate) fn equal(a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (Value::Null, _) | (_, Value::Null) => None,
        (Value::List(a), Value::List(b)) => {
            if a.len() != b.len() {
                return Some(false);
            }
            all(a.iter().zip(b.iter()).map(|(a, b)| equal(a, b)))
        }
        (Value::Map(a), Value::Map(b)) => equal_maps(a, b),
        _ if is_number(a) && is_number(b) => Some(compare_numbers(a, b) == Some(Ordering::Equal)),
        _ => Some(class(a) == class(b) && order(a, b).is_eq()),
    }
}

fn equal_maps(a: &Map, b: &Map) -> Option<bool> {
    if a.len() != b.len() || a.keys().ne(b.keys()) {
        return Some(false);
    }
    all(a.values().zip(b.values()).map(|(a, b)| equal(a, b)))
}

/// False when one is false, else unknown when one is unknown.
fn all(truths: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut sum = Some(true);
    for truth in truths {
        match truth {
            Some(true) => {}
            Some(false) => return Some(false),
            None => sum = None,
        }
    }
    sum
}

/// `<`, `<=`, `>` and `>=`: the order of two values of one type; the outer `None` is unknown, the inner one says that the
/// two are comparable and neither is less (NaN).
pub(crate) fn less(a: &Value, b: &Value) -> Option<Option<Ordering>> {
    match (a, b) {
        (Value::Null, _) | (_, Value::Null) => None,
        (Value::Text(a), Value::Text(b)) => Some(Some(a.cmp(b))),
        (Value::Bool(a), Value::Bool(b)) => Some(Some(a.cmp(b))),
        (Value::Temporal(a), Value::Temporal(b)) if a.class() == b.class() => match **a {
            temporal::Temporal::Duration(_) => None,
            _ => Some(Some(a.order(b))),
        },
        (Value::List(a), Value::List(b)) => {
            for (a, b) in a.iter().zip(b.iter()) {
                match less(a, b)? {
                    Some(Ordering::Equal) => {}
                    decided => return Some(decided),
                }
            }
            Some(Some(a.len().cmp(&b.len())))
        }
        _ if is_number(a) && is_number(b) => Some(compare_numbers(a, b)),
        _ => None,
    }
}

/// The order of all values, which ORDER BY, min and max use: types in a fixed sequence, null last.
pub(crate) fn order(a: &Value, b: &Value) -> Ordering {
    let by_class = class(a).cmp(&class(b));
    if by_class.is_ne() {
        return by_class;
    }
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (Value::Node(a), Value::Node(b)) => a.cmp(b),
        (Value::Relationship(a), Value::Relationship(b)) => a.cmp(b),
        (Value::Path(a), Value::Path(b)) => a.cmp(b),
        (Value::Temporal(a), Value::Temporal(b)) => a.order(b),
        (Value::List(a), Value::List(b)) => sequences(a.iter(), b.iter()),
        (Value::Map(a), Value::Map(b)) => a.keys().cmp(b.keys()).then_with(|| sequences(a.values(), b.values())),
        _ => match (is_nan(a), is_nan(b)) {
            (false, false) => compare_numbers(a, b).unwrap_or(Ordering::Equal),
            (a, b) => a.cmp(&b),
        },
    }
}

fn sequences<'a>(a: impl Iterator<Item = &'a Value>, b: impl Iterator<Item = &'a Value>) -> Ordering {
    let (mut a, mut b) = (a, b);
    loop {
        match (a.next(), b.next()) {
            (Some(x), Some(y)) => {
                let decided = order(x, y);
                if decided.is_ne() {
                    return decided;
                }
            }
            (x, y) => return x.is_some().cmp(&y.is_some()),
        }
    }
}

fn is_number(value: &Value) -> bool {
    matches!(value, Value::Int(_) | Value::Amount(_) | Value::Float(_))
}

/// Place of a type in the sequence of types.
fn class(value: &Value) -> u8 {
    match value {
        Value::Map(_) => 0,
        Value::Node(_) => 1,
        Value::Relationship(_) => 2,
        Value::List(_) => 3,
        Value::Path(_) => 4,
        Value::Temporal(one) => one.class(),
        Value::Text(_) => 11,
        Value::Bool(_) => 12,
        Value::Int(_) | Value::Amount(_) | Value::Float(_) => 13,
        Value::Null => 14,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equality_of_lists_is_unknown_where_a_null_decides() {
        let list = |items: &[Value]| Value::list(items.to_vec());
        assert_eq!(equal(&list(&[Value::Null]), &list(&[Value::Int(1)])), None);
        assert_eq!(equal(&list(&[Value::Null, Value::Int(2)]), &list(&[Value::Int(1), Value::Int(3)])), Some(false));
        assert_eq!(equal(&Value::Int(1), &Value::Float(1.0)), Some(true));
        assert_eq!(equal(&Value::Float(f64::NAN), &Value::Float(f64::NAN)), Some(false));
        assert_eq!(equal(&Value::text("1"), &Value::Int(1)), Some(false));
    }

    #[test]
    fn order_puts_nan_after_numbers_and_null_last() {
        let mut values = [
            Value::Null,
            Value::Float(f64::NAN),
            Value::Int(2),
            Value::Bool(true),
            Value::text("a"),
            Value::list(vec![]),
            Value::map(Map::new()),
        ];
        values.sort_by(order);
        let names: Vec<&str> = values.iter().map(Value::type_name).collect();
        assert_eq!(names, ["MAP", "LIST", "STRING", "BOOLEAN", "INTEGER", "FLOAT", "NULL"]);
    }

    #[test]
    fn comparison_across_types_is_unknown() {
        assert_eq!(less(&Value::Int(1), &Value::text("a")), None);
        assert_eq!(less(&Value::Float(f64::NAN), &Value::Int(1)), Some(None));
    }
}
