//! Expressions that differ in nothing but casts, as `sum(n), sum(cast(n as double))`. The planner's names leave casts out,
//! and two columns of one name are a mistake to it.

use std::collections::HashMap;
use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Distinct, Expr, GroupByExpr, Query, Select, SelectItem, Statement, Value, Visitor, VisitorMut,
};

use super::{ast, names};
use crate::ast_visitor::{visit, visit_mut};
use crate::error_location;
use quarry_functions::APART;

/// Gives every cast of what a statement selects, groups and orders by a name, where some would have one name otherwise.
pub(super) fn casts(statement: &mut Statement) {
    if visit(&*statement, &mut Collisions::default()).is_break() {
        // The visitor never breaks off.
        let _ = visit_mut(statement, &mut Queries);
    }
}

/// Breaks off when two expressions of one name are found.
#[derive(Default)]
struct Collisions {
    /// Whole texts by the text without casts.
    calls: HashMap<String, String>,
}

impl Visitor for Collisions {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Function(_) => meet(&mut self.calls, expr),
            _ => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        let mut keys = HashMap::new();
        let GroupByExpr::Expressions(groups, _) = &select.group_by else { return ControlFlow::Continue(()) };
        for group in groups {
            meet(&mut keys, chosen(select, group).unwrap_or(group))?;
        }
        if matches!(select.distinct, Some(Distinct::Distinct)) {
            for item in &select.projection {
                if let SelectItem::UnnamedExpr(expr) = item {
                    meet(&mut keys, expr)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// What a number in GROUP BY stands for.
fn chosen<'a>(select: &'a Select, group: &Expr) -> Option<&'a Expr> {
    let Expr::Value(value) = group else { return None };
    let Value::Number(place, _) = &value.value else { return None };
    match select.projection.get(place.parse::<usize>().ok()?.checked_sub(1)?)? {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr),
        _ => None,
    }
}

fn meet(seen: &mut HashMap<String, String>, expr: &Expr) -> ControlFlow<()> {
    let mut bare = expr.clone();
    let _ = visit_mut(&mut bare, &mut Bare);
    let whole = expr.to_string();
    match seen.entry(bare.to_string()).or_insert_with(|| whole.clone()) {
        same if *same == whole => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    }
}

/// Takes casts away.
struct Bare;

impl VisitorMut for Bare {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::Cast { expr: inner, .. } = expr {
            *expr = inner.as_ref().clone();
        }
        ControlFlow::Continue(())
    }
}

/// Names the casts of every query, but not those of its conditions on rows: scans look at these.
struct Queries;

impl VisitorMut for Queries {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        visit_mut(&mut query.order_by, &mut Named)
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        // What has no name of its own would show the one that is given here.
        names::name_items(select);
        visit_mut(&mut select.projection, &mut Named)?;
        visit_mut(&mut select.group_by, &mut Named)?;
        visit_mut(&mut select.having, &mut Named)?;
        visit_mut(&mut select.qualify, &mut Named)
    }
}

struct Named;

impl VisitorMut for Named {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        let place = error_location::place(expr);
        if let Expr::Cast { kind, data_type, .. } = expr {
            let name = ast::text(&format!("{kind:?} {data_type}"));
            *expr = ast::call(APART, vec![expr.clone(), name]);
            error_location::keep(expr, place);
        }
        ControlFlow::Continue(())
    }
}
