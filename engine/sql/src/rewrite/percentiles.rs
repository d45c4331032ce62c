//! Percentiles: the names and arguments of other products, lists of shares, and forms that the planner does not take.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, DataType, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause, FunctionArguments,
    Ident, ObjectName, OrderByExpr, OrderByOptions,
};

use super::ast::{
    add_filter, aggregate_like, argument, arguments_of, binary, call, call_with, cast, clauses_of, copies, digits_of,
    is_named, is_not_null, name_of, names_columns, number,
};
use quarry_functions::{DISCRETE_PERCENTILE, NEAREST_PERCENTILE};

/// Aggregates that take a list of shares.
const WITH_SHARES: [&str; 10] = [
    "approx_percentile",
    "approx_quantile",
    "percentile",
    "percentile_approx",
    "percentile_cont",
    "percentile_disc",
    "quantile",
    "quantile_cont",
    "quantile_disc",
    "approx_percentile_cont",
];
/// The longest list of shares, and the most quantiles.
const MAX_SHARES: usize = 100;

/// A percentile as the planner takes it; `None` leaves it.
pub(super) fn expand(function: &Function) -> Option<Expr> {
    if let Some(list) = each_share(function) {
        return Some(list);
    }
    let name = name_of(function);
    let FunctionArguments::List(list) = &function.args else { return None };
    if list.clauses.iter().any(|clause| matches!(clause, FunctionArgumentClause::Limit(_))) {
        return None;
    }
    let like = |name: &str, args: Vec<Expr>| Expr::Function(aggregate_like(function, name, args));
    let order = match function.within_group.as_slice() {
        [order] => Some(order),
        _ => None,
    };
    match (name.as_str(), arguments_of(list)?.as_slice(), order) {
        // Spark's and DuckDB's. Results are at least as accurate as the accuracy that the third argument asks for.
        ("percentile", [_, _], _) => Some(renamed(function, "percentile_cont")),
        ("quantile" | "quantile_disc", [_, _], _) => Some(renamed(function, "percentile_disc")),
        ("percentile_approx", [_, _] | [_, _, _], _) => Some(renamed(function, "approx_percentile")),
        ("approx_percentile", [_, _, third], _) if is_accuracy(third) => Some(renamed(function, "approx_percentile")),
        ("approx_quantile", [value, share], _) => Some(like("approx_percentile", copies([value, share]))),
        // Redshift's; the stock function takes the order.
        ("approx_percentile", [_], _) if !function.within_group.is_empty() => {
            let name = ObjectName::from(vec![Ident::new("approx_percentile_cont")]);
            Some(Expr::Function(Function { name, ..function.clone() }))
        }
        ("approx_quantiles", [value, parts], _) => {
            let parts = digits_of(parts)?.parse::<u32>().ok()?;
            let share = |part: u32| number(format!("{:.6}", f64::from(part) / f64::from(parts)));
            let percentile = |part| like(NEAREST_PERCENTILE, copies([value, &share(part)]));
            let is_valid = (1..=MAX_SHARES).contains(&usize::try_from(parts).ok()?);
            is_valid.then(|| call("make_array", (0..=parts).map(percentile).collect()))
        }
        ("percentile_disc", [share], Some(order)) => Some(discrete(function, share, order)),
        // BigQuery's.
        ("percentile_disc", [value, share], _) => {
            let options = OrderByOptions { asc: None, nulls_first: None };
            Some(discrete(function, share, &OrderByExpr { expr: (*value).clone(), options, with_fill: None }))
        }
        // The planner takes no WITHIN GROUP over a window.
        ("percentile_cont", [share], Some(order)) if function.over.is_some() => {
            let share = match order.options.asc {
                // A share has few digits: rounding removes the error of doubles in 1 - 0.9.
                Some(false) => number(format!("{:.9}", 1.0 - digits_of(share)?.parse::<f64>().ok()?)),
                _ => (*share).clone(),
            };
            Some(like("percentile_cont", vec![order.expr.clone(), share]))
        }
        _ => None,
    }
}

/// The same call with its first two arguments under another name, expanded.
fn renamed(function: &Function, name: &str) -> Expr {
    let mut function = function.clone();
    function.name = ObjectName::from(vec![Ident::new(name)]);
    if let FunctionArguments::List(list) = &mut function.args {
        list.args.truncate(2);
    }
    expand(&function).unwrap_or(Expr::Function(function))
}

/// `percentile_cont(array[0.5, 0.9])` as the list of one percentile for each share.
fn each_share(function: &Function) -> Option<Expr> {
    let FunctionArguments::List(list) = &function.args else { return None };
    if !WITH_SHARES.contains(&name_of(function).as_str()) {
        return None;
    }
    let shares = |(index, arg)| Some((index, items(argument(arg)?)?));
    let (index, shares) = list.args.iter().enumerate().find_map(shares)?;
    // The second argument, or the third one after a weight.
    let is_share = if function.within_group.is_empty() { (1..=2).contains(&index) } else { index == 0 };
    let percentile = |share: Expr| {
        let mut percentile = function.clone();
        if let FunctionArguments::List(list) = &mut percentile.args {
            list.args[index] = FunctionArg::Unnamed(FunctionArgExpr::Expr(share));
        }
        Expr::Function(percentile)
    };
    let is_valid = is_share && (1..=MAX_SHARES).contains(&shares.len());
    is_valid.then(|| call("make_array", shares.into_iter().map(percentile).collect()))
}

/// The items of a list literal of constants.
fn items(expr: &Expr) -> Option<Vec<Expr>> {
    let all: Vec<Expr> = match expr {
        Expr::Array(list) => list.elem.clone(),
        Expr::Nested(inner) => return items(inner),
        Expr::Function(Function { name, args: FunctionArguments::List(list), .. })
            if is_named(name, "array") || is_named(name, "make_array") =>
        {
            arguments_of(list)?.into_iter().cloned().collect()
        }
        _ => return None,
    };
    (!all.iter().any(names_columns)).then_some(all)
}

/// Whether an argument is an accuracy: a number above 1, unlike a share.
fn is_accuracy(expr: &Expr) -> bool {
    digits_of(expr).is_some_and(|digits| digits.parse::<u32>().is_ok_and(|accuracy| accuracy > 1))
}

/// The first value in order that at least this share of the known values precedes or equals.
fn discrete(function: &Function, share: &Expr, order: &OrderByExpr) -> Expr {
    // The planner takes no ORDER BY in an aggregate over a window.
    if function.over.is_some() {
        let descending = number(u8::from(order.options.asc == Some(false)));
        let args = vec![order.expr.clone(), share.clone(), descending];
        return Expr::Function(aggregate_like(function, DISCRETE_PERCENTILE, args));
    }
    let mut all = aggregate_like(function, "array_agg", vec![order.expr.clone()]);
    if let Some(clauses) = clauses_of(&mut all) {
        clauses.push(FunctionArgumentClause::OrderBy(vec![order.clone()]));
    }
    add_filter(&mut all, is_not_null(&order.expr));
    let all = Expr::Function(all);
    let rank = binary(share.clone(), BinaryOperator::Multiply, call_with("cardinality", [&all]));
    let rank = cast(call("ceil", vec![rank]), DataType::BigInt(None));
    call("element_at", vec![all, call("greatest", vec![rank, number(1)])])
}
