//! Names in the keys of ORDER BY. A name alone is a column of the result first. In a larger expression it is a column of the tables
//! first, as in PostgreSQL: `SELECT k, sum(v) AS v … ORDER BY sum(v)` sorts by the sums of the table's `v`. The planner would take it
//! for the column of the result, so it gets its table here.

use std::collections::HashSet;
use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    AccessExpr, Expr, Function, GroupByExpr, Ident, LambdaFunction, OrderByKind, Query, Select, SelectItem, SetExpr,
    TableAlias, TableFactor, Value, Visitor, VisitorMut,
};
use datafusion::sql::sqlparser::tokenizer::Location;

use super::scope::Scope;
use crate::names::output_names::{column_of, names_written};
use crate::names::relation::normal;
use crate::syntax::visit_outside_subqueries;
use crate::syntax::visitor::{visit, visit_mut};

pub(super) type IsAggregate<'a> = &'a dyn Fn(&Function) -> bool;

/// Names the queries of FROM without a name, so that their columns can be named in ORDER BY. `named` counts them.
pub(super) fn name_queries(query: &mut Query, named: &mut usize) {
    let Some(OrderByKind::Expressions(orders)) = query.order_by.as_ref().map(|order| &order.kind) else { return };
    let SetExpr::Select(select) = query.body.as_mut() else { return };
    let shadowing = shadowing_names(select);
    let is_used = |expr: &Expr| !is_bare(expr) && mentions(expr, &|name| shadowing.contains(name));
    if shadowing.is_empty() || !orders.iter().any(|order| is_used(&order.expr)) {
        return;
    }
    for table in &mut select.from {
        let joined = table.joins.iter_mut().map(|join| &mut join.relation);
        for factor in std::iter::once(&mut table.relation).chain(joined) {
            if let TableFactor::Derived { alias: alias @ None, .. } = factor {
                *named += 1;
                let name = Ident::new(format!("__joined_{named}"));
                *alias = Some(TableAlias { explicit: true, name, columns: Vec::new(), at: None });
            }
        }
    }
}

/// Orders by the position of a column where a key repeats its expression, with a name that a column of the result has too.
pub(super) fn use_positions(query: &mut Query) {
    let SetExpr::Select(select) = query.body.as_ref() else { return };
    let Some(OrderByKind::Expressions(orders)) = query.order_by.as_mut().map(|order| &mut order.kind) else { return };
    let shadowing = shadowing_names(select);
    // A star before a column moves it.
    if shadowing.is_empty() || select.projection.iter().any(|item| item_expr(item).is_none()) {
        return;
    }
    for order in orders.iter_mut() {
        if is_bare(&order.expr) || !mentions(&order.expr, &|name| shadowing.contains(name)) {
            continue;
        }
        let index = select.projection.iter().position(|item| item_expr(item) == Some(&order.expr));
        if let Some(index) = index {
            order.expr = Expr::Value(Value::Number((index + 1).to_string(), false).into());
        }
    }
}

/// Gives columns of tables in the keys of a query their tables where columns of the result have the same names. Returns the positions
/// of other names in the keys that do not mean a column of the result: synonyms, and columns of USING.
pub(super) fn qualify(query: &mut Query, scope: &Scope, is_aggregate: IsAggregate<'_>) -> HashSet<Location> {
    let SetExpr::Select(select) = query.body.as_ref() else { return HashSet::new() };
    let Some(OrderByKind::Expressions(orders)) = query.order_by.as_mut().map(|order| &mut order.kind) else {
        return HashSet::new();
    };
    // DISTINCT sorts by columns of the result.
    if select.distinct.is_some() {
        return HashSet::new();
    }
    let items: Vec<&Expr> = select.projection.iter().filter_map(item_expr).collect();
    let keys = group_keys(select);
    let is_grouped = keys.as_ref().is_none_or(|keys| !keys.is_empty())
        || select.having.is_some()
        || items.iter().any(|expr| has_aggregate(expr, is_aggregate))
        || orders.iter().any(|order| has_aggregate(&order.expr, is_aggregate));
    // A key over columns of tables becomes one more column of the SELECT, which can't be computed from other columns of it.
    let aliases = aliases(select);
    let of_result = |name: &str| aliases.contains(name) && !scope.is_input(name);
    let is_mixed = orders.iter().any(|order| !is_bare(&order.expr) && mentions(&order.expr, &of_result));
    let is_separable = items.len() == select.projection.len() && keys.is_some() && !is_mixed;
    let keys = keys.unwrap_or_default();
    let group_column = |key: &&Expr| column_of(key).map(|(name, _)| normal(name)).filter(|_| is_separable);
    let is_computed = |expr: &&Expr| column_of(expr).is_none();
    let mut names = Qualify {
        scope,
        is_aggregate,
        outputs: names_written(select),
        aliases,
        shadowing: shadowing_names(select),
        is_grouped,
        everywhere: is_separable && !is_grouped,
        group_columns: keys.iter().filter_map(group_column).collect(),
        computed: items.iter().chain(&keys).copied().filter(is_computed).collect(),
        inside: 0,
        queries: 0,
        lambdas: Vec::new(),
        fields: HashSet::new(),
        other_names: HashSet::new(),
    };
    let has_shadowed = |expr: &Expr| !is_bare(expr) && mentions(expr, &|name| names.shadowing.contains(name));
    if names.everywhere && !orders.iter().any(|order| has_shadowed(&order.expr)) {
        return HashSet::new();
    }
    for order in orders.iter_mut().filter(|order| !is_bare(&order.expr)) {
        // The visitor never breaks off.
        let _ = visit_mut(&mut order.expr, &mut names);
    }
    names.other_names
}

