//! Calls of functions, once the types of their arguments are known.

use arrow::datatypes::{DECIMAL128_MAX_PRECISION, DECIMAL256_MAX_PRECISION, DataType};
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{Expr, ExprSchemable, cast};
use datafusion::prelude::lit;
use datafusion::scalar::ScalarValue;

use super::binary::number_literal;
use super::compared::{choices, compared, is, operated};
use super::{doubles, hex, literal, of_json, operators, patterns};
use quarry_functions::{
    CAST_AS, TO_JSON, cast_as, distinct_operator, int256, is_choice, is_whole, place_of_list, wanted_by,
};
use quarry_types::byte_columns::{is_bytes, is_shown, is_text, shows_hex};
use quarry_types::uint256::is_number;

/// How the type JSON is written.
const JSON: &str = "JSON";

/// How a list of texts is written.
const TEXTS: &str = "ARRAY<VARCHAR>";

/// How a list of 256-bit numbers is written.
const NUMBERS: &str = "ARRAY<INT256>";

/// Functions that look for a value in a list; its items have the value's type as in `IN (…)`.
const CONTAINS: [&str; 2] = ["array_has", "contains"];

/// Functions that take a list and an item of it; among bytes it may be written as hex.
const SOUGHT: [&str; 4] = ["array_has", "array_position", "array_remove_all", "contains"];

/// Functions that take a list and items of it; among 256-bit numbers they are such numbers too.
const OF_ITEMS: [&str; 7] =
    ["array_append", "array_has", "array_position", "array_positions", "array_remove", "array_remove_all", "contains"];

/// Digits of the largest whole number of 64 bits.
const DIGITS_OF_INTEGERS: i16 = 20;

/// A call with the arguments that its function takes, or what stands for it.
pub(super) fn call(call: ScalarFunction, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let ScalarFunction { func, args } = call;
    let func = place_of_list(func.name()).unwrap_or(func);
    // The stock function makes a single list of columns that have no type, whatever the number of rows.
    if func.name() == "make_array" && args.iter().all(|arg| is(arg, schema, DataType::is_null)) {
        let args = args.iter().map(|_| lit(ScalarValue::Null)).collect();
        return Ok(Transformed::yes(Expr::ScalarFunction(ScalarFunction { func, args })));
    }
    let mut args = of_json::arguments(func.name(), args, schema);
    if let (Some(op), 2) = (distinct_operator(func.name()), args.len()) {
        let (right, left) = (args.remove(1), args.remove(0));
        return operated(left, op, right, schema);
    }
    if CONTAINS.contains(&func.name())
        && !args.first().is_some_and(|list| is(list, schema, is_list_of_bytes))
        && let [Expr::ScalarFunction(list), sought] = args.as_mut_slice()
        && list.func.name() == "make_array"
    {
        list.args = compared(sought, std::mem::take(&mut list.args), schema)?;
    }
    if SOUGHT.contains(&func.name())
        && let [list, sought] = args.as_mut_slice()
        && let Ok(DataType::List(item)) = list.get_type(schema)
        && shows_hex(&item)
    {
        *sought = hex::comparable(&item, sought.clone(), schema)?;
    }
    if let [map, key] = args.as_mut_slice()
        && let Ok(DataType::Map(entries, _)) = map.get_type(schema)
        && let DataType::Struct(fields) = entries.data_type()
        && let Some(keys) = fields.first()
    {
        if shows_hex(keys) && is(key, schema, is_text) {
            *key = hex::comparable(keys, key.clone(), schema)?;
        } else if is_text(keys.data_type())
            && let Some(text) = hex::as_text(key)
        {
            *key = text;
        }
    }
    if OF_ITEMS.contains(&func.name()) && args.iter().any(|arg| is(arg, schema, is_list_of_numbers)) {
        for item in args.iter_mut() {
            match literal::whole_number(item) {
                Some(number) => *item = number_literal(number.into()),
                None if is(item, schema, is_whole) => *item = int256().call(vec![item.clone()]),
                None => {}
            }
        }
    }
    if OF_ITEMS.contains(&func.name())
        && let [list, sought] = args.as_mut_slice()
    {
        if is(sought, schema, is_number) && is(list, schema, is_list_of_integers) {
            *list = cast_as().call(vec![list.clone(), lit(NUMBERS)]);
        }
        of_one_type(list, sought, schema);
    }
    if func.name() == "array_to_string"
        && let Some(list) = args.first_mut()
        && list.get_type(schema).is_ok_and(|kind| matches!(kind, DataType::List(item) if is_bytes(item.data_type())))
    {
        *list = cast_as().call(vec![list.clone(), lit(TEXTS)]);
    }
    if [TO_JSON, CAST_AS].contains(&func.name())
        && let Some((value, to)) = args.split_first()
        && to.first().is_none_or(|to| literal::text(to) == Some(JSON))
        && let Some(json) = of_json::written(value, schema)
    {
        return Ok(Transformed::yes(json));
    }
    if let Some(quotient) = doubles::divided(&func, &args, schema) {
        return Ok(Transformed::yes(quotient));
    }
    if func.name() == "regexp_like"
        && let Some(pattern) = args.get_mut(1)
    {
        *pattern = patterns::of_any_text(pattern.clone());
    }
    let args = match is_choice(func.name()) {
        Some(first) => choices(args, first, schema)?,
        None => operators::arguments(args, schema, |types| wanted_by(&func, types)),
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

/// A list of numbers and a number that is looked for in it as numbers of one type: nothing is rounded to be like another.
fn of_one_type(list: &mut Expr, sought: &mut Expr, schema: &DFSchema) {
    let (Ok(DataType::List(item)), Ok(kind)) = (list.get_type(schema), sought.get_type(schema)) else { return };
    let Some(one) = common(item.data_type(), &kind) else { return };
    if item.data_type() != &one {
        *list = cast(list.clone(), DataType::new_list(one.clone(), true));
    }
    if kind != one {
        *sought = cast(sought.clone(), one);
    }
}

/// The type of numbers of two types, at least one of which has a fraction.
fn common(one: &DataType, other: &DataType) -> Option<DataType> {
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
