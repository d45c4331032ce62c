//! Forms of ORDER BY: `SELECT DISTINCT e … ORDER BY e`, `ORDER BY ALL`, and orders by a column of a table whose name a column of
//! the result has too.

use datafusion::sql::sqlparser::ast::{Expr, Ident, OrderByExpr, OrderByKind, Query, Select, SelectItem, SetExpr};

use super::ast::{contains, derived, from_one, has_group_by, is_star, item_expr, number, same_name, table_alias};

/// In `SELECT DISTINCT`, orders by the position of a column where its expression is repeated.
pub(super) fn order_distinct_by_position(query: &mut Query) {
    let SetExpr::Select(select) = query.body.as_ref() else { return };
    let Some(OrderByKind::Expressions(orders)) = query.order_by.as_mut().map(|order| &mut order.kind) else { return };
    if select.distinct.is_none() || select.projection.iter().any(is_star) {
        return;
    }
    // A number is a position already, even if a column of the result is that number.
    for order in orders.iter_mut().filter(|order| !matches!(order.expr, Expr::Value(_))) {
        let index = select.projection.iter().position(|item| item_expr(item) == Some(&order.expr));
        if let Some(index) = index {
            order.expr = number(index + 1);
        }
    }
}

/// `ORDER BY ALL` as an order by the position of each column.
pub(super) fn expand_all(query: &mut Query) {
    let SetExpr::Select(select) = query.body.as_ref() else { return };
    let Some(order) = query.order_by.as_mut() else { return };
    let OrderByKind::All(options) = order.kind else { return };
    if select.projection.iter().all(|item| item_expr(item).is_some()) {
        let by = |position: usize| OrderByExpr { expr: number(position), options, with_fill: None };
        order.kind = OrderByKind::Expressions((1..=select.projection.len()).map(by).collect());
    }
}

/// Writes `SELECT upper(t.s) AS s … ORDER BY t.s` with a query in FROM. The planner sorts by columns beside those of the result,
/// where it could not tell the two apart. The query in FROM names what it sorts by with names that nobody writes.
pub(super) fn separate_shadowed_columns(query: &mut Query) {
    let SetExpr::Select(select) = query.body.as_ref() else { return };
    let Some(OrderByKind::Expressions(orders)) = query.order_by.as_ref().map(|order| &order.kind) else { return };
    let Some(columns) = output_columns(select) else { return };
    if !orders.iter().any(|order| has_shadowed_column(&order.expr, &columns)) {
        return;
    }
    let inner_name = |index: usize| Ident::new(format!("__shown_{index}"));
    let aliased = |expr: Expr, alias: Ident| SelectItem::ExprWithAlias { expr, alias };
    let mut inner_items: Vec<SelectItem> =
        columns.iter().enumerate().map(|(index, column)| aliased(column.expr.clone(), inner_name(index))).collect();
    // A key is a position or a name of a column of the result, or else an expression over the tables.
    let mut outer_orders = orders.clone();
    for (index, order) in outer_orders.iter_mut().enumerate() {
        let column = match &order.expr {
            Expr::Value(_) => continue,
            Expr::Identifier(name) => columns.iter().position(|column| same_name(&column.name(), name)),
            _ => None,
        };
        let name = match column {
            Some(column) => inner_name(column),
            None if names_output_column(&order.expr, &columns) => return,
            None => Ident::new(format!("__order_{index}")),
        };
        let expr = std::mem::replace(&mut order.expr, Expr::Identifier(name.clone()));
        if column.is_none() {
            inner_items.push(aliased(expr, name));
        }
    }
    let outer_items = columns.iter().enumerate();
    let outer_items = outer_items.map(|(index, column)| aliased(Expr::Identifier(inner_name(index)), column.name()));
    let mut outer = Select { projection: outer_items.collect(), ..select.as_ref().clone() };
    let inner = Select { projection: inner_items, ..select.as_ref().clone() };
    let inner = Query {
        with: None,
        body: Box::new(SetExpr::Select(Box::new(inner))),
        order_by: None,
        limit_clause: None,
        fetch: None,
        ..query.clone()
    };
    outer.from = from_one(derived(inner, table_alias(Ident::new("__ordered"), [])));
    (outer.selection, outer.qualify) = (None, None);
    outer.named_window.clear();
    if let Some(order) = &mut query.order_by {
        order.kind = OrderByKind::Expressions(outer_orders);
    }
    *query.body = SetExpr::Select(Box::new(outer));
}

/// A column of the result.
struct OutputColumn<'a> {
    expr: &'a Expr,
    alias: Option<&'a Ident>,
}

impl OutputColumn<'_> {
    fn name(&self) -> Ident {
        match (self.alias, self.expr) {
            (Some(alias), _) => alias.clone(),
            (None, Expr::Identifier(name)) => name.clone(),
            (None, Expr::CompoundIdentifier(parts)) if !parts.is_empty() => parts[parts.len() - 1].clone(),
            (None, expr) => Ident::with_quote('"', expr.to_string()),
        }
    }

    fn has_alias(&self, name: &Ident) -> bool {
        self.alias.is_some_and(|alias| same_name(alias, name))
    }
}

/// The columns of a SELECT over tables that neither groups nor has a star.
fn output_columns(select: &Select) -> Option<Vec<OutputColumn<'_>>> {
    if has_group_by(select) || select.distinct.is_some() || select.having.is_some() || select.from.is_empty() {
        return None;
    }
    let columns = select.projection.iter().map(|item| match item {
        SelectItem::UnnamedExpr(expr) => Some(OutputColumn { expr, alias: None }),
        SelectItem::ExprWithAlias { expr, alias } => Some(OutputColumn { expr, alias: Some(alias) }),
        _ => None,
    });
    columns.collect()
}

/// Whether an expression has a column of a table whose name is the alias of something else.
fn has_shadowed_column(expr: &Expr, columns: &[OutputColumn]) -> bool {
    contains(expr, |part| match part {
        Expr::CompoundIdentifier(parts) => {
            parts.last().is_some_and(|name| columns.iter().any(|column| column.has_alias(name) && column.expr != part))
        }
        _ => false,
    })
}

/// Whether an expression has the alias of a column.
fn names_output_column(expr: &Expr, columns: &[OutputColumn]) -> bool {
    contains(expr, |part| match part {
        Expr::Identifier(name) => columns.iter().any(|column| column.has_alias(name)),
        _ => false,
    })
}
