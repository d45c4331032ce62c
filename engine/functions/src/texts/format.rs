//! `format(pattern, values…)` as Java formats them: numbers are rounded half up by the digits that people see, and decimals keep
//! theirs. The built-in function rounds the binary value of doubles, and writes decimals without their point.

use arrow::datatypes::{Decimal128Type, Decimal256Type, DecimalType};
use datafusion_spark::function::string::format_string::{
    ConversionSpecifier, ConversionType, FormatElement, Formatter, NumericParam,
};

use crate::hive_values::cast::to_text;
use crate::numbers::digits::Digits;
use crate::prelude::*;
use crate::wrappers::adapt::{Coercion, adapted};

/// Digits behind the point where a pattern has no precision.
const DEFAULT_PRECISION: usize = 6;
/// The largest width and precision.
const MAX_WIDTH: i32 = 10_000;

pub(crate) fn udf() -> ScalarUDF {
    let takes_pattern = takes(
        [is_text, |_| true],
        "The first argument of format must be a format string such as '%s: %.2f'.",
        DataType::Utf8,
    );
    let udf = undocumented("format_string").aliases(["printf"]).udf(1..=MANY, takes_pattern, |args, _| format(args));
    adapted(&Arc::new(udf), Coercion::Texts, &["format"])
}

fn format(args: &[ArrayRef]) -> Result<ArrayRef> {
    let type_of = |array: &ArrayRef| if is_all_null(array) { DataType::Null } else { array.data_type().clone() };
    let types: Vec<DataType> = args[1..].iter().map(type_of).collect();
    let patterns = text_of(&args[0])?;
    let first = patterns.iter().flatten().next();
    let types = first.map_or(types.clone(), |first| with_typed_nulls(first, &types));
    let mut last = None;
    let rows = patterns.into_iter().enumerate().map(|(row, pattern)| Some((row, pattern?)));
    map_rows::<StringArray, _, _>(rows, |(row, pattern)| {
        let parse = |_: &&str| Formatter::parse(pattern, &types).map_err(|error| pattern_error(&error, pattern));
        let formatter = reuse_last(&mut last, pattern, parse)?;
        let values = args[1..].iter().map(|array| ScalarValue::try_from_array(array, row));
        let values = values.collect::<Result<Vec<ScalarValue>>>()?;
        formatted(formatter, &values)
    })
}

/// Whether all values are null, which Java writes in any place of a value.
fn is_all_null(array: &ArrayRef) -> bool {
    array.null_count() == array.len()
}

/// The types of values, those that are all null with one that fits the pattern.
fn with_typed_nulls(pattern: &str, types: &[DataType]) -> Vec<DataType> {
    let tried = [DataType::Int64, DataType::Float64, DataType::Utf8].map(|data_type| {
        let typed = types.iter().map(|own| if own.is_null() { data_type.clone() } else { own.clone() });
        typed.collect::<Vec<DataType>>()
    });
    let fitting = tried.iter().find(|types| Formatter::parse(pattern, types).is_ok());
    fitting.cloned().unwrap_or_else(|| types.to_vec())
}

/// The error of a pattern that does not fit its values; that of the built-in function names its internals.
fn pattern_error(error: &DataFusionError, pattern: &str) -> DataFusionError {
    let message = error.to_string();
    let kinds =
        [("integer", "an integer"), ("float", "a number"), ("char", "a character"), ("time", "a date or timestamp")];
    let kind = kinds.iter().find(|(kind, _)| message.contains(&format!("for {kind} conversion")));
    invalid(match kind {
        Some((_, kind)) => format!(
            "The format string '{pattern:.100}' has a placeholder for {kind}, but its argument has another type."
        ),
        None => format!(
            "The format string '{pattern:.100}' is not valid; use %s, %d and %.2f as placeholders, and %% for a \
             percent sign."
        ),
    })
}

