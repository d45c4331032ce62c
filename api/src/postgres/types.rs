//! PostgreSQL's types for ours, and values of them as bytes.
//!
//! Every number keeps its digits: a uint256 is a `numeric`. Addresses, hashes and bytes are `text` of the form `0x…`, as
//! everywhere in Quarry, and such a text finds them. Lists and structs are `json`.

use bytes::{BufMut, BytesMut};
use chrono::{NaiveDate, NaiveDateTime, NaiveTime, Timelike};
use serde_json::{Value, json};

use super::numeric;
use super::wire::{Fault, Field};

pub const BOOL: u32 = 16;
pub const NAME: u32 = 19;
pub const INT8: u32 = 20;
pub const INT2: u32 = 21;
pub const INT4: u32 = 23;
pub const TEXT: u32 = 25;
pub const OID: u32 = 26;
pub const JSON: u32 = 114;
pub const FLOAT4: u32 = 700;
pub const FLOAT8: u32 = 701;
pub const CHAR: u32 = 18;
pub const BYTEA: u32 = 17;
pub const VARCHAR: u32 = 1043;
pub const DATE: u32 = 1082;
pub const TIME: u32 = 1083;
pub const TIMESTAMP: u32 = 1114;
pub const TIMESTAMPTZ: u32 = 1184;
pub const INTERVAL: u32 = 1186;
pub const NUMERIC: u32 = 1700;

/// A type: its number, the bytes of a value (-1 where they differ), and its modifier.
pub type Type = (u32, i16, i32);

/// PostgreSQL's type for the name of one of ours.
pub fn of_name(name: &str) -> Type {
    match name {
        "boolean" => (BOOL, 1, -1),
        "smallint" => (INT2, 2, -1),
        "int" => (INT4, 4, -1),
        "bigint" => (INT8, 8, -1),
        "real" => (FLOAT4, 4, -1),
        "double" => (FLOAT8, 8, -1),
        "uint256" | "int256" => (NUMERIC, -1, -1),
        "timestamp" => (TIMESTAMP, 8, -1),
        "date" => (DATE, 4, -1),
        "time" => (TIME, 8, -1),
        "varchar" | "address" | "hash" | "bytes" | "interval" | "null" => (TEXT, -1, -1),
        decimal if decimal.starts_with("decimal(") => (NUMERIC, -1, modifier(decimal).unwrap_or(-1)),
        // Lists, structs, maps, and what a GRAPH query returns.
        _ => (JSON, -1, -1),
    }
}

/// Precision and scale of `decimal(p,s)` as PostgreSQL packs them.
fn modifier(decimal: &str) -> Option<i32> {
    let (precision, scale) = decimal.strip_prefix("decimal(")?.strip_suffix(')')?.split_once(',')?;
    Some((precision.parse::<i32>().ok()? << 16 | scale.parse::<i32>().ok()?) + 4)
}

/// A column of an answer.
pub fn field(name: &str, (oid, size, modifier): Type) -> Field {
    Field { name: name.to_string(), oid, size, modifier }
}

/// Writes a value as text (0) or binary (1); false for null.
pub fn write(value: &Value, oid: u32, format: i16, out: &mut BytesMut) -> Result<bool, Fault> {
    if value.is_null() {
        return Ok(false);
    }
    if format == 0 {
        match value {
            Value::Bool(truth) => out.put_u8(if *truth { b't' } else { b'f' }),
            Value::String(text) => put_text(text, out),
            other => put_text(&other.to_string(), out),
        }
        return Ok(true);
    }
    let written = binary(value, oid, out);
    let unfit = || Fault::new("0A000", "A value can't be sent in binary; ask for text.");
    written.ok_or_else(unfit).map(|()| true)
}

fn binary(value: &Value, oid: u32, out: &mut BytesMut) -> Option<()> {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match oid {
        BOOL => out.put_u8(u8::from(value.as_bool().unwrap_or(text == "t" || text == "true"))),
        INT2 => out.put_i16(text.parse().ok()?),
        INT4 => out.put_i32(text.parse().ok()?),
        INT8 => out.put_i64(text.parse().ok()?),
        OID => out.put_u32(text.parse().ok()?),
        FLOAT4 => out.put_f32(text.parse().ok()?),
        FLOAT8 => out.put_f64(text.parse().ok()?),
        NUMERIC => numeric::write(&text, out)?,
        DATE => out.put_i32(i32::try_from((date(&text)? - epoch()).num_days()).ok()?),
        TIMESTAMP => out.put_i64((moment(&text)? - epoch().and_time(NaiveTime::MIN)).num_microseconds()?),
        TIME => {
            let time = NaiveTime::parse_from_str(&text, "%H:%M:%S%.f").ok()?;
            out.put_i64(i64::from(time.num_seconds_from_midnight()) * 1_000_000 + i64::from(time.nanosecond() / 1_000));
        }
        _ => put_text(&text, out),
    }
    Some(())
}

/// The day from which PostgreSQL counts.
fn epoch() -> NaiveDate {
    NaiveDate::from_ymd_opt(2000, 1, 1).unwrap_or_default()
}

fn date(text: &str) -> Option<NaiveDate> {
    NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()
}

fn moment(text: &str) -> Option<NaiveDateTime> {
    NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S%.f").ok()
}

/// PostgreSQL has no text with a zero in it, and clients cut there.
fn put_text(text: &str, out: &mut BytesMut) {
    out.extend(text.bytes().filter(|byte| *byte != 0));
}

