//! Scalar functions of other dialects whose meaning depends on how their arguments are written, as calls of ours. Functions of which
//! only the name differs, or that are an expression of their arguments, are in [`crate::macros`].

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, CaseWhen, DataType, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident,
    LambdaFunction, LambdaFunctionParameter, LambdaSyntax, OneOrManyWithParens, Value,
};

use super::ast::{
    arguments_of, binary, call, call_with, case, cases, cast, digits_of, name_of, nested, not, number, text, text_of,
};
use super::{date_functions, literals};
use quarry_functions::{
    JSON_LIST, JSON_OF_ALL, JSON_OF_ITEMS, JSON_OF_KNOWN, KNOWN_LIST, NOT_DISTINCT_FROM, ROUND_TIME,
};

/// Digits of the largest power of ten that fits a decimal.
const MAX_POWER: u32 = 76;

/// Writes a call as the planner reads it.
pub(super) fn rewrite(expr: &mut Expr) {
    let Expr::Function(function) = expr else { return };
    if function.over.is_some() || function.filter.is_some() {
        return;
    }
    let name = name_of(function);
    let replaced = search_as_equality(&name, function).or_else(|| {
        let args: Vec<Expr> = plain_arguments(function)?.into_iter().cloned().collect();
        date_functions::rewrite(&name, &args).or_else(|| scalar(&name, &args).map(nested))
    });
    if let Some(replaced) = replaced {
        *expr = replaced;
    }
}

fn scalar(name: &str, args: &[Expr]) -> Option<Expr> {
    let no_args = |function: &str| call(function, Vec::new());
    Some(match (name, args) {
        ("if" | "iff", [condition, value]) => case(condition.clone(), value.clone(), None),
        ("if" | "iff", [condition, value, other]) => case(condition.clone(), value.clone(), Some(other.clone())),
        ("decode", [value, rest @ ..]) if rest.len() > 1 => decode(value, rest),
        // Numbers of any type, with the sign of the operator.
        ("mod", [number, by]) => binary(number.clone(), BinaryOperator::Modulo, by.clone()),
        ("power" | "pow", [base, exponent]) => power_of_ten(base, exponent)?,
        ("random" | "rand", [below]) => random_integer(None, below),
        ("random" | "rand", [from, below]) => random_integer(Some(from), below),
        ("width_bucket" | "range_bucket", [value, bounds]) => bucket(value, bounds),
        ("replace", [value, search]) => call_with("replace", [value, search, &text("")]),
        // Times.
        ("current_date" | "current_time" | "current_timestamp", []) => no_args(name),
        ("localtime", []) => no_args("current_time"),
        ("localtimestamp" | "current_datetime" | "getdate" | "sysdate", []) => no_args("now"),
        // With digits of a second.
        ("current_timestamp" | "localtimestamp" | "now", [digits @ Expr::Value(_)]) => {
            call_with(ROUND_TIME, [&no_args("now"), digits])
        }
        ("unix_timestamp", []) => call("unix_seconds", vec![no_args("now")]),
        ("age", [time]) => call_with("age", [&no_args("current_date"), time]),
        ("time_slice", [time, count, unit]) => time_slice(time, count, unit)?,
        // Snowflake's count of seconds, or of parts of a second with so many digits.
        (
            "to_timestamp" | "to_timestamp_ntz" | "to_timestamp_ltz" | "to_timestamp_tz",
            [count, Expr::Value(digits)],
        ) => match digits.value.to_string().as_str() {
            "0" => call_with("timestamp_seconds", [count]),
            "3" => call_with("timestamp_millis", [count]),
            "6" => call_with("timestamp_micros", [count]),
            _ => return None,
        },
        // Lists. BigQuery counts positions in brackets from 0 or from 1; lists here count from 1.
        ("offset" | "safe_offset", [index]) => binary(index.clone(), BinaryOperator::Plus, number(1)),
        ("ordinal" | "safe_ordinal", [position]) => position.clone(),
        // All equal items, where the stock function removes the first one only.
        ("array_remove", [_, _]) => call("array_remove_all", args.to_vec()),
        // The stock function of this name takes a lambda.
        ("array_first", [list]) => call_with("element_at", [list, &number(1)]),
        ("array_sort" | "list_sort", [list, by @ Expr::Lambda(_)]) => call_with("array_sort_by", [list, by]),
        // Nulls last, as in every order.
        ("array_sort" | "list_sort", [list]) => call_with("array_sort", [list, &text("ASC"), &text("NULLS LAST")]),
        ("array_sort" | "list_sort", [list, by]) => array_sort(list, by),
        // Null for a list with a null, unlike DuckDB's `list_max`, which ignores nulls.
        ("array_max" | "array_min", [list]) => call(name, vec![call_with(KNOWN_LIST, [list])]),
        // Lambdas under Trino's names.
        ("transform", [list, lambda @ Expr::Lambda(_)]) => call_with("array_transform", [list, lambda]),
        ("filter", [list, lambda @ Expr::Lambda(_)]) => call_with("array_filter", [list, lambda]),
        ("none_match", [list, lambda @ Expr::Lambda(_)]) => none_match(list, lambda),
        ("all_match", [list, Expr::Lambda(lambda)]) => {
            let body = Box::new(not((*lambda.body).clone()));
            none_match(list, &Expr::Lambda(LambdaFunction { body, ..lambda.clone() }))
        }
        // Maps and JSON.
        ("map", []) => call("map", vec![no_args("make_array"), no_args("make_array")]),
        ("hll_count.extract", [_]) => call("cardinality", args.to_vec()),
        ("object_construct", []) => call("json_parse", vec![text("{}")]),
        ("object_construct", [_, _, ..]) => call(JSON_OF_KNOWN, values_to_json(args)),
        ("json_build_object" | "jsonb_build_object" | "json_object" | "object_construct_keep_null", [_, ..]) => {
            call(JSON_OF_ALL, values_to_json(args))
        }
        ("json_array", _) => call(JSON_OF_ITEMS, args.iter().map(to_json).collect()),
        ("json_build_array" | "jsonb_build_array", _) => call(JSON_LIST, args.iter().map(to_json).collect()),
        _ => return None,
    })
}

