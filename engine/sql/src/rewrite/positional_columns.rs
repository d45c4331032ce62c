//! Snowflake's columns by their positions over rows of values: `SELECT $1, $2 FROM VALUES (1, 'a')`.

use datafusion::sql::sqlparser::ast::{Expr, Ident, OrderBy, Select, SetExpr, TableFactor, TableWithJoins, Value};

use crate::syntax::change_outside_subqueries;

/// Puts names in place of the positions in a SELECT over rows of values, and in its order.
pub(super) fn resolve(select: &mut Select, order: Option<&mut OrderBy>) {
    let [TableWithJoins { relation: TableFactor::Derived { subquery, alias, .. }, joins }] = select.from.as_slice()
    else {
        return;
    };
    let SetExpr::Values(values) = subquery.body.as_ref() else { return };
    if !joins.is_empty() {
        return;
    }
    let width = values.rows.first().map_or(0, |row| row.content.len());
    let aliases = alias.as_ref().map(|alias| alias.columns.as_slice()).unwrap_or_default();
    let name = |index: usize| match aliases.get(index) {
        Some(column) => column.name.clone(),
        None => Ident::new(format!("column{}", index + 1)),
    };
    let names: Vec<Ident> = (0..width).map(name).collect();
    let resolve = |expr: &mut Expr| {
        if let Expr::Value(value) = &*expr
            && let Value::Placeholder(position) = &value.value
            && let Some(position) = position.strip_prefix('$').and_then(|digits| digits.parse::<usize>().ok())
            && let Some(name) = position.checked_sub(1).and_then(|index| names.get(index))
        {
            *expr = Expr::Identifier(Ident { span: value.span, ..name.clone() });
        }
    };
    change_outside_subqueries(select, resolve);
    if let Some(order) = order {
        change_outside_subqueries(order, resolve);
    }
}
