//! Aggregates of other dialects that are several of ours, or a list of them.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, DataType, DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause,
    FunctionArguments, HavingBound, HavingBoundKind, Ident, ObjectName, OrderByExpr, OrderByOptions, Value,
    WindowFrame, WindowFrameBound, WindowFrameUnits, WindowSpec, WindowType,
};

use super::ast::{binary, call, case, cast, number, text};
use super::renamed::quotient;
use super::{shares, windowed};
use quarry_functions::{DISCRETE_PERCENTILE, NEAREST_PERCENTILE};
use quarry_types::{Error, ErrorCode};

const PERCENTILE: &str = "approx_percentile";
/// `approx_quantiles(x, n)` has n + 1 values; more are not what somebody asks by hand.
const MAX_QUANTILES: u32 = 100;

/// Aggregates that make a difference between values that are the same, and are written out.
const WITH_ALL: [&str; 10] = [
    "approx_most_frequent",
    "approx_quantile",
    "approx_quantiles",
    "approx_top_count",
    "geometric_mean",
    "histogram",
    "multimap_agg",
    "nth_value",
    "ratio_to_report",
    "reduce_agg",
];

/// A call in terms the planner knows; `None` leaves it.
pub(super) fn shaped(function: &Function) -> Option<Expr> {
    if let Some(over) = windowed::in_order(function) {
        return Some(shaped(&over).unwrap_or(Expr::Function(over)));
    }
    if let Some(shares) = shares::listed(function) {
        return Some(shares);
    }
    if let Some(same) = shares::renamed(function) {
        return Some(shaped(&same).unwrap_or(Expr::Function(same)));
    }
    let FunctionArguments::List(list) = &function.args else { return None };
    let args: Option<Vec<&Expr>> = list.args.iter().map(argument).collect();
    let limit = list.clauses.iter().find_map(|clause| match clause {
        FunctionArgumentClause::Limit(limit) => Some(limit),
        _ => None,
    });
    match (function.name.to_string().to_ascii_lowercase().as_str(), args?.as_slice(), limit) {
        // BigQuery's.
        ("any_value", [value], None) if !list.clauses.is_empty() => {
            let [FunctionArgumentClause::Having(HavingBound(kind, by))] = list.clauses.as_slice() else { return None };
            let name = if *kind == HavingBoundKind::Max { "max_by" } else { "min_by" };
            let first = like(function, name, vec![(*value).clone(), by.clone()]);
            Some(shaped(&first).unwrap_or(Expr::Function(first)))
        }
        ("array_agg", [_], Some(limit)) => {
            let mut all = function.clone();
            if let FunctionArguments::List(list) = &mut all.args {
                list.clauses.retain(|clause| !matches!(clause, FunctionArgumentClause::Limit(_)));
            }
            Some(first_of(Expr::Function(all), limit))
        }
        ("string_agg", [value, separator @ ..], Some(limit)) => {
            let mut all = function.clone();
            all.name = ObjectName::from(vec![Ident::new("array_agg")]);
            if let FunctionArguments::List(list) = &mut all.args {
                list.args.truncate(1);
                list.clauses.retain(|clause| !matches!(clause, FunctionArgumentClause::Limit(_)));
            }
            and_filter(&mut all, Expr::IsNotNull(Box::new((*value).clone())));
            let all = shaped(&all).unwrap_or(Expr::Function(all));
            let separator = separator.first().map_or_else(|| text(","), |separator| (*separator).clone());
            Some(call("array_to_string", vec![first_of(all, limit), separator]))
        }
        ("array_agg", [_], None) if !function.within_group.is_empty() => Some(ordered(function)),
        // Beside aggregates in another order the planner loses that of an aggregate of distinct values.
        ("array_agg", [value], None) if list.duplicate_treatment == Some(DuplicateTreatment::Distinct) => {
            distinct(function, value)
        }
        ("ratio_to_report", [value], None) => {
            let all = Expr::Function(like(function, "sum", vec![(*value).clone()]));
            Some(quotient(value, &all))
        }
        ("max_by" | "min_by" | "arg_max" | "arg_min" | "argmax" | "argmin", [value, by], None)
            if function.over.is_some() && function.filter.is_none() =>
        {
            over_window(function, value, by)
        }
        ("max_by" | "min_by", [value, by, count], None) => Some(first_by(function, value, by, count)),
        ("max" | "min", [value, count], None) => Some(first_by(function, value, value, count)),
        // The accuracy that is asked for is no worse than what there is.
        ("approx_distinct", [value, _], None) => {
            Some(Expr::Function(like(function, "approx_distinct", vec![(*value).clone()])))
        }
        ("approx_set" | "hll_count.init", [value, _], None) => {
            Some(Expr::Function(like(function, "approx_set", vec![(*value).clone()])))
        }
        ("hll_estimate" | "hll_count.merge", [sketch], None) => {
            let all = Expr::Function(like(function, "merge", vec![(*sketch).clone()]));
            Some(call("cardinality", vec![all]))
        }
        // Redshift's; the stock function looks at the order.
        ("approx_percentile", [_], None) if !function.within_group.is_empty() => {
            let name = ObjectName::from(vec![Ident::new("approx_percentile_cont")]);
            Some(Expr::Function(Function { name, ..function.clone() }))
        }
        ("approx_quantiles", [value, parts], None) => {
            let parts = whole(parts).filter(|parts| (1..=MAX_QUANTILES).contains(parts))?;
            let share = |part| number(&format!("{:.6}", f64::from(part) / f64::from(parts)));
            Some(percentiles(function, NEAREST_PERCENTILE, value, (0..=parts).map(share)))
        }
        ("map_agg", [key, value], None) => Some(call("map_of_first", lists(function, key, &[key, value]))),
        ("multimap_agg", [key, value], None) => Some(call("multimap_of", lists(function, key, &[key, value]))),
        ("map_union", [map], None) => Some(call("map_union_of", lists(function, map, &[map]))),
        ("approx_most_frequent", [count, value, _], None) => {
            let mut args = lists(function, value, &[value]);
            args.push((*count).clone());
            Some(call("most_frequent", args))
        }
        ("reduce_agg", [value, first, merge @ Expr::Lambda(_), Expr::Lambda(_)], None) => {
            let mut args = lists(function, value, &[value]);
            args.extend([(*first).clone(), (*merge).clone()]);
            Some(call("reduce", args))
        }
        ("mode", [value], None) => Some(most_frequent(function, value)),
        ("mode", [], None) if function.within_group.len() == 1 => {
            Some(most_frequent(function, &function.within_group[0].expr))
        }
        ("json_agg" | "jsonb_agg", [_], None) => {
            let mut all = function.clone();
            all.name = ObjectName::from(vec![Ident::new("array_agg")]);
            Some(call("to_json", vec![Expr::Function(all)]))
        }
        ("object_agg" | "json_object_agg" | "jsonb_object_agg", [key, value], None) => {
            let map = call("map_of_first", lists(function, key, &[key, value]));
            Some(call("to_json", vec![map]))
        }
        ("approx_quantile", [value, share], None) => {
            Some(Expr::Function(like(function, PERCENTILE, vec![(*value).clone(), (*share).clone()])))
        }
        ("percentile_disc", [share], None) if function.within_group.len() == 1 => {
            Some(discrete(function, share, &function.within_group[0]))
        }
        // BigQuery's.
        ("percentile_disc", [value, share], None) => {
            let options = OrderByOptions { asc: None, nulls_first: None };
            Some(discrete(function, share, &OrderByExpr { expr: (*value).clone(), options, with_fill: None }))
        }
        // Over a window the planner takes no WITHIN GROUP.
        ("percentile_cont", [share], None) if function.over.is_some() && function.within_group.len() == 1 => {
            let OrderByExpr { expr: value, options, .. } = &function.within_group[0];
            let share = match options.asc {
                Some(false) => from_the_other_end(share)?,
                _ => (*share).clone(),
            };
            Some(Expr::Function(like(function, "percentile_cont", vec![value.clone(), share])))
        }
        ("approx_top_count", [value, count], None) => {
            let mut args = lists(function, value, &[value]);
            args.push((*count).clone());
            Some(call("top_counts", args))
        }
        ("histogram", [value], None) => Some(call("array_frequency", lists(function, value, &[value]))),
        ("count", [_, _, ..], None) if list.duplicate_treatment == Some(DuplicateTreatment::Distinct) => {
            let parts: Vec<Expr> = list.args.iter().filter_map(argument).cloned().collect();
            let mut all = function.clone();
            // As everywhere, a row with a null in it is not counted.
            parts.iter().for_each(|part| and_filter(&mut all, Expr::IsNotNull(Box::new(part.clone()))));
            if let FunctionArguments::List(list) = &mut all.args {
                list.args = vec![FunctionArg::Unnamed(FunctionArgExpr::Expr(call("struct", parts)))];
            }
            Some(Expr::Function(all))
        }
        ("geometric_mean", [value], None) => {
            let mean = like(function, "avg", vec![call("ln", vec![(*value).clone()])]);
            Some(call("exp", vec![Expr::Function(mean)]))
        }
        _ => None,
    }
}

