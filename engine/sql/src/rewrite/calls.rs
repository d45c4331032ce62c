//! Calls of functions in the forms of other dialects, as calls of ours.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, DataType, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause,
    FunctionArgumentList, FunctionArguments, Ident, LambdaFunction, LambdaFunctionParameter, LambdaSyntax,
    NullTreatment, ObjectName, OneOrManyWithParens, OrderByExpr, OrderByOptions, UnaryOperator, Value, ValueWithSpan,
};

use super::ast::{arguments, binary, call, case, cast, number, text};
use super::numbers::exact_number;
use super::{dates, renamed};
use quarry_functions::{KNOWN_LIST, ROUND_TIME};
use quarry_types::{Error, ErrorCode};

/// Digits of the largest power of ten that a decimal holds.
const MAX_POWER: u32 = 76;

/// A call in terms the planner knows.
pub(super) fn rewrite(expr: &mut Expr) {
    let Expr::Function(function) = expr else { return };
    let name = function.name.to_string().to_ascii_lowercase();
    let is_aggregate = aggregate(&name, function);
    without_constant_orders(function);
    if is_aggregate {
        return;
    }
    if function.over.is_some() || function.filter.is_some() {
        return;
    }
    if name == "search"
        && let Some(same) = whole_search(function)
    {
        *expr = Expr::Nested(Box::new(same));
        return;
    }
    let Some(args) = plain_arguments(function) else { return };
    if let Some(reordered) = dates::reordered(&name, &args) {
        *expr = reordered;
        return;
    }
    let replaced = match (name.as_str(), args.as_slice()) {
        ("if" | "iff", [condition, value]) => case(condition.clone(), value.clone(), None),
        ("if" | "iff", [condition, value, other]) => case(condition.clone(), value.clone(), Some(other.clone())),
        // All of them, where the stock function takes the first one only.
        ("array_remove", [_, _]) => call("array_remove_all", args.clone()),
        // Of any numbers, as the sign.
        ("mod", [number, by]) => binary(number.clone(), BinaryOperator::Modulo, by.clone()),
        ("random" | "rand", [below]) => random(None, below),
        ("random" | "rand", [from, below]) => random(Some(from), below),
        ("width_bucket" | "range_bucket", [value, bounds]) => bucket(value, bounds),
        // The stock function of this name takes a lambda.
        ("array_first", [list]) => call("element_at", vec![list.clone(), number("1")]),
        ("array_sort" | "list_sort", [list, of @ Expr::Lambda(_)]) => {
            call("array_sort_by", vec![list.clone(), of.clone()])
        }
        // Null comes last, as in every order.
        ("array_sort" | "list_sort", [list]) => call("array_sort", vec![list.clone(), text("ASC"), text("NULLS LAST")]),
        ("array_sort" | "list_sort", [list, by]) => sorted(list, by),
        // Of a list with an item that nobody knows nobody knows the largest; DuckDB's `list_max` leaves null out.
        ("array_max" | "array_min", [list]) => call(&name, vec![call(KNOWN_LIST, vec![list.clone()])]),
        ("replace", [value, search]) => call("replace", vec![value.clone(), search.clone(), text("")]),
        ("power" | "pow", [base, exponent]) => match power_of_ten(base, exponent) {
            Some(exact) => exact,
            None => return,
        },
        // Lambdas: the planner's names for what Trino calls so.
        ("transform", [list, of @ Expr::Lambda(_)]) => call("array_transform", vec![list.clone(), of.clone()]),
        ("filter", [list, of @ Expr::Lambda(_)]) => call("array_filter", vec![list.clone(), of.clone()]),
        ("none_match", [list, of @ Expr::Lambda(_)]) => none_match(list, of.clone()),
        ("all_match", [list, Expr::Lambda(lambda)]) => {
            let body = Expr::UnaryOp { op: UnaryOperator::Not, expr: Box::new(Expr::Nested(lambda.body.clone())) };
            none_match(list, Expr::Lambda(LambdaFunction { body: Box::new(body), ..lambda.clone() }))
        }
        ("current_date" | "current_time" | "current_timestamp", []) => call(&name, Vec::new()),
        ("localtime", []) => call("current_time", Vec::new()),
        ("localtimestamp" | "current_datetime" | "getdate" | "sysdate", []) => call("now", Vec::new()),
        // So many digits of a second.
        ("current_timestamp" | "localtimestamp" | "now", [digits @ Expr::Value(_)]) => {
            call(ROUND_TIME, vec![call("now", Vec::new()), digits.clone()])
        }
        ("map", []) => call("map", vec![call("make_array", Vec::new()), call("make_array", Vec::new())]),
        (name, args) => match renamed::scalar(name, args) {
            Some(ours) => ours,
            None => return,
        },
    };
    *expr = Expr::Nested(Box::new(replaced));
}

