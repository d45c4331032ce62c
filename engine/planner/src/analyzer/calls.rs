//! Calls of functions, once the types of their arguments are known.

use arrow::datatypes::{DECIMAL128_MAX_PRECISION, DECIMAL256_MAX_PRECISION, DataType};
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{Expr, ExprSchemable, Operator, cast};
use datafusion::prelude::lit;
use datafusion::scalar::ScalarValue;

use super::binary::{number_literal, regex_pattern};
use super::coercion::{coerce_choices, coerce_compared, coerce_items, has_type, typed_operator};
use super::nullif::null_where;
use super::{double_division, hex, json, literal, operators};
use quarry_functions::{
    CAST_AS, TO_JSON, argument_fields, as_hex, cast_as, distinct_operator, first_choice, int256, is_whole,
    list_position_udf,
};
use quarry_types::byte_columns::{is_bytes, is_shown, is_text, shows_hex};
use quarry_types::uint256::is_number;

/// Name of the JSON type.
const JSON_TYPE: &str = "JSON";

/// Name of the type of a list of texts.
const TEXT_LIST_TYPE: &str = "ARRAY<VARCHAR>";

/// Name of the type of a list of 256-bit numbers.
const NUMBER_LIST_TYPE: &str = "ARRAY<INT256>";

/// Functions that check whether a list has a value; its items get the value's type as in `IN (…)`.
const CONTAINS: [&str; 2] = ["array_has", "contains"];

/// Functions that look for an item in a list; among bytes it may be written as hex.
const ITEM_SEARCH: [&str; 4] = ["array_has", "array_position", "array_remove_all", "contains"];

/// Functions that take a list and items; among 256-bit numbers the items are such numbers too.
const LIST_AND_ITEMS: [&str; 7] =
    ["array_append", "array_has", "array_position", "array_positions", "array_remove", "array_remove_all", "contains"];

/// Digits of the largest whole number of 64 bits.
const DIGITS_OF_INTEGERS: i16 = 20;

/// A call with coerced arguments, or the expression for it.
pub(super) fn call(call: ScalarFunction, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let ScalarFunction { func, args } = call;
    let func = list_position_udf(func.name()).unwrap_or(func);
    // The stock function makes a single list of columns that have no type, whatever the number of rows.
    if func.name() == "make_array" && args.iter().all(|arg| has_type(arg, schema, DataType::is_null)) {
        let args = args.iter().map(|_| lit(ScalarValue::Null)).collect();
        return Ok(Transformed::yes(Expr::ScalarFunction(ScalarFunction { func, args })));
    }
    if let Some(text) = json::no_longer_json(func.name(), &args, schema) {
        return Ok(Transformed::yes(text));
    }
    let mut args = json::text_arguments(func.name(), args, schema);
    if let (Some(op), 2) = (distinct_operator(func.name()), args.len()) {
        let (right, left) = (args.remove(1), args.remove(0));
        return typed_operator(left, op, right, schema);
    }
    if CONTAINS.contains(&func.name())
        && !args.first().is_some_and(|list| has_type(list, schema, is_list_of_bytes))
        && let [Expr::ScalarFunction(list), item] = args.as_mut_slice()
        && list.func.name() == "make_array"
    {
        let (beside, items) = json::beside_items(item.clone(), std::mem::take(&mut list.args), schema);
        list.args = coerce_compared(&beside, items, schema)?;
        *item = beside;
    }
    if LIST_AND_ITEMS.contains(&func.name())
        && let [list, item] = args.as_mut_slice()
    {
        *item = json::beside_list(list, std::mem::take(item), schema);
    }
    if ITEM_SEARCH.contains(&func.name())
        && let [list, item] = args.as_mut_slice()
        && let Ok(DataType::List(field)) = list.get_type(schema)
    {
        if shows_hex(&field) {
            *item = hex::coerce_to_bytes(&field, item.clone(), schema)?;
        } else if is_text(field.data_type()) && has_type(item, schema, is_shown) {
            *item = as_hex().call(vec![item.clone()]);
        }
    }
    if let [map, key] = args.as_mut_slice()
        && let Ok(DataType::Map(entries, _)) = map.get_type(schema)
        && let DataType::Struct(fields) = entries.data_type()
        && let Some(keys) = fields.first()
    {
        if shows_hex(keys) && has_type(key, schema, is_text) {
            *key = hex::coerce_to_bytes(keys, key.clone(), schema)?;
        } else if is_text(keys.data_type()) && has_type(key, schema, is_shown) {
            *key = hex::bytes_as_text(key).unwrap_or_else(|| as_hex().call(vec![key.clone()]));
        }
    }
    if LIST_AND_ITEMS.contains(&func.name()) && args.iter().any(|arg| has_type(arg, schema, is_list_of_numbers)) {
        for item in args.iter_mut() {
            match literal::whole_number(item) {
                Some(number) => *item = number_literal(number.into()),
                None if has_type(item, schema, is_whole) => *item = int256().call(vec![item.clone()]),
                None => {}
            }
        }
    }
    if LIST_AND_ITEMS.contains(&func.name())
        && let [list, item] = args.as_mut_slice()
    {
        if has_type(item, schema, is_number) && has_type(list, schema, is_list_of_integers) {
            *list = cast_as().call(vec![list.clone(), lit(NUMBER_LIST_TYPE)]);
        }
        coerce_list_and_item(list, item, schema);
    }
    if func.name() == "array_to_string"
        && let Some(list) = args.first_mut()
        && list.get_type(schema).is_ok_and(|kind| matches!(kind, DataType::List(item) if is_bytes(item.data_type())))
    {
        *list = cast_as().call(vec![list.clone(), lit(TEXT_LIST_TYPE)]);
    }
    if [TO_JSON, CAST_AS].contains(&func.name())
        && let Some((value, to)) = args.split_first()
        && to.first().is_none_or(|to| literal::text(to) == Some(JSON_TYPE))
        && let Some(json) = json::to_json_value(value, schema)
    {
        return Ok(Transformed::yes(json));
    }
    if let Some(quotient) = double_division::double_division(&func, &args, schema) {
        return Ok(Transformed::yes(quotient));
    }
    if func.name() == "regexp_like"
        && let Some(pattern) = args.get_mut(1)
    {
        *pattern = regex_pattern(pattern.clone());
    }
    if func.name() == "nullif"
        && let Some(case) = nullif_of_bytes(&args, schema)?
    {
        return Ok(Transformed::yes(case));
    }
    let args = match first_choice(func.name()) {
        Some(_) if func.name() == "make_array" => coerce_items(args, schema)?,
        Some(first) => coerce_choices(hex::one_case(func.name(), args, schema), first, schema)?,
        None => operators::arguments(args, schema, |types| argument_fields(&func, types)),
    };
    Ok(Transformed::yes(Expr::ScalarFunction(ScalarFunction { func, args })))
}