/// `array_agg(x) WITHIN GROUP (ORDER BY y)` with its order where the planner knows it.
fn ordered(function: &Function) -> Expr {
    let mut all = function.clone();
    let order = std::mem::take(&mut all.within_group);
    if let FunctionArguments::List(list) = &mut all.args {
        list.clauses.push(FunctionArgumentClause::OrderBy(order));
    }
    Expr::Function(all)
}

/// `array_agg(DISTINCT x ORDER BY x)` as a list that is put in order afterwards; `None` for any other order.
fn distinct(function: &Function, value: &Expr) -> Option<Expr> {
    let mut all = function.clone();
    let FunctionArguments::List(list) = &mut all.args else { return None };
    let [FunctionArgumentClause::OrderBy(order)] = list.clauses.as_slice() else { return None };
    let [OrderByExpr { expr, options, with_fill: None }] = order.as_slice() else { return None };
    if expr != value {
        return None;
    }
    let descending = options.asc == Some(false);
    let nulls = if options.nulls_first == Some(true) { "NULLS FIRST" } else { "NULLS LAST" };
    list.clauses.clear();
    let direction = text(if descending { "DESC" } else { "ASC" });
    Some(call("array_sort", vec![Expr::Function(all), direction, text(nulls)]))
}

/// The first value in order up to which lies a share of all that are known.
fn discrete(function: &Function, share: &Expr, order: &OrderByExpr) -> Expr {
    // Over a window the planner takes no order of what is aggregated.
    if function.over.is_some() {
        let descending = if order.options.asc == Some(false) { "1" } else { "0" };
        let args = vec![order.expr.clone(), share.clone(), number(descending)];
        return Expr::Function(like(function, DISCRETE_PERCENTILE, args));
    }
    let mut all = like(function, "array_agg", vec![order.expr.clone()]);
    if let FunctionArguments::List(list) = &mut all.args {
        list.clauses = vec![FunctionArgumentClause::OrderBy(vec![order.clone()])];
    }
    and_filter(&mut all, Expr::IsNotNull(Box::new(order.expr.clone())));
    let all = Expr::Function(all);
    let part = binary(share.clone(), BinaryOperator::Multiply, call("cardinality", vec![all.clone()]));
    let place = cast(call("ceil", vec![part]), DataType::BigInt(None));
    call("element_at", vec![all, call("greatest", vec![place, number("1")])])
}

