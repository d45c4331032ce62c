//! Outer aggregates in a subquery of HAVING: `HAVING EXISTS (SELECT 1 FROM a WHERE a.v = min(b.v))`. The planner allows no aggregate in
//! WHERE, so the comparison moves out of the subquery: `coalesce(min(b.v) IN (SELECT a.v FROM a), false)`.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, GroupByExpr, Query, Select,
    SelectItem, SetExpr, TableFactor, UnaryOperator, Value,
};

use crate::syntax::visitor::visit_expressions;
use crate::syntax::{call, change_outside_subqueries};

/// The aggregates that are moved.
const AGGREGATES: [&str; 5] = ["avg", "count", "max", "min", "sum"];

/// Moves comparisons with outer aggregates out of the subqueries of HAVING.
pub fn move_out(select: &mut Select) {
    change_outside_subqueries(&mut select.having, |expr| {
        if let Expr::Exists { subquery, negated } = expr
            && let Some(member) = membership(subquery)
        {
            let is_member = call("coalesce", vec![member, Expr::Value(Value::Boolean(false).into())]);
            *expr = match negated {
                true => Expr::UnaryOp { op: UnaryOperator::Not, expr: Box::new(is_member) },
                false => is_member,
            };
        }
    });
}

/// The aggregate that a query compares a value of its rows with, as one of the values of these rows.
fn membership(query: &Query) -> Option<Expr> {
    let is_simple = query.with.is_none() && query.limit_clause.is_none() && query.fetch.is_none();
    let SetExpr::Select(select) = query.body.as_ref() else { return None };
    let is_ungrouped = matches!(&select.group_by, GroupByExpr::Expressions(keys, _) if keys.is_empty())
        && select.having.is_none()
        && select.qualify.is_none()
        && select.top.is_none()
        && !select.projection.iter().any(has_aggregate);
    if !is_simple || !is_ungrouped {
        return None;
    }
    let mut conditions = Vec::new();
    split(select.selection.as_ref()?, &mut conditions);
    let is_outer = |condition: &&Expr| outer_side(condition, select).is_some();
    let [outer] = conditions.iter().copied().filter(is_outer).collect::<Vec<_>>()[..] else { return None };
    let (aggregate, value) = outer_side(outer, select)?;
    let rest = conditions.into_iter().filter(|condition| *condition != outer).cloned();
    let mut rows = select.as_ref().clone();
    rows.selection = rest.reduce(|left, right| binary(left, BinaryOperator::And, right));
    rows.projection = vec![SelectItem::UnnamedExpr(value.clone())];
    rows.distinct = None;
    let subquery = Query { body: Box::new(SetExpr::Select(Box::new(rows))), order_by: None, ..query.clone() };
    Some(Expr::InSubquery { expr: Box::new(aggregate.clone()), subquery: Box::new(subquery), negated: false })
}

fn binary(left: Expr, op: BinaryOperator, right: Expr) -> Expr {
    Expr::BinaryOp { left: Box::new(left), op, right: Box::new(right) }
}

/// The conditions that an AND is made of.
fn split<'a>(condition: &'a Expr, all: &mut Vec<&'a Expr>) {
    match condition {
        Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
            split(left, all);
            split(right, all);
        }
        Expr::Nested(inner) if matches!(inner.as_ref(), Expr::BinaryOp { op: BinaryOperator::And, .. }) => {
            split(inner, all);
        }
        other => all.push(other),
    }
}

/// The side of an equality that is an outer aggregate, and the other one.
fn outer_side<'a>(condition: &'a Expr, select: &Select) -> Option<(&'a Expr, &'a Expr)> {
    let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = condition else { return None };
    match (is_outer_aggregate(left, select), is_outer_aggregate(right, select)) {
        (true, false) => Some((left, right)),
        (false, true) => Some((right, left)),
        _ => None,
    }
}

/// Whether an expression is an aggregate of a column of a table that is not in FROM.
fn is_outer_aggregate(expr: &Expr, select: &Select) -> bool {
    let Some([FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::CompoundIdentifier(parts)))]) =
        aggregate_arguments(expr)
    else {
        return false;
    };
    let tables = select
        .from
        .iter()
        .flat_map(|table| std::iter::once(&table.relation).chain(table.joins.iter().map(|join| &join.relation)));
    let owner = &parts[0].value;
    let own = |table: &TableFactor| match table {
        TableFactor::Table { alias: Some(alias), .. } | TableFactor::Derived { alias: Some(alias), .. } => {
            alias.name.value.eq_ignore_ascii_case(owner)
        }
        TableFactor::Table { name, .. } => {
            name.0.last().and_then(|part| part.as_ident()).is_some_and(|name| name.value.eq_ignore_ascii_case(owner))
        }
        // The names of other tables are not known here.
        _ => true,
    };
    !tables.into_iter().any(own)
}

/// The arguments of an aggregate call.
fn aggregate_arguments(expr: &Expr) -> Option<&[FunctionArg]> {
    let Expr::Function(Function { name, args: FunctionArguments::List(list), over: None, filter: None, .. }) = expr
    else {
        return None;
    };
    let name = name.to_string().to_lowercase();
    AGGREGATES.contains(&name.as_str()).then_some(list.args.as_slice())
}

/// Whether an item aggregates all rows, so that there is always one row.
fn has_aggregate(item: &SelectItem) -> bool {
    let (SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) = item else { return false };
    visit_expressions(expr, |part| match aggregate_arguments(part) {
        Some(_) => ControlFlow::Break(()),
        None => ControlFlow::Continue(()),
    })
    .is_break()
}