/// A value that a client bound, as a parameter of a query: typed where the client said a type, else a text.
pub fn parameter(bytes: Option<&[u8]>, oid: u32, format: i16) -> Result<Value, Fault> {
    let Some(bytes) = bytes else { return Ok(Value::Null) };
    let text = match format {
        0 => String::from_utf8(bytes.to_vec()).ok(),
        _ => read_binary(bytes, oid),
    };
    let text = text.ok_or_else(|| Fault::new("22P03", format!("A bound value is not of the type {oid}.")))?;
    Ok(match oid {
        BOOL => Value::Bool(matches!(text.as_str(), "t" | "true" | "1" | "on" | "yes")),
        INT2 | INT4 | INT8 | OID | FLOAT4 | FLOAT8 | NUMERIC => json!({"type": "number", "value": text}),
        0 | CHAR | NAME | TEXT | VARCHAR | BYTEA | JSON | DATE | TIME | TIMESTAMP | TIMESTAMPTZ | INTERVAL => {
            json!({"type": "text", "value": text})
        }
        other => {
            let message = format!("Values of the type {other} can't be bound; bind a text or a number.");
            return Err(Fault::new("0A000", message));
        }
    })
}

fn read_binary(bytes: &[u8], oid: u32) -> Option<String> {
    let long = || Some(i64::from_be_bytes(bytes.try_into().ok()?));
    Some(match oid {
        BOOL => (*bytes.first()? != 0).to_string(),
        INT2 => i16::from_be_bytes(bytes.try_into().ok()?).to_string(),
        INT4 => i32::from_be_bytes(bytes.try_into().ok()?).to_string(),
        INT8 => long()?.to_string(),
        OID => u32::from_be_bytes(bytes.try_into().ok()?).to_string(),
        FLOAT4 => f32::from_be_bytes(bytes.try_into().ok()?).to_string(),
        FLOAT8 => f64::from_be_bytes(bytes.try_into().ok()?).to_string(),
        NUMERIC => numeric::read(bytes)?,
        BYTEA => format!("0x{}", hex::encode(bytes)),
        DATE => {
            let days = i32::from_be_bytes(bytes.try_into().ok()?);
            epoch().checked_add_signed(chrono::Duration::days(i64::from(days)))?.to_string()
        }
        TIMESTAMP | TIMESTAMPTZ => {
            let since = epoch().and_time(NaiveTime::MIN);
            since.checked_add_signed(chrono::Duration::microseconds(long()?))?.to_string()
        }
        _ => String::from_utf8(bytes.to_vec()).ok()?,
    })
}

/// A value that stands in for one of this type where a statement is described before it is bound.
pub fn example(oid: u32) -> Value {
    match oid {
        INT2 | INT4 | INT8 | OID | FLOAT4 | FLOAT8 | NUMERIC => json!({"type": "number", "value": "1"}),
        BOOL => Value::Bool(true),
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: Value, oid: u32, format: i16) -> Vec<u8> {
        let mut out = BytesMut::new();
        assert!(write(&value, oid, format, &mut out).unwrap());
        out.to_vec()
    }

    #[test]
    fn values_are_written_as_postgresql_does() {
        assert_eq!(written(json!("42"), INT8, 0), b"42");
        assert_eq!(written(json!("42"), INT8, 1), 42_i64.to_be_bytes());
        assert_eq!(written(json!(true), BOOL, 0), b"t");
        assert_eq!(written(json!("2000-01-02"), DATE, 1), 1_i32.to_be_bytes());
        assert_eq!(written(json!("1999-12-31 23:59:59.5"), TIMESTAMP, 1), (-500_000_i64).to_be_bytes());
        assert_eq!(written(json!("NaN"), FLOAT8, 1), f64::NAN.to_be_bytes());
        assert_eq!(written(json!(["a", 1]), JSON, 0), b"[\"a\",1]");
        assert_eq!(written(json!("a\0b"), TEXT, 0), b"ab");
        assert!(!write(&Value::Null, TEXT, 1, &mut BytesMut::new()).unwrap());
        assert!(write(&json!("many"), INT8, 1, &mut BytesMut::new()).is_err());
    }

    #[test]
    fn decimals_say_their_precision() {
        assert_eq!(of_name("decimal(38,18)"), (NUMERIC, -1, (38 << 16 | 18) + 4));
        assert_eq!(of_name("uint256"), (NUMERIC, -1, -1));
        assert_eq!(of_name("array(bigint)").0, JSON);
    }

    #[test]
    fn bound_values_keep_their_type() {
        let number = json!({"type": "number", "value": "7"});
        assert_eq!(parameter(Some(b"7"), INT4, 0).unwrap(), number);
        assert_eq!(parameter(Some(&7_i64.to_be_bytes()), INT8, 1).unwrap(), number);
        assert_eq!(parameter(Some(b"7"), 0, 0).unwrap(), json!({"type": "text", "value": "7"}));
        assert_eq!(parameter(Some(&[0xab]), BYTEA, 1).unwrap(), json!({"type": "text", "value": "0xab"}));
        let moment = parameter(Some(&0_i64.to_be_bytes()), TIMESTAMP, 1).unwrap();
        assert_eq!(moment, json!({"type": "text", "value": "2000-01-01 00:00:00"}));
        assert_eq!(parameter(None, INT4, 0).unwrap(), Value::Null);
        assert!(parameter(Some(&[1, 2]), INT8, 1).is_err());
        assert!(parameter(Some(b"{1,2}"), 1007, 0).is_err());
    }
}
