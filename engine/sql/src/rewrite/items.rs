//! `ARRAY(SELECT …)`, and queries over the items of a list that the row has, as BigQuery writes them:
//! `ARRAY(SELECT x + 1 FROM UNNEST(t.list) AS x WHERE x > 1)` is `array_transform(array_filter(list, x -> x > 1), x -> x + 1)`,
//! and `EXISTS`, `sum`, `count`, `min`, `max` and `avg` of such a query are what functions of lists say.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause, FunctionArguments, GroupByExpr, Ident,
    LambdaFunction, LambdaFunctionParameter, LambdaSyntax, LimitClause, OneOrManyWithParens, OrderByExpr, OrderByKind,
    Query, Select, SelectItem, SetExpr, TableAlias, TableAliasColumnDef, TableFactor, TableWithJoins,
};

use super::ast::{call, not, number, query_of};
use super::unnest::names_columns;
use crate::ast_visitor::{visit_expressions, visit_expressions_mut};
use crate::lambdas::fields_of_items;

/// Name of the column of what is made a list.
const ITEM: &str = "item";

/// The expression that stands for one with such a query; `None` leaves it.
pub(super) fn of_list(expr: &Expr) -> Option<Expr> {
    match expr {
        Expr::Function(Function { name, args: FunctionArguments::Subquery(query), .. })
            if name.to_string().eq_ignore_ascii_case("array") =>
        {
            let all = match Items::of(query) {
                Some(items) => items.shown(),
                None => Expr::Subquery(Box::new(gathered(query)?)),
            };
            Some(call("coalesce", vec![all, call("make_array", Vec::new())]))
        }
        Expr::Exists { subquery, negated } => {
            let items = Items::of(subquery)?;
            let some = match &items.condition {
                Some(condition) => call("array_any_match", vec![items.list.clone(), items.lambda(condition)]),
                None => call("array_any_match", vec![items.list.clone(), items.lambda(&super::ast::truth())]),
            };
            let known = call("coalesce", vec![some, not(super::ast::truth())]);
            Some(if *negated { not(known) } else { known })
        }
        Expr::Subquery(query) => Items::of(query)?.summed(),
        _ => None,
    }
}

/// `SELECT shown FROM UNNEST(list) AS name WHERE condition`, where the list is one of the row.
struct Items {
    list: Expr,
    name: Ident,
    shown: Expr,
    condition: Option<Expr>,
}

impl Items {
    fn of(query: &Query) -> Option<Items> {
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
        let [list] = array_exprs.as_slice() else { return None };
        let [SelectItem::UnnamedExpr(shown) | SelectItem::ExprWithAlias { expr: shown, .. }] =
            select.projection.as_slice()
        else {
            return None;
        };
        let name = match alias.columns.as_slice() {
            [] => alias.name.clone(),
            [column] => column.name.clone(),
            _ => return None,
        };
        let plain = joins.is_empty() && is_plain(select) && names_columns(list);
        let (mut shown, mut condition) = (shown.clone(), select.selection.clone());
        if !alias.columns.is_empty() {
            std::iter::once(&mut shown).chain(&mut condition).for_each(|expr| without_table(expr, &alias.name));
        }
        plain.then(|| Items { list: list.clone(), name, shown, condition })
    }

    /// `name -> body`, where `name.field` is a field of the item.
    fn lambda(&self, body: &Expr) -> Expr {
        let mut lambda = LambdaFunction {
            params: OneOrManyWithParens::One(LambdaFunctionParameter { name: self.name.clone(), data_type: None }),
            body: Box::new(body.clone()),
            syntax: LambdaSyntax::Arrow,
        };
        fields_of_items(&mut lambda);
        Expr::Lambda(lambda)
    }

    /// The items for which the condition is true.
    fn chosen(&self) -> Expr {
        match &self.condition {
            Some(condition) => call("array_filter", vec![self.list.clone(), self.lambda(condition)]),
            None => self.list.clone(),
        }
    }

    fn is_item(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Identifier(name) if name.value.eq_ignore_ascii_case(&self.name.value))
    }

    /// What is made of each of these.
    fn of_each(&self, shown: &Expr) -> Expr {
        match self.is_item(shown) {
            true => self.chosen(),
            false => call("array_transform", vec![self.chosen(), self.lambda(shown)]),
        }
    }

    fn shown(&self) -> Expr {
        self.of_each(&self.shown)
    }

    /// One aggregate of all of them.
    fn summed(&self) -> Option<Expr> {
        let Expr::Function(Function { name, args: FunctionArguments::List(list), filter: None, over: None, .. }) =
            &self.shown
        else {
            return None;
        };
        if list.duplicate_treatment.is_some() || !list.clauses.is_empty() {
            return None;
        }
        let of = match list.args.as_slice() {
            [FunctionArg::Unnamed(FunctionArgExpr::Wildcard)] => None,
            [FunctionArg::Unnamed(FunctionArgExpr::Expr(of))] => Some(of),
            _ => return None,
        };
        let function = match (name.to_string().to_ascii_lowercase().as_str(), of) {
            ("count", None) => {
                return Some(call("coalesce", vec![call("cardinality", vec![self.chosen()]), number("0")]));
            }
            ("sum", Some(_)) => "array_sum",
            ("avg", Some(_)) => "array_avg",
            ("min", Some(_)) => "array_min",
            ("max", Some(_)) => "array_max",
            _ => return None,
        };
        Some(call(function, vec![self.of_each(of?)]))
    }
}

