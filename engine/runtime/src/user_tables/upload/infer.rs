//! Infers the types of the columns of a CSV file from all values.

use arrow::datatypes::{DataType, Field, Schema, TimeUnit};
use chrono::{NaiveDate, NaiveDateTime};

/// Precision of decimals for large numbers.
const MAX_DIGITS: usize = 38;
/// Digits that a double always holds.
const DOUBLE_DIGITS: usize = 15;

/// The types that all values of a column so far fit.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    any: bool,
    integer: bool,
    float: bool,
    decimal: bool,
    /// Maximum digits before and after the point.
    before: usize,
    after: usize,
    boolean: bool,
    date: bool,
    timestamp: bool,
}

impl Default for Candidate {
    fn default() -> Candidate {
        Candidate {
            any: false,
            integer: true,
            float: true,
            decimal: true,
            before: 1,
            after: 0,
            boolean: true,
            date: true,
            timestamp: true,
        }
    }
}

impl Candidate {
    /// Adds a value that is not empty.
    pub fn add(&mut self, value: &str) {
        self.any = true;
        let digits = value.strip_prefix('-').unwrap_or(value);
        // `007` is a code and not a number.
        let number = digits.len() < 2 || !digits.starts_with('0') || digits.as_bytes()[1] == b'.';
        self.integer &= number && is_whole(digits) && value.parse::<i64>().is_ok();
        self.float &= number && fits_double(value, digits);
        let (before, after) = digits.split_once('.').unwrap_or((digits, "0"));
        self.decimal &= number && is_whole(before) && is_whole(after);
        self.before = self.before.max(before.len());
        self.after = self.after.max(if digits.contains('.') { after.len() } else { 0 });
        self.boolean &= value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("false");
        self.date &= is_date(value);
        self.timestamp &= is_date(value) || is_timestamp(value);
    }

    /// The narrowest type that holds all values exactly.
    pub fn data_type(&self) -> DataType {
        match self {
            Candidate { any: false, .. } => DataType::Utf8,
            Candidate { boolean: true, .. } => DataType::Boolean,
            Candidate { integer: true, .. } => DataType::Int64,
            // Integers beyond 64 bits become decimals, which keep every digit.
            Candidate { float: true, after, before, .. } if *after > 0 || *before <= DOUBLE_DIGITS => DataType::Float64,
            Candidate { decimal: true, before, after, .. } if before + after <= MAX_DIGITS => {
                DataType::Decimal128(MAX_DIGITS as u8, *after as i8)
            }
            Candidate { date: true, .. } => DataType::Date32,
            Candidate { timestamp: true, .. } => DataType::Timestamp(TimeUnit::Microsecond, None),
            _ => DataType::Utf8,
        }
    }
}

/// The schema of a file by its header and candidates.
pub(super) fn schema(names: &[String], candidates: &[Candidate]) -> Schema {
    let fields = names.iter().zip(candidates);
    Schema::new(fields.map(|(name, seen)| Field::new(name, seen.data_type(), true)).collect::<Vec<_>>())
}

fn is_whole(digits: &str) -> bool {
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a double holds all digits of a number.
fn fits_double(value: &str, digits: &str) -> bool {
    let signs = value.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    let mantissa = digits.split(['e', 'E']).next().unwrap_or_default();
    let counted: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let counted = counted.trim_start_matches('0').trim_end_matches('0');
    let read = value.parse::<f64>().ok().filter(|read| read.is_finite() && (*read != 0.0 || counted.is_empty()));
    signs && counted.len() <= DOUBLE_DIGITS && read.is_some()
}

fn is_date(value: &str) -> bool {
    value.len() == 10 && matches(value, "dddd-dd-dd") && NaiveDate::parse_from_str(value, "%Y-%m-%d").is_ok()
}

fn is_timestamp(value: &str) -> bool {
    let (head, fraction) = value.split_once('.').unwrap_or((value, ""));
    let digits = fraction.strip_suffix('Z').unwrap_or(fraction);
    let head = head.strip_suffix('Z').unwrap_or(head);
    let form = match () {
        () if matches(head, "dddd-dd-dd dd:dd:dd") => "%Y-%m-%d %H:%M:%S",
        () if matches(head, "dddd-dd-ddTdd:dd:dd") => "%Y-%m-%dT%H:%M:%S",
        () => return false,
    };
    NaiveDateTime::parse_from_str(head, form).is_ok()
        && digits.len() <= 6
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text matches a pattern in which `d` is a digit.
fn matches(value: &str, form: &str) -> bool {
    value.len() == form.len()
        && value
            .bytes()
            .zip(form.bytes())
            .all(|(byte, sign)| if sign == b'd' { byte.is_ascii_digit() } else { byte == sign })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn infer(values: &[&str]) -> DataType {
        let mut candidate = Candidate::default();
        values.iter().for_each(|value| candidate.add(value));
        candidate.data_type()
    }

    #[test]
    fn narrowest_exact_type_is_chosen() {
        assert_eq!(infer(&["1", "-20"]), DataType::Int64);
        assert_eq!(infer(&["1", "100000000000000000000"]), DataType::Decimal128(38, 0));
        assert_eq!(infer(&["1", "2.5", "1e3"]), DataType::Float64);
        assert_eq!(infer(&["true", "FALSE"]), DataType::Boolean);
        assert_eq!(infer(&["2024-01-02"]), DataType::Date32);
        assert_eq!(infer(&["2024-01-02", "2024-01-02 10:00:00.5"]), DataType::Timestamp(TimeUnit::Microsecond, None));
        assert_eq!(infer(&["007"]), DataType::Utf8);
        assert_eq!(infer(&["0x00ff"]), DataType::Utf8);
        assert_eq!(infer(&["1", "x"]), DataType::Utf8);
        assert_eq!(infer(&["1.2345678901234567890"]), DataType::Decimal128(38, 19));
        assert_eq!(infer(&["9007199254740993", "0.5"]), DataType::Decimal128(38, 1));
        assert_eq!(infer(&["1e400"]), DataType::Utf8);
        assert_eq!(infer(&["1e-400"]), DataType::Utf8);
        assert_eq!(infer(&["0.0", "1e300"]), DataType::Float64);
        assert_eq!(infer(&["2024-02-30"]), DataType::Utf8);
        assert_eq!(infer(&["2024-02-29 24:00:01"]), DataType::Utf8);
        assert_eq!(infer(&[]), DataType::Utf8);
        assert_eq!(infer(&["9".repeat(39).as_str()]), DataType::Utf8);
    }
}
