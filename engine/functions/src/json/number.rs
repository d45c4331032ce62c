//! Numbers of JSON, whatever their size and however they are written: compared exactly, and rounded to whole numbers.

use arrow::array::{Decimal128Array, Decimal256Array};
use arrow::datatypes::{DECIMAL128_MAX_PRECISION, DECIMAL256_MAX_PRECISION, i256};

use super::extract::without_quotes;
use crate::number_text::NumberText;
use crate::prelude::*;

/// Digits of the largest whole number of 64 bits.
const DIGITS_OF_INTEGERS: i16 = 20;

/// The most digits of a number that 128 bits hold.
const MOST_DIGITS: usize = 38;

/// JSON as a decimal that is equal to, below or above each number of the second argument's type just as the number in JSON is.
pub fn json_number() -> Arc<ScalarUDF> {
    fn comparable(args: &ReturnFieldArgs) -> Result<FieldRef> {
        returns(comparable_type(args.arg_fields[1].data_type()))(args)
    }
    shared!(undocumented("json_number").fallible().udf(2..=2, comparable, |args, to| numbers(args, to.data_type())))
}

/// JSON as a whole number of the second argument's type: rounded, and 1 or 0 for true or false, as in Trino.
pub fn json_integer() -> Arc<ScalarUDF> {
    fn typed(args: &ReturnFieldArgs) -> Result<FieldRef> {
        returns(args.arg_fields[1].data_type().clone())(args)
    }
    shared!(undocumented("json_integer").fallible().udf(2..=2, typed, |args, to| integers(&args[0], to.data_type())))
}

/// The text that JSON is, where true and false are the numbers 1 and 0.
pub fn json_digits() -> Arc<ScalarUDF> {
    shared!(scalar_udf("json_digits", 1..=1, returns(DataType::Utf8), |args, _| {
        Ok(Arc::new(text_of(&args[0])?.into_iter().map(|json| digits(json?)).collect::<StringArray>()))
    }))
}

fn digits(json: &str) -> Option<String> {
    match json {
        "true" => Some("1".to_string()),
        "false" => Some("0".to_string()),
        json => without_quotes(json),
    }
}

/// A number of JSON may lie between two numbers of a type, or beyond all of them: its decimal has one more digit behind the point.
fn comparable_type(other: &DataType) -> DataType {
    let (digits, behind) = match other {
        DataType::Decimal32(digits, behind)
        | DataType::Decimal64(digits, behind)
        | DataType::Decimal128(digits, behind)
        | DataType::Decimal256(digits, behind) => (i16::from(*digits), i16::from(*behind)),
        _ => (DIGITS_OF_INTEGERS, 0),
    };
    let most = i16::from(DECIMAL256_MAX_PRECISION);
    let before = digits - behind;
    let behind = (behind.max(0) + 1).min((most - before).max(0));
    let all = (before + behind).clamp(1, most) as u8;
    match all <= DECIMAL128_MAX_PRECISION {
        true => DataType::Decimal128(all, behind as i8),
        false => DataType::Decimal256(all, behind as i8),
    }
}

impl NumberText {
    /// How many units of `10^-scale` the number is. Beyond so many digits it is the largest number of them. Between two units
    /// its last digit is not 0, so that it is equal to no number with fewer digits behind the point.
    fn units(&self, digits: u8, scale: i8) -> i256 {
        if self.digits.is_empty() {
            return i256::ZERO;
        }
        let most = usize::from(digits);
        let count = usize::try_from(self.point.saturating_add(i64::from(scale)).max(0)).unwrap_or(usize::MAX);
        let units = if count > most {
            "9".repeat(most)
        } else {
            let (kept, rest) = self.digits.split_at(count.min(self.digits.len()));
            let mut units = format!("{kept:0<count$}");
            if !rest.is_empty() && (units.is_empty() || units.ends_with('0')) {
                units.pop();
                units.push('1');
            }
            units
        };
        let sign = if self.is_negative { "-" } else { "" };
        i256::from_string(&format!("{sign}{units}")).unwrap_or(i256::ZERO)
    }

    /// Rounded to a whole number, halves away from zero; `None` for one with too many digits.
    fn rounded(&self) -> Option<i128> {
        if self.digits.is_empty() || self.point < 0 {
            return Some(0);
        }
        let count = usize::try_from(self.point).ok().filter(|count| *count <= MOST_DIGITS)?;
        let (kept, rest) = self.digits.split_at(count.min(self.digits.len()));
        let whole: i128 = format!("0{kept:0<count$}").parse().ok()?;
        let whole = whole + i128::from(rest.as_bytes().first().is_some_and(|digit| *digit >= b'5'));
        Some(if self.is_negative { -whole } else { whole })
    }
}

