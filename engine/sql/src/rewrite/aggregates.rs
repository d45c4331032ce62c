//! Aggregates of other dialects as aggregates, lists and sorted lists of ours.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause,
    FunctionArgumentList, FunctionArguments, HavingBound, HavingBoundKind, Ident, NullTreatment, ObjectName,
    OrderByExpr, WindowSpec, WindowType,
};

use super::ast::{
    add_filter, aggregate_like, arguments_of, binary, call, call_with, case, clauses_of, copies, digits_of,
    is_not_null, name_of, number, ordered_by, text, whole_partition,
};
use super::percentiles;
use quarry_functions::DIVIDE;
use quarry_types::{Error, ErrorCode};

/// Aggregates that are expanded to others without DISTINCT, which would change their results.
const WITHOUT_DISTINCT: [&str; 10] = [
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

/// Aggregates that may take their order from WITHIN GROUP.
const WITHIN_GROUP: [&str; 4] = ["array_agg", "group_concat", "listagg", "string_agg"];

/// Aggregates of one argument that have another name here.
const NAMES: &[(&str, &str)] = &[
    ("approx_count_distinct", "approx_distinct"),
    ("arbitrary", "any_value"),
    ("bitand_agg", "bit_and"),
    ("bitor_agg", "bit_or"),
    ("bitxor_agg", "bit_xor"),
    ("booland_agg", "bool_and"),
    ("boolor_agg", "bool_or"),
    ("every", "bool_and"),
    ("first", "first_value"),
    ("hll", "approx_distinct"),
    ("hll_accumulate", "approx_set"),
    ("hll_combine", "merge"),
    ("hll_count.init", "approx_set"),
    ("hll_count.merge_partial", "merge"),
    ("last", "last_value"),
    ("list", "array_agg"),
    ("logical_and", "bool_and"),
    ("logical_or", "bool_or"),
    ("skew", "skewness"),
];

/// What is wrong with the LIMIT or the DISTINCT of an aggregate.
pub(super) fn error(function: &Function) -> Option<Error> {
    let FunctionArguments::List(list) = &function.args else { return None };
    let refuse = |message: &str| Some(Error::new(ErrorCode::InvalidQuery, message));
    let is_valid_limit = limit(list).is_none_or(|limit| match limit {
        Expr::Value(_) => digits_of(limit).is_some_and(|digits| digits.parse::<u64>().is_ok()),
        Expr::UnaryOp { .. } => false,
        _ => true,
    });
    if !is_valid_limit {
        return refuse("LIMIT inside an aggregate function must be a non-negative integer.");
    }
    let name = name_of(function);
    let is_listed =
        WITHOUT_DISTINCT.contains(&name.as_str()) || list.args.len() == 2 && ["max", "min"].contains(&name.as_str());
    if is_listed && is_distinct(list) {
        return refuse(&format!("{name} does not support DISTINCT; select the distinct values first."));
    }
    None
}

fn limit(list: &FunctionArgumentList) -> Option<&Expr> {
    list.clauses.iter().find_map(|clause| match clause {
        FunctionArgumentClause::Limit(limit) => Some(limit),
        _ => None,
    })
}

fn is_distinct(list: &FunctionArgumentList) -> bool {
    list.duplicate_treatment == Some(DuplicateTreatment::Distinct)
}

/// An aggregate as an expression of others; `None` leaves it.
pub(super) fn expand(function: &Function) -> Option<Expr> {
    if let Some(over_order) = order_to_window(function) {
        return Some(expanded(over_order));
    }
    if let Some(percentile) = percentiles::expand(function) {
        return Some(percentile);
    }
    let FunctionArguments::List(list) = &function.args else { return None };
    let name = name_of(function);
    let like = |name: &str, args: Vec<Expr>| Expr::Function(aggregate_like(function, name, args));
    // The values of a group as lists, from the rows in which the key is not null.
    let lists = |key: &Expr, values: Vec<Expr>| -> Vec<Expr> {
        let list = |value: Expr| {
            let mut list = aggregate_like(function, "array_agg", vec![value]);
            add_filter(&mut list, is_not_null(key));
            Expr::Function(list)
        };
        values.into_iter().map(list).collect()
    };
    let list_of = |value: &Expr| lists(value, copies([value])).remove(0);
    let args = arguments_of(list)?;
    if let Some(limit) = limit(list) {
        return with_limit(function, &name, &args, limit);
    }
    match (name.as_str(), args.as_slice()) {
        // BigQuery's.
        ("any_value", [value]) if !list.clauses.is_empty() => {
            let [FunctionArgumentClause::Having(HavingBound(kind, by))] = list.clauses.as_slice() else { return None };
            let name = if *kind == HavingBoundKind::Max { "max_by" } else { "min_by" };
            Some(expanded(aggregate_like(function, name, copies([value, by]))))
        }
        ("array_agg", [_]) if !function.within_group.is_empty() => {
            let mut list = function.clone();
            let order = std::mem::take(&mut list.within_group);
            clauses_of(&mut list)?.push(FunctionArgumentClause::OrderBy(order));
            Some(Expr::Function(list))
        }
        ("array_agg", [value]) if is_distinct(list) => distinct_in_order(function, value),
        ("json_agg" | "jsonb_agg", [_]) => {
            let name = ObjectName::from(vec![Ident::new("array_agg")]);
            Some(call("to_json", vec![Expr::Function(Function { name, ..function.clone() })]))
        }
        ("object_agg" | "json_object_agg" | "jsonb_object_agg", [key, value]) => {
            Some(call("to_json", vec![call("map_of_first", lists(key, copies([key, value])))]))
        }
        ("map_agg", [key, value]) => Some(call("map_of_first", lists(key, copies([key, value])))),
        ("multimap_agg", [key, value]) => Some(call("multimap_of", lists(key, copies([key, value])))),
        ("map_union", [map]) => Some(call_with("map_union_of", [&list_of(map)])),
        ("histogram", [value]) => Some(call_with("array_frequency", [&list_of(value)])),
        ("approx_most_frequent", [count, value, _]) => Some(call_with("most_frequent", [&list_of(value), count])),
        ("approx_top_count", [value, count]) => Some(call_with("top_counts", [&list_of(value), count])),
        ("mode", [value]) => Some(mode(&list_of(value))),
        ("mode", []) if function.within_group.len() == 1 => Some(mode(&list_of(&function.within_group[0].expr))),
        ("reduce_agg", [value, first, merge @ Expr::Lambda(_), Expr::Lambda(_)]) => {
            Some(call_with("reduce", [&list_of(value), first, merge]))
        }
        ("max_by" | "min_by" | "arg_max" | "arg_min" | "argmax" | "argmin", [value, by])
            if function.over.is_some() && function.filter.is_none() =>
        {
            value_by_key_over_window(function, value, by)
        }
        ("max_by" | "min_by", [value, by, count]) => Some(first_by_key(function, value, by, count)),
        ("max" | "min", [value, count]) => Some(first_by_key(function, value, value, count)),
        // Results are at least as accurate as the accuracy that is asked for.
        ("approx_distinct", [value, _]) => Some(like("approx_distinct", copies([value]))),
        ("approx_set" | "hll_count.init", [value, _]) => Some(like("approx_set", copies([value]))),
        ("hll_estimate" | "hll_count.merge", [sketch]) => {
            Some(call("cardinality", vec![like("merge", copies([sketch]))]))
        }
        ("geometric_mean", [value]) => Some(call("exp", vec![like("avg", vec![call_with("ln", [value])])])),
        // The fraction, also of whole numbers and 256-bit numbers.
        ("ratio_to_report", [value]) => Some(call_with(DIVIDE, [value, &like("sum", copies([value]))])),
        ("count", [_, _, ..]) if is_distinct(list) => {
            let mut count = function.clone();
            // As everywhere, a row with a null in it is not counted.
            args.iter().for_each(|arg| add_filter(&mut count, is_not_null(arg)));
            if let FunctionArguments::List(list) = &mut count.args {
                let row = call("struct", args.iter().copied().cloned().collect());
                list.args = vec![FunctionArg::Unnamed(FunctionArgExpr::Expr(row))];
            }
            Some(Expr::Function(count))
        }
        _ => None,
    }
}

fn expanded(function: Function) -> Expr {
    expand(&function).unwrap_or(Expr::Function(function))
}

/// `array_agg(x ORDER BY y) OVER (PARTITION BY z)` with its order as that of the window: the planner takes no order there. `None`
/// for a window that has another order or a frame.
fn order_to_window(function: &Function) -> Option<Function> {
    let mut over = function.clone();
    let order = take_order(&mut over)?;
    let Some(WindowType::WindowSpec(spec @ WindowSpec { window_name: None, .. })) = &mut over.over else { return None };
    if spec.order_by != order {
        if !spec.order_by.is_empty() || spec.window_frame.is_some() {
            return None;
        }
        spec.order_by = order;
        spec.window_frame = Some(whole_partition());
    }
    Some(over)
}

/// Takes the order out of an aggregate.
fn take_order(function: &mut Function) -> Option<Vec<OrderByExpr>> {
    if WITHIN_GROUP.contains(&name_of(function).as_str()) && !function.within_group.is_empty() {
        return Some(std::mem::take(&mut function.within_group));
    }
    let clauses = clauses_of(function)?;
    let order = clauses.iter().position(|clause| matches!(clause, FunctionArgumentClause::OrderBy(_)))?;
    match clauses.remove(order) {
        FunctionArgumentClause::OrderBy(order) => Some(order),
        _ => None,
    }
}

/// `array_agg(x LIMIT n)` and `string_agg(x, ',' LIMIT n)` as the first items of a list.
fn with_limit(function: &Function, name: &str, args: &[&Expr], limit: &Expr) -> Option<Expr> {
    let mut all = function.clone();
    clauses_of(&mut all)?.retain(|clause| !matches!(clause, FunctionArgumentClause::Limit(_)));
    match (name, args) {
        ("array_agg", [_]) => Some(first_items(Expr::Function(all), limit)),
        ("string_agg", [value, separator @ ..]) => {
            all.name = ObjectName::from(vec![Ident::new("array_agg")]);
            if let FunctionArguments::List(list) = &mut all.args {
                list.args.truncate(1);
            }
            add_filter(&mut all, is_not_null(value));
            let separator = separator.first().map_or_else(|| text(","), |separator| (*separator).clone());
            Some(call("array_to_string", vec![first_items(expanded(all), limit), separator]))
        }
        _ => None,
    }
}

fn first_items(list: Expr, count: &Expr) -> Expr {
    call_with("array_slice", [&list, &number(1), count])
}

/// `array_agg(DISTINCT x ORDER BY x)` as a list that is sorted afterwards; `None` for any other order. Beside aggregates in another
/// order the planner loses the order of an aggregate of distinct values.
fn distinct_in_order(function: &Function, value: &Expr) -> Option<Expr> {
    let mut all = function.clone();
    let clauses = clauses_of(&mut all)?;
    let [FunctionArgumentClause::OrderBy(order)] = clauses.as_slice() else { return None };
    let [OrderByExpr { expr, options, with_fill: None }] = order.as_slice() else { return None };
    if expr != value {
        return None;
    }
    let direction = if options.asc == Some(false) { "DESC" } else { "ASC" };
    let nulls = if options.nulls_first == Some(true) { "NULLS FIRST" } else { "NULLS LAST" };
    clauses.clear();
    Some(call_with("array_sort", [&Expr::Function(all), &text(direction), &text(nulls)]))
}

/// The value that a list has most often.
fn mode(list: &Expr) -> Expr {
    let counts = call_with("most_frequent", [list, &number(1)]);
    call_with("element_at", [&call("map_keys", vec![counts]), &number(1)])
}

/// The values of the rows with the largest or smallest keys, at most `count`.
fn first_by_key(function: &Function, value: &Expr, by: &Expr, count: &Expr) -> Expr {
    let mut all = aggregate_like(function, "array_agg", copies([value]));
    if let Some(clauses) = clauses_of(&mut all) {
        clauses.push(FunctionArgumentClause::OrderBy(vec![ordered_by(by, takes_smallest(function))]));
    }
    add_filter(&mut all, is_not_null(by));
    first_items(Expr::Function(all), count)
}

/// Whether a function such as `min_by` takes the smallest key.
fn takes_smallest(function: &Function) -> bool {
    name_of(function).contains("min")
}

/// `max_by(value, by) OVER (PARTITION BY …)` as the first value in the order of the whole partition, if a key is not null.
fn value_by_key_over_window(function: &Function, value: &Expr, by: &Expr) -> Option<Expr> {
    let mut first = aggregate_like(function, "first_value", copies([value]));
    let Some(WindowType::WindowSpec(window @ WindowSpec { window_name: None, window_frame: None, .. })) =
        &mut first.over
    else {
        return None;
    };
    if !window.order_by.is_empty() {
        return None;
    }
    window.order_by = vec![ordered_by(by, takes_smallest(function))];
    window.window_frame = Some(whole_partition());
    let keys = Expr::Function(aggregate_like(function, "count", copies([by])));
    Some(case(binary(keys, BinaryOperator::Gt, number(0)), Expr::Function(first), None))
}

/// Renames an aggregate to the one that the planner knows, with its FILTER and OVER. Returns whether it is such an aggregate.
pub(super) fn rename(function: &mut Function) -> bool {
    let name = name_of(function);
    let is_window = function.over.is_some();
    let FunctionArguments::List(list) = &mut function.args else { return false };
    let Some(args) = arguments_of(list).map(|args| args.into_iter().cloned().collect::<Vec<_>>()) else { return false };
    let unnamed = |expr: Expr| FunctionArg::Unnamed(FunctionArgExpr::Expr(expr));
    let renamed = match (name.as_str(), args.as_slice()) {
        ("count_if" | "countif", [condition]) => {
            list.args = vec![unnamed(case(condition.clone(), number(1), None))];
            "count"
        }
        ("max_by" | "min_by" | "arg_max" | "arg_min" | "argmax" | "argmin", [value, by]) if !is_window => {
            list.args = vec![unnamed(value.clone())];
            list.clauses = vec![FunctionArgumentClause::OrderBy(vec![ordered_by(by, name.contains("min"))])];
            add_filter(function, is_not_null(by));
            "first_value"
        }
        // Any value that is not null: the first one in the frame, which may slide.
        ("any_value" | "arbitrary", [_]) if is_window => {
            function.null_treatment = Some(NullTreatment::IgnoreNulls);
            "first_value"
        }
        ("listagg" | "group_concat" | "string_agg", [_] | [_, _]) => {
            if args.len() == 1 {
                let separator = list.clauses.iter().find_map(|clause| match clause {
                    FunctionArgumentClause::Separator(separator) => Some(Expr::Value(separator.clone())),
                    _ => None,
                });
                let default = if name == "listagg" { "" } else { "," };
                list.args.push(unnamed(separator.unwrap_or_else(|| text(default))));
            }
            list.clauses.retain(|clause| matches!(clause, FunctionArgumentClause::OrderBy(_)));
            let order = std::mem::take(&mut function.within_group);
            if !order.is_empty() {
                list.clauses.push(FunctionArgumentClause::OrderBy(order));
            }
            "string_agg"
        }
        (_, [_]) => match NAMES.iter().find(|(known, _)| *known == name) {
            Some((_, ours)) => *ours,
            None => return false,
        },
        _ => return false,
    };
    function.name = ObjectName::from(vec![Ident::new(renamed)]);
    true
}

/// Removes numbers from the ORDER BY of an aggregate: they are constants, which sort nothing. DataFusion 55 takes them for the
/// positions of input columns. No upstream issue describes this yet.
pub(super) fn remove_constant_orders(function: &mut Function) {
    let Some(clauses) = clauses_of(function) else { return };
    clauses.retain_mut(|clause| match clause {
        FunctionArgumentClause::OrderBy(order) => {
            order.retain(|key| digits_of(&key.expr).is_none());
            !order.is_empty()
        }
        _ => true,
    });
}

#[cfg(test)]
mod tests {
    use datafusion::prelude::SessionContext;

    /// When this fails, DataFusion takes a number in the ORDER BY of an aggregate for a constant, and `remove_constant_orders` can go.
    #[tokio::test]
    async fn the_stock_planner_still_takes_numbers_for_positions() {
        let error = SessionContext::new().sql("select array_agg(4 order by 4)").await.unwrap_err();
        assert!(error.to_string().contains("out of bounds"), "{error}");
    }
}
