//! Values that clients bind, as parameters of a query: typed where the client said a type, else texts.

use bytes::Buf;
use chrono::{NaiveTime, Timelike};
use serde_json::{Value, json};

use super::lists::items;
use super::numeric;
use super::types::{
    BOOL, BYTEA, CHAR, DATE, FLOAT4, FLOAT8, INT2, INT4, INT8, INTERVAL, JSON, NAME, NUMERIC, OID, TEXT, TIME,
    TIMESTAMP, TIMESTAMPTZ, VARCHAR, epoch, item_of, list_of,
};
use super::wire::Fault;

/// Digits up to which a `numeric` without a fraction is a decimal all the same, which divides with one. A larger one may be a
/// uint256.
const DECIMAL_DIGITS: usize = 18;

/// A bound value; `list` where a list stands, whatever type the client leaves open. `format` is 0 for text and 1 for binary.
pub fn parameter(bytes: Option<&[u8]>, oid: u32, list: bool, format: i16) -> Result<Value, Fault> {
    let Some(bytes) = bytes else { return Ok(Value::Null) };
    let oid = if oid == 0 && list { list_of(TEXT) } else { oid };
    if let Some(item) = item_of(oid) {
        let items = items(bytes, item, format)?;
        let items = items.iter().map(|bytes| parameter(bytes.as_deref(), item, false, format).map(in_list));
        return Ok(json!({"type": "list", "value": items.collect::<Result<Vec<Value>, Fault>>()?}));
    }
    let wrong = || Fault::new("22P03", format!("A bound value is no {}.", name(oid)));
    let text = match format {
        0 => String::from_utf8(bytes.to_vec()).ok(),
        _ => read_binary(bytes, oid),
    };
    let text = text.ok_or_else(wrong)?;
    Ok(match oid {
        BOOL => Value::Bool(matches!(text.as_str(), "t" | "true" | "1" | "on" | "yes")),
        INT2 | INT4 | INT8 | OID => json!({"type": "number", "value": text}),
        FLOAT4 | FLOAT8 => json!({"type": "double", "value": text}),
        NUMERIC => json!({"type": "number", "value": with_point(text)}),
        INTERVAL => json!({"type": "interval", "value": text}),
        // PostgreSQL writes bytes as `\\x…`.
        BYTEA => {
            json!({"type": "text", "value": text.strip_prefix("\\x").map_or(text.clone(), |hex| format!("0x{hex}"))})
        }
        DATE => json!({"type": "day", "value": text}),
        TIMESTAMP | TIMESTAMPTZ => json!({"type": "timestamp", "value": text}),
        0 | CHAR | NAME | TEXT | VARCHAR | JSON | TIME => json!({"type": "text", "value": text}),
        other => {
            let message = format!("Values of the type {other} can't be bound; bind a text or a number.");
            return Err(Fault::new("0A000", message));
        }
    })
}

/// `1` of a decimal type as `1.0`: by its type it divides with a fraction.
fn with_point(digits: String) -> String {
    let whole = digits.strip_prefix('-').unwrap_or(&digits);
    let short = whole.len() <= DECIMAL_DIGITS && whole.bytes().all(|byte| byte.is_ascii_digit());
    if short { format!("{digits}.0") } else { digits }
}

/// A value as an item of a list, whose type the list has.
fn in_list(value: Value) -> Value {
    match (value.get("type").and_then(Value::as_str), value.get("value").and_then(Value::as_str)) {
        (Some(kind @ ("number" | "double" | "interval" | "day" | "timestamp")), Some(text)) => json!({ (kind): text }),
        (Some(_), Some(text)) => Value::String(text.to_string()),
        _ => value,
    }
}

fn name(oid: u32) -> &'static str {
    match oid {
        BOOL => "boolean",
        INT2 | INT4 | INT8 | OID => "whole number of its type",
        FLOAT4 | FLOAT8 | NUMERIC => "number of its type",
        DATE => "date",
        TIME => "time of a day",
        TIMESTAMP | TIMESTAMPTZ => "timestamp",
        INTERVAL => "interval",
        _ => "text in UTF-8",
    }
}