/// A list in an order that is told: null comes last, also on the way down, as in DuckDB. Snowflake tells by a truth value
/// whether it goes up, and has null first on the way down.
fn sorted(list: &Expr, by: &Expr) -> Expr {
    let up = match by {
        Expr::Value(value) => match value.value {
            Value::Boolean(up) => Some(up),
            _ => None,
        },
        _ => None,
    };
    let (by, nulls) = match up {
        Some(true) => (text("ASC"), "NULLS LAST"),
        Some(false) => (text("DESC"), "NULLS FIRST"),
        None => (by.clone(), "NULLS LAST"),
    };
    call("array_sort", vec![list.clone(), by, text(nulls)])
}

/// BigQuery's `search(data, text, analyzer => 'NO_OP_ANALYZER')` looks for the text as it is: a comparison, which finds its
/// rows by the index. Other analyzers cut texts into words.
fn whole_search(function: &Function) -> Option<Expr> {
    let FunctionArguments::List(list) = &function.args else { return None };
    let (FunctionArg::Unnamed(FunctionArgExpr::Expr(data)), FunctionArg::Unnamed(FunctionArgExpr::Expr(wanted))) =
        (list.args.first()?, list.args.get(1)?)
    else {
        return None;
    };
    let [FunctionArg::Named { name, arg: FunctionArgExpr::Expr(Expr::Value(value)), .. }] = &list.args[2..] else {
        return None;
    };
    let by = value.value.clone().into_string()?;
    let whole = name.value.eq_ignore_ascii_case("analyzer") && by.eq_ignore_ascii_case("NO_OP_ANALYZER");
    whole.then(|| binary(data.clone(), BinaryOperator::Eq, wanted.clone()))
}

/// Whether no item of a list is what the lambda asks for.
fn none_match(list: &Expr, of: Expr) -> Expr {
    let any = call("array_any_match", vec![list.clone(), of]);
    Expr::UnaryOp { op: UnaryOperator::Not, expr: Box::new(any) }
}

/// How many bounds of a list in order a number has reached.
fn bucket(value: &Expr, bounds: &Expr) -> Expr {
    let reached = binary(Expr::Identifier(Ident::new("bound")), BinaryOperator::LtEq, value.clone());
    let of = LambdaFunction {
        params: OneOrManyWithParens::One(LambdaFunctionParameter { name: Ident::new("bound"), data_type: None }),
        body: Box::new(reached),
        syntax: LambdaSyntax::Arrow,
    };
    call("cardinality", vec![call("array_filter", vec![bounds.clone(), Expr::Lambda(of)])])
}

/// A whole number from one, or zero, to below another.
fn random(from: Option<&Expr>, below: &Expr) -> Expr {
    let width = match from {
        Some(from) => binary(below.clone(), BinaryOperator::Minus, from.clone()),
        None => below.clone(),
    };
    let part = binary(call("random", Vec::new()), BinaryOperator::Multiply, width);
    let drawn = cast(call("floor", vec![part]), DataType::BigInt(None));
    match from {
        Some(from) => binary(from.clone(), BinaryOperator::Plus, drawn),
        None => drawn,
    }
}

/// `substring(text from 2 for 3)`, and `substr` however it is written, as a call of a function by its name.
pub(super) fn substring(expr: &mut Expr) {
    let Expr::Substring { expr: text, substring_from: Some(from), substring_for: length, .. } = expr else { return };
    let mut args = vec![text.as_ref().clone(), from.as_ref().clone()];
    args.extend(length.as_ref().map(|length| length.as_ref().clone()));
    *expr = call("substr", args);
}

/// `like 'a$_b' escape '$'` with the backslash, which is the sign that the planner knows. A sign with nothing behind it
/// is an error, as in Trino: there is nothing that it could mean.
pub(super) fn escapes(pattern: &mut Expr, escape: &mut Option<ValueWithSpan>) -> ControlFlow<Box<Error>> {
    let done = ControlFlow::Continue(());
    let (Some(sign), Expr::Value(written)) = (escape.as_ref(), &mut *pattern) else { return done };
    let (Value::SingleQuotedString(sign), Value::SingleQuotedString(written)) = (&sign.value, &mut written.value)
    else {
        return done;
    };
    let mut letters = sign.chars();
    let (Some(sign), None) = (letters.next(), letters.next()) else { return done };
    let mut escaped = false;
    let mut out = String::new();
    for letter in written.chars() {
        if letter == sign && !escaped {
            escaped = true;
            continue;
        }
        if escaped || letter == '\\' {
            out.push('\\');
        }
        escaped = false;
        out.push(letter);
    }
    if escaped {
        let message = format!("The pattern of LIKE ends with its escape sign {sign}; nothing stands behind that.");
        return ControlFlow::Break(Box::new(Error::new(ErrorCode::InvalidQuery, message)));
    }
    if sign != '\\' {
        *written = out;
        *escape = None;
    }
    done
}

