//! Other names of columns: `block_time` of a table of the chain is `block_timestamp`, and so on, before planning.
//!
//! It works on the parsed statement, so that what is planned, pruned and shown is the one real column. A name is
//! replaced only where no relation in sight has a column of that name: what a query defines itself always wins.

mod columns;
mod path;
mod relation;
mod repeated;
mod scope;
mod shared;
mod shared_stars;

use std::collections::HashSet;
use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    AccessExpr, Expr, GroupByExpr, Ident, OrderByKind, Query, Select, SelectItem, SetExpr, Statement, Visitor,
    VisitorMut,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::Parser;
use datafusion::sql::sqlparser::tokenizer::{Location, Span};

use self::columns::Environment;
use self::relation::Relation;
use self::scope::{Found, Scope, Scopes};
use crate::ast_visitor::{visit, visit_mut};
use crate::session::tables::QueryCatalog;
use quarry_lake::tables::{OF_ROW, Synonym};
use quarry_types::{Error, ErrorCode, Result};

pub use path::join_hyphens;
pub use relation::normal;
pub use shared::constraint;

/// Replaces the other names in a statement by what they mean.
pub fn resolve(statement: &mut Statement, catalog: &QueryCatalog) -> Result<()> {
    let mut resolve =
        Resolve { environment: Environment::new(catalog), scopes: Scopes::default(), own: HashSet::new(), unnamed: 0 };
    match visit_mut(statement, &mut resolve) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(error) => Err(*error),
    }
}

struct Resolve<'a> {
    environment: Environment<'a>,
    scopes: Scopes,
    /// Places of names that stand for an output column of their own SELECT, or for a field of a row.
    own: HashSet<Location>,
    /// Number of subqueries in FROM that were given an alias.
    unnamed: usize,
}

type Flow = ControlFlow<Box<Error>>;

