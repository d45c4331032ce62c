//! `SELECT $1, $2 FROM VALUES (1, 'a')`: Snowflake's columns by their places, where rows of values are all that is read.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Expr, Ident, OrderBy, Query, Select, SetExpr, TableFactor, TableWithJoins, Value, VisitMut, VisitorMut,
};

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
    let mut columns = Columns { names: (0..width).map(name).collect(), depth: 0 };
    // The visitor never breaks off.
    let _ = VisitMut::visit(select, &mut columns);
    if let Some(order) = order {
        let _ = VisitMut::visit(order, &mut columns);
    }
}

struct Columns {
    names: Vec<Ident>,
    /// How many queries are around: what stands in another one is about that one's tables.
    depth: usize,
}

impl VisitorMut for Columns {
    type Break = ();

    fn pre_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.depth += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.depth -= 1;
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if self.depth == 0
            && let Expr::Value(value) = &*expr
            && let Value::Placeholder(place) = &value.value
            && let Some(place) = place.strip_prefix('$').and_then(|digits| digits.parse::<usize>().ok())
            && let Some(name) = place.checked_sub(1).and_then(|place| self.names.get(place))
        {
            let span = value.span;
            *expr = Expr::Identifier(Ident { span, ..name.clone() });
        }
        ControlFlow::Continue(())
    }
}