/// Aggregates in other forms; they keep FILTER and OVER. True when there is nothing more to do.
fn aggregate(name: &str, function: &mut Function) -> bool {
    let FunctionArguments::List(list) = &mut function.args else { return false };
    let renamed = match (name, list.args.len()) {
        ("count_if" | "countif", 1) => {
            if let Some(condition) = argument(list, 0) {
                list.args = unnamed(vec![case(condition, number("1"), None)]);
            }
            "count"
        }
        ("max_by" | "min_by" | "arg_max" | "arg_min" | "argmax" | "argmin", 2) if function.over.is_none() => {
            let (Some(value), Some(by)) = (argument(list, 0), argument(list, 1)) else { return true };
            let known = Expr::IsNotNull(Box::new(by.clone()));
            let ascending = name.contains("min");
            let options = OrderByOptions { asc: Some(ascending), nulls_first: Some(false) };
            list.args = unnamed(vec![value]);
            list.clauses =
                vec![FunctionArgumentClause::OrderBy(vec![OrderByExpr { expr: by, options, with_fill: None }])];
            function.filter = Some(Box::new(match function.filter.take() {
                Some(filter) => binary(*filter, BinaryOperator::And, known),
                None => known,
            }));
            "first_value"
        }
        // Any value that is not null: the first one in the frame, which may slide.
        ("any_value" | "arbitrary", 1) if function.over.is_some() => {
            function.null_treatment = Some(NullTreatment::IgnoreNulls);
            "first_value"
        }
        ("listagg" | "group_concat" | "string_agg", 1 | 2) => {
            if list.args.len() == 1 {
                let separator = list.clauses.iter().find_map(|clause| match clause {
                    FunctionArgumentClause::Separator(separator) => Some(Expr::Value(separator.clone())),
                    _ => None,
                });
                let usual = if name == "listagg" { "" } else { "," };
                list.args.extend(unnamed(vec![separator.unwrap_or_else(|| text(usual))]));
            }
            list.clauses.retain(|clause| matches!(clause, FunctionArgumentClause::OrderBy(_)));
            let order = std::mem::take(&mut function.within_group);
            if !order.is_empty() {
                list.clauses.push(FunctionArgumentClause::OrderBy(order));
            }
            "string_agg"
        }
        (_, 1) => match renamed::aggregate(name) {
            Some(ours) => ours,
            None => return false,
        },
        _ => return false,
    };
    function.name = ObjectName::from(vec![Ident::new(renamed)]);
    true
}

/// Removes numbers from the ORDER BY of an aggregate: they are constants, which sort nothing. DataFusion 55 takes them for the
/// positions of input columns. No upstream issue describes this yet.
fn without_constant_orders(function: &mut Function) {
    let FunctionArguments::List(list) = &mut function.args else { return };
    list.clauses.retain_mut(|clause| match clause {
        FunctionArgumentClause::OrderBy(order) => {
            order.retain(|item| !matches!(&item.expr, Expr::Value(ValueWithSpan { value: Value::Number(..), .. })));
            !order.is_empty()
        }
        _ => true,
    });
}

fn argument(list: &FunctionArgumentList, index: usize) -> Option<Expr> {
    match list.args.get(index)? {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr.clone()),
        _ => None,
    }
}

fn unnamed(args: Vec<Expr>) -> Vec<FunctionArg> {
    match arguments(args) {
        FunctionArguments::List(list) => list.args,
        _ => Vec::new(),
    }
}

/// The arguments of a call that has nothing but arguments.
fn plain_arguments(function: &Function) -> Option<Vec<Expr>> {
    let FunctionArguments::List(list) = &function.args else { return None };
    if list.duplicate_treatment.is_some() || !list.clauses.is_empty() || !function.within_group.is_empty() {
        return None;
    }
    (0..list.args.len()).map(|index| argument(list, index)).collect()
}

/// `power(10, 18)` as the exact number, so that dividing by it moves the point.
fn power_of_ten(base: &Expr, exponent: &Expr) -> Option<Expr> {
    let digits = |expr: &Expr| match expr {
        Expr::Value(value) => match &value.value {
            Value::Number(digits, _) => digits.parse::<u32>().ok(),
            _ => None,
        },
        _ => None,
    };
    if digits(base)? != 10 {
        return None;
    }
    let exponent = digits(exponent).filter(|exponent| *exponent < MAX_POWER)?;
    exact_number(&format!("1e{exponent}"))
}

#[cfg(test)]
mod tests {
    use datafusion::prelude::SessionContext;

    /// When this fails, DataFusion takes a number in the ORDER BY of an aggregate for a constant, and `without_constant_orders` can go.
    #[tokio::test]
    async fn the_stock_planner_still_takes_numbers_for_positions() {
        let error = SessionContext::new().sql("select array_agg(4 order by 4)").await.unwrap_err();
        assert!(error.to_string().contains("out of bounds"), "{error}");
    }
}