fn formatted(formatter: &Formatter<'_>, values: &[ScalarValue]) -> Result<String> {
    let mut text = String::new();
    for element in &formatter.elements {
        match element {
            FormatElement::Verbatim(verbatim) => text.push_str(verbatim),
            FormatElement::Format(spec) => {
                let value = spec.argument_index.checked_sub(1).and_then(|index| values.get(index));
                let value = value.ok_or_else(|| invalid("The format string has more placeholders than arguments."))?;
                format_value(spec, value, &mut text)?;
            }
        }
    }
    Ok(text)
}

fn format_value(spec: &ConversionSpecifier, value: &ScalarValue, text: &mut String) -> Result<()> {
    use ConversionType::{
        CompactFloatLower, CompactFloatUpper, DecFloatLower, DecInt, HexHashLower, HexHashUpper, SciFloatLower,
        SciFloatUpper, StringLower, StringUpper,
    };
    if [spec.width, spec.precision].iter().any(|size| matches!(size, NumericParam::Literal(size) if *size > MAX_WIDTH))
    {
        return Err(invalid(format!("A formatted value can't be wider than {MAX_WIDTH} characters.")));
    }
    let precision = match spec.precision {
        NumericParam::Literal(digits) => usize::try_from(digits).unwrap_or_default(),
        NumericParam::FromArgument => DEFAULT_PRECISION,
    };
    if value.is_null() {
        return format_null(spec, text);
    }
    let digits = digits(value);
    let digits_text = match (spec.conversion_type, digits) {
        (StringLower | StringUpper, _) => return spec.format(text, &as_text(value)?),
        (HexHashLower | HexHashUpper, _) => format!("{:x}", java_hash(value)?),
        (DecFloatLower, Some(digits)) => digits.fixed(precision),
        (SciFloatLower | SciFloatUpper, Some(digits)) => digits.scientific(precision),
        (CompactFloatLower | CompactFloatUpper, Some(digits)) => digits.general(precision),
        // The built-in function negates the least number, which overflows.
        (DecInt, _) if *value == ScalarValue::Int64(Some(i64::MIN)) => Digits::new("9223372036854775808", 0).fixed(0),
        _ => return spec.format(text, value),
    };
    let upper = matches!(spec.conversion_type, SciFloatUpper | CompactFloatUpper | HexHashUpper);
    // A hash code is shown by its bits.
    let negative = is_negative(value) && !matches!(spec.conversion_type, HexHashLower | HexHashUpper);
    format_number(spec, if upper { digits_text.to_uppercase() } else { digits_text }, negative, text);
    Ok(())
}

/// Null as Java writes it in any place: a word, in capitals where the pattern asks for them; as a truth it is false.
fn format_null(spec: &ConversionSpecifier, text: &mut String) -> Result<()> {
    use ConversionType::{
        BooleanLower, BooleanUpper, CharUpper, CompactFloatUpper, HexFloatUpper, HexHashUpper, HexIntUpper,
        SciFloatUpper, StringLower, StringUpper, TimeUpper,
    };
    let word = if matches!(spec.conversion_type, BooleanLower | BooleanUpper) { "false" } else { "null" };
    let conversion_type = match spec.conversion_type {
        BooleanUpper | CharUpper | CompactFloatUpper | HexFloatUpper | HexHashUpper | HexIntUpper | SciFloatUpper
        | StringUpper | TimeUpper(_) => StringUpper,
        _ => StringLower,
    };
    let word = ScalarValue::Utf8(Some(word.to_string()));
    ConversionSpecifier { conversion_type, ..*spec }.format(text, &word)
}

