//! Values from JSON: graph files, parameters.

use std::sync::Arc;

use serde_json::Value as Json;

use super::{Map, Value};

/// A JSON value as a value of the language: whole numbers are integers, others floats.
pub(crate) fn from_json(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(whole), ..) => Value::Int(whole),
            (None, Some(whole), _) => Value::amount(alloy_primitives::aliases::I512::unchecked_from(whole)),
            (.., float) => float.map_or(Value::Null, Value::Float),
        },
        Json::String(text) => Value::text(text.as_str()),
        Json::Array(items) => Value::list(items.iter().map(from_json).collect()),
        Json::Object(members) => Value::map(map_from_json(members)),
    }
}

pub(crate) fn map_from_json<'a>(members: impl IntoIterator<Item = (&'a String, &'a Json)>) -> Map {
    members.into_iter().map(|(key, value)| (Arc::from(key.as_str()), from_json(value))).collect()
}