fn no_number(text: &str, to: &DataType) -> DataFusionError {
    invalid(format!("Cannot cast string '{text:.60}' to value of {} type.", type_name(to, false)))
}

fn numbers(args: &[ArrayRef], to: &DataType) -> Result<ArrayRef> {
    let (digits, scale) = match to {
        DataType::Decimal128(digits, scale) | DataType::Decimal256(digits, scale) => (*digits, *scale),
        other => return Err(DataFusionError::Internal(format!("json_number returns decimals, not {other}"))),
    };
    let number = |json: Option<&str>| -> Result<Option<i256>> {
        let Some(text) = json.and_then(without_quotes) else { return Ok(None) };
        match NumberText::parse(&text) {
            Some(written) => Ok(Some(written.units(digits, scale))),
            None => Err(no_number(&text, args[1].data_type())),
        }
    };
    let units = text_of(&args[0])?.into_iter().map(number).collect::<Result<Vec<Option<i256>>>>()?;
    if let DataType::Decimal128(..) = to {
        let units: Vec<Option<i128>> = units.into_iter().map(|units| units.and_then(i256::to_i128)).collect();
        return Ok(Arc::new(Decimal128Array::from(units).with_data_type(to.clone())));
    }
    Ok(Arc::new(Decimal256Array::from(units).with_data_type(to.clone())))
}

fn integers(json: &ArrayRef, to: &DataType) -> Result<ArrayRef> {
    let texts: Vec<Option<String>> = text_of(json)?.into_iter().map(|json| digits(json?)).collect();
    let rounded = |text: &str| match NumberText::parse(text).and_then(|written| written.rounded()) {
        Some(whole) => whole.to_string(),
        None => text.to_string(),
    };
    let whole: StringArray = texts.iter().map(|text| text.as_deref().map(rounded)).collect();
    let read = cast(&whole, to)?;
    match texts.iter().enumerate().find(|(row, text)| text.is_some() && read.is_null(*row)) {
        Some((_, text)) => Err(no_number(text.as_deref().unwrap_or_default(), to)),
        None => Ok(read),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str, digits: u8, scale: i8) -> String {
        NumberText::parse(text).unwrap().units(digits, scale).to_string()
    }

    #[test]
    fn numbers_between_and_beyond_those_of_a_type_are_equal_to_none() {
        for (text, wanted) in [
            ("0", "0"),
            ("-0.0e5", "0"),
            ("5", "50"),
            ("5.0", "50"),
            ("1e3", "10000"),
            ("-1.5", "-15"),
            ("1.05", "11"),
            ("1e-400", "1"),
            ("-1E-99999999999999999999", "-1"),
            ("1e400", "99999"),
            ("9999.95", "99999"),
            ("-1e99999999999999999999", "-99999"),
        ] {
            assert_eq!(units(text, 5, 1), wanted, "{text}");
        }
        assert_eq!(units("9007199254740993", 21, 1), "90071992547409930");
    }

    #[test]
    fn whole_numbers_are_rounded() {
        for (text, wanted) in [
            ("1.0", Some(1)),
            ("1.5", Some(2)),
            ("-1.5", Some(-2)),
            ("1.49", Some(1)),
            ("0.5", Some(1)),
            ("0.05", Some(0)),
            ("1e2", Some(100)),
            ("9.5", Some(10)),
            ("1e39", None),
        ] {
            assert_eq!(NumberText::parse(text).unwrap().rounded(), wanted, "{text}");
        }
        for text in ["", "x", "1x", "1e", "--1", ".", "e5", "[1]"] {
            assert!(NumberText::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn decimals_have_room_for_one_more_digit() {
        assert_eq!(comparable_type(&DataType::Int64), DataType::Decimal128(21, 1));
        assert_eq!(comparable_type(&DataType::Decimal128(10, 2)), DataType::Decimal128(11, 3));
        assert_eq!(comparable_type(&DataType::Decimal128(38, 18)), DataType::Decimal256(39, 19));
        assert_eq!(comparable_type(&DataType::Decimal256(76, 0)), DataType::Decimal256(76, 0));
    }
}
