//! `ARRAY(SELECT …)`, and subqueries over a list of the row as BigQuery writes them, as list functions:
//! `ARRAY(SELECT x + 1 FROM UNNEST(t.list) AS x WHERE x > 1)` is `array_transform(array_filter(list, x -> x > 1), x -> x + 1)`.
//! So are `EXISTS` and `sum`, `count`, `min`, `max` and `avg` over such a subquery.

use datafusion::sql::sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause, FunctionArguments, Ident, LambdaFunction,
    LambdaFunctionParameter, LambdaSyntax, LimitClause, OneOrManyWithParens, OrderByExpr, OrderByKind, Query, Select,
    SelectItem, SetExpr, TableFactor, TableWithJoins,
};

use super::ast::{
    boolean, call, call_with, change_all, clauses_of, contains, derived, digits_of, from_one, has_group_by, is_named,
    item_expr, name_of, names_columns, negated_if, number, query_of, same_name, table_alias,
};
use crate::lambdas::access_fields;

/// The column of a query whose rows become a list.
const ITEM: &str = "item";

/// Aggregates without which a SELECT has a row for each of its rows.
const AGGREGATES: [&str; 8] = ["count", "sum", "min", "max", "avg", "array_agg", "string_agg", "any_value"];

/// The expression for one with such a subquery; `None` leaves it.
pub(super) fn rewrite(expr: &Expr) -> Option<Expr> {
    match expr {
        Expr::Function(Function { name, args: FunctionArguments::Subquery(query), .. }) if is_named(name, "array") => {
            let list = match ListQuery::from_query(query) {
                Some(items) => items.map(&items.projected),
                None => Expr::Subquery(Box::new(collected(query)?)),
            };
            Some(call("coalesce", vec![list, call("make_array", Vec::new())]))
        }
        Expr::Exists { subquery, negated } => {
            let items = ListQuery::from_query(subquery)?;
            let condition = items.condition.clone().unwrap_or_else(|| boolean(true));
            let found = call_with("array_any_match", [&items.list, &items.lambda(&condition)]);
            Some(negated_if(*negated, call_with("coalesce", [&found, &boolean(false)])))
        }
        Expr::Subquery(query) => ListQuery::from_query(query)?.aggregated(),
        _ => None,
    }
}

/// `SELECT projected FROM UNNEST(list) AS item WHERE condition`, where the list is a value of the row.
struct ListQuery {
    list: Expr,
    item: Ident,
    projected: Expr,
    condition: Option<Expr>,
}

impl ListQuery {
    /// `None` for any other query.
    fn from_query(query: &Query) -> Option<ListQuery> {
        let Query { with: None, body, order_by: None, limit_clause: None, fetch: None, .. } = query else {
            return None;
        };
        let SetExpr::Select(select) = body.as_ref() else { return None };
        let [TableWithJoins { relation, joins }] = select.from.as_slice() else { return None };
        let TableFactor::UNNEST { alias: Some(alias), array_exprs, with_offset: false, with_ordinality: false, .. } =
            relation
        else {
            return None;
        };
        let ([list], [projected]) = (array_exprs.as_slice(), select.projection.as_slice()) else { return None };
        if !joins.is_empty() || !only_filters(select) || !names_columns(list) {
            return None;
        }
        let (mut projected, mut condition) = (item_expr(projected)?.clone(), select.selection.clone());
        let item = match alias.columns.as_slice() {
            [] => alias.name.clone(),
            [column] => {
                std::iter::once(&mut projected).chain(&mut condition).for_each(|expr| remove_table(expr, &alias.name));
                column.name.clone()
            }
            _ => return None,
        };
        Some(ListQuery { list: list.clone(), item, projected, condition })
    }

    /// `item -> body`, where `item.field` is a field of the item.
    fn lambda(&self, body: &Expr) -> Expr {
        let mut lambda = LambdaFunction {
            params: OneOrManyWithParens::One(LambdaFunctionParameter { name: self.item.clone(), data_type: None }),
            body: Box::new(body.clone()),
            syntax: LambdaSyntax::Arrow,
        };
        access_fields(&mut lambda);
        Expr::Lambda(lambda)
    }

    /// The items for which the condition is true.
    fn filtered(&self) -> Expr {
        match &self.condition {
            Some(condition) => call_with("array_filter", [&self.list, &self.lambda(condition)]),
            None => self.list.clone(),
        }
    }

    /// An expression of each of these items.
    fn map(&self, expr: &Expr) -> Expr {
        match expr {
            Expr::Identifier(name) if same_name(name, &self.item) => self.filtered(),
            _ => call_with("array_transform", [&self.filtered(), &self.lambda(expr)]),
        }
    }

