//! Operators on values.

use std::sync::Arc;

use crate::functions::text_of;
use crate::graph::PropertyGraph;
use crate::logical_plan::Comparison;
use crate::values::temporal::{self, Temporal};
use crate::values::{Arithmetic, Map, Value, arithmetic, as_f64, equal, less};
use quarry_types::{Error, ErrorCode, Result};

/// The error of an operator that does not accept a value.
pub(super) fn mismatch(operator: &str, value: &Value) -> Error {
    invalid(format!("{operator} does not accept a value of type {}.", value.type_name()))
}

fn invalid(message: String) -> Error {
    Error::new(ErrorCode::InvalidQuery, message)
}

pub(super) fn compare(comparison: Comparison, a: &Value, b: &Value) -> Option<bool> {
    match comparison {
        Comparison::Equal => equal(a, b),
        Comparison::NotEqual => equal(a, b).map(|equal| !equal),
        _ => {
            // Two values of one type that have no order (NaN) are neither less nor greater.
            let Some(order) = less(a, b)? else { return Some(false) };
            Some(match comparison {
                Comparison::Less => order.is_lt(),
                Comparison::LessEqual => order.is_le(),
                Comparison::Greater => order.is_gt(),
                _ => order.is_ge(),
            })
        }
    }
}

/// `+` joins texts and lists, too.
pub(super) fn calculate(operation: Arithmetic, a: &Value, b: &Value) -> Result<Value> {
    if a.is_null() || b.is_null() {
        return Ok(Value::Null);
    }
    if let Some(result) = calculate_times(operation, a, b) {
        return result.map(|time| Value::Temporal(Arc::new(time)));
    }
    if operation == Arithmetic::Add {
        match (a, b) {
            (Value::List(_), _) | (_, Value::List(_)) => return Ok(joined(a, b)),
            (Value::Text(a), b) | (b, Value::Text(a)) if text_of(b).is_none() => {
                return Err(invalid(format!(
                    "+ can't concatenate the string '{a}' with a value of type {}.",
                    b.type_name()
                )));
            }
            (Value::Text(_), _) | (_, Value::Text(_)) => {
                let (a, b) = (text_of(a).unwrap_or_default(), text_of(b).unwrap_or_default());
                return Ok(Value::text(format!("{a}{b}")));
            }
            _ => {}
        }
    }
    arithmetic(operation, a, b).unwrap_or_else(|| {
        let odd = if as_f64(a).is_none() { a } else { b };
        Err(mismatch(operation.symbol(), odd))
    })
}

/// Dates, times and durations; `None` when none takes part.
fn calculate_times(operation: Arithmetic, a: &Value, b: &Value) -> Option<Result<Temporal>> {
    Some(match (operation, a, b) {
        (Arithmetic::Add, Value::Temporal(a), Value::Temporal(b)) => temporal::join(a, b),
        (Arithmetic::Subtract, Value::Temporal(a), Value::Temporal(b)) => {
            temporal::negate(b).and_then(|duration| temporal::add(a, &duration))
        }
        (Arithmetic::Multiply, Value::Temporal(one), by) | (Arithmetic::Multiply, by, Value::Temporal(one)) => {
            temporal::multiply(one, as_f64(by)?)
        }
        (Arithmetic::Divide, Value::Temporal(one), by) => temporal::divide(one, as_f64(by)?),
        _ => return None,
    })
}

fn joined(a: &Value, b: &Value) -> Value {
    let items = |value: &Value| match value {
        Value::List(items) => items.to_vec(),
        one => vec![one.clone()],
    };
    let mut all = items(a);
    all.extend(items(b));
    Value::list(all)
}

pub(super) fn concat(a: &Value, b: &Value) -> Result<Value> {
    match (a, b) {
        (Value::Null, _) | (_, Value::Null) => Ok(Value::Null),
        (Value::List(_), Value::List(_)) => Ok(joined(a, b)),
        (Value::Text(a), Value::Text(b)) => Ok(Value::text(format!("{a}{b}"))),
        _ => Err(mismatch("||", if matches!(a, Value::Text(_) | Value::List(_)) { b } else { a })),
    }
}