/// The hash code of a value in Java: that of its text where it is neither a whole number nor a boolean.
fn java_hash(value: &ScalarValue) -> Result<i32> {
    Ok(match value {
        ScalarValue::Int8(Some(number)) => i32::from(*number),
        ScalarValue::Int16(Some(number)) => i32::from(*number),
        ScalarValue::Int32(Some(number)) => *number,
        ScalarValue::Int64(Some(number)) => (number ^ (number >> 32)) as i32,
        ScalarValue::Boolean(Some(true)) => 1231,
        ScalarValue::Boolean(Some(false)) => 1237,
        other => {
            let text = to_text(&other.to_array()?)?;
            let units = text.as_string::<i32>().value(0).encode_utf16();
            units.fold(0, |hash: i32, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
        }
    })
}

/// The value for `%s`, where the built-in function would write it in another way.
fn as_text(value: &ScalarValue) -> Result<ScalarValue> {
    Ok(match value {
        ScalarValue::Decimal128(Some(value), precision, scale) => {
            ScalarValue::Utf8(Some(Decimal128Type::format_decimal(*value, *precision, *scale)))
        }
        ScalarValue::Decimal256(Some(value), precision, scale) => {
            ScalarValue::Utf8(Some(Decimal256Type::format_decimal(*value, *precision, *scale)))
        }
        // As Java prints them: a time without needless digits, a double with its point.
        value if value.data_type().is_temporal() || value.data_type().is_floating() => {
            ScalarValue::try_from_array(&to_text(&value.to_array()?)?, 0)?
        }
        other => other.clone(),
    })
}

/// The digits of a number with a fraction, without its sign; `None` for anything else.
fn digits(value: &ScalarValue) -> Option<Digits> {
    match value {
        ScalarValue::Float64(Some(value)) if value.is_finite() => Some(Digits::parse(format!("{:e}", value.abs()))),
        ScalarValue::Float32(Some(value)) if value.is_finite() => Some(Digits::parse(format!("{:e}", value.abs()))),
        ScalarValue::Decimal128(Some(value), _, scale) => Some(Digits::new(&value.unsigned_abs().to_string(), *scale)),
        ScalarValue::Decimal256(Some(value), _, scale) => {
            Some(Digits::new(value.to_string().trim_start_matches('-'), *scale))
        }
        _ => None,
    }
}

fn is_negative(value: &ScalarValue) -> bool {
    match value {
        ScalarValue::Float64(Some(value)) => value.is_sign_negative(),
        ScalarValue::Float32(Some(value)) => value.is_sign_negative(),
        ScalarValue::Int64(Some(value)) => *value < 0,
        ScalarValue::Decimal128(Some(value), ..) => *value < 0,
        ScalarValue::Decimal256(Some(value), ..) => value.is_negative(),
        _ => false,
    }
}

/// Digits with their sign, as wide as the pattern asks for.
fn format_number(spec: &ConversionSpecifier, mut digits_text: String, negative: bool, text: &mut String) {
    if spec.grouping_separator {
        let end = digits_text.find(['.', 'e', 'E']).unwrap_or(digits_text.len());
        for place in (1..end).rev().filter(|place| (end - place).is_multiple_of(3)) {
            digits_text.insert(place, ',');
        }
    }
    if spec.alt_form && !digits_text.contains('.') {
        digits_text.push('.');
    }
    let (before, behind) = match negative {
        true if spec.negative_in_parentheses => ("(", ")"),
        true => ("-", ""),
        false if spec.force_sign => ("+", ""),
        false if spec.space_sign => (" ", ""),
        false => ("", ""),
    };
    let width = match spec.width {
        NumericParam::Literal(width) => usize::try_from(width).unwrap_or_default(),
        NumericParam::FromArgument => 0,
    };
    let missing = width.saturating_sub(before.len() + digits_text.len() + behind.len());
    let (left, zeros, right) = match (spec.left_adj, spec.zero_pad) {
        (true, _) => (0, 0, missing),
        (false, true) => (0, missing, 0),
        (false, false) => (missing, 0, 0),
    };
    let spaces = |count| " ".repeat(count);
    *text += &format!("{}{before}{}{digits_text}{behind}{}", spaces(left), "0".repeat(zeros), spaces(right));
}
