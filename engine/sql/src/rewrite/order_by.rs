//! Forms of ORDER BY: `SELECT DISTINCT e … ORDER BY e`, `ORDER BY ALL`, and orders by a column of a table whose name a column of
//! the result has too.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Expr, Function, GroupByExpr, Ident, OrderByExpr, OrderByKind, Query, Select, SelectItem, SetExpr, Visitor,
};

use super::ast::{contains, derived, from_one, has_group_by, is_star, item_expr, number, same_name, table_alias};
use crate::syntax::visitor::visit;

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
/// where it could not tell the two apart. The query in FROM names what it sorts by with names that nobody writes. Columns inside
/// the aggregates of a grouped SELECT need no other name: the planner resolves them itself.
pub(crate) fn separate_shadowed_columns(query: &mut Query, is_aggregate: &dyn Fn(&Function) -> bool) {
    let SetExpr::Select(select) = query.body.as_ref() else { return };
    let is_grouped = has_group_by(select) || select.having.is_some();
    let needs_no_name = |function: &Function| is_grouped && is_aggregate(function);
    let Some(OrderByKind::Expressions(orders)) = query.order_by.as_ref().map(|order| &order.kind) else { return };
    let Some(columns) = output_columns(select) else { return };
    if !orders.iter().any(|order| has_shadowed_column(&order.expr, &columns, &needs_no_name)) {
        return;
    }
    // HAVING, QUALIFY and other columns may read an alias, but none that a column of a table has too.
    let inner_name = |index: usize| match columns[index].alias {
        Some(alias) if !orders.iter().any(|order| names_column_of_table(&order.expr, alias)) => alias.clone(),
        _ => Ident::new(format!("__shown_{index}")),
    };
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
    (outer.selection, outer.having, outer.qualify) = (None, None, None);
    outer.group_by = GroupByExpr::Expressions(Vec::new(), Vec::new());
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

/// The columns of a SELECT over tables that has no star. DISTINCT and GROUP BY ALL depend on all columns, also those to sort by.
fn output_columns(select: &Select) -> Option<Vec<OutputColumn<'_>>> {
    if select.distinct.is_some() || matches!(select.group_by, GroupByExpr::All(_)) || select.from.is_empty() {
        return None;
    }
    let columns = select.projection.iter().map(|item| match item {
        SelectItem::UnnamedExpr(expr) => Some(OutputColumn { expr, alias: None }),
        SelectItem::ExprWithAlias { expr, alias } => Some(OutputColumn { expr, alias: Some(alias) }),
        _ => None,
    });
    columns.collect()
}

/// Whether an expression has, outside of aggregates, a column of a table whose name is the alias of something else.
fn has_shadowed_column(expr: &Expr, columns: &[OutputColumn], is_aggregate: &dyn Fn(&Function) -> bool) -> bool {
    visit(expr, &mut Shadowed { columns, is_aggregate, open: 0 }).is_break()
}

struct Shadowed<'a> {
    columns: &'a [OutputColumn<'a>],
    is_aggregate: &'a dyn Fn(&Function) -> bool,
    /// How many of the expressions around are an aggregate or in one.
    open: usize,
}

impl Visitor for Shadowed<'_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        let is_aggregate = matches!(expr, Expr::Function(function) if (self.is_aggregate)(function));
        if self.open > 0 || is_aggregate {
            self.open += 1;
            return ControlFlow::Continue(());
        }
        let is_shadowed = match expr {
            Expr::CompoundIdentifier(parts) => parts
                .last()
                .is_some_and(|name| self.columns.iter().any(|column| column.has_alias(name) && column.expr != expr)),
            _ => false,
        };
        if is_shadowed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn post_visit_expr(&mut self, _: &Expr) -> ControlFlow<()> {
        self.open = self.open.saturating_sub(1);
        ControlFlow::Continue(())
    }
}

/// Whether an expression has a column of a table with a name.
fn names_column_of_table(expr: &Expr, name: &Ident) -> bool {
    contains(expr, |part| match part {
        Expr::CompoundIdentifier(parts) => parts.last().is_some_and(|column| same_name(column, name)),
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
