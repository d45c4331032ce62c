//! Types of the columns of a CSV file, from all of its values.

use arrow::datatypes::{DataType, Field, Schema, TimeUnit};
use chrono::{NaiveDate, NaiveDateTime};

/// Digits of the widest decimal that a column of big numbers becomes.
const MAX_DIGITS: usize = 38;
/// Digits that every double keeps.
const DOUBLE_DIGITS: usize = 15;

/// What the values of one column can still be.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    any: bool,
    integer: bool,
    float: bool,
    decimal: bool,
    /// Most digits before the point and behind it.
    before: usize,
    behind: usize,
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
            behind: 0,
            boolean: true,
            date: true,
            timestamp: true,
        }
    }
}

impl Candidate {
    /// Looks at one value; empty ones are null and say nothing.
    pub fn see(&mut self, value: &str) {
        self.any = true;
        let digits = value.strip_prefix('-').unwrap_or(value);
        // `007` is a code and not a number.
        let number = digits.len() < 2 || !digits.starts_with('0') || digits.as_bytes()[1] == b'.';
        self.integer &= number && is_whole(digits) && value.parse::<i64>().is_ok();
        self.float &= number && is_kept_by_double(value, digits);
        let (before, behind) = digits.split_once('.').unwrap_or((digits, "0"));
        self.decimal &= number && is_whole(before) && is_whole(behind);
        self.before = self.before.max(before.len());
        self.behind = self.behind.max(if digits.contains('.') { behind.len() } else { 0 });
        self.boolean &= value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("false");
        self.date &= is_date(value);
        self.timestamp &= is_date(value) || is_timestamp(value);
    }

    /// The narrowest type that holds every value exactly.
    pub fn data_type(&self) -> DataType {
        match self {
            Candidate { any: false, .. } => DataType::Utf8,
            Candidate { boolean: true, .. } => DataType::Boolean,
            Candidate { integer: true, .. } => DataType::Int64,
            // Of whole numbers that 64 bits are too few for, every digit counts.
            Candidate { float: true, behind, before, .. } if *behind > 0 || *before <= DOUBLE_DIGITS => {
                DataType::Float64
            }
            Candidate { decimal: true, before, behind, .. } if before + behind <= MAX_DIGITS => {
                DataType::Decimal128(MAX_DIGITS as u8, *behind as i8)
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

/// Whether a double shows all digits of a number again.
fn is_kept_by_double(value: &str, digits: &str) -> bool {
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

/// Whether a text has a form in which `d` is a digit.
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
        values.iter().for_each(|value| candidate.see(value));
        candidate.data_type()
    }

    #[test]
    fn a_column_gets_the_narrowest_type_that_loses_nothing() {
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
