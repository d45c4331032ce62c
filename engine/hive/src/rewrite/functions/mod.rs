//! Calls of functions, as the planner takes them.

mod aggregates;
mod aliases;
mod date_units;
mod macros;

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, LambdaFunction, ObjectName,
    Value,
};

use super::select_list::cast_small_number;
use crate::ast::{arguments, binary, call, case, cast, condition, equals, nested, not, not_allowed, null, take, text};
use crate::tokens::words;
use aliases::ALIASES;
use macros::MACROS;
use quarry_functions::{FILTER_PLACED, SORT_BY, TRANSFORM_PLACED};
use quarry_sql::expansion::is_volatile;
use quarry_types::Error;

/// Types whose name is a function that casts.
const TYPES: &[&str] = words![
    interval_year_month interval_day_time tinyint smallint int bigint float double decimal string boolean date timestamp
    binary integer
];

/// Functions whose answer depends on how many bits a number has.
const BY_WIDTH: &[&str] = words![format_string hash murmur_hash printf shiftleft shiftright shiftrightunsigned typeof];

/// Functions that code below rewrites.
const REWRITTEN: &[&str] = words![
    all_match array_sort count_if decode forall if max_by min_by mode none_match regr_r2 sort_array struct timestampadd
    timestampdiff try_add try_multiply try_subtract
];

/// The names in HiveQL of the functions that are rewritten.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    let names = ALIASES.iter().map(|(name, _)| *name).chain(MACROS.iter().map(|(name, ..)| *name));
    names.chain(REWRITTEN.iter().chain(TYPES).copied())
}

/// A call as the planner knows it; its arguments have been rewritten before.
pub(super) fn rewrite(mut function: Function) -> Result<Expr, Box<Error>> {
    let name = function.name.to_string().to_lowercase();
    let is_unquantified = matches!(&function.args, FunctionArguments::List(list) if list.duplicate_treatment.is_none());
    if is_unquantified
        && function.over.is_none()
        && let Some(arguments) = arguments(&function)
        && let Some(expr) = expand(&name, arguments)?
    {
        return Ok(expr);
    }
    if let Some(expr) = aggregates::expand(&name, &mut function) {
        return Ok(expr);
    }
    if BY_WIDTH.contains(&name.as_str()) {
        cast_small_arguments(&mut function)?;
    }
    aggregates::rewrite(&name, &mut function);
    if let Some((_, other)) = ALIASES.iter().find(|(alias, _)| *alias == name) {
        function.name = ObjectName::from(vec![Ident::new(*other)]);
    }
    Ok(Expr::Function(function))
}

fn is_lambda(expr: &Expr) -> bool {
    matches!(expr, Expr::Lambda(_))
}

/// Whether a lambda also takes the position of the item.
fn takes_position(expr: &Expr) -> bool {
    matches!(expr, Expr::Lambda(lambda) if lambda.params.iter().count() == 2)
}

/// A call without DISTINCT and OVER as another expression; `None` when it stays a call.
fn expand(name: &str, mut args: Vec<Expr>) -> Result<Option<Expr>, Box<Error>> {
    if let Some(expr) = macros::expand(name, &args) {
        return Ok(Some(expr));
    }
    Ok(Some(match (name, args.as_mut_slice()) {
        ("if", [test, then, otherwise]) => {
            condition(test);
            case(take(test), take(then), Some(take(otherwise)))
        }
        ("struct", [_, ..]) => {
            let fields = args.into_iter().enumerate();
            call("named_struct", fields.flat_map(|(at, arg)| [text(&format!("col{}", at + 1)), arg]).collect())
        }
        // The result has the type of the first value.
        ("nullif", [value, other]) if !is_volatile(value) => {
            case(equals(value.clone(), nested(take(other))), null(), Some(take(value)))
        }
        (data_type, [value]) if TYPES.contains(&data_type) => cast(take(value), data_type)?,
        // Null finds null.
        ("decode", [_, _, _, ..]) => {
            let pairs = args[1..].chunks_exact(2);
            let default = pairs.remainder().first().cloned().unwrap_or_else(null);
            pairs.rev().fold(default, |otherwise, pair| {
                let is_equal = binary(args[0].clone(), BinaryOperator::Spaceship, pair[0].clone());
                case(is_equal, pair[1].clone(), Some(otherwise))
            })
        }
        ("array_sort", [_, lambda]) if is_lambda(lambda) => call(SORT_BY, args),
        ("array_sort", [_, _, ..]) => {
            return Err(not_allowed("array_sort expects a list and a lambda such as (a, b) -> a - b."));
        }
        ("sort_array", [list, ascending]) => match boolean_literal(ascending) {
            Some(true) => call("array_sort", vec![take(list)]),
            Some(false) => call("array_sort", vec![take(list), text("DESC"), text("NULLS LAST")]),
            None => return Err(not_allowed("The second argument of sort_array must be true or false.")),
        },
        ("sort_array", _) => call("array_sort", args),
        ("transform", [_, lambda]) if takes_position(lambda) => call(TRANSFORM_PLACED, args),
        ("filter", [_, lambda]) if takes_position(lambda) => call(FILTER_PLACED, args),
        ("none_match", [_, lambda]) if is_lambda(lambda) => not(call("array_any_match", args)),
        ("forall" | "all_match", [list, Expr::Lambda(lambda)]) => {
            let body = Box::new(not(lambda.body.as_ref().clone()));
            let negated = Expr::Lambda(LambdaFunction { body, ..lambda.clone() });
            not(call("array_any_match", vec![take(list), negated]))
        }
        ("date_add" | "date_sub", [date, interval]) if date_units::is_interval(interval) => {
            let op = if name == "date_add" { BinaryOperator::Plus } else { BinaryOperator::Minus };
            binary(cast(take(date), "date")?, op, take(interval))
        }
        ("try_add" | "try_subtract" | "try_multiply", [left, right]) => {
            binary(take(left), BinaryOperator::Custom(name.to_string()), take(right))
        }
        ("date_add" | "dateadd" | "timestampadd", _) => return date_units::add(&args),
        ("date_diff" | "datediff" | "timestampdiff", _) => return date_units::difference(&args),
        _ => return Ok(None),
    }))
}

fn boolean_literal(expr: &Expr) -> Option<bool> {
    match expr {
        Expr::Value(value) => match value.value {
            Value::Boolean(truth) => Some(truth),
            _ => None,
        },
        _ => None,
    }
}

/// Casts the small whole numbers among the arguments to int.
fn cast_small_arguments(function: &mut Function) -> Result<(), Box<Error>> {
    let FunctionArguments::List(list) = &mut function.args else { return Ok(()) };
    list.args.iter_mut().try_for_each(|arg| match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => cast_small_number(expr),
        _ => Ok(()),
    })
}