/// The positions of the synonyms inside the aggregates of a condition.
pub(super) fn synonyms_in_aggregates<'a>(
    conditions: impl Iterator<Item = &'a Expr>,
    scope: &Scope,
    is_aggregate: IsAggregate<'_>,
) -> HashSet<Location> {
    let mut synonyms = InAggregates { scope, is_aggregate, open: 0, places: HashSet::new() };
    for condition in conditions {
        // The visitor never breaks off.
        let _ = visit(condition, &mut synonyms);
    }
    synonyms.places
}

struct InAggregates<'a> {
    scope: &'a Scope,
    is_aggregate: IsAggregate<'a>,
    /// How many of the expressions around are an aggregate or in one.
    open: usize,
    places: HashSet<Location>,
}

impl Visitor for InAggregates<'_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Identifier(name) if self.open > 0 && self.scope.has_synonym(&normal(name)) => {
                self.places.insert(name.span.start);
            }
            _ => {}
        }
        let is_aggregate = matches!(expr, Expr::Function(function) if (self.is_aggregate)(function));
        self.open += usize::from(self.open > 0 || is_aggregate);
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, _: &Expr) -> ControlFlow<()> {
        self.open = self.open.saturating_sub(1);
        ControlFlow::Continue(())
    }
}

struct Qualify<'a> {
    scope: &'a Scope,
    is_aggregate: IsAggregate<'a>,
    /// The names of the columns of the result, those of them that are aliases, and those that are aliases of something else.
    outputs: HashSet<String>,
    aliases: HashSet<String>,
    shadowing: HashSet<String>,
    is_grouped: bool,
    /// Whether all names are columns of the tables first.
    everywhere: bool,
    /// Columns of GROUP BY: others have no single value in a group.
    group_columns: HashSet<String>,
    /// Expressions of the result and of GROUP BY. Where a key repeats one, its names mean the same.
    computed: Vec<&'a Expr>,
    /// How many of the expressions around are one whose names are columns of the tables, or in one.
    inside: usize,
    queries: usize,
    /// The parameters of the lambdas around.
    lambdas: Vec<HashSet<String>>,
    /// Positions of names after a dot.
    fields: HashSet<Location>,
    other_names: HashSet<Location>,
}

impl Qualify<'_> {
    /// Whether the names in an expression are those of columns of the tables.
    fn is_of_tables(&self, expr: &Expr) -> bool {
        let is_call = matches!(expr, Expr::Function(function)
            if (self.is_aggregate)(function) || (function.over.is_some() && !self.is_grouped));
        is_call || self.computed.contains(&expr)
    }

    /// A name that columns of the result and of a table have, with its table.
    fn qualified(&mut self, ident: &Ident, is_inside: bool) -> Option<Expr> {
        let name = normal(ident);
        let is_alias = self.aliases.contains(&name);
        let of_group = self.group_columns.contains(&name) && self.shadowing.contains(&name);
        let is_column = !self.fields.contains(&ident.span.start)
            && !self.lambdas.iter().any(|parameters| parameters.contains(&name))
            && self.outputs.contains(&name)
            && (is_inside || of_group);
        if !is_column {
            return None;
        }
        if self.scope.using.iter().any(|column| column.name == name) {
            self.other_names.insert(ident.span.start);
            return None;
        }
        match self.scope.owner(&name) {
            Some(relation) if is_alias => {
                let table = Ident { value: relation.name.clone()?, quote_style: Some('"'), span: ident.span };
                Some(Expr::CompoundIdentifier(vec![table, ident.clone()]))
            }
            None if self.scope.has_synonym(&name) => {
                self.other_names.insert(ident.span.start);
                None
            }
            _ => None,
        }
    }
}

