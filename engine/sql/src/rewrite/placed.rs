//! `SELECT $1, $2 FROM VALUES (1, 'a')`: Snowflake's columns by their places, where rows of values are all that is read.

use datafusion::sql::sqlparser::ast::{Expr, Ident, OrderBy, Select, SetExpr, TableFactor, TableWithJoins, Value};

use crate::syntax::change_outside_subqueries;

/// Gives such columns of a SELECT and of its order the names that they have.
pub(super) fn columns(select: &mut Select, order: Option<&mut OrderBy>) {
    let [TableWithJoins { relation: TableFactor::Derived { subquery, alias, .. }, joins }] = select.from.as_slice()
    else {
        return;
    };
    let SetExpr::Values(values) = subquery.body.as_ref() else { return };
    if !joins.is_empty() {
        return;
    }
    let width = values.rows.first().map_or(0, |row| row.content.len());
    let named = alias.as_ref().map(|alias| alias.columns.as_slice()).unwrap_or_default();
    let name = |place: usize| match named.get(place) {
        Some(column) => column.name.clone(),
        None => Ident::new(format!("column{}", place + 1)),
    };
    let names: Vec<Ident> = (0..width).map(name).collect();
    let named = |expr: &mut Expr| {
        if let Expr::Value(value) = &*expr
            && let Value::Placeholder(place) = &value.value
            && let Some(place) = place.strip_prefix('$').and_then(|digits| digits.parse::<usize>().ok())
            && let Some(name) = place.checked_sub(1).and_then(|place| names.get(place))
        {
            *expr = Expr::Identifier(Ident { span: value.span, ..name.clone() });
        }
    };
    change_outside_subqueries(select, named);
    if let Some(order) = order {
        change_outside_subqueries(order, named);
    }
}