/// What is wrong with the LIMIT inside of an aggregate, which is written out as a whole number.
pub(super) fn wrong_limit(function: &Function) -> Option<Error> {
    let FunctionArguments::List(list) = &function.args else { return None };
    let limit = list.clauses.iter().find_map(|clause| match clause {
        FunctionArgumentClause::Limit(limit) => Some(limit),
        _ => None,
    })?;
    let wrong = match limit {
        Expr::Value(value) => !matches!(&value.value, Value::Number(digits, _) if digits.parse::<u64>().is_ok()),
        Expr::UnaryOp { .. } => true,
        _ => false,
    };
    wrong
        .then(|| Error::new(ErrorCode::InvalidQuery, "LIMIT inside of an aggregate is a whole number, not below zero."))
}

/// Why an aggregate that is written out takes no DISTINCT: its values are put in lists beside others.
pub(super) fn wrong_distinct(function: &Function) -> Option<Error> {
    let FunctionArguments::List(list) = &function.args else { return None };
    if list.duplicate_treatment != Some(DuplicateTreatment::Distinct) {
        return None;
    }
    let name = function.name.to_string().to_ascii_lowercase();
    let wrong = WITH_ALL.contains(&name.as_str()) || ["max", "min"].contains(&name.as_str()) && list.args.len() == 2;
    let message = format!("{name} takes no DISTINCT; select the distinct values first.");
    wrong.then(|| Error::new(ErrorCode::InvalidQuery, message))
}

