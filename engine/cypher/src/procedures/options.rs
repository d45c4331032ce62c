//! The options of procedures.

use crate::graph::{Edges, PropertyGraph};
use crate::values::{Map, NodeId, Value};
use quarry_types::{Error, ErrorCode, Result};

/// The map of options, whose names are known.
pub(super) struct Options<'o> {
    map: Option<&'o Map>,
}

impl<'o> Options<'o> {
    pub fn new(value: Option<&'o Value>, known: &[&str]) -> Result<Options<'o>> {
        let map = match value {
            None | Some(Value::Null) => None,
            Some(Value::Map(map)) => Some(&**map),
            Some(other) => {
                return Err(invalid(format!("Options must be a map, not a value of type {}.", other.type_name())));
            }
        };
        if let Some(odd) = map.into_iter().flat_map(|map| map.keys()).find(|name| !known.contains(&&***name)) {
            return Err(invalid(format!("There is no option {odd}; the options are {}.", known.join(", "))));
        }
        Ok(Options { map })
    }

    pub fn get(&self, name: &str) -> Option<&'o Value> {
        self.map.and_then(|map| map.get(name)).filter(|value| !value.is_null())
    }

    pub fn text(&self, name: &str) -> Result<Option<&'o str>> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(other) => Err(wrong(name, "a string", other)),
        }
    }

    /// The items of a list, or a single one.
    pub fn items(&self, name: &str) -> Option<&'o [Value]> {
        self.get(name).map(|value| match value {
            Value::List(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        })
    }

    /// A whole number within bounds, both included.
    pub fn number(&self, name: &str, default: u32, bounds: std::ops::RangeInclusive<u32>) -> Result<u32> {
        let Some(value) = self.get(name) else { return Ok(default) };
        let number = match value {
            Value::Int(number) => u32::try_from(*number).ok().filter(|number| bounds.contains(number)),
            _ => None,
        };
        number.ok_or_else(|| invalid(format!("{name} must be an integer from {} to {}.", bounds.start(), bounds.end())))
    }

    /// The edges that `types`, `from`, `to` and `minValue` leave; without types, those of money.
    pub fn edges(&self, graph: &dyn PropertyGraph) -> Result<Edges> {
        let mut edges = Edges::ALL;
        if let Some(names) = self.items("types") {
            edges.types = 0;
            for name in names {
                let Value::Text(name) = name else { return Err(wrong("types", "a list of strings", name)) };
                let known = graph.type_id(name);
                let missing = || Error::new(ErrorCode::UnknownTable, format!("There is no relationship type {name}."));
                edges.types |= 1 << known.ok_or_else(missing)?;
            }
        }
        if let Some(from) = self.text("from")? {
            edges.from = microseconds("from", from)?;
        }
        if let Some(to) = self.text("to")? {
            edges.to = microseconds("to", to)?;
        }
        match self.get("minValue") {
            None => {}
            Some(Value::Int(least)) if *least >= 0 => edges.least = *least as u128,
            Some(Value::Amount(least)) => edges.least = u128::try_from(**least).unwrap_or(u128::MAX),
            // Wei has more digits than an integer: a text carries them all.
            Some(Value::Text(digits)) if digits.parse::<u128>().is_ok() => {
                edges.least = digits.parse().unwrap_or(u128::MAX);
            }
            Some(other) => return Err(wrong("minValue", "a non-negative number of wei", other)),
        }
        Ok(edges)
    }

    /// `OUT`, `IN` or `BOTH`: whether edges are followed forwards, and whether backwards.
    pub fn direction(&self) -> Result<(bool, bool)> {
        match self.text("direction")?.unwrap_or("OUT").to_uppercase().as_str() {
            "OUT" => Ok((true, false)),
            "IN" => Ok((false, true)),
            "BOTH" => Ok((true, true)),
            _ => Err(invalid("direction must be OUT, IN or BOTH.".to_string())),
        }
    }
}

/// The node an argument means: a node, or the address of one.
pub(super) fn node(graph: &dyn PropertyGraph, value: &Value) -> Result<NodeId> {
    if let Value::Node(node) = value {
        return Ok(*node);
    }
    let found = graph.seek("address", value).unwrap_or_default();
    found.first().copied().ok_or_else(|| match value {
        Value::Text(address) => {
            Error::new(ErrorCode::NotFound, format!("The address {address} does not occur on this chain."))
        }
        other => wrong("The start", "a node or an address", other),
    })
}

/// A time in UTC, written as a date or as date and time, in microseconds since 1970.
pub(crate) fn microseconds(name: &str, text: &str) -> Result<i64> {
    let time = arrow::compute::kernels::cast_utils::string_to_timestamp_nanos(text);
    let time = time.map_err(|_| {
        invalid(format!("{name} must be a date or timestamp such as 2026-10-01 or 2026-10-01 12:00:00, in UTC."))
    })?;
    Ok(time / 1_000)
}

pub(super) fn invalid(message: String) -> Error {
    Error::new(ErrorCode::InvalidQuery, message)
}

fn wrong(name: &str, expected: &str, value: &Value) -> Error {
    invalid(format!("{name} must be {expected}, not a value of type {}.", value.type_name()))
}
