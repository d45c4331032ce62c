//! `SELECT DISTINCT e … ORDER BY e`: the order is that of the column that shows `e`. `ORDER BY ALL` names all columns.
//! `FETCH FIRST n ROWS` is `LIMIT n`; `WITH TIES` takes all rows up to that rank.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Function, LimitClause, OrderByExpr, OrderByKind, Query, Select, SelectItem, SetExpr,
    TopQuantity, Value, WindowSpec, WindowType,
};

use super::ast::{binary, call, number};

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

/// `FETCH FIRST n ROWS WITH TIES` and `TOP n WITH TIES` as the rows of a rank of at most `n` in the order of the query.
pub(super) fn ties(query: &mut Query) {
    let SetExpr::Select(select) = query.body.as_mut() else { return };
    let Some(count) = with_ties(query.fetch.as_ref().map(|fetch| (fetch.with_ties, fetch.percent)), || {
        query.fetch.as_ref().and_then(|fetch| fetch.quantity.clone())
    })
    .or_else(|| {
        let top = select.top.as_ref();
        with_ties(top.map(|top| (top.with_ties, top.percent)), || match top?.quantity.clone()? {
            TopQuantity::Constant(count) => Some(number(&count.to_string())),
            TopQuantity::Expr(count) => Some(count),
        })
    }) else {
        return;
    };
    let alone = select.distinct.is_none() && select.qualify.is_none() && query.limit_clause.is_none();
    let Some(OrderByKind::Expressions(order)) = query.order_by.as_ref().map(|order| &order.kind) else { return };
    let keys = order.iter().map(|key| Some(OrderByExpr { expr: shown(select, &key.expr)?, ..key.clone() }));
    let (true, Some(order_by)) = (alone, keys.collect::<Option<Vec<_>>>()) else { return };
    let Expr::Function(rank) = call("rank", Vec::new()) else { return };
    let spec = WindowSpec { window_name: None, partition_by: Vec::new(), order_by, window_frame: None };
    let rank = Expr::Function(Function { over: Some(WindowType::WindowSpec(spec)), ..rank });
    select.qualify = Some(binary(rank, BinaryOperator::LtEq, count));
    select.top = None;
    query.fetch = None;
}

/// How many rows are asked for with those that are the same in the order.
fn with_ties(said: Option<(bool, bool)>, count: impl FnOnce() -> Option<Expr>) -> Option<Expr> {
    said.filter(|(ties, percent)| *ties && !percent).map(|_| count().unwrap_or_else(|| number("1")))
}

/// What a key of the order stands for: the place or the name of a column is what the column shows.
fn shown(select: &Select, key: &Expr) -> Option<Expr> {
    let item = |item: &SelectItem| match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr.clone()),
        _ => None,
    };
    match key {
        Expr::Value(value) => match &value.value {
            Value::Number(digits, _) => {
                let place = digits.parse::<usize>().ok()?.checked_sub(1)?;
                // Behind a star nobody knows which column it is.
                select
                    .projection
                    .iter()
                    .take(place + 1)
                    .map(item)
                    .collect::<Option<Vec<Expr>>>()?
                    .into_iter()
                    .nth(place)
            }
            _ => Some(key.clone()),
        },
        Expr::Identifier(name) => {
            let named = select.projection.iter().find_map(|item| match item {
                SelectItem::ExprWithAlias { expr, alias } if alias.value.eq_ignore_ascii_case(&name.value) => {
                    Some(expr)
                }
                _ => None,
            });
            Some(named.unwrap_or(key).clone())
        }
        _ => Some(key.clone()),
    }
}
