//! JSON in calls: parts of JSON as texts, and values that have JSON among their parts as JSON: `to_json(struct(json_parse(x) as a))`. The type of a row or
//! list does not say which of its texts are JSON, so each part is converted on its own.

use arrow::datatypes::DataType;
use datafusion::common::DFSchema;
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{Expr, ExprSchemable};
use datafusion::prelude::lit;

use super::literal;
use quarry_functions::json::{is_json_field, is_json_list};
use quarry_functions::{json_extract, json_list, json_object, json_of_list, json_plain, to_json};
use quarry_types::byte_columns::shows_hex;

/// Whether values are JSON, apart from those that are null.
pub(super) fn are_json(values: &[Expr], schema: &DFSchema) -> bool {
    let fields: Option<Vec<_>> =
        values.iter().map(|value| value.to_field(schema).ok().map(|(_, field)| field)).collect();
    let mut known = fields.iter().flatten().filter(|field| !field.data_type().is_null()).peekable();
    known.peek().is_some() && known.all(|field| is_json_field(field))
}

/// Functions of texts: a part of JSON as argument is the text in its quotes.
const TEXT_FUNCTIONS: [&str; 27] = [
    "btrim",
    "character_length",
    "concat",
    "concat_ws",
    "ends_with",
    "from_hex",
    "initcap",
    "left",
    "length",
    "lower",
    "lpad",
    "ltrim",
    "regexp_extract",
    "regexp_like",
    "regexp_replace",
    "replace",
    "reverse",
    "right",
    "rpad",
    "rtrim",
    "split",
    "split_part",
    "starts_with",
    "strpos",
    "substr",
    "substring",
    "upper",
];

/// A part of JSON beside text literals, or beside bytes, is the text in its quotes, as in Snowflake:
/// `topics[0] = '0x…'`. What begins with a quote is JSON itself.
pub(super) fn beside_texts(part: Expr, others: &[Expr], schema: &DFSchema) -> Expr {
    let is_text = |other: &Expr| match literal::text(other) {
        Some(text) => !text.starts_with('"'),
        None => other.to_field(schema).is_ok_and(|(_, field)| shows_hex(&field)),
    };
    match is_part(&part, schema) && !others.is_empty() && others.iter().all(is_text) {
        true => json_plain().call(vec![part]),
        false => part,
    }
}

/// A part of JSON as the text in its quotes; anything else as it is.
pub(super) fn as_text(part: Expr, schema: &DFSchema) -> Expr {
    if is_part(&part, schema) { json_plain().call(vec![part]) } else { part }
}

/// The arguments of a function, parts of JSON as texts where it is one of texts.
pub(super) fn text_arguments(function: &str, args: Vec<Expr>, schema: &DFSchema) -> Vec<Expr> {
    match TEXT_FUNCTIONS.contains(&function) {
        true => args.into_iter().map(|arg| as_text(arg, schema)).collect(),
        false => args,
    }
}

/// Whether an expression is a part of JSON, or a column, which may be one that a query in FROM took out.
fn is_part(part: &Expr, schema: &DFSchema) -> bool {
    let of_json = match part {
        Expr::ScalarFunction(call) => call.func.name() == json_extract().name(),
        other => matches!(other, Expr::Column(_)),
    };
    of_json && part.to_field(schema).is_ok_and(|(_, field)| is_json_field(&field))
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
