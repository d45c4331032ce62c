//! JSON beside values of other types, and values that have JSON among their parts as JSON: `to_json(struct(json_parse(x) as a))`.
//!
//! JSON is a text here. Where it meets a text that is no JSON it is the text in its quotes, and where it meets a number it is a
//! number, whatever expression it comes from. The type of a row or list does not say which of its texts are JSON, so each part is
//! converted on its own.

use std::sync::Arc;

use arrow::datatypes::{DECIMAL256_MAX_PRECISION, DataType, Field, FieldRef};
use datafusion::common::{DFSchema, ScalarValue};
use datafusion::logical_expr::expr::{Cast, ScalarFunction, TryCast};
use datafusion::logical_expr::{Expr, ExprSchemable, cast};
use datafusion::prelude::lit;

use super::literal;
use super::unnested_json::is_list_of_json;
use quarry_functions::casts::numbers::text_as_decimal;
use quarry_functions::json::{is_json_field, is_json_list, json_digits, json_integer, json_number};
use quarry_functions::{json_list, json_object, json_of_list, json_plain, to_json};
use quarry_types::byte_columns::is_text;

/// Whether values are JSON, apart from those that are null.
pub(super) fn are_json(values: &[Expr], schema: &DFSchema) -> bool {
    let fields: Option<Vec<_>> =
        values.iter().map(|value| value.to_field(schema).ok().map(|(_, field)| field)).collect();
    let mut known = fields.iter().flatten().filter(|field| !field.data_type().is_null()).peekable();
    known.peek().is_some() && known.all(|field| is_json_field(field))
}

/// Functions of texts: JSON as argument is the text in its quotes.
const TEXT_FUNCTIONS: [&str; 85] = [
    "ascii",
    "bit_length",
    "btrim",
    "character_length",
    "concat",
    "concat_ws",
    "crc32",
    "date",
    "date_parse",
    "ends_with",
    "farm_fingerprint",
    "find_in_set",
    "format_string",
    "from_base",
    "from_base58",
    "from_base64",
    "from_hex",
    "from_iso8601_date",
    "hamming_distance",
    "initcap",
    "int256",
    "keccak256",
    "left",
    "length",
    "levenshtein",
    "lower",
    "lpad",
    "ltrim",
    "luhn_check",
    "md5",
    "nth_position",
    "numeric",
    "octet_length",
    "overlay",
    "parse_data_size",
    "parse_date",
    "parse_datetime",
    "parse_duration",
    "parse_timestamp",
    "regexp_contains",
    "regexp_count",
    "regexp_extract",
    "regexp_extract_all",
    "regexp_instr",
    "regexp_like",
    "regexp_match",
    "regexp_position",
    "regexp_replace",
    "regexp_split",
    "repeat",
    "replace",
    "reverse",
    "right",
    "rpad",
    "rtrim",
    "sha1",
    "sha2",
    "split",
    "split_part",
    "starts_with",
    "string_agg",
    "string_to_array",
    "strpos",
    "substr",
    "substr_index",
    "substring",
    "timestamp",
    "to_date",
    "to_timestamp",
    "to_utf8",
    "translate",
    "try_int256",
    "try_uint256",
    "uint256",
    "upper",
    "url_decode",
    "url_encode",
    "url_extract_fragment",
    "url_extract_host",
    "url_extract_parameter",
    "url_extract_path",
    "url_extract_port",
    "url_extract_protocol",
    "url_extract_query",
    "xxhash64",
];

/// Digits of the largest whole number of 64 bits.
const DIGITS_OF_INTEGERS: i16 = 20;

/// How JSON is read beside values of other types.
enum ReadAs {
    Text,
    Boolean,
    Double,
    /// A number that is compared with numbers of this type exactly.
    Number(DataType),
}

impl ReadAs {
    /// By the types of the other values.
    fn beside_types(others: &[&DataType]) -> Option<ReadAs> {
        let all = |test: fn(&DataType) -> bool| others.iter().all(|other| test(other));
        if others.is_empty() {
            None
        } else if all(|other| *other == DataType::Boolean) {
            Some(ReadAs::Boolean)
        } else if !all(DataType::is_numeric) {
            Some(ReadAs::Text)
        } else if others.iter().any(|other| other.is_floating()) {
            Some(ReadAs::Double)
        } else {
            Some(ReadAs::Number(common_number(others)))
        }
    }