fn to_json(value: &Expr) -> Expr {
    call_with("to_json", [value])
}

/// Alternating names and values, the values as JSON.
fn values_to_json(args: &[Expr]) -> Vec<Expr> {
    args.iter().enumerate().map(|(index, arg)| if index % 2 == 0 { arg.clone() } else { to_json(arg) }).collect()
}

/// `decode(value, search, result, …, other)` of Snowflake and Oracle, where null equals null.
fn decode(value: &Expr, rest: &[Expr]) -> Expr {
    let pairs = rest.chunks_exact(2);
    let other = pairs.remainder().first().cloned();
    let conditions = pairs
        .map(|pair| CaseWhen { condition: call_with(NOT_DISTINCT_FROM, [value, &pair[0]]), result: pair[1].clone() });
    cases(conditions.collect(), other)
}

/// Snowflake's slices of seconds, minutes, hours or days; those of weeks and longer units begin at other times than ours.
fn time_slice(time: &Expr, count: &Expr, unit: &Expr) -> Option<Expr> {
    let unit =
        date_functions::unit(text_of(unit)?).filter(|unit| ["second", "minute", "hour", "day"].contains(unit))?;
    let width = text(&format!("{} {unit}", digits_of(count)?));
    Some(call_with("date_bin", [&cast(width, DataType::Interval { fields: None, precision: None }), time]))
}

/// A sorted list, with nulls last, also in descending order, as in DuckDB. Snowflake's order is true for ascending or false for
/// descending, with nulls first.
fn array_sort(list: &Expr, by: &Expr) -> Expr {
    let ascending = match by {
        Expr::Value(value) => match value.value {
            Value::Boolean(ascending) => Some(ascending),
            _ => None,
        },
        _ => None,
    };
    let (by, nulls) = match ascending {
        Some(true) => (text("ASC"), "NULLS LAST"),
        Some(false) => (text("DESC"), "NULLS FIRST"),
        None => (by.clone(), "NULLS LAST"),
    };
    call_with("array_sort", [list, &by, &text(nulls)])
}

