//! The expressions that see a table of a SELECT: not those of queries inside of it that call a table of their own the same.

use std::ops::ControlFlow;

use crate::ast_visitor::visit_mut;
use datafusion::sql::sqlparser::ast::{
    Expr, Ident, OrderBy, Query, Select, SetExpr, TableFactor, TableWithJoins, VisitorMut,
};

/// Changes the expressions of a SELECT and of its order that see its table of this name.
pub(super) fn in_scope(select: &mut Select, order: Option<&mut OrderBy>, table: &Ident, change: impl FnMut(&mut Expr)) {
    let mut visitor = Scoped { table, change, hidden: Vec::new() };
    // The visitor never breaks off.
    let _ = visit_mut(select, &mut visitor);
    if let Some(order) = order {
        visitor.hidden = vec![false];
        let _ = visit_mut(order, &mut visitor);
    }
}

struct Scoped<'a, C> {
    table: &'a Ident,
    change: C,
    /// Of each open SELECT and query, whether the name means something else in it; the first is the SELECT itself.
    hidden: Vec<bool>,
}

impl<C: FnMut(&mut Expr)> Scoped<'_, C> {
    fn enter(&mut self, own: bool) -> ControlFlow<()> {
        let hidden = self.hidden.last().is_some_and(|around| *around || own);
        self.hidden.push(hidden);
        ControlFlow::Continue(())
    }

    fn leave(&mut self) -> ControlFlow<()> {
        self.hidden.pop();
        ControlFlow::Continue(())
    }

    fn is_own(&self, select: &Select) -> bool {
        let factors = |from: &TableWithJoins| {
            let joined = from.joins.iter().filter_map(|join| name_of(&join.relation).cloned());
            name_of(&from.relation).cloned().into_iter().chain(joined).collect::<Vec<_>>()
        };
        select.from.iter().flat_map(factors).any(|name| name.value.eq_ignore_ascii_case(&self.table.value))
    }
}

/// What a query calls a table.
fn name_of(table: &TableFactor) -> Option<&Ident> {
    let alias = match table {
        TableFactor::Table { alias: None, name, .. } => return name.0.last()?.as_ident(),
        TableFactor::Table { alias, .. }
        | TableFactor::Derived { alias, .. }
        | TableFactor::UNNEST { alias, .. }
        | TableFactor::TableFunction { alias, .. }
        | TableFactor::Function { alias, .. }
        | TableFactor::NestedJoin { alias, .. } => alias,
        _ => return None,
    };
    alias.as_ref().map(|alias| &alias.name)
}

impl<C: FnMut(&mut Expr)> VisitorMut for Scoped<'_, C> {
    type Break = ();

    /// Its order belongs to a query of one SELECT.
    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        let own = matches!(query.body.as_ref(), SetExpr::Select(select) if self.is_own(select));
        self.enter(own)
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.leave()
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        let own = self.is_own(select);
        self.enter(own)
    }

    fn post_visit_select(&mut self, _: &mut Select) -> ControlFlow<()> {
        self.leave()
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if self.hidden.last() == Some(&false) {
            (self.change)(expr);
        }
        ControlFlow::Continue(())
    }
}