/// `u.x` of `UNNEST(list) AS u (x)` as `x`, which is the item.
fn without_table(expr: &mut Expr, table: &Ident) {
    let _ = visit_expressions_mut(expr, |expr| {
        if let Expr::CompoundIdentifier(parts) = expr
            && parts.first().is_some_and(|first| first.value.eq_ignore_ascii_case(&table.value))
        {
            parts.remove(0);
            if let [name] = parts.as_slice() {
                *expr = Expr::Identifier(name.clone());
            }
        }
        ControlFlow::<()>::Continue(())
    });
}

/// Whether a SELECT does nothing but choose rows and show them.
fn is_plain(select: &Select) -> bool {
    let grouped = !matches!(&select.group_by, GroupByExpr::Expressions(keys, _) if keys.is_empty());
    select.distinct.is_none() && !grouped && select.having.is_none() && select.qualify.is_none() && select.top.is_none()
}

/// The query of one row with the list of all rows of a query of one column, in their order. `None` where the order is none
/// of that column.
fn gathered(query: &Query) -> Option<Query> {
    let order = match query.order_by.as_ref().map(|order| &order.kind) {
        None => Vec::new(),
        Some(OrderByKind::Expressions(order)) => order.clone(),
        Some(OrderByKind::All(_)) => return None,
    };
    if let SetExpr::Select(select) = query.body.as_ref()
        && is_plain(select)
        && query.fetch.is_none()
        && !calls_aggregates(select)
    {
        let (item, order) = match select.projection.as_slice() {
            [SelectItem::UnnamedExpr(item)] => (item, by_items(order, item, None)),
            [SelectItem::ExprWithAlias { expr, alias }] => (expr, by_items(order, expr, Some(alias))),
            _ => return None,
        };
        let all = list_of(item.clone(), order);
        let all = match &query.limit_clause {
            None => all,
            Some(LimitClause::LimitOffset { limit: Some(limit), offset: None, limit_by }) if limit_by.is_empty() => {
                call("array_slice", vec![all, number("1"), limit.clone()])
            }
            Some(_) => return None,
        };
        let mut select = select.clone();
        select.projection = vec![SelectItem::UnnamedExpr(all)];
        let body = Box::new(SetExpr::Select(select));
        return Some(Query { body, order_by: None, limit_clause: None, ..query.clone() });
    }
    let column = Expr::Identifier(Ident::new(ITEM));
    let order = match order.as_slice() {
        [] => Vec::new(),
        [one] if is_first(query, &one.expr) => vec![OrderByExpr { expr: column.clone(), ..one.clone() }],
        _ => return None,
    };
    let name = TableAliasColumnDef { name: Ident::new(ITEM), data_type: None };
    let alias = TableAlias { explicit: true, name: Ident::new("items"), columns: vec![name], at: None };
    let subquery = Box::new(query.clone());
    let rows = TableFactor::Derived { lateral: false, subquery, alias: Some(alias), sample: None };
    let items = vec![SelectItem::UnnamedExpr(list_of(column, order))];
    Some(query_of(items, vec![TableWithJoins { relation: rows, joins: Vec::new() }], None))
}

/// An order in which the column goes by its place or its name.
fn by_items(order: Vec<OrderByExpr>, item: &Expr, alias: Option<&Ident>) -> Vec<OrderByExpr> {
    let meant = |expr: &Expr| match expr {
        Expr::Value(value) => value.value == datafusion::sql::sqlparser::ast::Value::Number("1".to_string(), false),
        Expr::Identifier(name) => alias.is_some_and(|alias| alias.value.eq_ignore_ascii_case(&name.value)),
        _ => false,
    };
    let by = |one: OrderByExpr| if meant(&one.expr) { OrderByExpr { expr: item.clone(), ..one } } else { one };
    order.into_iter().map(by).collect()
}

/// Whether an order is by the one column of a query.
fn is_first(query: &Query, order: &Expr) -> bool {
    if matches!(order, Expr::Value(_)) {
        return true;
    }
    let SetExpr::Select(select) = query.body.as_ref() else { return false };
    match select.projection.as_slice() {
        [SelectItem::UnnamedExpr(item)] => item == order,
        [SelectItem::ExprWithAlias { expr, alias }] => {
            expr == order || matches!(order, Expr::Identifier(name) if name.value.eq_ignore_ascii_case(&alias.value))
        }
        _ => false,
    }
}

fn calls_aggregates(select: &Select) -> bool {
    const AGGREGATES: [&str; 8] = ["count", "sum", "min", "max", "avg", "array_agg", "string_agg", "any_value"];
    select.projection.iter().any(|item| match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
            let found = visit_expressions(expr, |expr| match expr {
                Expr::Function(function)
                    if function.over.is_none()
                        && AGGREGATES.iter().any(|name| function.name.to_string().eq_ignore_ascii_case(name)) =>
                {
                    ControlFlow::Break(())
                }
                _ => ControlFlow::Continue(()),
            });
            found.is_break()
        }
        _ => false,
    })
}

/// `array_agg(item ORDER BY …)`.
fn list_of(item: Expr, order: Vec<OrderByExpr>) -> Expr {
    let mut list = call("array_agg", vec![item]);
    if let Expr::Function(Function { args: FunctionArguments::List(list), .. }) = &mut list
        && !order.is_empty()
    {
        list.clauses.push(FunctionArgumentClause::OrderBy(order));
    }
    list
}
