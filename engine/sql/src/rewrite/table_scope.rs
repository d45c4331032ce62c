//! The expressions in the scope of a table of a SELECT: all but those of subqueries that have a table of the same name.

use std::ops::ControlFlow;

use crate::syntax::visitor::visit_mut;
use datafusion::sql::sqlparser::ast::{
    Expr, Ident, OrderBy, Query, Select, SetExpr, TableFactor, TableWithJoins, VisitorMut,
};

use super::ast::{change_all, same_name, table_name};

/// Changes all expressions of a SELECT and of its order.
pub(super) fn change_in_select(select: &mut Select, order: Option<&mut OrderBy>, mut change: impl FnMut(&mut Expr)) {
    change_all(select, &mut change);
    if let Some(order) = order {
        change_all(order, change);
    }
}

/// Changes the expressions of a SELECT and of its order that are in the scope of its table of this name.
pub(super) fn change_in_scope(
    select: &mut Select,
    order: Option<&mut OrderBy>,
    table: &Ident,
    change: impl FnMut(&mut Expr),
) {
    let mut visitor = InScope { table, change, is_hidden: Vec::new() };
    // The visitor never breaks off.
    let _ = visit_mut(select, &mut visitor);
    if let Some(order) = order {
        visitor.is_hidden = vec![false];
        let _ = visit_mut(order, &mut visitor);
    }
}

struct InScope<'a, C> {
    table: &'a Ident,
    change: C,
    /// Whether the name means another table, for each open SELECT and query. The first is the SELECT itself.
    is_hidden: Vec<bool>,
}

impl<C> InScope<'_, C> {
    fn enter(&mut self, has_table: bool) -> ControlFlow<()> {
        let is_hidden = self.is_hidden.last().is_some_and(|outer| *outer || has_table);
        self.is_hidden.push(is_hidden);
        ControlFlow::Continue(())
    }

    fn leave(&mut self) -> ControlFlow<()> {
        self.is_hidden.pop();
        ControlFlow::Continue(())
    }

    fn has_table(&self, select: &Select) -> bool {
        let is_table = |table: &TableFactor| name_of_any(table).is_some_and(|name| same_name(name, self.table));
        let has_table =
            |from: &TableWithJoins| is_table(&from.relation) || from.joins.iter().any(|join| is_table(&join.relation));
        select.from.iter().any(has_table)
    }
}

/// The name of a table, also of a function or a join in parentheses.
fn name_of_any(table: &TableFactor) -> Option<&Ident> {
    match table {
        TableFactor::UNNEST { alias, .. }
        | TableFactor::TableFunction { alias, .. }
        | TableFactor::Function { alias, .. }
        | TableFactor::NestedJoin { alias, .. } => alias.as_ref().map(|alias| &alias.name),
        other => table_name(other),
    }
}

impl<C: FnMut(&mut Expr)> VisitorMut for InScope<'_, C> {
    type Break = ();

    /// The order of a query belongs to its SELECT.
    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        let has_table = matches!(query.body.as_ref(), SetExpr::Select(select) if self.has_table(select));
        self.enter(has_table)
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.leave()
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        let has_table = self.has_table(select);
        self.enter(has_table)
    }

    fn post_visit_select(&mut self, _: &mut Select) -> ControlFlow<()> {
        self.leave()
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if self.is_hidden.last() == Some(&false) {
            (self.change)(expr);
        }
        ControlFlow::Continue(())
    }
}
