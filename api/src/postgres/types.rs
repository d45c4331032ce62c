//! PostgreSQL's types for ours, and values of them as bytes.
//!
//! Every number keeps its digits: a uint256 is a `numeric`. Addresses, hashes and bytes are `text` of the form `0x…`, as
//! everywhere in Quarry, and such a text finds them. Lists and structs are `json`.

use bytes::{BufMut, BytesMut};
use chrono::{NaiveDate, NaiveDateTime, NaiveTime, Timelike};
use serde_json::Value;

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
/// Types that clients only bind: no column has one.
pub const BPCHAR: u32 = 1042;
pub const TIMETZ: u32 = 1266;
pub const UUID: u32 = 2950;
pub const JSONB: u32 = 3802;
/// Array types that clients bind, with the type of their items.
pub const LISTS: [(u32, u32); 18] = [
    (1000, BOOL),
    (1001, BYTEA),
    (1002, CHAR),
    (1003, NAME),
    (1005, INT2),
    (1007, INT4),
    (1016, INT8),
    (1009, TEXT),
    (1015, VARCHAR),
    (1021, FLOAT4),
    (1022, FLOAT8),
    (1028, OID),
    (1115, TIMESTAMP),
    (1182, DATE),
    (1183, TIME),
    (1185, TIMESTAMPTZ),
    (1187, INTERVAL),
    (1231, NUMERIC),
];

/// The array type for an item type; that of text if there is none.
pub fn list_of(item: u32) -> u32 {
    LISTS.iter().find(|(_, of)| *of == item).map_or(1009, |(list, _)| *list)
}

/// The item type of an array type; `None` for any other type.
pub fn item_of(list: u32) -> Option<u32> {
    LISTS.iter().find(|(known, _)| *known == list).map(|(_, item)| *item)
}

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

/// Bytes of a time of day with microseconds, `hh:mm:ss.ffffff`.
const MICROSECONDS: usize = 15;

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
            // PostgreSQL has microseconds, and clients read no more.
            Value::String(text) if oid == TIME => put_text(text.get(..MICROSECONDS).unwrap_or(text), out),
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
pub fn epoch() -> NaiveDate {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

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
        assert_eq!(written(json!("01:02:03.123456789"), TIME, 0), b"01:02:03.123456");
        assert_eq!(written(json!("01:02:03"), TIME, 0), b"01:02:03");
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
}
