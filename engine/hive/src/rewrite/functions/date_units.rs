//! Spark's `dateadd(unit, n, time)` and `datediff(unit, from, to)`.

use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr};

use crate::ast::{arguments, binary, call, cast, literal_text, nested, number, text};
use quarry_functions::hive::intervals;
use quarry_types::Error;

/// A unit that is given as a name or a text: the unit of an interval, and how many of those it is.
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

/// A time some units later; `None` without a known unit.
pub(super) fn add(args: &[Expr]) -> Result<Option<Expr>, Box<Error>> {
    let [written, count, time] = args else { return Ok(None) };
    let Some((unit, factor)) = unit(written) else { return Ok(None) };
    let count = binary(nested(cast(count.clone(), "bigint")?), BinaryOperator::Multiply, number(factor));
    let interval = call("hive_interval", vec![count, text(unit)]);
    Ok(Some(binary(cast(time.clone(), "timestamp")?, BinaryOperator::Plus, interval)))
}

/// The number of whole units between two times; `None` without a known unit.
pub(super) fn difference(args: &[Expr]) -> Result<Option<Expr>, Box<Error>> {
    let [written, from, to] = args else { return Ok(None) };
    let Some((unit, factor)) = unit(written) else { return Ok(None) };
    let times = vec![cast(from.clone(), "timestamp")?, cast(to.clone(), "timestamp")?];
    if unit == "month" {
        let months = call("hive_months_passed", times);
        return Ok(Some(cast(binary(months, BinaryOperator::Divide, number(factor)), "bigint")?));
    }
    let length = number(&intervals::length(unit).to_string());
    let length = binary(length, BinaryOperator::Multiply, number(factor));
    Ok(Some(call("hive_units_passed", [times, vec![length]].concat())))
}

/// Whether an expression is an interval; by now its literals are calls.
pub(super) fn is_interval(expr: &Expr) -> bool {
    let Expr::Function(function) = expr else { return matches!(expr, Expr::Interval(_)) };
    match function.name.to_string().as_str() {
        "hive_interval" => true,
        "hive_cast" => arguments(function)
            .and_then(|arguments| literal_text(arguments.last()?))
            .is_some_and(|data_type| data_type.starts_with("interval_")),
        _ => false,
    }
}