pub(super) fn power(a: &Value, b: &Value) -> Result<Value> {
    match (a, b) {
        (Value::Null, _) | (_, Value::Null) => Ok(Value::Null),
        _ => match (as_f64(a), as_f64(b)) {
            (Some(base), Some(exponent)) => Ok(Value::Float(base.powf(exponent))),
            (None, _) => Err(mismatch("^", a)),
            _ => Err(mismatch("^", b)),
        },
    }
}

/// Unknown when the value is not found and a null might have been it.
pub(super) fn is_in(one: &Value, list: &Value) -> Result<Value> {
    let items = match list {
        Value::Null => return Ok(Value::Null),
        Value::List(items) => items,
        other => return Err(mismatch("IN", other)),
    };
    let mut unknown = false;
    for item in items.iter() {
        match equal(one, item) {
            Some(true) => return Ok(Value::Bool(true)),
            Some(false) => {}
            None => unknown = true,
        }
    }
    Ok(if unknown { Value::Null } else { Value::Bool(false) })
}

pub(super) fn property(graph: &dyn PropertyGraph, of: &Value, name: &str) -> Result<Value> {
    match of {
        Value::Null => Ok(Value::Null),
        Value::Node(node) => graph.node_property(*node, name),
        Value::Relationship(one) => graph.relationship_property(*one, name),
        Value::Map(map) => Ok(map.get(name).cloned().unwrap_or(Value::Null)),
        Value::Temporal(one) => one.field(name),
        other => Err(invalid(format!("A value of type {} has no property {name}.", other.type_name()))),
    }
}

pub(super) fn all_properties(graph: &dyn PropertyGraph, of: &Value) -> Result<Map> {
    match of {
        Value::Node(node) => graph.node_properties(*node),
        Value::Relationship(one) => graph.relationship_properties(*one),
        Value::Map(map) => Ok((**map).clone()),
        other => Err(invalid(format!("A value of type {} has no properties.", other.type_name()))),
    }
}

/// `list[2]`, `list[-1]`, `map['key']`, `node['name']`.
pub(super) fn index(graph: &dyn PropertyGraph, of: &Value, index: &Value) -> Result<Value> {
    match (of, index) {
        (Value::Null, _) | (_, Value::Null) => Ok(Value::Null),
        (Value::List(items), Value::Int(place)) => {
            let place = if *place < 0 { *place + items.len() as i64 } else { *place };
            Ok(usize::try_from(place).ok().and_then(|place| items.get(place)).cloned().unwrap_or(Value::Null))
        }
        (Value::List(_), other) => {
            Err(invalid(format!("A list index must be an integer, not a value of type {}.", other.type_name())))
        }
        (Value::Map(_) | Value::Node(_) | Value::Relationship(_), Value::Text(name)) => property(graph, of, name),
        (Value::Map(_) | Value::Node(_) | Value::Relationship(_), other) => {
            Err(invalid(format!("A property name must be a string, not type {}.", other.type_name())))
        }
        (other, _) => Err(invalid(format!("A value of type {} can't be indexed.", other.type_name()))),
    }
}

/// `list[1..3]`: from the first place up to, not with, the last; places below 0 count from the end.
pub(super) fn slice(list: &Value, from: Option<&Value>, to: Option<&Value>) -> Result<Value> {
    let items = match list {
        Value::Null => return Ok(Value::Null),
        Value::List(items) => items,
        other => return Err(invalid(format!("Only lists can be sliced, not type {}.", other.type_name()))),
    };
    let length = items.len() as i64;
    let place = |bound: Option<&Value>, absent: i64| match bound {
        None => Ok(Some(absent)),
        Some(Value::Null) => Ok(None),
        Some(Value::Int(place)) => {
            let place = if *place < 0 { place.saturating_add(length) } else { *place };
            Ok(Some(place.clamp(0, length)))
        }
        Some(other) => Err(mismatch("[..]", other)),
    };
    let (Some(from), Some(to)) = (place(from, 0)?, place(to, length)?) else { return Ok(Value::Null) };
    Ok(Value::list(if from < to { items[from as usize..to as usize].to_vec() } else { Vec::new() }))
}
