//! Functions that Spark added to HiveQL, as those that there are.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause, FunctionArguments, Ident,
    LambdaFunction, ObjectName, OrderByExpr, OrderByOptions, Value,
};

use super::build::{binary, call, choose, invalid, not, number, text, typed};
use super::time;
use quarry_functions::{FILTER_PLACED, SORT_BY, TRANSFORM_PLACED};
use quarry_types::Error;

/// Functions that have another name here.
pub(super) const NAMES: [(&str, &str); 22] = [
    ("aggregate", "reduce"),
    ("any_match", "array_any_match"),
    ("approx_count_distinct", "approx_distinct"),
    ("array_remove", "array_remove_all"),
    ("btrim", "trim"),
    ("charindex", "locate"),
    ("date_diff", "datediff"),
    ("dateadd", "date_add"),
    ("endswith", "ends_with"),
    ("every", "bool_and"),
    ("filter", "array_filter"),
    ("first", "first_value"),
    ("last", "last_value"),
    ("len", "length"),
    ("listagg", "string_agg"),
    ("mean", "avg"),
    ("position", "locate"),
    ("signum", "sign"),
    ("some", "bool_or"),
    ("startswith", "starts_with"),
    ("transform", "array_transform"),
    ("try_element_at", "element_at"),
];

/// Functions that stand for something else.
pub(super) const FORMS: [&str; 32] = [
    "all_match",
    "array_prepend",
    "array_sort",
    "count_if",
    "current_timezone",
    "date_from_unix_date",
    "dayname",
    "dayofyear",
    "decode",
    "equal_null",
    "forall",
    "get",
    "localtimestamp",
    "log1p",
    "map_contains_key",
    "max_by",
    "min_by",
    "mode",
    "none_match",
    "nullifzero",
    "regexp_substr",
    "rint",
    "sort_array",
    "timestampadd",
    "timestampdiff",
    "to_timestamp",
    "try_add",
    "try_divide",
    "try_multiply",
    "try_subtract",
    "weekday",
    "zeroifnull",
];

const SORT_ORDER: &str = "The second argument of sort_array is true or false.";

fn is_lambda(expr: &Expr) -> bool {
    matches!(expr, Expr::Lambda(_))
}

/// Whether a lambda names where the item stands, behind the item.
fn names_place(expr: &Expr) -> bool {
    matches!(expr, Expr::Lambda(lambda) if lambda.params.iter().count() == 2)
}

/// A call with plain arguments as something else; `None` when it stays what it is.
pub(super) fn plain(name: &str, args: &[Expr]) -> Result<Option<Expr>, Box<Error>> {
    let value = |at: usize| args[at].clone();
    Ok(Some(match (name, args.len()) {
        ("current_timezone", 0) => text("UTC"),
        ("date_from_unix_date", 1) => call("date_add", vec![typed(text("1970-01-01"), "date")?, value(0)]),
        ("decode", 3..) => decode(args),
        // Null comes last here, and first in sort_array.
        ("array_sort", 1) => call(name, vec![value(0), text("ASC"), text("NULLS LAST")]),
        ("array_sort", 2) if is_lambda(&args[1]) => call(SORT_BY, args.to_vec()),
        ("array_sort", 2..) => return Err(invalid("array_sort takes a list and a lambda such as (a, b) -> a - b.")),
        ("sort_array", 2) => match &args[1] {
            Expr::Value(ascending) => match &ascending.value {
                Value::Boolean(true) => call("array_sort", vec![value(0)]),
                Value::Boolean(false) => call("array_sort", vec![value(0), text("DESC"), text("NULLS LAST")]),
                _ => return Err(invalid(SORT_ORDER)),
            },
            _ => return Err(invalid(SORT_ORDER)),
        },
        ("sort_array", _) => call("array_sort", args.to_vec()),
        ("transform", 2) if names_place(&args[1]) => call(TRANSFORM_PLACED, args.to_vec()),
        ("filter", 2) if names_place(&args[1]) => call(FILTER_PLACED, args.to_vec()),
        ("none_match", 2) if is_lambda(&args[1]) => not(call("array_any_match", args.to_vec())),
        ("array_join", 2 | 3) => {
            let mut args = args.to_vec();
            args[0] = typed(value(0), "array<string>")?;
            call(name, args)
        }
        // What is added to no list at all makes none.
        ("array_prepend", 2) => choose(Expr::IsNotNull(Box::new(value(0))), call(name, vec![value(1), value(0)]), None),
        ("array_append", 2) => choose(Expr::IsNotNull(Box::new(value(0))), call(name, args.to_vec()), None),
        ("date_add" | "dateadd" | "timestampadd", 3) => match time::added(&args[0], value(1), value(2))? {
            Some(added) => added,
            None => return Ok(None),
        },
        // An interval has been written as a call by now.
        ("date_add" | "date_sub", 2) if time::is_interval(&args[1]) => {
            let op = if name == "date_add" { BinaryOperator::Plus } else { BinaryOperator::Minus };
            binary(typed(value(0), "date")?, op, value(1))
        }
        ("date_diff" | "datediff" | "timestampdiff", 3) => match time::between(&args[0], value(1), value(2))? {
            Some(between) => between,
            None => return Ok(None),
        },
        // Of a day it is the time at which its month begins.
        ("date_trunc", 2) => call(name, vec![value(0), typed(value(1), "timestamp")?]),
        ("dayname", 1) => call("date_format", vec![value(0), text("EEE")]),
        ("dayofyear", 1) => typed(call("date_format", vec![value(0), text("D")]), "int")?,
        ("equal_null", 2) => binary(value(0), BinaryOperator::Spaceship, value(1)),
        ("forall" | "all_match", 2) => match &args[1] {
            Expr::Lambda(lambda) => {
                let body = Box::new(not(lambda.body.as_ref().clone()));
                let other = Expr::Lambda(LambdaFunction { body, ..lambda.clone() });
                not(call("array_any_match", vec![value(0), other]))
            }
            _ => return Ok(None),
        },
        ("get", 2) => call("hive_index", vec![value(0), value(1)]),
        ("localtimestamp", 0) => call("current_timestamp", Vec::new()),
        ("log1p", 1) => call("ln", vec![binary(value(0), BinaryOperator::Plus, number("1"))]),
        ("map_contains_key", 2) => {
            let found = call("array_contains", vec![call("map_keys", vec![value(0)]), value(1)]);
            choose(Expr::IsNotNull(Box::new(value(0))), found, None)
        }
        ("regexp_substr", 2) => {
            let found = call("regexp_extract", vec![value(0), value(1), number("0")]);
            choose(call("rlike", vec![value(0), value(1)]), found, None)
        }
        ("nullifzero", 1) => call("nullif", vec![value(0), number("0")]),
        ("rint", 1) => call("rint", vec![typed(value(0), "double")?]),
        // A fraction is a number of seconds, a whole number one of milliseconds.
        ("timestamp_seconds", 1) => typed(typed(value(0), "decimal(38,9)")?, "timestamp")?,
        ("to_timestamp", 1) => typed(value(0), "timestamp")?,
        ("to_timestamp", 2) => {
            // Whole numbers become times as milliseconds.
            let seconds = call("unix_timestamp", vec![value(0), value(1)]);
            typed(binary(seconds, BinaryOperator::Multiply, number("1000")), "timestamp")?
        }
        ("try_add" | "try_subtract" | "try_multiply", 2) => {
            binary(value(0), BinaryOperator::Custom(name.to_string()), value(1))
        }
        ("try_divide", 2) => binary(value(0), BinaryOperator::Divide, value(1)),
        // Monday is 0 there, and Sunday is 1 as the day of the week.
        ("weekday", 1) => call(
            "pmod",
            vec![binary(call("dayofweek", vec![value(0)]), BinaryOperator::Plus, number("5")), number("7")],
        ),
        ("zeroifnull", 1) => call("coalesce", vec![value(0), number("0")]),
        _ => return Ok(None),
    }))
}

