//! Calls of functions that are written in another way here.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident,
    NullTreatment, ObjectName, UnaryOperator, Value,
};

use super::build::{self, call, choose, condition, invalid, text, typed};
use super::spark;
use quarry_functions::hive::random::SEEDED;
use quarry_sql::growth::changes;
use quarry_sql::shifted;
use quarry_types::Error;

/// Types whose name is a function that casts.
const TYPES: [&str; 15] = [
    "interval_year_month",
    "interval_day_time",
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

/// The version of Hive whose answers these are.
const HIVE: &str = "3.1";

/// Functions whose answer depends on how many bits a number has.
const BY_WIDTH: [&str; 8] =
    ["format_string", "hash", "murmur_hash", "printf", "shiftleft", "shiftright", "shiftrightunsigned", "typeof"];

/// Functions that have another name here.
const NAMES: [(&str, &str); 16] = [
    ("index", "hive_index"),
    ("nvl", "coalesce"),
    ("ngrams", "hive_ngrams"),
    ("array", "hive_array"),
    ("map", "hive_map"),
    ("greatest", "hive_greatest"),
    ("least", "hive_least"),
    ("abs", "hive_abs"),
    ("negative", "hive_negative"),
    ("hex", "hive_hex"),
    ("mod", "hive_mod"),
    ("concat_ws", "hive_concat_lists"),
    ("sha", "sha1"),
    ("regexp", "rlike"),
    ("percentile_disc", "percentile"),
    ("cardinality", "size"),
];

/// Functions that stand for something else, and so are not among those of the session.
const FORMS: [&str; 18] = [
    "if",
    "nvl2",
    "rand",
    "random",
    "struct",
    "istrue",
    "isnottrue",
    "isfalse",
    "isnotfalse",
    "isnull",
    "isnotnull",
    "positive",
    "mask_hash",
    "current_database",
    "version",
    "regr_r2",
    "from_utc_timestamp",
    "to_utc_timestamp",
];

/// The names under which people call what is written in another way here.
pub(super) fn written() -> impl Iterator<Item = &'static str> {
    let names = NAMES.into_iter().chain(spark::NAMES).map(|(name, _)| name);
    FORMS.into_iter().chain(spark::FORMS).chain(TYPES).chain(names)
}

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
    if name == "mode"
        && let Some(most) = spark::mode(&function)
    {
        return Ok(most);
    }
    if name == "regr_r2" {
        return Ok(regr_r2(&function));
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
    if BY_WIDTH.contains(&name.as_str()) {
        small_numbers(&mut function)?;
    }
    spark::aggregate(&name, &mut function);
    if let Some((_, here)) = NAMES.iter().chain(&spark::NAMES).find(|(there, _)| *there == name) {
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
            let mut asked = args.pop().unwrap_or_else(null);
            condition(&mut asked);
            Some(choose(asked, then, otherwise))
        }
        ("nvl2", [_, _, _]) => {
            let otherwise = args.pop();
            let then = args.pop().unwrap_or_else(null);
            let asked = args.pop().unwrap_or_else(null);
            Some(choose(Expr::IsNotNull(Box::new(asked)), then, otherwise))
        }
        ("rand" | "random", []) => Some(call("random", Vec::new())),
        ("rand" | "random", [seed]) => Some(call(SEEDED, vec![take(seed)])),
        ("struct", [_, ..]) => {
            let named = args.into_iter().enumerate();
            Some(call("named_struct", named.flat_map(|(at, arg)| [text(&format!("col{}", at + 1)), arg]).collect()))
        }
        ("istrue", [value]) => Some(Expr::IsTrue(Box::new(take(value)))),
        ("isnottrue", [value]) => Some(Expr::IsNotTrue(Box::new(take(value)))),
        ("isfalse", [value]) => Some(Expr::IsFalse(Box::new(take(value)))),
        ("isnotfalse", [value]) => Some(Expr::IsNotFalse(Box::new(take(value)))),
        ("mask_hash", [value]) => Some(call("sha2", vec![take(value), build::number("256")])),
        ("current_database", []) => Some(text("default")),
        ("version", []) => Some(text(HIVE)),
        ("isnull", [value]) => Some(Expr::IsNull(Box::new(take(value)))),
        ("isnotnull", [value]) => Some(Expr::IsNotNull(Box::new(take(value)))),
        // An array or a value that is null is an answer too.
        ("array_contains", [_, _]) => {
            let found = call(name, args);
            Some(call("coalesce", vec![found, Expr::Value(Value::Boolean(false).into())]))
        }
        ("positive", [value]) => Some(take(value)),
        // The answer has the type of the first value, whatever it is compared with.
        ("nullif", [value, other]) if !changes(value) => {
            let same = Expr::BinaryOp {
                left: Box::new(value.clone()),
                op: BinaryOperator::Eq,
                right: Box::new(Expr::Nested(Box::new(take(other)))),
            };
            Some(choose(same, null(), Some(take(value))))
        }
        ("from_utc_timestamp" | "to_utc_timestamp", [time, zone]) => {
            let time = typed(take(time), "timestamp")?;
            Some(call(name, vec![time, call("hive_zone", vec![take(zone)])]))
        }
        (cast, [value]) if TYPES.contains(&cast) => Some(typed(take(value), cast)?),
        _ => return spark::plain(name, &args),
    })
}

/// Makes the small whole numbers among the arguments ints.
fn small_numbers(function: &mut Function) -> Result<(), Box<Error>> {
    let FunctionArguments::List(list) = &mut function.args else { return Ok(()) };
    for arg in &mut list.args {
        if let FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) = arg {
            small_number(expr)?;
        }
    }
    Ok(())
}

/// Makes a whole number an int if it fits. The planner would make it a bigint.
pub(super) fn small_number(expr: &mut Expr) -> Result<(), Box<Error>> {
    let (sign, digits) = match &*expr {
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => ("-", expr.as_ref()),
        other => ("", other),
    };
    if let Expr::Value(value) = digits
        && let Value::Number(digits, _) = &value.value
        && format!("{sign}{digits}").parse::<i32>().is_ok()
    {
        *expr = typed(take(expr), "int")?;
    }
    Ok(())
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

/// `regr_r2(y, x)`: 1 where all y are the same and x are not, as the standard has it.
fn regr_r2(function: &Function) -> Expr {
    let of = |name: &str| {
        let mut other = function.clone();
        other.name = ObjectName::from(vec![Ident::new(name)]);
        Expr::Function(other)
    };
    let is_zero =
        |sum: Expr| Expr::BinaryOp { left: Box::new(sum), op: BinaryOperator::Eq, right: Box::new(build::number("0")) };
    let level = choose(is_zero(of("regr_syy")), build::number("1.0"), Some(of("regr_r2")));
    choose(is_zero(of("regr_sxx")), null(), Some(level))
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