impl VisitorMut for Resolve<'_> {
    type Break = Box<Error>;

    fn pre_visit_query(&mut self, query: &mut Query) -> Flow {
        self.environment.enter(query);
        // What ORDER BY sees: the relations of a SELECT, or the columns of UNION and the like.
        let scope = match query.body.as_mut() {
            SetExpr::Select(select) => self.open(select)?,
            other => {
                let relations = vec![Relation::unnamed(self.environment.of_body(other))];
                Scope { relations, ..Scope::default() }
            }
        };
        if let (SetExpr::Select(select), Some(order)) = (query.body.as_ref(), &query.order_by)
            && let OrderByKind::Expressions(keys) = &order.kind
        {
            let names = output_names(select);
            keys.iter().for_each(|key| self.keep(&key.expr, &names));
        }
        self.scopes.push(scope);
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> Flow {
        self.scopes.pop();
        self.environment.leave();
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> Flow {
        let scope = match self.scopes.of_select() {
            Some(scope) => scope,
            None => self.open(select)?,
        };
        // In GROUP BY and HAVING a shared column takes precedence over an alias, in ORDER BY it does not.
        let is_shared = |name: &String| scope.shared.iter().any(|shared| shared.name == *name);
        let names: HashSet<String> = output_names(select).into_iter().filter(|name| !is_shared(name)).collect();
        self.scopes.push(scope);
        if let GroupByExpr::Expressions(keys, _) = &select.group_by {
            keys.iter().for_each(|key| self.keep(key, &names));
        }
        select.having.iter().chain(&select.qualify).for_each(|condition| self.keep(condition, &names));
        let mut taken: HashSet<String> = HashSet::new();
        for item in &mut select.projection {
            let own = matches!(item, SelectItem::UnnamedExpr(_));
            self.name_item(item)?;
            let SelectItem::ExprWithAlias { alias, .. } = item else { continue };
            let name = normal(alias);
            // `a."from", b."from"`: two columns that are asked for by one other name.
            if own && taken.contains(&name) {
                let free = (1..).map(|number| format!("{name}_{number}")).find(|name| !taken.contains(name));
                *alias = Ident { value: free.unwrap_or(name), quote_style: Some('"'), span: alias.span };
            }
            taken.insert(normal(alias));
        }
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, _: &mut Select) -> Flow {
        self.scopes.pop();
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> Flow {
        match expr {
            Expr::CompoundFieldAccess { root, access_chain } => self.part(root, access_chain),
            _ => ControlFlow::Continue(()),
        }
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> Flow {
        if let Some(meaning) = self.meaning(expr)? {
            *expr = meaning;
        }
        ControlFlow::Continue(())
    }
}

impl Resolve<'_> {
    /// The scope of a SELECT. Resolves its shared columns.
    fn open(&mut self, select: &mut Select) -> ControlFlow<Box<Error>, Scope> {
        repeated::number(select, &self.environment.relations(&select.from));
        let mut shared = Vec::new();
        if shared::in_any(&select.from) {
            let environment = &self.environment;
            let tables =
                shared::write_out(&mut select.from, &|factor| environment.of_factor(factor), &mut self.unnamed);
            let written =
                tables.and_then(|tables| shared_stars::expand(&mut select.projection, &tables).map(|()| tables));
            match written {
                Ok(tables) => shared = shared::unambiguous(&tables),
                Err(error) => return ControlFlow::Break(error),
            }
        }
        ControlFlow::Continue(Scope { relations: self.environment.relations(&select.from), shared, of_select: true })
    }

    /// What an expression means when it is another name of a column; `None`: it is not one.
    fn meaning(&self, expr: &Expr) -> ControlFlow<Box<Error>, Option<Expr>> {
        let (prefix, ident) = match expr {
            Expr::Identifier(ident) => (&[][..], ident),
            Expr::CompoundIdentifier(parts) => match parts.split_last() {
                Some((ident, prefix)) => (prefix, ident),
                None => return ControlFlow::Continue(None),
            },
            _ => return ControlFlow::Continue(None),
        };
        if prefix.is_empty() && self.own.contains(&ident.span.start) {
            return ControlFlow::Continue(None);
        }
        let name = normal(ident);
        let lower = name.to_lowercase();
        if prefix.is_empty()
            && let Some(shared) = self.scopes.shared(&name)
        {
            return ControlFlow::Continue(Some(shared.value.clone()));
        }
        if prefix.is_empty()
            && let Some(relation) = self.scopes.preferred(&name)
        {
            let parts = vec![Ident::with_quote('"', relation), ident.clone()];
            return ControlFlow::Continue(Some(Expr::CompoundIdentifier(parts)));
        }
        let (mut found, mut own) = (self.scopes.find(prefix, &name), false);
        if matches!(found, Found::Nothing) && lower != name && !self.scopes.knows(prefix, &name) {
            // Quotes keep letter case, but on Dune no name depends on it.
            found = self.scopes.find(prefix, &lower);
            own = self.scopes.knows(prefix, &lower);
        }
        ControlFlow::Continue(match found {
            Found::Nothing if own => {
                let ident = Ident { value: lower, quote_style: Some('"'), span: ident.span };
                Some(match prefix {
                    [] => Expr::Identifier(ident),
                    _ => Expr::CompoundIdentifier(prefix.iter().cloned().chain([ident]).collect()),
                })
            }
            Found::Nothing => None,
            Found::Ambiguous => {
                let message = format!("The column {ident} is in several tables; write table.{ident} instead.");
                let mut error = Error::new(ErrorCode::InvalidQuery, message);
                if ident.span.start.line > 0 {
                    let Location { line, column } = ident.span.start;
                    error = error.at(quarry_types::Position { line, column });
                }
                return ControlFlow::Break(Box::new(error));
            }
            Found::Synonym { synonym, relation } => {
                let relation = relation.map(|name| vec![Ident::with_quote('"', name)]);
                let prefix = if prefix.is_empty() { relation.unwrap_or_default() } else { prefix.to_vec() };
                match expression(synonym, &prefix, ident.span) {
                    Ok(meaning) => Some(meaning),
                    Err(error) => return ControlFlow::Break(Box::new(error)),
                }
            }
        })
    }

    /// `l.topics[1]`, where the parser takes the column for a part of the table: a column as any other, which has no names
    /// of columns behind it.
    fn part(&mut self, root: &mut Expr, chain: &mut Vec<AccessExpr>) -> Flow {
        let mut names = match &*root {
            Expr::Identifier(name) => vec![name.clone()],
            Expr::CompoundIdentifier(names) => names.clone(),
            _ => Vec::new(),
        };
        for behind in 0..chain.len() {
            let AccessExpr::Dot(Expr::Identifier(name)) = &chain[behind] else { break };
            if names.is_empty() {
                break;
            }
            names.push(name.clone());
            if let Some(meaning) = self.meaning(&Expr::CompoundIdentifier(names.clone()))? {
                *root = meaning;
                chain.drain(..=behind);
                break;
            }
        }
        for access in chain {
            if let AccessExpr::Dot(Expr::Identifier(name)) = access
                && name.span.start.line > 0
            {
                self.own.insert(name.span.start);
            }
        }
        ControlFlow::Continue(())
    }

    /// A column that is asked for by another name comes out under that name.
    fn name_item(&self, item: &mut SelectItem) -> Flow {
        let SelectItem::UnnamedExpr(expr) = item else { return ControlFlow::Continue(()) };
        let Some(meaning) = self.meaning(expr)? else { return ControlFlow::Continue(()) };
        let alias = match expr {
            Expr::Identifier(ident) => ident.clone(),
            Expr::CompoundIdentifier(parts) => match parts.last() {
                Some(ident) => ident.clone(),
                None => return ControlFlow::Continue(()),
            },
            _ => return ControlFlow::Continue(()),
        };
        *item = SelectItem::ExprWithAlias { expr: meaning, alias };
        ControlFlow::Continue(())
    }

    /// Remembers names of an expression that mean an output column.
    fn keep(&mut self, expr: &Expr, names: &HashSet<String>) {
        let mut keep = Keep { names, places: &mut self.own, queries: 0 };
        // The visitor never breaks off.
        let _ = visit(expr, &mut keep);
    }
}

struct Keep<'a> {
    names: &'a HashSet<String>,
    places: &'a mut HashSet<Location>,
    /// Queries that are open: what they name is theirs.
    queries: usize,
}

impl Visitor for Keep<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.queries += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.queries -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::Identifier(ident) = expr
            && self.queries == 0
            && ident.span.start.line > 0
            && self.names.contains(&normal(ident))
        {
            self.places.insert(ident.span.start);
        }
        ControlFlow::Continue(())
    }
}

