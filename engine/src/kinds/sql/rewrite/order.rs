//! `SELECT DISTINCT e … ORDER BY e`: the order is that of the column that shows `e`. `ORDER BY ALL` names all columns.
//! `FETCH FIRST n ROWS` is `LIMIT n`.

use datafusion::sql::sqlparser::ast::{
    Expr, LimitClause, OrderByExpr, OrderByKind, Query, SelectItem, SetExpr, TopQuantity,
};

use super::ast::number;

/// Orders by the place of a column where an expression of the list is repeated.
pub(super) fn distinct(query: &mut Query) {
    let SetExpr::Select(select) = query.body.as_ref() else { return };
    if select.distinct.is_none() {
        return;
    }
    let Some(order) = query.order_by.as_mut() else { return };
    let OrderByKind::Expressions(expressions) = &mut order.kind else { return };
    for ordered in expressions {
        // A number is the place of a column already, also where a column shows that number.
        if matches!(ordered.expr, Expr::Value(_)) {
            continue;
        }
        let place = select.projection.iter().position(|item| match item {
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => expr == &ordered.expr,
            _ => false,
        });
        let starred = select
            .projection
            .iter()
            .any(|item| matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..)));
        if let Some(place) = place.filter(|_| !starred) {
            ordered.expr = number(&(place + 1).to_string());
        }
    }
}

/// `ORDER BY ALL` orders by the columns as they stand.
pub(super) fn all(query: &mut Query) {
    let SetExpr::Select(select) = query.body.as_ref() else { return };
    let Some(order) = query.order_by.as_mut() else { return };
    let OrderByKind::All(options) = order.kind else { return };
    let counted = |item: &SelectItem| matches!(item, SelectItem::UnnamedExpr(_) | SelectItem::ExprWithAlias { .. });
    if select.projection.iter().all(counted) {
        let place = |place: usize| OrderByExpr { expr: number(&place.to_string()), options, with_fill: None };
        order.kind = OrderByKind::Expressions((1..=select.projection.len()).map(place).collect());
    }
}

/// `SELECT TOP n` is `LIMIT n`.
pub(super) fn top(query: &mut Query) {
    let SetExpr::Select(select) = query.body.as_mut() else { return };
    let plain = select.top.as_ref().filter(|top| !top.with_ties && !top.percent);
    let count = match plain.and_then(|top| top.quantity.clone()) {
        Some(TopQuantity::Constant(count)) => number(&count.to_string()),
        Some(TopQuantity::Expr(count)) => count,
        None => return,
    };
    if query.limit_clause.is_none() && query.fetch.is_none() {
        select.top = None;
        query.limit_clause = Some(LimitClause::LimitOffset { limit: Some(count), offset: None, limit_by: Vec::new() });
    }
}

/// Writes the standard's limit as the one that the planner knows.
pub(super) fn fetch(query: &mut Query) {
    let plain = query.fetch.as_ref().filter(|fetch| !fetch.with_ties && !fetch.percent);
    let Some(count) = plain.map(|fetch| fetch.quantity.clone().unwrap_or_else(|| number("1"))) else { return };
    match &mut query.limit_clause {
        None => {
            let limit_by = Vec::new();
            query.limit_clause = Some(LimitClause::LimitOffset { limit: Some(count), offset: None, limit_by });
        }
        Some(LimitClause::LimitOffset { limit: limit @ None, .. }) => *limit = Some(count),
        Some(_) => return,
    }
    query.fetch = None;
}
