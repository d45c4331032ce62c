//! `SELECT upper(t.s) AS s … ORDER BY t.s`: a column of a table in the order whose name a column of the query has too. The
//! planner sorts by columns beside those that are shown, where the two could not be told apart; so they are named in a query
//! inside, which shows what is sorted by under names that nobody writes.

use std::ops::ControlFlow;

use crate::ast_visitor::visit_expressions;
use datafusion::sql::sqlparser::ast::{
    Expr, GroupByExpr, Ident, OrderByKind, Query, Select, SelectItem, SetExpr, TableAlias, TableFactor, TableWithJoins,
};

/// Writes such a query as one in FROM.
pub(super) fn order(query: &mut Query) {
    let SetExpr::Select(select) = query.body.as_ref() else { return };
    let Some(order) = &query.order_by else { return };
    let OrderByKind::Expressions(orders) = &order.kind else { return };
    let Some(shown) = shown(select) else { return };
    if !orders.iter().any(|order| is_covered(&order.expr, &shown)) {
        return;
    }
    // What is sorted by is a place or a name of the list, or else an expression over the tables.
    let mut named: Vec<SelectItem> = (0..).map(shown_name).zip(&shown).map(|(name, item)| item.named(name)).collect();
    let mut outer_orders = orders.clone();
    for (place, order) in outer_orders.iter_mut().enumerate() {
        let listed = match &order.expr {
            Expr::Value(_) => continue,
            Expr::Identifier(name) => shown.iter().position(|item| item.is_called(name)),
            _ => None,
        };
        let name = match listed {
            Some(place) => shown_name(place),
            None if mentions(&order.expr, &shown) => return,
            None => Ident::new(format!("__order_{place}")),
        };
        let expr = std::mem::replace(&mut order.expr, Expr::Identifier(name.clone()));
        if listed.is_none() {
            named.push(SelectItem::ExprWithAlias { expr, alias: name });
        }
    }
    let columns = (0..).map(shown_name).zip(&shown);
    let columns =
        columns.map(|(name, item)| SelectItem::ExprWithAlias { expr: Expr::Identifier(name), alias: item.name() });
    let mut outer = select.as_ref().clone();
    outer.projection = columns.collect();
    let inner = Select { projection: named, ..select.as_ref().clone() };
    let inner = Query {
        with: None,
        body: Box::new(SetExpr::Select(Box::new(inner))),
        order_by: None,
        limit_clause: None,
        fetch: None,
        ..query.clone()
    };
    let alias = TableAlias { explicit: true, name: Ident::new("__ordered"), columns: Vec::new(), at: None };
    let relation = TableFactor::Derived { lateral: false, subquery: Box::new(inner), alias: Some(alias), sample: None };
    outer.from = vec![TableWithJoins { relation, joins: Vec::new() }];
    (outer.selection, outer.qualify) = (None, None);
    outer.named_window.clear();
    if let Some(order) = &mut query.order_by {
        order.kind = OrderByKind::Expressions(outer_orders);
    }
    *query.body = SetExpr::Select(Box::new(outer));
}

fn shown_name(place: usize) -> Ident {
    Ident::new(format!("__shown_{place}"))
}

/// A column of the list.
struct Shown<'a> {
    expr: &'a Expr,
    alias: Option<&'a Ident>,
}

impl Shown<'_> {
    fn named(&self, name: Ident) -> SelectItem {
        SelectItem::ExprWithAlias { expr: self.expr.clone(), alias: name }
    }

    /// The name under which it is shown.
    fn name(&self) -> Ident {
        match (self.alias, self.expr) {
            (Some(alias), _) => alias.clone(),
            (None, Expr::Identifier(name)) => name.clone(),
            (None, Expr::CompoundIdentifier(parts)) if !parts.is_empty() => parts[parts.len() - 1].clone(),
            (None, expr) => Ident::with_quote('"', expr.to_string()),
        }
    }

    fn is_called(&self, name: &Ident) -> bool {
        self.name().value.eq_ignore_ascii_case(&name.value)
    }
}

/// The columns of a plain list over tables; `None` for what groups, or shows all columns.
fn shown(select: &Select) -> Option<Vec<Shown<'_>>> {
    let ungrouped = matches!(&select.group_by, GroupByExpr::Expressions(keys, _) if keys.is_empty());
    if !ungrouped || select.distinct.is_some() || select.having.is_some() || select.from.is_empty() {
        return None;
    }
    let shown = select.projection.iter().map(|item| match item {
        SelectItem::UnnamedExpr(expr) => Some(Shown { expr, alias: None }),
        SelectItem::ExprWithAlias { expr, alias } => Some(Shown { expr, alias: Some(alias) }),
        _ => None,
    });
    shown.collect()
}

/// Whether a column of a table stands in an expression whose name something else in the list has.
fn is_covered(expr: &Expr, shown: &[Shown]) -> bool {
    any(expr, |part| match part {
        Expr::CompoundIdentifier(parts) => parts.last().is_some_and(|name| {
            shown.iter().any(|item| item.alias.is_some() && item.is_called(name) && item.expr != part)
        }),
        _ => false,
    })
}

/// Whether a name of the list stands in an expression.
fn mentions(expr: &Expr, shown: &[Shown]) -> bool {
    any(expr, |part| match part {
        Expr::Identifier(name) => shown.iter().any(|item| item.alias.is_some() && item.is_called(name)),
        _ => false,
    })
}

fn any(expr: &Expr, found: impl Fn(&Expr) -> bool) -> bool {
    let stopped =
        visit_expressions(expr, |part| if found(part) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) });
    stopped.is_break()
}
