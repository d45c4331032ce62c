//! Expressions that differ only in casts, as in `sum(n), sum(cast(n as double))`. The planner's names leave casts out, and it
//! refuses two columns of one name.

use std::collections::HashMap;
use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Distinct, Expr, GroupByExpr, Query, Select, SelectItem, Statement, Visitor, VisitorMut,
};

use super::ast::{call, change_all, item_at, text};
use super::column_names::name_expressions;
use crate::error_location;
use crate::syntax::visitor::{visit, visit_mut};
use quarry_functions::CAST_APART;

/// Names every cast in what a statement selects, groups and orders by, if two expressions have the same name otherwise.
pub(crate) fn name_casts(statement: &mut Statement) {
    if visit(&*statement, &mut Collisions::default()).is_break() {
        // The visitor never breaks off.
        let _ = visit_mut(statement, &mut CastNamer);
    }
}

/// Breaks off at two expressions of the same name.
#[derive(Default)]
struct Collisions {
    /// The texts of calls by their texts without casts.
    calls: HashMap<String, String>,
}

impl Visitor for Collisions {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Function(_) => add(&mut self.calls, expr),
            _ => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        let mut keys = HashMap::new();
        let GroupByExpr::Expressions(groups, _) = &select.group_by else { return ControlFlow::Continue(()) };
        for group in groups.iter().flat_map(keys_of) {
            add(&mut keys, item_at(&select.projection, group).unwrap_or(group))?;
        }
        if matches!(select.distinct, Some(Distinct::Distinct)) {
            for item in &select.projection {
                if let SelectItem::UnnamedExpr(expr) = item {
                    add(&mut keys, expr)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// A key of GROUP BY, or those in its grouping sets.
fn keys_of(group: &Expr) -> Vec<&Expr> {
    match group {
        Expr::Rollup(sets) | Expr::Cube(sets) | Expr::GroupingSets(sets) => sets.iter().flatten().collect(),
        key => vec![key],
    }
}

/// Breaks off if another expression has the same text without casts.
fn add(known: &mut HashMap<String, String>, expr: &Expr) -> ControlFlow<()> {
    let mut without_casts = expr.clone();
    change_all(&mut without_casts, |expr| {
        if let Expr::Cast { expr: inner, .. } = expr {
            *expr = inner.as_ref().clone();
        }
    });
    let text = expr.to_string();
    match known.entry(without_casts.to_string()).or_insert_with(|| text.clone()) {
        same if *same == text => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    }
}

/// Names the casts of every query, except those in WHERE, where scans look for them.
struct CastNamer;

impl VisitorMut for CastNamer {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        change_all(&mut query.order_by, name_cast);
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        // Otherwise results would show the name of the cast.
        name_expressions(select);
        change_all(&mut select.projection, name_cast);
        change_all(&mut select.group_by, name_cast);
        change_all(&mut select.having, name_cast);
        change_all(&mut select.qualify, name_cast);
        ControlFlow::Continue(())
    }
}

fn name_cast(expr: &mut Expr) {
    let Expr::Cast { kind, data_type, .. } = &*expr else { return };
    let (name, place) = (text(&format!("{kind:?} {data_type}")), error_location::expr_position(expr));
    *expr = call(CAST_APART, vec![expr.clone(), name]);
    error_location::keep_position(expr, place);
}