    /// By the other values among these; `None` if there is no JSON, or nothing else.
    fn among(values: &[&Expr], schema: &DFSchema) -> Option<ReadAs> {
        if !values.iter().any(|value| is_json(value, schema)) {
            return None;
        }
        // A text that begins with a quote is JSON itself. An operand without a type is an error elsewhere.
        let is_quoted =
            |value: &Expr| literal::text(value).is_some_and(|text| text.starts_with('"')) && !is_json(value, schema);
        if values.iter().any(|value| is_quoted(value)) {
            return None;
        }
        let known = values.iter().filter(|value| !is_null(value));
        let fields: Vec<FieldRef> =
            known.map(|value| value.to_field(schema).ok().map(|(_, field)| field)).collect::<Option<_>>()?;
        let others = fields.iter().filter(|field| !is_json_field(field) && !field.data_type().is_null());
        ReadAs::beside_types(&others.map(|field| field.data_type()).collect::<Vec<_>>())
    }

    /// JSON as this; any other value as it is.
    fn convert(&self, value: Expr, schema: &DFSchema) -> Expr {
        if !is_json(&value, schema) {
            return value;
        }
        match self {
            ReadAs::Text => json_plain().call(vec![value]),
            ReadAs::Boolean => cast(json_plain().call(vec![value]), DataType::Boolean),
            ReadAs::Double => cast(json_plain().call(vec![value]), DataType::Float64),
            ReadAs::Number(other) => match ScalarValue::try_from(other) {
                Ok(typed) => json_number().call(vec![value, lit(typed)]),
                Err(_) => value,
            },
        }
    }
}

/// Values that are compared with each other, JSON among others as one of them: `topics[0] = '0x…'`, `j:a > 5`.
pub(super) fn beside_each_other<const N: usize>(values: [Expr; N], schema: &DFSchema) -> [Expr; N] {
    let read_as = ReadAs::among(&values.each_ref(), schema);
    match read_as {
        Some(read_as) => values.map(|value| read_as.convert(value, schema)),
        None => values,
    }
}

/// The same for a value and all values with which it is compared.
pub(super) fn beside_items(value: Expr, items: Vec<Expr>, schema: &DFSchema) -> (Expr, Vec<Expr>) {
    let read_as = ReadAs::among(&std::iter::once(&value).chain(&items).collect::<Vec<_>>(), schema);
    let Some(read_as) = read_as else { return (value, items) };
    let items = items.into_iter().map(|item| read_as.convert(item, schema)).collect();
    (read_as.convert(value, schema), items)
}

/// An item that is looked for in a list: JSON as one of its items, if these are no JSON.
pub(super) fn beside_list(list: &Expr, item: Expr, schema: &DFSchema) -> Expr {
    let Ok((_, field)) = list.to_field(schema) else { return item };
    let DataType::List(items) = field.data_type() else { return item };
    let made_of_json = |list: &Expr| match list {
        Expr::ScalarFunction(call) => call.func.name() == "make_array" && are_json(&call.args, schema),
        _ => false,
    };
    let is_of_json = is_json_field(items) || is_list_of_json(list, schema) || made_of_json(list);
    if items.data_type().is_null() || is_of_json {
        return item;
    }
    match ReadAs::beside_types(&[items.data_type()]) {
        Some(read_as) => read_as.convert(item, schema),
        None => item,
    }
}

/// Values of which one is chosen: JSON among others is the text in its quotes, as the result is no JSON.
pub(super) fn plain_among_others(values: Vec<(Expr, FieldRef)>) -> Vec<(Expr, FieldRef)> {
    let is_other =
        |(value, field): &(Expr, FieldRef)| !is_json_field(field) && !field.data_type().is_null() && !is_null(value);
    if !values.iter().any(|(_, field)| is_json_field(field)) || !values.iter().any(is_other) {
        return values;
    }
    let text: FieldRef = Arc::new(Field::new("text", DataType::Utf8, true));
    let plain = |(value, field): (Expr, FieldRef)| match is_json_field(&field) {
        true => (json_plain().call(vec![value]), Arc::clone(&text)),
        false => (value, field),
    };
    values.into_iter().map(plain).collect()
}

/// JSON as the text in its quotes; anything else as it is.
pub(super) fn as_text(value: Expr, schema: &DFSchema) -> Expr {
    ReadAs::Text.convert(value, schema)
}

/// The arguments of a function, JSON as text where it is one of texts.
pub(super) fn text_arguments(function: &str, args: Vec<Expr>, schema: &DFSchema) -> Vec<Expr> {
    let is_of_texts = TEXT_FUNCTIONS.contains(&function)
        // These take lists too.
        || ["array_has", "contains"].contains(&function) && args.first().is_some_and(|first| is_json(first, schema));
    match is_of_texts {
        true => args.into_iter().map(|arg| as_text(arg, schema)).collect(),
        false => args,
    }
}

