//! Values of parameters from JSON.

use alloy_primitives::aliases::I512;
use serde_json::{Map as Object, Value as Json};

use super::{Map, Value, from_json};
use quarry_runtime::job::Parameters;
use quarry_types::{Error, ErrorCode, Result};

/// The values by name. One with a type, `{"type": "number", "value": "42"}`, is a value of that type: so a number
/// of any length can be given exactly. Any other object is a map.
pub(crate) fn parameters(given: &Parameters) -> Result<Map> {
    given.iter().map(|(name, value)| Ok((name.as_str().into(), parameter(name, value)?))).collect()
}

fn parameter(name: &str, value: &Json) -> Result<Value> {
    let Some((kind, inner)) = value.as_object().and_then(typed) else { return Ok(from_json(value)) };
    let wrong = |what: &str| {
        Error::new(ErrorCode::InvalidQuery, format!("The value of the parameter {name} is not a valid {what}."))
    };
    match (kind, inner) {
        (_, Json::Null) => Ok(Value::Null),
        ("number", Json::String(digits)) => number(digits.trim()).ok_or_else(|| wrong("number")),
        ("number", Json::Number(_)) | ("text" | "date", Json::String(_)) => Ok(from_json(inner)),
        ("number", _) => Err(wrong("number")),
        ("date", _) => Err(wrong("date; write it as 2024-03-01")),
        ("text", other) => Ok(Value::text(other.to_string())),
        ("list", Json::Array(_)) | ("range", Json::Object(_)) => Ok(from_json(inner)),
        (kind, _) => Err(wrong(kind)),
    }
}

/// The type and the value of an object that has both.
fn typed(object: &Object<String, Json>) -> Option<(&str, &Json)> {
    let kind = object.get("type")?.as_str()?;
    let known = object.len() == 2 && matches!(kind, "text" | "number" | "date" | "range" | "list");
    if known { Some((kind, object.get("value")?)) } else { None }
}

/// A whole number as an integer, or as an amount where it is longer; any other as a float.
fn number(digits: &str) -> Option<Value> {
    let whole = digits.strip_prefix(['-', '+']).unwrap_or(digits);
    if !whole.is_empty() && whole.bytes().all(|byte| byte.is_ascii_digit()) {
        let short = digits.parse().ok().map(Value::Int);
        return short.or_else(|| Some(Value::amount(I512::from_dec_str(digits).ok()?)));
    }
    // Rust parses "inf" and "nan" as floats.
    let shaped = digits.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    let float: f64 = digits.parse().ok().filter(|_| shaped)?;
    float.is_finite().then_some(Value::Float(float))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn one(value: Json) -> Result<String> {
        parameter("x", &value).map(|value| format!("{value:?}"))
    }

    #[test]
    fn values_may_say_their_type() {
        assert_eq!(one(json!({"type": "number", "value": " 42 "})).unwrap(), "Int(42)");
        assert_eq!(one(json!({"type": "number", "value": 42})).unwrap(), "Int(42)");
        assert_eq!(one(json!({"type": "number", "value": "-1.5e3"})).unwrap(), "Float(-1500.0)");
        let wei = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
        let long = parameter("x", &json!({"type": "number", "value": wei})).unwrap();
        assert!(matches!(long, Value::Amount(amount) if amount.to_string() == wei));
        assert_eq!(one(json!({"type": "text", "value": "0xab"})).unwrap(), "Text(\"0xab\")");
        assert_eq!(one(json!({"type": "list", "value": ["a", 1]})).unwrap(), "List([Text(\"a\"), Int(1)])");
        assert_eq!(one(json!({"type": "text", "value": null})).unwrap(), "Null");
    }

    #[test]
    fn other_objects_are_maps() {
        for map in
            [json!({"type": "EOA", "value": 1}), json!({"type": "number"}), json!({"type": "text", "value": 1, "x": 2})]
        {
            assert!(matches!(parameter("x", &map).unwrap(), Value::Map(_)), "{map}");
        }
    }

    #[test]
    fn what_is_no_value_of_its_type_is_refused() {
        for value in [json!("ten"), json!("inf"), json!(""), json!("-"), json!("1e999"), json!([1])] {
            assert!(one(json!({"type": "number", "value": value})).is_err(), "{value}");
        }
        assert!(one(json!({"type": "date", "value": 5})).is_err());
        assert!(one(json!({"type": "list", "value": "a"})).is_err());
    }
}
