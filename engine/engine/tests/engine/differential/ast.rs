//! The syntax tree of generated queries, which can be printed in each dialect and shrunk part by part.

use super::values::{Dialect, Type, Value};

/// An expression of one type.
#[derive(Debug, Clone)]
pub enum Expr {
    /// A column, qualified with its table unless USING merged it.
    Column(String, Type),
    Constant(Option<Value>, Type),
    /// `NULL` without a cast, where every dialect infers its type.
    Null(Type),
    /// An operator, a call or another form with arguments.
    Form(Form, Vec<Expr>, Type),
    /// A form with arguments and a subquery, whose placeholder is `{q}`.
    Sub(Form, Vec<Expr>, Box<Query>, Type),
}

/// The text of an expression in each dialect. `{0}` is a placeholder for the first argument; `{0:7}` adds that it must bind at
/// least as tightly as level 7.
#[derive(Debug, Clone)]
pub struct Form {
    pub quarry: String,
    /// `None` if DuckDB has no equivalent; such queries are not sent to it.
    pub duckdb: Option<String>,
    pub postgres: Option<String>,
    /// Its precedence; higher levels bind more tightly.
    pub level: u8,
    /// Aggregates and window functions are not allowed in every clause.
    pub kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Plain,
    Aggregate,
    Window,
}

/// The precedence of calls, constants and everything else that needs no parentheses.
pub const ATOM: u8 = 11;

impl Form {
    /// A form with the same text in all dialects.
    pub fn new(text: impl Into<String>, level: u8) -> Form {
        let text = text.into();
        Form { duckdb: Some(text.clone()), postgres: Some(text.clone()), quarry: text, level, kind: Kind::Plain }
    }

    pub fn duckdb(mut self, text: impl Into<String>) -> Form {
        self.duckdb = Some(text.into());
        self
    }

    pub fn postgres(mut self, text: impl Into<String>) -> Form {
        self.postgres = Some(text.into());
        self
    }

    pub fn not_postgres(mut self) -> Form {
        self.postgres = None;
        self
    }

    pub fn kind(mut self, kind: Kind) -> Form {
        self.kind = kind;
        self
    }

    pub fn text(&self, dialect: Dialect) -> Option<&str> {
        match dialect {
            Dialect::Quarry => Some(&self.quarry),
            Dialect::DuckDb => self.duckdb.as_deref(),
            Dialect::Postgres => self.postgres.as_deref(),
        }
    }
}

impl Expr {
    /// The type of its value.
    pub fn value_type(&self) -> Type {
        match self {
            Expr::Column(_, of)
            | Expr::Constant(_, of)
            | Expr::Null(of)
            | Expr::Form(_, _, of)
            | Expr::Sub(_, _, _, of) => *of,
        }
    }

    /// Whether it, or an argument at any depth, is of a kind.
    pub fn has(&self, kind: Kind) -> bool {
        match self {
            Expr::Form(form, parts, _) | Expr::Sub(form, parts, _, _) => {
                form.kind == kind || parts.iter().any(|part| part.has(kind))
            }
            _ => false,
        }
    }
}

#[derive(Debug, Clone)]
pub struct Query {
    pub with: Vec<With>,
    pub body: Body,
    /// Empty if the rows have no order.
    pub order: Vec<Order>,
    pub limit: Option<u64>,
    pub offset: Option<u64>,
}

#[derive(Debug, Clone)]
pub struct Order {
    /// Position in the select list, from 0.
    pub column: usize,
    pub descending: bool,
    /// `None` for nulls last without writing it where that is the default.
    pub nulls_first: Option<bool>,
}

#[derive(Debug, Clone)]
pub struct With {
    pub name: String,
    pub query: Query,
}

#[derive(Debug, Clone)]
pub enum Body {
    Select(Box<Select>),
    /// A set operation: `union`, `intersect` or `except`, with or without `all`.
    Set(String, Box<Body>, Box<Body>),
}

#[derive(Debug, Clone)]
pub struct Select {
    pub distinct: bool,
    pub items: Vec<Item>,
    pub from: Option<From>,
    pub filter: Option<Expr>,
    pub group: Group,
    pub having: Option<Expr>,
    pub qualify: Option<Expr>,
}

#[derive(Debug, Clone)]
pub struct Item {
    pub expr: Expr,
    pub name: String,
}