fn read_binary(mut bytes: &[u8], oid: u32) -> Option<String> {
    let long = |bytes: &[u8]| Some(i64::from_be_bytes(bytes.try_into().ok()?));
    Some(match oid {
        BOOL => (*bytes.first()? != 0).to_string(),
        INT2 => i16::from_be_bytes(bytes.try_into().ok()?).to_string(),
        INT4 => i32::from_be_bytes(bytes.try_into().ok()?).to_string(),
        INT8 => long(bytes)?.to_string(),
        OID => u32::from_be_bytes(bytes.try_into().ok()?).to_string(),
        FLOAT4 => f32::from_be_bytes(bytes.try_into().ok()?).to_string(),
        FLOAT8 => f64::from_be_bytes(bytes.try_into().ok()?).to_string(),
        NUMERIC => numeric::read(bytes)?,
        BYTEA => format!("0x{}", hex::encode(bytes)),
        DATE => {
            let days = i32::from_be_bytes(bytes.try_into().ok()?);
            epoch().checked_add_signed(chrono::Duration::days(i64::from(days)))?.to_string()
        }
        TIME => {
            let micros = u32::try_from(long(bytes)? / 1_000_000).ok()?;
            let nanos = u32::try_from(long(bytes)? % 1_000_000).ok()? * 1_000;
            let time = NaiveTime::from_num_seconds_from_midnight_opt(micros, nanos)?;
            let digits = if time.nanosecond() == 0 { "%H:%M:%S" } else { "%H:%M:%S%.6f" };
            time.format(digits).to_string()
        }
        TIMESTAMP | TIMESTAMPTZ => {
            let since = epoch().and_time(NaiveTime::MIN);
            since.checked_add_signed(chrono::Duration::microseconds(long(bytes)?))?.to_string()
        }
        INTERVAL if bytes.len() == 16 => {
            let (micros, days, months) = (bytes.get_i64(), bytes.get_i32(), bytes.get_i32());
            format!("{months} months {days} days {micros} microseconds")
        }
        INTERVAL => return None,
        _ => String::from_utf8(bytes.to_vec()).ok()?,
    })
}

/// The values with those as numbers whose type is open and whose text is a whole number; `None` where there is none.
pub fn as_numbers(values: &[Value], types: &[u32]) -> Option<Vec<Value>> {
    let mut any = false;
    let number = |(value, oid): (&Value, &u32)| match value.get("value").and_then(Value::as_str) {
        Some(text) if *oid == 0 && text.parse::<i64>().is_ok() => {
            any = true;
            json!({"type": "number", "value": text})
        }
        _ => value.clone(),
    };
    let numbers = values.iter().zip(types).map(number).collect();
    any.then_some(numbers)
}

/// A value that stands in for one of this type where a statement is described before it is bound.
pub fn example(oid: u32) -> Value {
    match oid {
        INT2 | INT4 | INT8 | OID => json!({"type": "number", "value": "1"}),
        FLOAT4 | FLOAT8 => json!({"type": "double", "value": "1"}),
        NUMERIC => json!({"type": "number", "value": "1.0"}),
        INTERVAL => json!({"type": "interval", "value": "1 day"}),
        DATE => json!({"type": "day", "value": "2000-01-01"}),
        TIMESTAMP | TIMESTAMPTZ => json!({"type": "timestamp", "value": "2000-01-01 00:00:00"}),
        BOOL => Value::Bool(true),
        list => match item_of(list) {
            Some(item) => json!({"type": "list", "value": [in_list(example(item))]}),
            None => Value::Null,
        },
    }
}

