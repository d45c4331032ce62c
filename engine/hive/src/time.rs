//! Spark's `dateadd(unit, n, time)` and `datediff(unit, from, to)`.

use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArguments};

use super::build::{binary, call, number, text, typed};
use quarry_functions::hive::intervals;
use quarry_types::Error;

/// The unit that a name or a text tells: what it is called in an interval, and how many of that it is.
fn unit(written: &Expr) -> Option<(&'static str, &'static str)> {
    let name = match written {
        Expr::Identifier(name) => name.value.clone(),
        Expr::Value(value) => value.value.clone().into_string()?,
        _ => return None,
    };
    Some(match name.to_lowercase().trim_end_matches('s') {
        "year" | "yy" | "yyyy" => ("month", "12"),
        "quarter" => ("month", "3"),
        "month" | "mm" | "mon" => ("month", "1"),
        "week" => ("day", "7"),
        "day" | "dd" | "dayofyear" => ("day", "1"),
        "hour" => ("hour", "1"),
        "minute" => ("minute", "1"),
        "second" => ("second", "1"),
        "millisecond" => ("millisecond", "1"),
        "microsecond" => ("microsecond", "1"),
        _ => return None,
    })
}

/// A time so many units later; `None` for what is no unit.
pub(super) fn added(of: &Expr, count: Expr, time: Expr) -> Result<Option<Expr>, Box<Error>> {
    let Some((unit, times)) = unit(of) else { return Ok(None) };
    let count = binary(Expr::Nested(Box::new(typed(count, "bigint")?)), BinaryOperator::Multiply, number(times));
    let length = call("hive_interval", vec![count, text(unit)]);
    Ok(Some(binary(typed(time, "timestamp")?, BinaryOperator::Plus, length)))
}

/// How many whole units lie between two times; `None` for what is no unit.
pub(super) fn between(of: &Expr, from: Expr, to: Expr) -> Result<Option<Expr>, Box<Error>> {
    let Some((unit, times)) = unit(of) else { return Ok(None) };
    let (from, to) = (typed(from, "timestamp")?, typed(to, "timestamp")?);
    let length = match unit {
        "month" => {
            let months = call("hive_months_passed", vec![from, to]);
            let whole = binary(months, BinaryOperator::Divide, number(times));
            return Ok(Some(typed(whole, "bigint")?));
        }
        unit => number(&intervals::length(unit).to_string()),
    };
    let length = binary(length, BinaryOperator::Multiply, number(times));
    Ok(Some(call("hive_units_passed", vec![from, to, length])))
}

/// Whether an expression is an interval as it is written here.
pub(super) fn is_interval(expr: &Expr) -> bool {
    let Expr::Function(function) = expr else { return matches!(expr, Expr::Interval(_)) };
    let FunctionArguments::List(list) = &function.args else { return false };
    match function.name.to_string().as_str() {
        "hive_interval" => true,
        "hive_cast" => matches!(list.args.last(), Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(to))))
            if to.value.clone().into_string().is_some_and(|to| to.starts_with("interval_"))),
        _ => false,
    }
}
