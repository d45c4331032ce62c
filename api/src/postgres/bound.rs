//! Bound values as query parameters: of the type that the client declared, or text if it declared none.

use bytes::Buf;
use chrono::{NaiveTime, Timelike};
use serde_json::{Value, json};

use super::lists::items;
use super::types::{
    BOOL, BPCHAR, BYTEA, CHAR, DATE, FLOAT4, FLOAT8, INT2, INT4, INT8, INTERVAL, JSON, JSONB, NAME, NUMERIC, OID, TEXT,
    TIME, TIMESTAMP, TIMESTAMPTZ, TIMETZ, UUID, VARCHAR, epoch, item_of, list_of,
};
use super::wire::Fault;
use super::{moments, numeric};

/// A whole `numeric` of up to this many digits becomes a decimal, which divides with a fraction. A longer one may be a uint256.
const DECIMAL_DIGITS: usize = 18;

/// Decodes a bound value. An untyped value (`oid` 0) is a list if `list` is set. `format` is 0 for text and 1 for binary.
pub fn parameter(bytes: Option<&[u8]>, oid: u32, list: bool, format: i16) -> Result<Value, Fault> {
    let Some(bytes) = bytes else { return Ok(Value::Null) };
    let oid = if oid == 0 && list { list_of(TEXT) } else { oid };
    if let Some(item) = item_of(oid) {
        let items = items(bytes, item, format)?;
        let items = items.iter().map(|bytes| parameter(bytes.as_deref(), item, false, format).map(in_list));
        return Ok(json!({"type": "list", "value": items.collect::<Result<Vec<Value>, Fault>>()?}));
    }
    let state = if format == 0 { "22P02" } else { "22P03" };
    let wrong = || Fault::new(state, format!("A bound value is not a valid {}.", name(oid)));
    let text = match format {
        0 => String::from_utf8(bytes.to_vec()).ok(),
        _ => read_binary(bytes, oid),
    };
    let text = text.ok_or_else(wrong)?;
    Ok(match oid {
        BOOL => Value::Bool(boolean(&text).ok_or_else(wrong)?),
        INT2 | INT4 | INT8 | OID => json!({"type": "number", "value": text}),
        FLOAT4 | FLOAT8 => json!({"type": "double", "value": text}),
        NUMERIC => json!({"type": "number", "value": with_point(text)}),
        INTERVAL => json!({"type": "interval", "value": text}),
        // PostgreSQL writes bytes as `\x…`.
        BYTEA => {
            json!({"type": "text", "value": text.strip_prefix("\\x").map_or(text.clone(), |hex| format!("0x{hex}"))})
        }
        DATE => json!({"type": "day", "value": moments::without_zone(&text, oid)}),
        TIMESTAMP | TIMESTAMPTZ => json!({"type": "timestamp", "value": moments::without_zone(&text, oid)}),
        TIME | TIMETZ => json!({"type": "text", "value": moments::without_zone(&text, oid)}),
        0 | BPCHAR | CHAR | NAME | TEXT | VARCHAR | JSON | JSONB | UUID => json!({"type": "text", "value": text}),
        other => {
            let message = format!("Values of type {other} can't be bound. Bind text or a number instead.");
            return Err(Fault::new("0A000", message));
        }
    })
}

/// A boolean as PostgreSQL reads it, in any letter case.
fn boolean(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "t" | "true" | "y" | "yes" | "on" | "1" => Some(true),
        "f" | "false" | "n" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

/// Writes a whole number as `1.0`, which the engine reads as a decimal.
fn with_point(digits: String) -> String {
    let whole = digits.strip_prefix('-').unwrap_or(&digits);
    let short = whole.len() <= DECIMAL_DIGITS && whole.bytes().all(|byte| byte.is_ascii_digit());
    if short { format!("{digits}.0") } else { digits }
}

/// A decoded value in the form of a list item.
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
        INT2 | INT4 | INT8 | OID => "integer",
        FLOAT4 | FLOAT8 | NUMERIC => "number",
        DATE => "date",
        TIME | TIMETZ => "time",
        UUID => "UUID",
        TIMESTAMP | TIMESTAMPTZ => "timestamp",
        INTERVAL => "interval",
        _ => "UTF-8 text",
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
        UUID => {
            let digits = hex::encode(<[u8; 16]>::try_from(bytes).ok()?);
            let (parts, ends) = ([0, 8, 12, 16, 20], [8, 12, 16, 20, 32]);
            parts.iter().zip(ends).map(|(from, to)| &digits[*from..to]).collect::<Vec<_>>().join("-")
        }
        // Its binary form begins with its version.
        JSONB => String::from_utf8(bytes.strip_prefix(&[1])?.to_vec()).ok()?,
        TIMETZ => return None,
        _ => String::from_utf8(bytes.to_vec()).ok()?,
    })
}