#[derive(Debug, Clone)]
pub enum Group {
    /// No GROUP BY: all rows are one group if there is an aggregate.
    None,
    By(Vec<Expr>),
    /// ROLLUP or CUBE of the keys.
    All(&'static str, Vec<Expr>),
    Sets(Vec<Vec<Expr>>),
}

#[derive(Debug, Clone)]
pub enum From {
    Table { name: String, alias: String },
    Derived { query: Box<Query>, alias: String, lateral: bool },
    Join { kind: &'static str, left: Box<From>, right: Box<From>, on: On },
}

#[derive(Debug, Clone)]
pub enum On {
    Nothing,
    Condition(Expr),
    Using(Vec<String>),
}

impl Query {
    /// The SELECT that names the columns of the query.
    pub fn first_select(&self) -> &Select {
        let mut body = &self.body;
        loop {
            match body {
                Body::Select(select) => return select,
                Body::Set(_, left, _) => body = left,
            }
        }
    }

    pub fn types(&self) -> Vec<Type> {
        self.first_select().items.iter().map(|item| item.expr.value_type()).collect()
    }
}

impl Query {
    /// Whether an aggregate uses only outer columns. By the standard it then belongs to the outer query; Quarry evaluates it in
    /// its own.
    pub fn has_outer_aggregate(&self) -> bool {
        self.with.iter().any(|with| with.query.has_outer_aggregate()) || self.body.has_outer_aggregate()
    }
}

impl Body {
    fn has_outer_aggregate(&self) -> bool {
        match self {
            Body::Select(select) => select.has_outer_aggregate(),
            Body::Set(_, left, right) => left.has_outer_aggregate() || right.has_outer_aggregate(),
        }
    }
}

impl Select {
    fn has_outer_aggregate(&self) -> bool {
        let mut own = Vec::new();
        let inside = self.from.as_ref().is_some_and(|from| from.has_outer_aggregate(&mut own));
        let keys = match &self.group {
            Group::None => Vec::new(),
            Group::By(keys) | Group::All(_, keys) => keys.iter().collect(),
            Group::Sets(sets) => sets.iter().flatten().collect(),
        };
        let conditions = [&self.filter, &self.having, &self.qualify];
        let mut exprs = self.items.iter().map(|item| &item.expr).chain(conditions.into_iter().flatten()).chain(keys);
        inside || exprs.any(|expr| expr.has_outer_aggregate(&own))
    }
}

impl From {
    /// Adds the aliases of its tables to `own`.
    fn has_outer_aggregate(&self, own: &mut Vec<String>) -> bool {
        match self {
            From::Table { alias, .. } => {
                own.push(alias.clone());
                false
            }
            From::Derived { query, alias, .. } => {
                own.push(alias.clone());
                query.has_outer_aggregate()
            }
            From::Join { left, right, on, .. } => {
                // Not `||` on the calls: both sides must add their aliases.
                let (left, right) = (left.has_outer_aggregate(own), right.has_outer_aggregate(own));
                left || right || matches!(on, On::Condition(condition) if condition.has_outer_aggregate(own))
            }
        }
    }
}

impl Expr {
    fn has_outer_aggregate(&self, own: &[String]) -> bool {
        let (Expr::Form(_, parts, _) | Expr::Sub(_, parts, _, _)) = self else { return false };
        if matches!(self, Expr::Form(form, ..) if form.kind == Kind::Aggregate) {
            let mut columns = Vec::new();
            parts.iter().for_each(|part| part.columns(&mut columns));
            // A column that USING merged has no qualifier.
            let is_own =
                |column: &&str| column.split_once('.').is_none_or(|(table, _)| own.iter().any(|own| own == table));
            if !columns.is_empty() && !columns.iter().any(is_own) {
                return true;
            }
        }
        let inside = matches!(self, Expr::Sub(_, _, query, _) if query.has_outer_aggregate());
        inside || parts.iter().any(|part| part.has_outer_aggregate(own))
    }

    /// Collects the names of its columns, except those in subqueries.
    fn columns<'a>(&'a self, columns: &mut Vec<&'a str>) {
        match self {
            Expr::Column(name, _) => columns.push(name),
            Expr::Form(_, parts, _) | Expr::Sub(_, parts, _, _) => parts.iter().for_each(|part| part.columns(columns)),
            Expr::Constant(..) | Expr::Null(_) => {}
        }
    }
}