/// Names under which the columns of a SELECT come out, where it says so.
fn output_names(select: &Select) -> HashSet<String> {
    let name = |item: &SelectItem| match item {
        SelectItem::ExprWithAlias { alias, .. } => Some(normal(alias)),
        SelectItem::UnnamedExpr(Expr::Identifier(ident)) => Some(normal(ident)),
        SelectItem::UnnamedExpr(Expr::CompoundIdentifier(parts)) => parts.last().map(normal),
        _ => None,
    };
    select.projection.iter().filter_map(name).collect()
}

/// The meaning of a synonym as an expression over the relation that `prefix` names, at the place where it was written.
fn expression(synonym: &Synonym, prefix: &[Ident], span: Span) -> Result<Expr> {
    let parsed = Parser::new(&GenericDialect {})
        .try_with_sql(synonym.means)
        .and_then(|mut parser| parser.parse_expr())
        .map_err(Error::internal)?;
    let mut place = Place { prefix, span, queries: 0 };
    let mut expr = match parsed {
        column @ Expr::Identifier(_) => column,
        Expr::Subquery(query) => Expr::Subquery(Box::new(shown_as(*query, synonym, prefix))),
        more => Expr::Nested(Box::new(more)),
    };
    // The visitor never breaks off.
    let _ = visit_mut(&mut expr, &mut place);
    Ok(expr)
}

/// A query whose value is called as it was asked for: the planner tells two of them in one aggregation by what they show.
fn shown_as(mut query: Query, synonym: &Synonym, prefix: &[Ident]) -> Query {
    if let SetExpr::Select(select) = query.body.as_mut()
        && let [item] = select.projection.as_mut_slice()
        && let SelectItem::UnnamedExpr(expr) = &*item
    {
        let words = prefix.iter().map(|part| part.value.as_str()).chain([synonym.name]).collect::<Vec<&str>>();
        *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias: Ident::with_quote('"', words.join(".")) };
    }
    query
}

struct Place<'a> {
    prefix: &'a [Ident],
    span: Span,
    /// Queries that are open: what they name is theirs.
    queries: usize,
}

impl VisitorMut for Place<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.queries += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.queries -= 1;
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        match expr {
            Expr::CompoundIdentifier(parts) if matches!(parts.as_slice(), [row, _] if row.value == OF_ROW) => {
                let column = self.prefix.iter().chain(parts.last()).cloned().collect::<Vec<Ident>>();
                *expr = match <[Ident; 1]>::try_from(column) {
                    Ok([column]) => Expr::Identifier(column),
                    Err(column) => Expr::CompoundIdentifier(column),
                };
            }
            _ if self.queries > 0 => {}
            Expr::Identifier(ident) => {
                ident.span = self.span;
                if !self.prefix.is_empty() {
                    *expr = Expr::CompoundIdentifier(self.prefix.iter().chain([&*ident]).cloned().collect());
                }
            }
            Expr::Value(value) => value.span = self.span,
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
