//! Lists of `IN` hold values that are known and none that is null: what the stock rules take two lists over the same value
//! together by. They take a column or a null in a list for a value like others (`x in (1) and x not in (y)` lost its
//! second half), and they forget that nothing is known of a null (`x not in (1) or x not in (2)` was true of it).
//!
//! - An item that is computed, or a column, is compared by itself: `x in (1, y)` is `x in (1) or x = y`. The stock operator
//!   tries whether a list is constant by asking for its values of no rows; `case` answers with a null then, which would
//!   stand for it in all rows.
//! - A null in a list is a null beside it: `x in (1, null)` is `x in (1) or null`.
//! - Lists that leave nothing over together are false, or true, of all values but null.
//!
//! No upstream issue found as of 2026-11.

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{DFSchema, ScalarValue};
use datafusion::logical_expr::expr::{Cast, InList, TryCast};
use datafusion::logical_expr::utils::{conjunction, disjunction, split_binary, split_binary_owned};
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, LogicalPlan, Operator, binary_expr, lit};
use datafusion::optimizer::AnalyzerRule;

use quarry_functions::pass::every_part;
use quarry_functions::per_row;

/// The pass over the plan, once its types are settled.
#[derive(Debug)]
pub struct ListsOfValues;

impl AnalyzerRule for ListsOfValues {
    fn name(&self) -> &str {
        "lists_of_values"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        every_part(plan, |part, schema| match part {
            Expr::InList(list) => Ok(of_values(list)),
            Expr::Not(inner) => match *inner {
                Expr::InList(InList { expr, list, negated }) => {
                    Ok(Transformed::yes(Expr::InList(InList { expr, list, negated: !negated })))
                }
                inner => Ok(Transformed::no(Expr::Not(Box::new(inner)))),
            },
            Expr::BinaryExpr(BinaryExpr { op: op @ (Operator::And | Operator::Or), .. }) => together(part, op, schema),
            other => Ok(Transformed::no(other)),
        })
    }
}

/// Takes columns, what is computed and nulls out of a list.
fn of_values(InList { expr, list, negated }: InList) -> Transformed<Expr> {
    if list.iter().all(is_value) {
        return Transformed::no(Expr::InList(InList { expr, list, negated }));
    }
    // Another value each time that it is asked for: it is asked for once.
    if expr.is_volatile() || holds_query(&expr) || list.iter().any(holds_query) {
        let is_done = |item: &Expr| matches!(item, Expr::ScalarFunction(call) if call.func == per_row());
        let computed = |item: &Expr| !is_done(item) && !matches!(item, Expr::Column(_)) && item.any_column_refs();
        let changed = list.iter().any(computed);
        let list = list.into_iter().map(|item| if computed(&item) { per_row().call(vec![item]) } else { item });
        let listed = Expr::InList(InList { expr, list: list.collect(), negated });
        return if changed { Transformed::yes(listed) } else { Transformed::no(listed) };
    }
    let (values, others): (Vec<Expr>, Vec<Expr>) = list.into_iter().partition(is_value);
    let nulls = others.iter().any(is_null);
    let mut parts = Vec::new();
    if !values.is_empty() {
        parts.push(Expr::InList(InList { expr: expr.clone(), list: values, negated }));
    }
    for other in others.into_iter().filter(|item| !is_null(item)) {
        let value = *expr.clone();
        parts.push(if negated { value.not_eq(other) } else { value.eq(other) });
    }
    parts.extend(nulls.then(unknown));
    Transformed::yes(all_of(parts, if negated { Operator::And } else { Operator::Or }).unwrap_or_else(unknown))
}

/// Conditions as one. Long lists make many: a tree of them is no deeper than it must be.
pub fn all_of(mut parts: Vec<Expr>, op: Operator) -> Option<Expr> {
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

/// Whether an item of a list is the same in all rows, and not null as far as is known before it is computed.
fn is_value(item: &Expr) -> bool {
    let same = !item.any_column_refs() && !item.contains_outer() && !item.is_volatile() && !holds_query(item);
    same && !is_null(item)
}

fn holds_query(expr: &Expr) -> bool {
    let query = |part: &Expr| {
        matches!(part, Expr::ScalarSubquery(_) | Expr::Exists(_) | Expr::InSubquery(_) | Expr::SetComparison(_))
    };
    expr.exists(|part| Ok(query(part))).unwrap_or(true)
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

/// Lists over one value that leave nothing over together; the value may be null.
fn together(expr: Expr, op: Operator, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let parts = split_binary(&expr, op);
    let lists: Vec<&InList> = parts.iter().filter_map(|part| as_list(part)).collect();
    let empty = lists.iter().enumerate().find(|(place, list)| {
        let first = !lists[..*place].iter().any(|before| before.expr == list.expr);
        let same: Vec<&InList> = lists.iter().copied().filter(|other| other.expr == list.expr).collect();
        first && leave_nothing(&same, op) && list.expr.nullable(schema).unwrap_or(true)
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
fn leave_nothing(lists: &[&InList], op: Operator) -> bool {
    let (out, within): (Vec<&InList>, Vec<&InList>) = lists.iter().partition(|list| list.negated);
    let (all, none) = if op == Operator::And { (within, out) } else { (out, Vec::new()) };
    let Some((first, others)) = all.split_first() else { return false };
    // What is computed yet may be equal to what is written in another way.
    if !lists.iter().flat_map(|list| &list.list).all(|item| matches!(item, Expr::Literal(..))) {
        return false;
    }
    if others.is_empty() && none.is_empty() {
        return false;
    }
    let stays = |item: &Expr| {
        others.iter().all(|list| list.list.contains(item)) && !none.iter().any(|list| list.list.contains(item))
    };
    !first.list.iter().any(stays)
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