/// Bytes of memory that a value takes, about.
pub fn bytes(value: &Value) -> usize {
    let inner = match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(bytes).sum(),
        Value::Object(members) => members.iter().map(|(name, member)| name.len() + bytes(member)).sum(),
        _ => 0,
    };
    size_of::<Value>() + inner
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: Option<&[u8]>, oid: u32, format: i16) -> Result<Value, Fault> {
        parameter(bytes, oid, false, format)
    }

    #[test]
    fn bound_values_keep_their_type() {
        let number = json!({"type": "number", "value": "7"});
        assert_eq!(of(Some(b"7"), INT4, 0).unwrap(), number);
        assert_eq!(of(Some(&7_i64.to_be_bytes()), INT8, 1).unwrap(), number);
        assert_eq!(of(Some(b"7"), 0, 0).unwrap(), json!({"type": "text", "value": "7"}));
        assert_eq!(of(Some(b"7"), FLOAT8, 0).unwrap(), json!({"type": "double", "value": "7"}));
        assert_eq!(of(Some(b"-7"), NUMERIC, 0).unwrap(), json!({"type": "number", "value": "-7.0"}));
        let large = "9".repeat(30);
        assert_eq!(of(Some(large.as_bytes()), NUMERIC, 0).unwrap()["value"], large);
        assert_eq!(of(Some(&[0xab]), BYTEA, 1).unwrap(), json!({"type": "text", "value": "0xab"}));
        assert_eq!(of(Some(b"\\xab"), BYTEA, 0).unwrap(), json!({"type": "text", "value": "0xab"}));
        let moment = of(Some(&0_i64.to_be_bytes()), TIMESTAMP, 1).unwrap();
        assert_eq!(moment, json!({"type": "timestamp", "value": "2000-01-01 00:00:00"}));
        let time = of(Some(&3_723_500_000_i64.to_be_bytes()), TIME, 1).unwrap();
        assert_eq!(time, json!({"type": "text", "value": "01:02:03.500000"}));
        let length = [5_000_000_i64.to_be_bytes().as_slice(), &1_i32.to_be_bytes(), &0_i32.to_be_bytes()].concat();
        let interval = json!({"type": "interval", "value": "0 months 1 days 5000000 microseconds"});
        assert_eq!(of(Some(&length), INTERVAL, 1).unwrap(), interval);
        assert_eq!(of(None, INT4, 0).unwrap(), Value::Null);
        assert!(of(Some(&[1, 2]), INT8, 1).is_err());
        assert!(of(Some(&[1, 2]), INTERVAL, 1).is_err());
        assert!(of(Some(b"x"), 600, 0).is_err());
    }

    #[test]
    fn lists_have_items_of_their_type() {
        let whole = json!({"type": "list", "value": [{"number": "1"}, null, {"number": "2"}]});
        assert_eq!(of(Some(b"{1,NULL,2}"), 1007, 0).unwrap(), whole);
        let texts = json!({"type": "list", "value": ["a,b", "NULL", "c\"d"]});
        assert_eq!(of(Some(br#"{"a,b","NULL",c\"d}"#), 1009, 0).unwrap(), texts);
        assert_eq!(parameter(Some(br#"{"a,b","NULL",c\"d}"#), 0, true, 0).unwrap(), texts);
        let head = [1, 0, INT4 as i32, 2, 1].map(i32::to_be_bytes).concat();
        let items = [4, 7, -1].map(i32::to_be_bytes).concat();
        let bound = of(Some(&[head, items].concat()), 1007, 1).unwrap();
        assert_eq!(bound, json!({"type": "list", "value": [{"number": "7"}, null]}));
        assert_eq!(of(Some(b"{x}"), 1007, 0).unwrap()["value"][0], json!({"number": "x"}), "the engine refuses it");
        for (list, text, item) in [
            (1022, "{NaN}", json!({"double": "NaN"})),
            (1115, "{\"2024-01-31 12:00:00\"}", json!({"timestamp": "2024-01-31 12:00:00"})),
            (1182, "{2024-01-31}", json!({"day": "2024-01-31"})),
            (1187, "{\"1 day\"}", json!({"interval": "1 day"})),
            (1000, "{t}", json!(true)),
            (1001, r#"{"\\xab"}"#, json!("0xab")),
        ] {
            assert_eq!(of(Some(text.as_bytes()), list, 0).unwrap()["value"][0], item, "{text}");
        }
        assert_eq!(example(1016), json!({"type": "list", "value": [{"number": "1"}]}));
        assert_eq!(example(1009), json!({"type": "list", "value": [null]}));
    }
}