/// What is left of one beside a share that is written out.
fn from_the_other_end(share: &Expr) -> Option<Expr> {
    let Expr::Value(value) = share else { return None };
    let Value::Number(digits, _) = &value.value else { return None };
    // A share has few digits: rounding takes away what doubles add to 1 - 0.9.
    digits.parse::<f64>().ok().map(|share| number(&format!("{:.9}", 1.0 - share)))
}

/// The value that a group has most often.
fn most_frequent(function: &Function, value: &Expr) -> Expr {
    let mut args = lists(function, value, &[value]);
    args.push(number("1"));
    call("element_at", vec![call("map_keys", vec![call("most_frequent", args)]), number("1")])
}

/// The lists of a group's values, in rows where the key is known.
fn lists(function: &Function, key: &Expr, items: &[&Expr]) -> Vec<Expr> {
    let known = Expr::IsNotNull(Box::new(key.clone()));
    let list = |item: &&Expr| {
        let mut all = like(function, "array_agg", vec![(*item).clone()]);
        and_filter(&mut all, known.clone());
        Expr::Function(all)
    };
    items.iter().map(list).collect()
}

fn argument(arg: &FunctionArg) -> Option<&Expr> {
    match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
        _ => None,
    }
}

/// Another aggregate with the same FILTER and OVER.
fn like(function: &Function, name: &str, args: Vec<Expr>) -> Function {
    let Expr::Function(made) = call(name, args) else { return function.clone() };
    Function { filter: function.filter.clone(), over: function.over.clone(), ..made }
}

fn and_filter(function: &mut Function, condition: Expr) {
    function.filter = Some(Box::new(match function.filter.take() {
        Some(filter) => binary(*filter, BinaryOperator::And, condition),
        None => condition,
    }));
}

/// The values of the rows with the largest keys, or the smallest, so many at most.
fn first_by(function: &Function, value: &Expr, by: &Expr, count: &Expr) -> Expr {
    let ascending = function.name.to_string().to_ascii_lowercase().starts_with("min");
    let options = OrderByOptions { asc: Some(ascending), nulls_first: Some(false) };
    let order = OrderByExpr { expr: by.clone(), options, with_fill: None };
    let mut all = like(function, "array_agg", vec![value.clone()]);
    if let FunctionArguments::List(list) = &mut all.args {
        list.clauses = vec![FunctionArgumentClause::OrderBy(vec![order])];
    }
    and_filter(&mut all, Expr::IsNotNull(Box::new(by.clone())));
    first_of(Expr::Function(all), count)
}

/// `max_by(value, by) OVER (PARTITION BY …)` as the first value in order of the whole window, where a key is known.
fn over_window(function: &Function, value: &Expr, by: &Expr) -> Option<Expr> {
    let Some(WindowType::WindowSpec(WindowSpec { window_name: None, partition_by, order_by, window_frame: None })) =
        &function.over
    else {
        return None;
    };
    if !order_by.is_empty() {
        return None;
    }
    let ascending = function.name.to_string().to_ascii_lowercase().contains("min");
    let options = OrderByOptions { asc: Some(ascending), nulls_first: Some(false) };
    let spec = WindowSpec {
        window_name: None,
        partition_by: partition_by.clone(),
        order_by: vec![OrderByExpr { expr: by.clone(), options, with_fill: None }],
        window_frame: Some(WindowFrame {
            units: WindowFrameUnits::Rows,
            start_bound: WindowFrameBound::Preceding(None),
            end_bound: Some(WindowFrameBound::Following(None)),
        }),
    };
    let first = like(function, "first_value", vec![value.clone()]);
    let first = Function { over: Some(WindowType::WindowSpec(spec)), ..first };
    let known = Expr::Function(like(function, "count", vec![by.clone()]));
    Some(case(binary(known, BinaryOperator::Gt, number("0")), Expr::Function(first), None))
}

/// The first items of a list.
fn first_of(list: Expr, count: &Expr) -> Expr {
    call("array_slice", vec![list, number("1"), count.clone()])
}

/// The list of what an aggregate says for several shares.
fn percentiles(function: &Function, name: &str, value: &Expr, shares: impl Iterator<Item = Expr>) -> Expr {
    let one = |share| Expr::Function(like(function, name, vec![value.clone(), share]));
    call("make_array", shares.map(one).collect())
}

fn whole(expr: &Expr) -> Option<u32> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::Number(digits, _) => digits.parse().ok(),
            _ => None,
        },
        _ => None,
    }
}
