//! `format(pattern, values…)` as Java formats them: numbers are rounded half up by the digits that people see, and decimals
//! keep theirs. The stock function rounds what doubles are inside, and writes decimals without their point.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, StringArray};
use arrow::datatypes::{DataType, Decimal128Type, Decimal256Type, DecimalType, Field, FieldRef};
use datafusion::common::{DataFusionError, Result, ScalarValue};
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};
use datafusion_spark::function::string::format_string::{
    ConversionSpecifier, ConversionType, FormatElement, Formatter, NumericParam,
};

use crate::hive_values::cast::to_text;
use crate::numbers::digits::Digits;
use crate::simple::{MANY, Simple};
use crate::stock::adapt::{Takes, adapted};
use quarry_types::byte_columns::{is_text, text_of};
use quarry_types::invalid;

/// Digits behind the point where a pattern says nothing.
const USUAL: usize = 6;
/// The widest a pattern makes a value, and the most digits it asks for.
const WIDEST: i32 = 10_000;

pub(crate) fn udf() -> ScalarUDF {
    let simple = Simple::udf("format_string", 1..=MANY, None, field, |args, _| format(args)).with_aliases(["printf"]);
    adapted(&Arc::new(simple), Takes::Texts, &["format"])
}

fn field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let pattern = args.arg_fields[0].data_type();
    match is_text(pattern) || pattern.is_null() {
        true => Ok(Arc::new(Field::new("formatted", DataType::Utf8, true))),
        false => Err(invalid("The first argument of format is a pattern such as '%s: %.2f'.")),
    }
}

