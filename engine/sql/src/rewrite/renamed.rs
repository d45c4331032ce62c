//! Calls of other products whose meaning depends on how their arguments are written, and aggregates under other names.

use datafusion::sql::sqlparser::ast::{BinaryOperator, CaseWhen, DataType, Expr, UnaryOperator, Value};

use super::ast::{binary, call, cases, cast, number, text};
use quarry_functions::{DIVIDE, JSON_LIST, JSON_OF_ALL, JSON_OF_ITEMS, JSON_OF_KNOWN, NOT_DISTINCT_FROM};

/// A call of ours in the place of one; `None` leaves it.
pub(super) fn scalar(name: &str, args: &[Expr]) -> Option<Expr> {
    match (name, args) {
        // Places in a list, in its brackets: BigQuery counts from 0 or from 1 as asked, lists here from 1.
        ("offset" | "safe_offset", [place]) => Some(binary(place.clone(), BinaryOperator::Plus, number("1"))),
        ("ordinal" | "safe_ordinal", [place]) => Some(place.clone()),
        ("unix_timestamp", []) => Some(call("unix_seconds", vec![call("now", Vec::new())])),
        ("time_slice", [time, Expr::Value(count), unit]) => time_slice(time, &count.value, unit),
        ("object_construct", []) => Some(call("json_parse", vec![text("{}")])),
        ("object_construct", [_, _, ..]) => Some(call(JSON_OF_KNOWN, with_json(args))),
        ("json_array", _) => {
            Some(call(JSON_OF_ITEMS, args.iter().map(|arg| call("to_json", vec![arg.clone()])).collect()))
        }
        ("json_build_array" | "jsonb_build_array", _) => {
            Some(call(JSON_LIST, args.iter().map(|arg| call("to_json", vec![arg.clone()])).collect()))
        }
        // A count of parts of a second, as Snowflake writes it.
        (
            "to_timestamp" | "to_timestamp_ntz" | "to_timestamp_ltz" | "to_timestamp_tz",
            [count, Expr::Value(digits)],
        ) => {
            let name = match digits.value.to_string().as_str() {
                "0" => "timestamp_seconds",
                "3" => "timestamp_millis",
                "6" => "timestamp_micros",
                _ => return None,
            };
            Some(call(name, vec![count.clone()]))
        }
        ("json_build_object" | "jsonb_build_object" | "json_object" | "object_construct_keep_null", [_, ..]) => {
            Some(call(JSON_OF_ALL, with_json(args)))
        }
        ("hll_count.extract", [_]) => Some(call("cardinality", args.to_vec())),
        ("age", [time]) => Some(call("age", vec![call("current_date", Vec::new()), time.clone()])),
        ("decode", [value, _, _, ..]) => Some(decoded(value, &args[1..])),
        _ => None,
    }
}

/// The fraction that BigQuery and Snowflake make of whole numbers too, those of 256 bits among them.
pub(super) fn quotient(dividend: &Expr, divisor: &Expr) -> Expr {
    call(DIVIDE, vec![dividend.clone(), divisor.clone()])
}

/// Names and values in turn, the values as JSON.
fn with_json(args: &[Expr]) -> Vec<Expr> {
    let json = |(place, arg): (usize, &Expr)| match place % 2 {
        0 => arg.clone(),
        _ => call("to_json", vec![arg.clone()]),
    };
    args.iter().enumerate().map(json).collect()
}

/// The name of an aggregate here.
pub(super) fn aggregate(name: &str) -> Option<&'static str> {
    Some(match name {
        "arbitrary" => "any_value",
        "every" | "logical_and" => "bool_and",
        "logical_or" => "bool_or",
        "approx_count_distinct" | "hll" => "approx_distinct",
        "hll_accumulate" | "hll_count.init" => "approx_set",
        "hll_combine" | "hll_count.merge_partial" => "merge",
        "bitand_agg" => "bit_and",
        "bitor_agg" => "bit_or",
        "bitxor_agg" => "bit_xor",
        "booland_agg" => "bool_and",
        "boolor_agg" => "bool_or",
        "first" => "first_value",
        "last" => "last_value",
        "list" => "array_agg",
        "skew" => "skewness",
        _ => return None,
    })
}

/// Snowflake's slices of minutes, hours or days; those of weeks and longer begin elsewhere than ours.
fn time_slice(time: &Expr, count: &Value, unit: &Expr) -> Option<Expr> {
    let (Value::Number(count, _), Expr::Value(unit)) = (count, unit) else { return None };
    let Value::SingleQuotedString(unit) = &unit.value else { return None };
    let unit = super::dates::unit(unit).filter(|unit| ["second", "minute", "hour", "day"].contains(unit))?;
    let width = cast(text(&format!("{count} {unit}")), DataType::Interval { fields: None, precision: None });
    Some(call("date_bin", vec![width, time.clone()]))
}

/// `decode(value, search, result, …, other)` of Snowflake and Oracle, to which null is the same as null.
fn decoded(value: &Expr, rest: &[Expr]) -> Expr {
    let pairs = rest.chunks_exact(2);
    let last = pairs.remainder().first().cloned();
    let whens = pairs.map(|pair| CaseWhen {
        condition: call(NOT_DISTINCT_FROM, vec![value.clone(), pair[0].clone()]),
        result: pair[1].clone(),
    });
    cases(whens.collect(), last)
}

/// `text rlike pattern`, `text regexp pattern`.
pub(super) fn matches(expr: &Expr, pattern: &Expr, negated: bool) -> Expr {
    let matches = call("regexp_like", vec![expr.clone(), pattern.clone()]);
    match negated {
        true => Expr::UnaryOp { op: UnaryOperator::Not, expr: Box::new(matches) },
        false => matches,
    }
}
