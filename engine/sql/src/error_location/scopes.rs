//! The expressions of a statement with the tables that they see, so that each can be planned alone.

use std::ops::ControlFlow;
use std::sync::Arc;

use datafusion::sql::sqlparser::ast::helpers::attached_token::AttachedToken;
use datafusion::sql::sqlparser::ast::{
    Cte, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, GroupByExpr, Ident, JoinConstraint, JoinOperator,
    LambdaFunction, OrderByKind, Query, Select, SelectItem, SetExpr, Statement, TableFactor, TableWithJoins, Value,
    Visitor, With,
};

use crate::syntax::visitor::visit;
use crate::syntax::{join_constraint_mut, query_of, star_qualifier};

/// The common table expressions in scope: the last one, and those before it, which scopes share.
#[derive(Clone, Default)]
struct Ctes(Option<Arc<(Cte, Ctes)>>);

impl Ctes {
    fn with(&self, cte: &Cte) -> Ctes {
        Ctes(Some(Arc::new((cte.clone(), self.clone()))))
    }

    fn to_with(&self) -> Option<With> {
        let all = std::iter::successors(self.0.as_deref(), |(_, before)| before.0.as_deref());
        let mut cte_tables: Vec<Cte> = all.map(|(cte, _)| cte.clone()).collect();
        cte_tables.reverse();
        (!cte_tables.is_empty()).then(|| With { with_token: AttachedToken::empty(), recursive: false, cte_tables })
    }
}

/// Expressions over the same tables.
pub(crate) struct Scope {
    ctes: Ctes,
    /// A query of nothing from these tables, without its WITH.
    frame: Query,
    pub roots: Vec<Expr>,
    /// The names before the stars of a SELECT: `t.*`.
    pub stars: Vec<Vec<Ident>>,
}

impl Scope {
    /// The tables in FROM.
    pub fn from(&self) -> &[TableWithJoins] {
        self.frame.body.as_select().map_or(&[], |select| &select.from)
    }

    /// A statement that selects the expression alone.
    pub fn with(&self, expr: Expr) -> Statement {
        let mut query = Query { with: self.ctes.to_with(), ..self.frame.clone() };
        if let SetExpr::Select(select) = query.body.as_mut() {
            select.projection = vec![SelectItem::UnnamedExpr(expr)];
        }
        Statement::Query(Box::new(query))
    }
}

/// An expression over no table.
pub(super) fn alone(expr: Expr) -> Statement {
    let frame = frame(Vec::new(), None);
    Scope { ctes: Ctes::default(), frame, roots: Vec::new(), stars: Vec::new() }.with(expr)
}

/// The scopes of a statement, those that others read first.
pub(crate) fn of_statement(statement: &Statement) -> Vec<Scope> {
    match statement {
        Statement::Query(query) => {
            let mut walk = Walk::default();
            walk.query(query);
            walk.scopes
        }
        Statement::Explain { statement, .. } => of_statement(statement),
        _ => Vec::new(),
    }
}

#[derive(Default)]
struct Walk {
    ctes: Ctes,
    scopes: Vec<Scope>,
}

impl Walk {
    fn query(&mut self, query: &Query) {
        let outer = self.ctes.clone();
        for cte in query.with.iter().flat_map(|with| &with.cte_tables) {
            self.query(&cte.query);
            self.ctes = self.ctes.with(cte);
        }
        let order = match query.order_by.as_ref().map(|order| &order.kind) {
            Some(OrderByKind::Expressions(order)) => order.iter().map(|ordered| ordered.expr.clone()).collect(),
            _ => Vec::new(),
        };
        self.body(&query.body, order);
        self.ctes = outer;
    }

    fn body(&mut self, body: &SetExpr, order: Vec<Expr>) {
        match body {
            SetExpr::Select(select) => self.select(select, order),
            SetExpr::Query(query) => self.query(query),
            SetExpr::SetOperation { left, right, .. } => {
                self.body(left, Vec::new());
                self.body(right, Vec::new());
            }
            SetExpr::Values(values) => {
                let roots = values.rows.iter().flat_map(|row| row.content.clone()).collect();
                self.add(Vec::new(), roots, None);
            }
            _ => {}
        }
    }

    fn select(&mut self, select: &Select, order: Vec<Expr>) {
        for (index, table) in select.from.iter().enumerate() {
            self.table(&table.relation, &select.from[..index]);
            for (place, join) in table.joins.iter().enumerate() {
                let mut before = select.from[..index].to_vec();
                before.push(TableWithJoins { relation: table.relation.clone(), joins: table.joins[..place].to_vec() });
                self.table(&join.relation, &before);
            }
        }
        let mut free = select.from.clone();
        let conditions = free.iter_mut().flat_map(|table| &mut table.joins);
        let conditions: Vec<Expr> = conditions.filter_map(|join| take_condition(&mut join.join_operator)).collect();
        if !conditions.is_empty() {
            self.add(free, conditions, None);
        }
        let mut roots: Vec<Expr> = select.projection.iter().filter_map(expr_of).collect();
        roots.extend(select.selection.clone());
        if let GroupByExpr::Expressions(groups, _) = &select.group_by {
            roots.extend(groups.clone());
        }
        roots.extend(select.having.iter().chain(&select.qualify).cloned());
        roots.extend(order);
        self.add(select.from.clone(), roots, Some(select));
    }