    /// One aggregate over these items.
    fn aggregated(&self) -> Option<Expr> {
        let Expr::Function(function @ Function { args: FunctionArguments::List(list), filter: None, over: None, .. }) =
            &self.projected
        else {
            return None;
        };
        if list.duplicate_treatment.is_some() || !list.clauses.is_empty() {
            return None;
        }
        match (name_of(function).as_str(), list.args.as_slice()) {
            ("count", [FunctionArg::Unnamed(FunctionArgExpr::Wildcard)]) => {
                Some(call_with("coalesce", [&call("cardinality", vec![self.filtered()]), &number(0)]))
            }
            (name @ ("sum" | "avg" | "min" | "max"), [FunctionArg::Unnamed(FunctionArgExpr::Expr(value))]) => {
                Some(call(&format!("array_{name}"), vec![self.map(value)]))
            }
            _ => None,
        }
    }
}

/// `u.x` of `UNNEST(list) AS u (x)` as `x`, the item.
fn remove_table(expr: &mut Expr, table: &Ident) {
    change_all(expr, |expr| {
        if let Expr::CompoundIdentifier(parts) = expr
            && parts.first().is_some_and(|first| same_name(first, table))
        {
            parts.remove(0);
            if let [name] = parts.as_slice() {
                *expr = Expr::Identifier(name.clone());
            }
        }
    });
}

/// Whether a SELECT only filters rows and computes expressions.
fn only_filters(select: &Select) -> bool {
    select.distinct.is_none()
        && !has_group_by(select)
        && select.having.is_none()
        && select.qualify.is_none()
        && select.top.is_none()
}

/// The query whose one row is the list of all rows of a query of one column, in their order. `None` for an order by anything else
/// than that column.
fn collected(query: &Query) -> Option<Query> {
    let order = match query.order_by.as_ref().map(|order| &order.kind) {
        None => Vec::new(),
        Some(OrderByKind::Expressions(order)) => order.clone(),
        Some(OrderByKind::All(_)) => return None,
    };
    if let SetExpr::Select(select) = query.body.as_ref()
        && only_filters(select)
        && query.fetch.is_none()
        && !has_aggregates(select)
    {
        let [item] = select.projection.as_slice() else { return None };
        let value = item_expr(item)?;
        let by_value = |key: OrderByExpr| match is_column(&key.expr, item) {
            true => OrderByExpr { expr: value.clone(), ..key },
            false => key,
        };
        let list = array_agg(value, order.into_iter().map(by_value).collect());
        let list = match &query.limit_clause {
            None => list,
            Some(LimitClause::LimitOffset { limit: Some(limit), offset: None, limit_by }) if limit_by.is_empty() => {
                call_with("array_slice", [&list, &number(1), limit])
            }
            Some(_) => return None,
        };
        let mut select = select.clone();
        select.projection = vec![SelectItem::UnnamedExpr(list)];
        let body = Box::new(SetExpr::Select(select));
        return Some(Query { body, order_by: None, limit_clause: None, ..query.clone() });
    }
    let column = Expr::Identifier(Ident::new(ITEM));
    let order = match order.as_slice() {
        [] => Vec::new(),
        [key] if is_only_column(query, &key.expr) => vec![OrderByExpr { expr: column.clone(), ..key.clone() }],
        _ => return None,
    };
    let rows = derived(query.clone(), table_alias(Ident::new("items"), [Ident::new(ITEM)]));
    Some(query_of(vec![SelectItem::UnnamedExpr(array_agg(&column, order))], from_one(rows), None))
}

/// Whether a key of the order is the position or the alias of the only column.
fn is_column(key: &Expr, item: &SelectItem) -> bool {
    match (key, item) {
        (Expr::Identifier(name), SelectItem::ExprWithAlias { alias, .. }) => same_name(alias, name),
        _ => digits_of(key) == Some("1"),
    }
}

/// Whether a key of the order is the only column of a query.
fn is_only_column(query: &Query, key: &Expr) -> bool {
    if matches!(key, Expr::Value(_)) {
        return true;
    }
    let SetExpr::Select(select) = query.body.as_ref() else { return false };
    let [item] = select.projection.as_slice() else { return false };
    item_expr(item) == Some(key) || is_column(key, item)
}

fn has_aggregates(select: &Select) -> bool {
    let is_aggregate = |expr: &Expr| match expr {
        Expr::Function(function) => function.over.is_none() && AGGREGATES.contains(&name_of(function).as_str()),
        _ => false,
    };
    select.projection.iter().filter_map(item_expr).any(|expr| contains(expr, is_aggregate))
}

/// `array_agg(value ORDER BY …)`.
fn array_agg(value: &Expr, order: Vec<OrderByExpr>) -> Expr {
    let mut list = call_with("array_agg", [value]);
    if let Expr::Function(list) = &mut list
        && !order.is_empty()
        && let Some(clauses) = clauses_of(list)
    {
        clauses.push(FunctionArgumentClause::OrderBy(order));
    }
    list
}