/// BigQuery's `search(data, text, analyzer => 'NO_OP_ANALYZER')`, which looks for the whole text: an equality, which can use the
/// index. Other analyzers cut texts into words.
fn search_as_equality(name: &str, function: &Function) -> Option<Expr> {
    let FunctionArguments::List(list) = &function.args else { return None };
    match list.args.as_slice() {
        [
            FunctionArg::Unnamed(FunctionArgExpr::Expr(data)),
            FunctionArg::Unnamed(FunctionArgExpr::Expr(wanted)),
            FunctionArg::Named { name: option, arg: FunctionArgExpr::Expr(Expr::Value(analyzer)), .. },
        ] if name == "search" && option.value.eq_ignore_ascii_case("analyzer") => {
            let analyzer = analyzer.value.clone().into_string()?;
            let whole = analyzer.eq_ignore_ascii_case("NO_OP_ANALYZER");
            whole.then(|| nested(binary(data.clone(), BinaryOperator::Eq, wanted.clone())))
        }
        _ => None,
    }
}

/// Whether the lambda is true for no item of a list.
fn none_match(list: &Expr, lambda: &Expr) -> Expr {
    not(call_with("array_any_match", [list, lambda]))
}

/// The number of bounds that a value has reached.
fn bucket(value: &Expr, bounds: &Expr) -> Expr {
    let bound = Ident::new("bound");
    let reached = LambdaFunction {
        params: OneOrManyWithParens::One(LambdaFunctionParameter { name: bound.clone(), data_type: None }),
        body: Box::new(binary(Expr::Identifier(bound), BinaryOperator::LtEq, value.clone())),
        syntax: LambdaSyntax::Arrow,
    };
    call("cardinality", vec![call_with("array_filter", [bounds, &Expr::Lambda(reached)])])
}

/// A random integer from a number, or 0, to below another.
fn random_integer(from: Option<&Expr>, below: &Expr) -> Expr {
    let width = match from {
        Some(from) => binary(below.clone(), BinaryOperator::Minus, from.clone()),
        None => below.clone(),
    };
    let scaled = binary(call("random", Vec::new()), BinaryOperator::Multiply, width);
    let integer = cast(call("floor", vec![scaled]), DataType::BigInt(None));
    match from {
        Some(from) => binary(from.clone(), BinaryOperator::Plus, integer),
        None => integer,
    }
}

/// `power(10, 18)` as the exact number, so that dividing by it only moves the decimal point.
fn power_of_ten(base: &Expr, exponent: &Expr) -> Option<Expr> {
    let integer = |expr: &Expr| digits_of(expr)?.parse::<u32>().ok();
    let exponent = integer(exponent).filter(|exponent| *exponent < MAX_POWER)?;
    if integer(base)? == 10 { literals::exact_number(&format!("1e{exponent}")) } else { None }
}

/// `substring(text from 2 for 3)`, also parsed from `substr(text, 2, 3)`, as a call by name.
pub(super) fn substring_to_call(expr: &mut Expr) {
    let Expr::Substring { expr: text, substring_from: Some(from), substring_for: length, .. } = expr else { return };
    let args = [Some(text), Some(from), length.as_mut()].into_iter().flatten();
    *expr = call("substr", args.map(|arg| arg.as_ref().clone()).collect());
}

/// The arguments of a call that has nothing but arguments.
fn plain_arguments(function: &Function) -> Option<Vec<&Expr>> {
    let FunctionArguments::List(list) = &function.args else { return None };
    let is_plain = list.duplicate_treatment.is_none() && list.clauses.is_empty() && function.within_group.is_empty();
    is_plain.then(|| arguments_of(list))?
}
