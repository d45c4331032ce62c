//! Aggregates of other dialects that are several of ours, or a list of them.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, DataType, DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause,
    FunctionArguments, Ident, ObjectName, OrderByExpr, OrderByOptions, Value,
};

use super::ast::{binary, call, cast, number, text};
use super::renamed::quotient;

/// `approx_quantiles(x, n)` has n + 1 values; more are not what somebody asks by hand.
const MAX_QUANTILES: u32 = 100;

/// A call in terms the planner knows; `None` leaves it.
pub(super) fn shaped(function: &Function) -> Option<Expr> {
    let FunctionArguments::List(list) = &function.args else { return None };
    let args: Option<Vec<&Expr>> = list.args.iter().map(argument).collect();
    let limit = list.clauses.iter().find_map(|clause| match clause {
        FunctionArgumentClause::Limit(limit) => Some(limit),
        _ => None,
    });
    match (function.name.to_string().to_ascii_lowercase().as_str(), args?.as_slice(), limit) {
        ("array_agg", [_], Some(limit)) => {
            let mut all = function.clone();
            if let FunctionArguments::List(list) = &mut all.args {
                list.clauses.retain(|clause| !matches!(clause, FunctionArgumentClause::Limit(_)));
            }
            Some(first_of(Expr::Function(all), limit))
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
        ("max_by" | "min_by", [value, by, count], None) => Some(first_by(function, value, by, count)),
        ("max" | "min", [value, count], None) => Some(first_by(function, value, value, count)),
        // The accuracy that is asked for is no worse than what there is.
        ("approx_distinct", [value, _], None) => {
            Some(Expr::Function(like(function, "approx_distinct", vec![(*value).clone()])))
        }
        ("approx_percentile", [value, weight, Expr::Array(shares)], None) => {
            let one = |share: &Expr| weighted(function, value, weight, share);
            Some(call("make_array", shares.elem.iter().map(one).collect()))
        }
        ("approx_percentile", [value, weight, share], None) => Some(weighted(function, value, weight, share)),
        ("approx_percentile", [value, Expr::Array(shares)], None) => {
            Some(percentiles(function, value, shares.elem.iter().cloned()))
        }
        ("approx_quantiles", [value, parts], None) => {
            let parts = whole(parts).filter(|parts| (1..=MAX_QUANTILES).contains(parts))?;
            let share = |part| number(&format!("{:.6}", f64::from(part) / f64::from(parts)));
            Some(percentiles(function, value, (0..=parts).map(share)))
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
        ("approx_quantile", [value, share], None) => {
            Some(Expr::Function(like(function, "approx_percentile", vec![(*value).clone(), (*share).clone()])))
        }
        ("percentile_disc", [share], None) if function.within_group.len() == 1 => {
            Some(discrete(function, share, &function.within_group[0]))
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

/// The first items of a list.
fn first_of(list: Expr, count: &Expr) -> Expr {
    call("array_slice", vec![list, number("1"), count.clone()])
}

fn percentiles(function: &Function, value: &Expr, shares: impl Iterator<Item = Expr>) -> Expr {
    let one = |share| Expr::Function(like(function, "approx_percentile", vec![value.clone(), share]));
    call("make_array", shares.map(one).collect())
}

/// Trino's percentile of values that count several times; the stock function of this name takes a number of centroids.
fn weighted(function: &Function, value: &Expr, weight: &Expr, share: &Expr) -> Expr {
    let args = vec![value.clone(), weight.clone(), share.clone()];
    Expr::Function(like(function, "approx_percentile_cont_with_weight", args))
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
