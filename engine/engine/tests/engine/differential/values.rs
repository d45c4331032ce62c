//! The types of random tables and queries, and values of them in each dialect.

use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

/// The product whose SQL is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    Quarry,
    DuckDb,
    Postgres,
}

/// The generator's types. Each has only operations on which all products agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    Bool,
    /// Small integers, used in arithmetic.
    Int,
    /// 64-bit integers up to their limits, which are only compared: arithmetic would overflow.
    Big,
    /// Decimals with two fractional digits.
    Decimal,
    /// uint256 below 2^100, which fits a 128-bit number in the other products.
    Wei,
    /// uint256 up to its maximum, only compared. DuckDB has no such type: there it is a text of 78 digits with the same order.
    Huge,
    /// Multiples of 0.5, so that sums are exact in any order.
    Double,
    Text,
    Bytes,
    Date,
    Time,
    /// Lists of small integers.
    Ints,
}

impl Type {
    pub const ALL: [Type; 12] = [
        Type::Bool,
        Type::Int,
        Type::Big,
        Type::Decimal,
        Type::Wei,
        Type::Huge,
        Type::Double,
        Type::Text,
        Type::Bytes,
        Type::Date,
        Type::Time,
        Type::Ints,
    ];

    /// The type name for casts. Small integers are 64-bit there, even if the column is narrower.
    pub fn name(self, dialect: Dialect) -> &'static str {
        use Dialect::{DuckDb, Postgres, Quarry};
        match (self, dialect) {
            (Type::Bool, _) => "boolean",
            (Type::Int | Type::Big, _) => "bigint",
            (Type::Decimal, _) => "decimal(18,2)",
            (Type::Wei | Type::Huge, Quarry) => "uint256",
            (Type::Wei, DuckDb) => "hugeint",
            (Type::Huge, DuckDb) | (Type::Text, Quarry | DuckDb) => "varchar",
            (Type::Wei | Type::Huge, Postgres) => "numeric",
            (Type::Double, Quarry | DuckDb) => "double",
            (Type::Double, Postgres) => "double precision",
            (Type::Text, Postgres) => "text",
            (Type::Bytes, Quarry) => "varbinary",
            (Type::Bytes, DuckDb) => "blob",
            (Type::Bytes, Postgres) => "bytea",
            (Type::Date, _) => "date",
            (Type::Time, _) => "timestamp",
            (Type::Ints, Quarry) => "array(bigint)",
            (Type::Ints, _) => "bigint[]",
        }
    }

    /// Whether rows can be ordered by it. Products order nulls inside lists differently.
    pub fn has_order(self) -> bool {
        self != Type::Ints
    }
}

/// A value that is not null.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Bool(bool),
    Int(i64),
    /// Hundredths.
    Decimal(i64),
    /// Digits of a uint256.
    Digits(String),
    /// Halves.
    Double(i64),
    Text(String),
    Bytes(Vec<u8>),
    /// Days since 1970.
    Date(i32),
    /// Microseconds since 1970.
    Time(i64),
    Ints(Vec<Option<i64>>),
}

const TEXTS: [&str; 10] = ["", "a", "b", "A", "ab", "é", "a b", "12", "x%y", "zebra"];
const LARGEST: &str = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
const HUGE: [&str; 6] =
    ["0", "1", "255", "340282366920938463463374607431768211456", "99999999999999999999999999999999999999999", LARGEST];
const WEI: [&str; 6] =
    ["0", "1", "2", "1000000000000000000", "18446744073709551616", "1267650600228229401496703205375"];
const BIG: [i64; 8] = [i64::MIN, i64::MIN + 1, -1, 0, 1, 1 << 53, (1 << 53) + 1, i64::MAX];
const DAYS: [i32; 8] = [-1, 0, 19_722, 19_723, 19_753, 19_782, 19_783, 20_088];
const MOMENTS: [i64; 7] = [
    -1,
    0,
    1_704_067_199_999_999,
    1_704_067_200_000_000,
    1_704_067_212_000_000,
    1_704_067_200_000_001,
    1_709_164_800_500_000,
];