impl VisitorMut for Qualify<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.queries += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.queries -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        match &*expr {
            Expr::Lambda(LambdaFunction { params, .. }) => {
                self.lambdas.push(params.iter().map(|parameter| normal(&parameter.name)).collect());
            }
            Expr::CompoundFieldAccess { root, access_chain } => {
                // `t.list[1]` begins with a table, or with a struct.
                if let (Expr::Identifier(name), Some(AccessExpr::Dot(_))) = (root.as_ref(), access_chain.first()) {
                    self.fields.insert(name.span.start);
                }
                for access in access_chain {
                    if let AccessExpr::Dot(Expr::Identifier(name)) = access {
                        self.fields.insert(name.span.start);
                    }
                }
            }
            _ => {}
        }
        let is_of_tables = || self.queries == 0 && !self.everywhere && self.is_of_tables(expr);
        if self.inside > 0 || is_of_tables() {
            self.inside += 1;
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        let is_inside = self.everywhere || self.inside > 0;
        self.inside = self.inside.saturating_sub(1);
        match &*expr {
            Expr::Lambda(_) => drop(self.lambdas.pop()),
            Expr::Identifier(ident) if self.queries == 0 => {
                if let Some(qualified) = self.qualified(ident, is_inside) {
                    *expr = qualified;
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// Whether a key is a name or a position alone, in whatever parentheses.
fn is_bare(key: &Expr) -> bool {
    match key {
        Expr::Identifier(_) | Expr::Value(_) => true,
        Expr::Nested(inner) => is_bare(inner),
        _ => false,
    }
}

fn item_expr(item: &SelectItem) -> Option<&Expr> {
    match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr),
        _ => None,
    }
}

fn aliases(select: &Select) -> HashSet<String> {
    let alias = |item: &SelectItem| match item {
        SelectItem::ExprWithAlias { alias, .. } => Some(normal(alias)),
        _ => None,
    };
    select.projection.iter().filter_map(alias).collect()
}

/// The aliases of columns that show something else than a column of that name.
fn shadowing_names(select: &Select) -> HashSet<String> {
    let shadowing = |item: &SelectItem| match item {
        SelectItem::ExprWithAlias { expr, alias } => {
            let alias = normal(alias);
            (column_of(expr).map(|(name, _)| normal(name)).as_ref() != Some(&alias)).then_some(alias)
        }
        _ => None,
    };
    select.projection.iter().filter_map(shadowing).collect()
}

/// The keys of GROUP BY, also those of grouping sets and by their position; `None` of `GROUP BY ALL`.
fn group_keys(select: &Select) -> Option<Vec<&Expr>> {
    let GroupByExpr::Expressions(keys, _) = &select.group_by else { return None };
    let parts = keys.iter().flat_map(|key| match key {
        Expr::Rollup(sets) | Expr::Cube(sets) | Expr::GroupingSets(sets) => sets.iter().flatten().collect::<Vec<_>>(),
        other => vec![other],
    });
    let shown = |key: &Expr| match key {
        Expr::Value(value) => match &value.value {
            Value::Number(digits, _) => {
                item_expr(select.projection.get(digits.parse::<usize>().ok()?.checked_sub(1)?)?)
            }
            _ => None,
        },
        _ => None,
    };
    Some(parts.map(|key| shown(key).unwrap_or(key)).collect())
}

/// Whether an expression has a name outside of its subqueries for which a condition is true.
fn mentions(expr: &Expr, condition: &dyn Fn(&str) -> bool) -> bool {
    let mut found = false;
    visit_outside_subqueries(expr, |expr| {
        found |= matches!(expr, Expr::Identifier(name) if condition(&normal(name)));
    });
    found
}

fn has_aggregate(expr: &Expr, is_aggregate: IsAggregate<'_>) -> bool {
    let mut found = false;
    visit_outside_subqueries(expr, |expr| {
        found |= matches!(expr, Expr::Function(function) if is_aggregate(function));
    });
    found
}
