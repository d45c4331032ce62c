//! Lists of `IN` hold constants that are not null. The stock simplifier combines two lists over the same value as if they held
//! constants: it takes a column or a null in a list for a value like others (`x in (1) and x not in (y)` lost its
//! second half), and it forgets that a comparison with null is null (`x not in (1) or x not in (2)` was true of null).
//!
//! - An item that is computed, or a column, is compared on its own: `x in (1, y)` is `x in (1) or x = y`. The stock operator
//!   evaluates items over no rows to find out whether a list is constant; a CASE is null then, and would be null in all rows.
//! - A null in a list is a null beside it: `x in (1, null)` is `x in (1) or null`.
//! - Lists that have no value in common are false, or true, of all values but null.
//!
//! No upstream issue found as of 2026-11.

use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result, ScalarValue};
use datafusion::logical_expr::expr::{Cast, InList, TryCast};
use datafusion::logical_expr::utils::{conjunction, disjunction, split_binary, split_binary_owned};
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, LogicalPlan, Operator, binary_expr, lit};

use crate::node_rules::rewrite_expressions;
use crate::subqueries::contains_subquery;
use quarry_functions::per_row;

/// Runs when types are known.
pub(crate) fn split_in_lists(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    rewrite_expressions(plan, |part, schema| match part {
        Expr::InList(list) => Ok(split_list(list)),
        Expr::Not(inner) => match *inner {
            Expr::InList(InList { expr, list, negated }) => {
                Ok(Transformed::yes(Expr::InList(InList { expr, list, negated: !negated })))
            }
            inner => Ok(Transformed::no(Expr::Not(Box::new(inner)))),
        },
        Expr::BinaryExpr(BinaryExpr { op: op @ (Operator::And | Operator::Or), .. }) => combine_lists(part, op, schema),
        other => Ok(Transformed::no(other)),
    })
}

/// Takes columns, computed values and nulls out of a list.
fn split_list(InList { expr, list, negated }: InList) -> Transformed<Expr> {
    if list.iter().all(is_value) {
        return Transformed::no(Expr::InList(InList { expr, list, negated }));
    }
    // A volatile value is evaluated once.
    if expr.is_volatile() || contains_subquery(&expr) || list.iter().any(contains_subquery) {
        let is_wrapped = |item: &Expr| matches!(item, Expr::ScalarFunction(call) if call.func == per_row());
        let is_computed = |item: &Expr| !is_wrapped(item) && !matches!(item, Expr::Column(_)) && item.any_column_refs();
        let is_changed = list.iter().any(is_computed);
        let list = list.into_iter().map(|item| if is_computed(&item) { per_row().call(vec![item]) } else { item });
        let listed = Expr::InList(InList { expr, list: list.collect(), negated });
        return if is_changed { Transformed::yes(listed) } else { Transformed::no(listed) };
    }
    let (values, others): (Vec<Expr>, Vec<Expr>) = list.into_iter().partition(is_value);
    let has_null = others.iter().any(is_null);
    let mut parts = Vec::new();
    if !values.is_empty() {
        parts.push(Expr::InList(InList { expr: expr.clone(), list: values, negated }));
    }
    for other in others.into_iter().filter(|item| !is_null(item)) {
        let value = *expr.clone();
        parts.push(if negated { value.not_eq(other) } else { value.eq(other) });
    }
    parts.extend(has_null.then(unknown));
    Transformed::yes(balanced_tree(parts, if negated { Operator::And } else { Operator::Or }).unwrap_or_else(unknown))
}

/// Conditions combined as a balanced tree: long lists make many of them.
pub fn balanced_tree(mut parts: Vec<Expr>, op: Operator) -> Option<Expr> {
    while parts.len() > 1 {
        let mut left = parts.into_iter();
        parts = Vec::with_capacity(left.len().div_ceil(2));
        while let Some(one) = left.next() {
            parts.push(match left.next() {
                Some(other) => binary_expr(one, op, other),
                None => one,
            });
        }
    }
    parts.pop()
}

/// Whether an item of a list is constant, and not a null literal.
fn is_value(item: &Expr) -> bool {
    let is_constant =
        !item.any_column_refs() && !item.contains_outer() && !item.is_volatile() && !contains_subquery(item);
    is_constant && !is_null(item)
}

fn is_null(item: &Expr) -> bool {
    match item {
        Expr::Literal(value, _) => value.is_null(),
        Expr::Cast(Cast { expr, .. }) | Expr::TryCast(TryCast { expr, .. }) => is_null(expr),
        _ => false,
    }
}

fn unknown() -> Expr {
    lit(ScalarValue::Boolean(None))
}

/// Lists over a nullable value that have no value in common, as the constant that they are for all values but null.
fn combine_lists(expr: Expr, op: Operator, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let parts = split_binary(&expr, op);
    let lists: Vec<&InList> = parts.iter().filter_map(|part| as_list(part)).collect();
    let empty = lists.iter().enumerate().find(|(place, list)| {
        let first = !lists[..*place].iter().any(|before| before.expr == list.expr);
        let same: Vec<&InList> = lists.iter().copied().filter(|other| other.expr == list.expr).collect();
        first && have_nothing_in_common(&same, op) && list.expr.nullable(schema).unwrap_or(true)
    });
    let Some(value) = empty.map(|(_, list)| (*list.expr).clone()) else { return Ok(Transformed::no(expr)) };
    let mut parts: Vec<Expr> = split_binary_owned(expr, op)
        .into_iter()
        .filter(|part| as_list(part).is_none_or(|list| *list.expr != value || op == Operator::Or && !list.negated))
        .collect();
    let whole = match op {
        Operator::And => {
            parts.push(value.is_null().and(unknown()));
            conjunction(parts)
        }
        _ => {
            parts.push(value.is_not_null().or(unknown()));
            disjunction(parts)
        }
    };
    Ok(Transformed::yes(whole.unwrap_or_else(unknown)))
}

fn as_list(expr: &Expr) -> Option<&InList> {
    match expr {
        Expr::InList(list) => Some(list),
        _ => None,
    }
}

/// Whether no value is in all lists that say `IN` and in none of the others; for `OR`, whether none is in all that say
/// `NOT IN`.
fn have_nothing_in_common(lists: &[&InList], op: Operator) -> bool {
    let (out, within): (Vec<&InList>, Vec<&InList>) = lists.iter().partition(|list| list.negated);
    let (all, none) = if op == Operator::And { (within, out) } else { (out, Vec::new()) };
    let Some((first, others)) = all.split_first() else { return false };
    // Other expressions may be equal without being the same.
    if !lists.iter().flat_map(|list| &list.list).all(|item| matches!(item, Expr::Literal(..))) {
        return false;
    }
    if others.is_empty() && none.is_empty() {
        return false;
    }
    let is_common = |item: &Expr| {
        others.iter().all(|list| list.list.contains(item)) && !none.iter().any(|list| list.list.contains(item))
    };
    !first.list.iter().any(is_common)
}

#[cfg(test)]
mod tests {
    use crate::workarounds::stock::rows;

    #[tokio::test]
    async fn the_stock_simplifier_still_merges_lists_with_columns() {
        let query = "select x from (values (2, 2)) t(x, y) where x in (y, 3) and x in (1, 2)";
        assert_ne!(rows(1, &[query]).await, ["2"], "DataFusion is right now: columns may stay in lists");
    }
}