fn is_list_of_bytes(data_type: &DataType) -> bool {
    matches!(data_type, DataType::List(item) if is_shown(item.data_type()))
}

fn is_list_of_numbers(data_type: &DataType) -> bool {
    matches!(data_type, DataType::List(item) if is_number(item.data_type()))
}

fn is_list_of_integers(data_type: &DataType) -> bool {
    matches!(data_type, DataType::List(item) if item.data_type().is_integer())
}

/// A list of numbers and a number that is looked for in it as one type, without rounding.
fn coerce_list_and_item(list: &mut Expr, item: &mut Expr, schema: &DFSchema) {
    let (Ok(DataType::List(field)), Ok(kind)) = (list.get_type(schema), item.get_type(schema)) else { return };
    let Some(common) = common_number(field.data_type(), &kind) else { return };
    if field.data_type() != &common {
        *list = cast(list.clone(), DataType::new_list(common.clone(), true));
    }
    if kind != common {
        *item = cast(item.clone(), common);
    }
}

/// The common type of two types of numbers, at least one of which has a fraction.
fn common_number(one: &DataType, other: &DataType) -> Option<DataType> {
    let numbers = [one, other].iter().all(|kind| kind.is_numeric());
    if one == other || !numbers || one.is_integer() && other.is_integer() {
        return None;
    }
    if one.is_floating() || other.is_floating() {
        return Some(DataType::Float64);
    }
    let digits = |kind: &DataType| match kind {
        DataType::Decimal32(digits, behind)
        | DataType::Decimal64(digits, behind)
        | DataType::Decimal128(digits, behind)
        | DataType::Decimal256(digits, behind) => (i16::from(*digits) - i16::from(*behind), *behind),
        _ => (DIGITS_OF_INTEGERS, 0),
    };
    let ((before, behind), (before_too, behind_too)) = (digits(one), digits(other));
    let behind = behind.max(behind_too);
    let all = u8::try_from(before.max(before_too) + i16::from(behind)).ok()?;
    Some(match all {
        all if all <= DECIMAL128_MAX_PRECISION => DataType::Decimal128(all, behind),
        all => DataType::Decimal256(all.min(DECIMAL256_MAX_PRECISION), behind),
    })
}

/// `nullif` of bytes and a text that is no constant, which are compared as bytes; `None` for other arguments. Constants become bytes
/// with all other choices.
fn nullif_of_bytes(args: &[Expr], schema: &DFSchema) -> Result<Option<Expr>> {
    let [value, other] = args else { return Ok(None) };
    let has_type = |expr: &Expr, test: fn(&DataType) -> bool| expr.get_type(schema).is_ok_and(|kind| test(&kind));
    let is_column_of_texts = |expr: &Expr| has_type(expr, is_text) && literal::text(expr).is_none();
    let (is_value_bytes, is_other_bytes) = (has_type(value, is_shown), has_type(other, is_shown));
    if !(is_value_bytes && is_column_of_texts(other) || is_other_bytes && is_column_of_texts(value)) {
        return Ok(None);
    }
    let equal = typed_operator(value.clone(), Operator::Eq, other.clone(), schema)?.data;
    let value = if is_value_bytes { as_hex().call(vec![value.clone()]) } else { value.clone() };
    null_where(equal, value, schema).map(Some)
}
