//! Calls of functions that are written in another way here.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident,
    NullTreatment, ObjectName, Value,
};

use super::build::{call, choose, invalid, typed};
use crate::error::Error;
use crate::kinds::sql::shifted;

/// Types whose name is a function that casts.
const TYPES: [&str; 13] = [
    "tinyint",
    "smallint",
    "int",
    "bigint",
    "float",
    "double",
    "decimal",
    "string",
    "boolean",
    "date",
    "timestamp",
    "binary",
    "integer",
];

/// Functions that have another name here.
const NAMES: [(&str, &str); 13] = [
    ("nvl", "coalesce"),
    ("array", "make_array"),
    ("sort_array", "array_sort"),
    ("abs", "hive_abs"),
    ("negative", "hive_negative"),
    ("hex", "hive_hex"),
    ("mod", "hive_mod"),
    ("concat_ws", "hive_concat_lists"),
    ("sha", "sha1"),
    ("regexp", "rlike"),
    ("date_part", "hive_date_part"),
    ("percentile_disc", "percentile"),
    ("cardinality", "size"),
];

/// The function that answers a field of `EXTRACT`.
pub(super) fn of_field(field: &str) -> Result<&'static str, Box<Error>> {
    match field.to_lowercase().as_str() {
        "year" => Ok("year"),
        "quarter" => Ok("quarter"),
        "month" => Ok("month"),
        "week" => Ok("weekofyear"),
        "day" => Ok("day"),
        "dow" | "dayofweek" => Ok("dayofweek"),
        "hour" => Ok("hour"),
        "minute" => Ok("minute"),
        "second" => Ok("second"),
        _ => Err(invalid("EXTRACT takes year, quarter, month, week, day, dayofweek, hour, minute or second.")),
    }
}

/// A call as the planner knows it; its arguments have been rewritten before.
pub(super) fn function(mut function: Function) -> Result<Expr, Box<Error>> {
    let name = function.name.to_string().to_lowercase();
    if function.over.is_none()
        && let Some(args) = values(&function)
        && let Some(expr) = plain(&name, args)?
    {
        return Ok(expr);
    }
    if name == "count" && distinct(&function) {
        return Ok(count_distinct(function));
    }
    if ["first_value", "last_value", "lead", "lag"].contains(&name.as_str()) {
        nulls_of_window(&mut function);
        if let Some(expr) = shifted::with_default(&function) {
            return Ok(expr);
        }
    }
    if let Some((_, here)) = NAMES.iter().find(|(there, _)| *there == name) {
        function.name = ObjectName::from(vec![Ident::new(*here)]);
    }
    Ok(Expr::Function(function))
}

/// The arguments of a call when all are values.
fn values(function: &Function) -> Option<Vec<Expr>> {
    let FunctionArguments::List(list) = &function.args else { return None };
    if list.duplicate_treatment.is_some() {
        return None;
    }
    let value = |arg: &FunctionArg| match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr.clone()),
        _ => None,
    };
    list.args.iter().map(value).collect()
}

fn plain(name: &str, args: Vec<Expr>) -> Result<Option<Expr>, Box<Error>> {
    let mut args = args;
    Ok(match (name, args.as_mut_slice()) {
        ("if", [_, _, _]) => {
            let otherwise = args.pop();
            let then = args.pop().unwrap_or_else(null);
            Some(choose(args.pop().unwrap_or_else(null), then, otherwise))
        }
        ("nvl2", [_, _, _]) => {
            let otherwise = args.pop();
            let then = args.pop().unwrap_or_else(null);
            let asked = args.pop().unwrap_or_else(null);
            Some(choose(Expr::IsNotNull(Box::new(asked)), then, otherwise))
        }
        // The numbers differ with every run, whatever the seed.
        ("rand" | "random", _) => Some(call("random", Vec::new())),
        // One null among them makes the answer null.
        ("greatest" | "least", [_, _, ..]) => {
            let missing = args.iter().cloned().map(|arg| Expr::IsNull(Box::new(arg))).reduce(or);
            Some(choose(missing.unwrap_or_else(null), null(), Some(call(name, args))))
        }
        ("isnull", [value]) => Some(Expr::IsNull(Box::new(take(value)))),
        ("isnotnull", [value]) => Some(Expr::IsNotNull(Box::new(take(value)))),
        ("positive", [value]) => Some(take(value)),
        ("from_utc_timestamp" | "to_utc_timestamp", [time, zone]) => {
            let time = typed(take(time), "timestamp")?;
            Some(call(name, vec![time, take(zone)]))
        }
        (cast, [value]) if TYPES.contains(&cast) => Some(typed(take(value), cast)?),
        _ => None,
    })
}

fn or(left: Expr, right: Expr) -> Expr {
    Expr::BinaryOp { left: Box::new(left), op: BinaryOperator::Or, right: Box::new(right) }
}

fn null() -> Expr {
    Expr::Value(Value::Null.into())
}

fn take(expr: &mut Expr) -> Expr {
    std::mem::replace(expr, null())
}

fn distinct(function: &Function) -> bool {
    matches!(&function.args, FunctionArguments::List(list)
        if list.duplicate_treatment == Some(DuplicateTreatment::Distinct) && list.args.len() > 1)
}

/// `count(distinct a, b)` counts pairs of which neither is null.
fn count_distinct(mut function: Function) -> Expr {
    if let FunctionArguments::List(list) = &mut function.args {
        let parts: Vec<Expr> = list
            .args
            .iter()
            .filter_map(|arg| match arg {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr.clone()),
                _ => None,
            })
            .collect();
        let missing = parts.iter().cloned().map(|part| Expr::IsNull(Box::new(part)));
        let any = missing.reduce(or);
        let together = call("struct", parts);
        let counted = choose(any.unwrap_or_else(null), null(), Some(together));
        list.args = vec![FunctionArg::Unnamed(FunctionArgExpr::Expr(counted))];
    }
    Expr::Function(function)
}

/// `first_value(x, true)` leaves nulls out.
fn nulls_of_window(function: &mut Function) {
    let FunctionArguments::List(list) = &mut function.args else { return };
    let leave_out = match list.args.get(1) {
        Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(value)))) => match &value.value {
            Value::Boolean(leave_out) => *leave_out,
            _ => return,
        },
        _ => return,
    };
    list.args.truncate(1);
    if leave_out {
        function.null_treatment = Some(NullTreatment::IgnoreNulls);
    }
}