/// A random value from a small set, so that equal values are common.
pub fn any_value(of: Type, random: &mut StdRng) -> Value {
    match of {
        Type::Bool => Value::Bool(random.random()),
        Type::Int => Value::Int(random.random_range(-3..6)),
        Type::Big => Value::Int(*BIG.choose(random).unwrap()),
        Type::Decimal => Value::Decimal(*[-250, -1, 0, 1, 50, 100, 150, 999, 123_456].choose(random).unwrap()),
        Type::Wei => Value::Digits(WEI.choose(random).unwrap().to_string()),
        Type::Huge => Value::Digits(HUGE.choose(random).unwrap().to_string()),
        Type::Double => Value::Double(random.random_range(-4..8)),
        Type::Text => Value::Text(TEXTS.choose(random).unwrap().to_string()),
        Type::Bytes => any_bytes(random.random_range(0..4), random),
        Type::Date => Value::Date(*DAYS.choose(random).unwrap()),
        Type::Time => Value::Time(*MOMENTS.choose(random).unwrap()),
        Type::Ints => {
            let count = random.random_range(0..4);
            Value::Ints((0..count).map(|_| random.random_bool(0.8).then(|| random.random_range(0..4))).collect())
        }
    }
}

/// Random bytes of this length from a small set.
pub fn any_bytes(count: usize, random: &mut StdRng) -> Value {
    let first = *[0, 1, 0x0a, 0xff].choose(random).unwrap();
    Value::Bytes((0..count).map(|at| if at == 0 { first } else { 0xab }).collect())
}

/// A literal of a type, or a typed null.
pub fn constant(value: Option<&Value>, of: Type, dialect: Dialect) -> String {
    let Some(value) = value else { return format!("cast(null as {})", of.name(dialect)) };
    match (value, dialect) {
        (Value::Bool(value), _) => value.to_string(),
        // `-9223372036854775808` would be a negated literal that is out of range.
        (Value::Int(value), _) if of == Type::Big => format!("cast('{value}' as bigint)"),
        (Value::Int(value), _) if *value < 0 => format!("({value})"),
        (Value::Int(value), _) => value.to_string(),
        (Value::Decimal(hundredths), _) => format!("cast('{}' as decimal(18,2))", decimal(*hundredths)),
        (Value::Digits(digits), Dialect::DuckDb) if of == Type::Huge => format!("'{digits:0>78}'"),
        (Value::Digits(digits), _) => format!("cast('{digits}' as {})", of.name(dialect)),
        (Value::Double(halves), _) => format!("cast('{}' as {})", halves_text(*halves), of.name(dialect)),
        (Value::Text(text), _) => format!("'{text}'"),
        (Value::Bytes(bytes), Dialect::Quarry) if bytes.is_empty() => "cast('' as varbinary)".to_string(),
        (Value::Bytes(bytes), Dialect::Quarry) => format!("0x{}", hex(bytes)),
        (Value::Bytes(bytes), Dialect::DuckDb) => {
            let escaped: String = bytes.iter().map(|byte| format!("\\x{byte:02X}")).collect();
            format!("'{escaped}'::blob")
        }
        (Value::Bytes(bytes), Dialect::Postgres) => format!("'\\x{}'::bytea", hex(bytes)),
        (Value::Date(days), _) => format!("date '{}'", date_text(*days)),
        (Value::Time(micros), _) => format!("timestamp '{}'", time_text(*micros)),
        (Value::Ints(items), _) => {
            let items: Vec<String> =
                items.iter().map(|item| item.map_or("null".to_string(), |item| item.to_string())).collect();
            let list = match dialect {
                Dialect::DuckDb => format!("[{}]", items.join(", ")),
                Dialect::Quarry | Dialect::Postgres => format!("array[{}]", items.join(", ")),
            };
            format!("cast({list} as {})", of.name(dialect))
        }
    }
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn decimal(hundredths: i64) -> String {
    let sign = if hundredths < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", hundredths.abs() / 100, hundredths.abs() % 100)
}

fn halves_text(halves: i64) -> String {
    let sign = if halves < 0 { "-" } else { "" };
    format!("{sign}{}.{}", halves.abs() / 2, if halves % 2 == 0 { "0" } else { "5" })
}

fn date_text(days: i32) -> String {
    let day = chrono::DateTime::from_timestamp(i64::from(days) * 86_400, 0).expect("a day of our time");
    day.format("%Y-%m-%d").to_string()
}

fn time_text(micros: i64) -> String {
    let time = chrono::DateTime::from_timestamp_micros(micros).expect("a moment of our time");
    time.format("%Y-%m-%d %H:%M:%S%.6f").to_string()
}