/// `mode(value)`: the value that a group has most often, null left out; `None` for other arguments.
pub(super) fn mode(function: &Function) -> Option<Expr> {
    let FunctionArguments::List(list) = &function.args else { return None };
    let [FunctionArg::Unnamed(FunctionArgExpr::Expr(value))] = list.args.as_slice() else { return None };
    if list.duplicate_treatment.is_some() || !list.clauses.is_empty() {
        return None;
    }
    let known = Expr::IsNotNull(Box::new(value.clone()));
    let all = Function {
        name: ObjectName::from(vec![Ident::new("array_agg")]),
        filter: Some(Box::new(match &function.filter {
            Some(filter) => binary(filter.as_ref().clone(), BinaryOperator::And, known),
            None => known,
        })),
        ..function.clone()
    };
    let most = call("most_frequent", vec![Expr::Function(all), number("1")]);
    Some(call("hive_index", vec![call("map_keys", vec![most]), number("0")]))
}

/// `decode(value, search, result, …, default)`: null finds null.
fn decode(args: &[Expr]) -> Expr {
    let pairs = args[1..].chunks_exact(2);
    let default = pairs.remainder().first().cloned().unwrap_or_else(|| Expr::Value(Value::Null.into()));
    pairs.rev().fold(default, |otherwise, pair| {
        let found = binary(args[0].clone(), BinaryOperator::Spaceship, pair[0].clone());
        choose(found, pair[1].clone(), Some(otherwise))
    })
}

/// `count_if(condition)`, `max_by(value, key)` and `min_by(value, key)`, also over a window.
pub(super) fn aggregate(name: &str, function: &mut Function) {
    let FunctionArguments::List(list) = &mut function.args else { return };
    let value = |arg: &FunctionArg| match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr.clone()),
        _ => None,
    };
    let values: Option<Vec<Expr>> = list.args.iter().map(value).collect();
    let argument = |expr| FunctionArg::Unnamed(FunctionArgExpr::Expr(expr));
    let renamed = match (name, values.as_deref()) {
        ("count_if", Some([condition])) => {
            list.args = vec![argument(choose(condition.clone(), number("1"), None))];
            "count"
        }
        ("max_by" | "min_by", Some([wanted, key])) if list.clauses.is_empty() && function.over.is_none() => {
            let options = OrderByOptions { asc: Some(name == "min_by"), nulls_first: Some(false) };
            let order = OrderByExpr { expr: key.clone(), options, with_fill: None };
            list.args = vec![argument(wanted.clone())];
            list.clauses = vec![FunctionArgumentClause::OrderBy(vec![order])];
            function.filter = Some(Box::new(Expr::IsNotNull(Box::new(key.clone()))));
            "first_value"
        }
        _ => return,
    };
    function.name = ObjectName::from(vec![Ident::new(renamed)]);
}