/// The argument of a call that reads it as JSON, if it is none: the SQL planner takes the text of a cast for JSON too, before the
/// cast of JSON is planned.
pub(super) fn no_longer_json(function: &str, args: &[Expr], schema: &DFSchema) -> Option<Expr> {
    let [text, ..] = args else { return None };
    if ![json_plain().name(), json_number().name()].contains(&function) {
        return None;
    }
    let (_, field) = text.to_field(schema).ok()?;
    (is_text(field.data_type()) && !is_json_field(&field)).then(|| text.clone())
}

/// JSON cast to a number: a whole number is rounded, and true and false are 1 and 0. `None` for any other cast.
pub(super) fn to_number(value: &Expr, to: &DataType, schema: &DFSchema) -> Option<Expr> {
    if !to.is_numeric() || !is_json(value, schema) {
        return None;
    }
    if to.is_integer() {
        return Some(json_integer().call(vec![value.clone(), lit(ScalarValue::try_from(to).ok()?)]));
    }
    Some(text_as_decimal(cast(json_digits().call(vec![value.clone()]), to.clone()), schema))
}

fn is_json(value: &Expr, schema: &DFSchema) -> bool {
    match value {
        // Most items of long lists.
        Expr::Literal(_, None) => false,
        other => other.to_field(schema).is_ok_and(|(_, field)| is_json_field(&field)),
    }
}

/// Whether an expression is null, perhaps with a type.
fn is_null(value: &Expr) -> bool {
    match value {
        Expr::Literal(value, _) => value.is_null(),
        Expr::Cast(Cast { expr, .. }) | Expr::TryCast(TryCast { expr, .. }) => is_null(expr),
        _ => false,
    }
}

/// The type of whole numbers, or of decimals with all digits of several types.
fn common_number(types: &[&DataType]) -> DataType {
    if types.iter().all(|other| other.is_integer()) {
        return DataType::Int64;
    }
    let (mut before, mut behind) = (0, 0);
    for other in types {
        let (digits, scale) = match other {
            DataType::Decimal32(digits, scale)
            | DataType::Decimal64(digits, scale)
            | DataType::Decimal128(digits, scale)
            | DataType::Decimal256(digits, scale) => (i16::from(*digits), i16::from(*scale)),
            _ => (DIGITS_OF_INTEGERS, 0),
        };
        (before, behind) = (before.max(digits - scale), behind.max(scale));
    }
    let most = i16::from(DECIMAL256_MAX_PRECISION);
    DataType::Decimal256((before + behind).clamp(1, most) as u8, behind.min(most) as i8)
}

/// The JSON of a value that is JSON or is made of parts some of which are; `None` for any other value.
pub(super) fn to_json_value(value: &Expr, schema: &DFSchema) -> Option<Expr> {
    let (_, field) = value.to_field(schema).ok()?;
    if is_json_field(&field) {
        return Some(value.clone());
    }
    if is_json_list(&field) {
        return Some(json_of_list().call(vec![value.clone()]));
    }
    let Expr::ScalarFunction(ScalarFunction { func, args }) = value else { return None };
    let (values, names): (Vec<&Expr>, Option<Vec<String>>) = match (func.name(), value.get_type(schema).ok()?) {
        ("make_array", _) => (args.iter().collect(), None),
        (name, DataType::Struct(fields)) => {
            let values: Vec<&Expr> = match name {
                "named_struct" => args.iter().skip(1).step_by(2).collect(),
                "struct" | "row" => args.iter().collect(),
                _ => return None,
            };
            let names: Vec<String> = fields.iter().map(|field| field.name().clone()).collect();
            (values.len() == names.len()).then_some((values, Some(names)))?
        }
        _ => return None,
    };
    let parts: Vec<Option<Expr>> = values.iter().map(|value| to_json_value(value, schema)).collect();
    if parts.iter().all(Option::is_none) {
        return None;
    }
    let json =
        values.into_iter().zip(parts).map(|(value, json)| json.unwrap_or_else(|| to_json().call(vec![value.clone()])));
    Some(match names {
        None => json_list().call(json.collect()),
        Some(names) => {
            json_object().call(names.into_iter().zip(json).flat_map(|(name, json)| [lit(name), json]).collect())
        }
    })
}
