//! Types of the columns of a CSV file, from all of its values.

use arrow::datatypes::{DataType, Field, Schema, TimeUnit};

/// Digits of the widest decimal that a column of big whole numbers becomes.
const MAX_DIGITS: usize = 38;

/// What the values of one column can still be.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    any: bool,
    integer: bool,
    whole: bool,
    float: bool,
    boolean: bool,
    date: bool,
    timestamp: bool,
}

impl Default for Candidate {
    fn default() -> Candidate {
        Candidate { any: false, integer: true, whole: true, float: true, boolean: true, date: true, timestamp: true }
    }
}

impl Candidate {
    /// Looks at one value; empty ones are null and say nothing.
    pub fn see(&mut self, value: &str) {
        self.any = true;
        let digits = value.strip_prefix('-').unwrap_or(value);
        let whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        // `007` is a code and not a number.
        let number = digits.len() < 2 || !digits.starts_with('0') || digits.as_bytes()[1] == b'.';
        self.integer &= whole && number && value.parse::<i64>().is_ok();
        self.whole &= whole && number && digits.len() <= MAX_DIGITS;
        let signs = value.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
        self.float &= signs && number && digits.len() < 18 && value.parse::<f64>().is_ok();
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
            Candidate { whole: true, .. } => DataType::Decimal128(MAX_DIGITS as u8, 0),
            Candidate { float: true, .. } => DataType::Float64,
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

fn is_date(value: &str) -> bool {
    value.len() == 10 && matches(value, "dddd-dd-dd")
}

fn is_timestamp(value: &str) -> bool {
    let (head, fraction) = value.split_once('.').unwrap_or((value, ""));
    let digits = fraction.strip_suffix('Z').unwrap_or(fraction);
    let head = head.strip_suffix('Z').unwrap_or(head);
    (matches(head, "dddd-dd-dd dd:dd:dd") || matches(head, "dddd-dd-ddTdd:dd:dd"))
        && digits.len() <= 6
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text has a form in which `d` stands for a digit.
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
        assert_eq!(infer(&["1.2345678901234567890"]), DataType::Utf8);
        assert_eq!(infer(&[]), DataType::Utf8);
        assert_eq!(infer(&["9".repeat(39).as_str()]), DataType::Utf8);
    }
}