fn format(args: &[ArrayRef]) -> Result<ArrayRef> {
    let of = |array: &ArrayRef| if is_nothing(array) { DataType::Null } else { array.data_type().clone() };
    let types: Vec<DataType> = args[1..].iter().map(of).collect();
    let first = text_of(&args[0])?.into_iter().flatten().next();
    let types = first.map_or(types.clone(), |first| of_nulls(first, &types));
    let mut known: Option<(&str, Formatter<'_>)> = None;
    let mut formatted = Vec::with_capacity(args[0].len());
    for (row, pattern) in text_of(&args[0])?.into_iter().enumerate() {
        let Some(pattern) = pattern else {
            formatted.push(None);
            continue;
        };
        if known.as_ref().is_none_or(|(last, _)| *last != pattern) {
            let formatter = Formatter::parse(pattern, &types).map_err(|error| unread(&error, pattern))?;
            known = Some((pattern, formatter));
        }
        let Some((_, formatter)) = &known else { continue };
        let values = args[1..].iter().map(|array| ScalarValue::try_from_array(array, row));
        formatted.push(Some(written(formatter, &values.collect::<Result<Vec<ScalarValue>>>()?)?));
    }
    Ok(Arc::new(StringArray::from(formatted)))
}

/// Whether there is nothing but null, which Java writes in any place of a value.
fn is_nothing(array: &ArrayRef) -> bool {
    array.null_count() == array.len()
}

/// The types of values, where those that are nothing but null have one that a pattern has a place for.
fn of_nulls(pattern: &str, types: &[DataType]) -> Vec<DataType> {
    let tried = [DataType::Int64, DataType::Float64, DataType::Utf8].map(|data_type| {
        let typed = types.iter().map(|own| if own.is_null() { data_type.clone() } else { own.clone() });
        typed.collect::<Vec<DataType>>()
    });
    let fitting = tried.iter().find(|types| Formatter::parse(pattern, types).is_ok());
    fitting.cloned().unwrap_or_else(|| types.to_vec())
}

/// What is said of a pattern that does not fit its values; the stock function speaks of its own insides.
fn unread(error: &DataFusionError, pattern: &str) -> DataFusionError {
    let message = error.to_string();
    let wanted = [("integer", "a whole number"), ("float", "a number"), ("char", "a letter"), ("time", "a time")];
    let wanted = wanted.iter().find(|(kind, _)| message.contains(&format!("for {kind} conversion")));
    invalid(match wanted {
        Some((_, wanted)) => format!("The pattern '{pattern:.100}' has a place for {wanted}, and its value is none."),
        None => format!(
            "The pattern '{pattern:.100}' can't be read; %s, %d and %.2f are places of values, %% is a percent sign."
        ),
    })
}

fn written(formatter: &Formatter<'_>, values: &[ScalarValue]) -> Result<String> {
    let mut text = String::new();
    for element in &formatter.elements {
        match element {
            FormatElement::Verbatim(verbatim) => text.push_str(verbatim),
            FormatElement::Format(spec) => {
                let value = spec.argument_index.checked_sub(1).and_then(|index| values.get(index));
                let value = value.ok_or_else(|| invalid("The pattern has more places than there are values."))?;
                one(spec, value, &mut text)?;
            }
        }
    }
    Ok(text)
}

/// One value in its place.
fn one(spec: &ConversionSpecifier, value: &ScalarValue, text: &mut String) -> Result<()> {
    use ConversionType::{
        CompactFloatLower, CompactFloatUpper, DecFloatLower, DecInt, HexHashLower, HexHashUpper, SciFloatLower,
        SciFloatUpper, StringLower, StringUpper,
    };
    if [spec.width, spec.precision].iter().any(|size| matches!(size, NumericParam::Literal(size) if *size > WIDEST)) {
        return Err(invalid(format!("A value can't be made wider than {WIDEST} letters.")));
    }
    let precision = match spec.precision {
        NumericParam::Literal(digits) => usize::try_from(digits).unwrap_or_default(),
        NumericParam::FromArgument => USUAL,
    };
    if value.is_null() {
        return nothing(spec, text);
    }
    let digits = digits(value);
    let shown = match (spec.conversion_type, digits) {
        (StringLower | StringUpper, _) => return spec.format(text, &as_text(value)?),
        (HexHashLower | HexHashUpper, _) => format!("{:x}", java_hash(value)?),
        (DecFloatLower, Some(digits)) => digits.fixed(precision),
        (SciFloatLower | SciFloatUpper, Some(digits)) => digits.scientific(precision),
        (CompactFloatLower | CompactFloatUpper, Some(digits)) => digits.general(precision),
        // The stock function takes the sign off the least number, which has no counterpart.
        (DecInt, _) if *value == ScalarValue::Int64(Some(i64::MIN)) => Digits::of("9223372036854775808", 0).fixed(0),
        _ => return spec.format(text, value),
    };
    let upper = matches!(spec.conversion_type, SciFloatUpper | CompactFloatUpper | HexHashUpper);
    // A hash code is shown by its bits.
    let negative = is_negative(value) && !matches!(spec.conversion_type, HexHashLower | HexHashUpper);
    number(spec, if upper { shown.to_uppercase() } else { shown }, negative, text);
    Ok(())
}

/// Null as Java writes it in any place: a word, in capitals where the pattern asks for them; as a truth it is false.
fn nothing(spec: &ConversionSpecifier, text: &mut String) -> Result<()> {
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

/// The hash code of a value in Java: that of its text where it is neither a whole number nor a truth.
fn java_hash(value: &ScalarValue) -> Result<i32> {
    Ok(match value {
        ScalarValue::Int8(Some(number)) => i32::from(*number),
        ScalarValue::Int16(Some(number)) => i32::from(*number),
        ScalarValue::Int32(Some(number)) => *number,
        ScalarValue::Int64(Some(number)) => (number ^ (number >> 32)) as i32,
        ScalarValue::Boolean(Some(truth)) => {
            if *truth {
                1231
            } else {
                1237
            }
        }
        other => {
            let text = to_text(&other.to_array()?)?;
            let units = text.as_string::<i32>().value(0).encode_utf16();
            units.fold(0, |hash: i32, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
        }
    })
}

/// The value in the place of `%s`, where the stock function would write it in another way.
fn as_text(value: &ScalarValue) -> Result<ScalarValue> {
    Ok(match value {
        ScalarValue::Decimal128(Some(value), precision, scale) => {
            ScalarValue::Utf8(Some(Decimal128Type::format_decimal(*value, *precision, *scale)))
        }
        ScalarValue::Decimal256(Some(value), precision, scale) => {
            ScalarValue::Utf8(Some(Decimal256Type::format_decimal(*value, *precision, *scale)))
        }
        // As Java prints them: a time without needless digits, a double with its point.
        shown if shown.data_type().is_temporal() || shown.data_type().is_floating() => {
            ScalarValue::try_from_array(&to_text(&shown.to_array()?)?, 0)?
        }
        other => other.clone(),
    })
}

/// The digits of a number with a fraction, without its sign; `None` for anything else.
fn digits(value: &ScalarValue) -> Option<Digits> {
    match value {
        ScalarValue::Float64(Some(value)) if value.is_finite() => Some(Digits::of_float(format!("{:e}", value.abs()))),
        ScalarValue::Float32(Some(value)) if value.is_finite() => Some(Digits::of_float(format!("{:e}", value.abs()))),
        ScalarValue::Decimal128(Some(value), _, scale) => Some(Digits::of(&value.unsigned_abs().to_string(), *scale)),
        ScalarValue::Decimal256(Some(value), _, scale) => {
            Some(Digits::of(value.to_string().trim_start_matches('-'), *scale))
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

/// Digits with their sign, in as many letters as the pattern asks for.
fn number(spec: &ConversionSpecifier, mut shown: String, negative: bool, text: &mut String) {
    if spec.grouping_separator {
        let end = shown.find(['.', 'e', 'E']).unwrap_or(shown.len());
        for place in (1..end).rev().filter(|place| (end - place).is_multiple_of(3)) {
            shown.insert(place, ',');
        }
    }
    if spec.alt_form && !shown.contains('.') {
        shown.push('.');
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
    let missing = width.saturating_sub(before.len() + shown.len() + behind.len());
    let (left, zeros, right) = match (spec.left_adj, spec.zero_pad) {
        (true, _) => (0, 0, missing),
        (false, true) => (0, missing, 0),
        (false, false) => (missing, 0, 0),
    };
    let spaces = |count| " ".repeat(count);
    *text += &format!("{}{before}{}{shown}{behind}{}", spaces(left), "0".repeat(zeros), spaces(right));
}