    /// Queries in FROM, and the arguments of the functions there, which see the tables before them.
    fn table(&mut self, table: &TableFactor, before: &[TableWithJoins]) {
        match table {
            TableFactor::Derived { subquery, .. } => self.query(subquery),
            TableFactor::NestedJoin { table_with_joins, .. } => {
                self.table(&table_with_joins.relation, before);
                table_with_joins.joins.iter().for_each(|join| self.table(&join.relation, before));
            }
            TableFactor::UNNEST { array_exprs, .. } => self.add(before.to_vec(), array_exprs.clone(), None),
            TableFactor::Function { args, .. } => {
                let value = |arg: &FunctionArg| match arg {
                    FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr.clone()),
                    _ => None,
                };
                self.add(before.to_vec(), args.iter().filter_map(value).collect(), None);
            }
            _ => {}
        }
    }

    fn add(&mut self, from: Vec<TableWithJoins>, roots: Vec<Expr>, select: Option<&Select>) {
        for root in &roots {
            let mut inner = Parts::default();
            // The visitor never breaks off.
            let _ = visit(root, &mut inner);
            inner.queries.iter().for_each(|query| self.query(query));
        }
        let stars = select.iter().flat_map(|select| &select.projection).map(star_qualifier);
        let stars = stars.filter(|names| !names.is_empty()).collect();
        self.scopes.push(Scope { ctes: self.ctes.clone(), frame: frame(from, select), roots, stars });
    }
}

/// The condition of a join, with one that is always true in its place.
fn take_condition(join: &mut JoinOperator) -> Option<Expr> {
    match join_constraint_mut(join)? {
        JoinConstraint::On(on) => Some(std::mem::replace(on, Expr::Value(Value::Boolean(true).into()))),
        _ => None,
    }
}

fn expr_of(item: &SelectItem) -> Option<Expr> {
    match item {
        SelectItem::UnnamedExpr(expr)
        | SelectItem::ExprWithAlias { expr, .. }
        | SelectItem::ExprWithAliases { expr, .. } => Some(expr.clone()),
        _ => None,
    }
}

/// A query of nothing from tables, with the windows that a SELECT names.
fn frame(from: Vec<TableWithJoins>, select: Option<&Select>) -> Query {
    let mut query = query_of(Vec::new(), from, None);
    if let (SetExpr::Select(framed), Some(select)) = (query.body.as_mut(), select) {
        framed.named_window = select.named_window.clone();
    }
    query
}

/// A call with another body of one of its lambdas.
pub(super) fn with_body(call: &Expr, lambda: &LambdaFunction, body: Expr) -> Expr {
    let mut call = call.clone();
    if let Expr::Function(function) = &mut call
        && let FunctionArguments::List(list) = &mut function.args
    {
        for arg in &mut list.args {
            if let FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Lambda(own))) = arg
                && own == lambda
            {
                *own.body = body.clone();
            }
        }
    }
    call
}

/// The expressions directly inside one.
pub(super) fn parts(expr: &Expr) -> Vec<Expr> {
    let mut parts = Parts::default();
    // The visitor never breaks off.
    let _ = visit(expr, &mut parts);
    parts.inside
}

/// Whether an expression has no column and no query.
pub(super) fn is_constant(expr: &Expr) -> bool {
    let mut parts = Parts::default();
    // The visitor never breaks off.
    let _ = visit(expr, &mut parts);
    parts.queries.is_empty() && !parts.has_columns
}

#[derive(Default)]
struct Parts {
    depth: usize,
    in_queries: usize,
    inside: Vec<Expr>,
    queries: Vec<Query>,
    has_columns: bool,
    lambda_parameters: Vec<Ident>,
}

impl Visitor for Parts {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        if self.in_queries == 0 {
            self.queries.push(query.clone());
        }
        self.in_queries += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.in_queries -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if self.in_queries == 0 {
            self.depth += 1;
            if self.depth == 2 {
                self.inside.push(expr.clone());
            }
            self.has_columns |= match expr {
                Expr::Identifier(name) => !self.lambda_parameters.iter().any(|parameter| parameter.value == name.value),
                Expr::CompoundIdentifier(_) => true,
                _ => false,
            };
            if let Expr::Lambda(lambda) = expr {
                self.lambda_parameters.extend(lambda.params.iter().map(|param| param.name.clone()));
            }
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, _: &Expr) -> ControlFlow<()> {
        if self.in_queries == 0 {
            self.depth -= 1;
        }
        ControlFlow::Continue(())
    }
}