/// The values with untyped ones as what their text looks like: an integer, or a time with a zone; `None` if there are none.
pub fn by_looks(values: &[Value], types: &[u32]) -> Option<Vec<Value>> {
    let typed = |text: &str| match moments::type_of(text) {
        DATE => Some(json!({"type": "day", "value": moments::without_zone(text, DATE)})),
        TIMESTAMP => Some(json!({"type": "timestamp", "value": moments::without_zone(text, TIMESTAMP)})),
        TIME => Some(json!({"type": "text", "value": moments::without_zone(text, TIME)})),
        _ => text.parse::<i64>().is_ok().then(|| json!({"type": "number", "value": text})),
    };
    untyped(values, types, typed)
}

/// The values without the zones of untyped dates and timestamps; `None` if there are none.
pub fn without_zones(values: &[Value], types: &[u32]) -> Option<Vec<Value>> {
    let plain = |text: &str| match moments::type_of(text) {
        // A time of day is a text for the engine as well, so its looks tell nothing about its use.
        0 | TIME => None,
        oid => Some(json!({"type": "text", "value": moments::without_zone(text, oid)})),
    };
    untyped(values, types, plain)
}

/// The values with some untyped ones as others; `None` if all stay.
fn untyped(values: &[Value], types: &[u32], other: impl Fn(&str) -> Option<Value>) -> Option<Vec<Value>> {
    let mut any = false;
    let replaced = |(value, oid): (&Value, &u32)| {
        let text = value.get("value").and_then(Value::as_str).filter(|_| *oid == 0);
        let other = text.and_then(&other);
        any |= other.is_some();
        other.unwrap_or_else(|| value.clone())
    };
    let values = values.iter().zip(types).map(replaced).collect();
    any.then_some(values)
}

/// A sample value of a type, to plan a statement that is described before values are bound.
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

/// The approximate memory of a value, in bytes.
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

    fn decode(bytes: Option<&[u8]>, oid: u32, format: i16) -> Result<Value, Fault> {
        parameter(bytes, oid, false, format)
    }

    #[test]
    fn bound_values_keep_their_types() {
        let number = json!({"type": "number", "value": "7"});
        assert_eq!(decode(Some(b"7"), INT4, 0).unwrap(), number);
        assert_eq!(decode(Some(&7_i64.to_be_bytes()), INT8, 1).unwrap(), number);
        assert_eq!(decode(Some(b"7"), 0, 0).unwrap(), json!({"type": "text", "value": "7"}));
        assert_eq!(decode(Some(b"7"), FLOAT8, 0).unwrap(), json!({"type": "double", "value": "7"}));
        assert_eq!(decode(Some(b"-7"), NUMERIC, 0).unwrap(), json!({"type": "number", "value": "-7.0"}));
        let large = "9".repeat(30);
        assert_eq!(decode(Some(large.as_bytes()), NUMERIC, 0).unwrap()["value"], large);
        assert_eq!(decode(Some(&[0xab]), BYTEA, 1).unwrap(), json!({"type": "text", "value": "0xab"}));
        assert_eq!(decode(Some(b"\\xab"), BYTEA, 0).unwrap(), json!({"type": "text", "value": "0xab"}));
        let moment = decode(Some(&0_i64.to_be_bytes()), TIMESTAMP, 1).unwrap();
        assert_eq!(moment, json!({"type": "timestamp", "value": "2000-01-01 00:00:00"}));
        let time = decode(Some(&3_723_500_000_i64.to_be_bytes()), TIME, 1).unwrap();
        assert_eq!(time, json!({"type": "text", "value": "01:02:03.500000"}));
        let length = [5_000_000_i64.to_be_bytes().as_slice(), &1_i32.to_be_bytes(), &0_i32.to_be_bytes()].concat();
        let interval = json!({"type": "interval", "value": "0 months 1 days 5000000 microseconds"});
        assert_eq!(decode(Some(&length), INTERVAL, 1).unwrap(), interval);
        assert_eq!(decode(None, INT4, 0).unwrap(), Value::Null);
        for (text, truth) in [("TRUE", true), ("y", true), ("f", false), ("Off", false)] {
            assert_eq!(decode(Some(text.as_bytes()), BOOL, 0).unwrap(), json!(truth), "{text}");
        }
        let time = json!({"type": "timestamp", "value": "2024-01-31 04:34:56"});
        assert_eq!(decode(Some(b"2024-01-31 12:34:56+08"), TIMESTAMPTZ, 0).unwrap(), time);
        assert_eq!(decode(Some(b"01:02:03+08"), TIMETZ, 0).unwrap(), json!({"type": "text", "value": "01:02:03"}));
        let uuid = json!({"type": "text", "value": "00010203-0405-0607-0809-0a0b0c0d0e0f"});
        assert_eq!(decode(Some(&(0..16).collect::<Vec<u8>>()), UUID, 1).unwrap(), uuid);
        assert_eq!(decode(Some(b"\x01{}"), JSONB, 1).unwrap(), json!({"type": "text", "value": "{}"}));
        assert_eq!(decode(Some(b"maybe"), BOOL, 0).unwrap_err().state, "22P02");
        assert_eq!(decode(Some(&[1, 2]), INT8, 1).unwrap_err().state, "22P03");
        assert!(decode(Some(&[1, 2]), INTERVAL, 1).is_err());
        assert!(decode(Some(b"x"), 600, 0).is_err());
    }

    #[test]
    fn untyped_values_may_be_what_they_look_like() {
        let values: Vec<Value> = ["7", "2024-01-31 12:00:00+08", "2024-01-31 +08", "x", "7"]
            .iter()
            .map(|text| json!({"type": "text", "value": text}))
            .collect();
        let expected = json!([
            {"type": "number", "value": "7"},
            {"type": "timestamp", "value": "2024-01-31 12:00:00"},
            {"type": "day", "value": "2024-01-31"},
            {"type": "text", "value": "x"},
            {"type": "text", "value": "7"},
        ]);
        assert_eq!(json!(by_looks(&values, &[0, 0, 0, 0, TEXT])), expected);
        assert_eq!(by_looks(&values[3..], &[0, TEXT]), None);
        let plain = without_zones(&values[..3], &[0, 0, TEXT]).unwrap();
        assert_eq!(plain[1], json!({"type": "text", "value": "2024-01-31 12:00:00"}));
        assert_eq!((&plain[0], &plain[2]), (&values[0], &values[2]));
    }

    #[test]
    fn list_items_have_the_type_of_the_list() {
        let whole = json!({"type": "list", "value": [{"number": "1"}, null, {"number": "2"}]});
        assert_eq!(decode(Some(b"{1,NULL,2}"), 1007, 0).unwrap(), whole);
        let texts = json!({"type": "list", "value": ["a,b", "NULL", "c\"d"]});
        assert_eq!(decode(Some(br#"{"a,b","NULL",c\"d}"#), 1009, 0).unwrap(), texts);
        assert_eq!(parameter(Some(br#"{"a,b","NULL",c\"d}"#), 0, true, 0).unwrap(), texts);
        let head = [1, 0, INT4 as i32, 2, 1].map(i32::to_be_bytes).concat();
        let items = [4, 7, -1].map(i32::to_be_bytes).concat();
        let bound = decode(Some(&[head, items].concat()), 1007, 1).unwrap();
        assert_eq!(bound, json!({"type": "list", "value": [{"number": "7"}, null]}));
        assert_eq!(decode(Some(b"{x}"), 1007, 0).unwrap()["value"][0], json!({"number": "x"}), "the engine refuses it");
        for (list, text, item) in [
            (1022, "{NaN}", json!({"double": "NaN"})),
            (1115, "{\"2024-01-31 12:00:00\"}", json!({"timestamp": "2024-01-31 12:00:00"})),
            (1182, "{2024-01-31}", json!({"day": "2024-01-31"})),
            (1187, "{\"1 day\"}", json!({"interval": "1 day"})),
            (1000, "{t}", json!(true)),
            (1001, r#"{"\\xab"}"#, json!("0xab")),
        ] {
            assert_eq!(decode(Some(text.as_bytes()), list, 0).unwrap()["value"][0], item, "{text}");
        }
        assert_eq!(example(1016), json!({"type": "list", "value": [{"number": "1"}]}));
        assert_eq!(example(1009), json!({"type": "list", "value": [null]}));
    }
}
