//! The binder: what names of a parsed statement mean, by the tables of the catalog. It resolves synonyms of columns (`block_time` of a
//! table of the chain is `block_timestamp`), USING and NATURAL, lateral column aliases and the stars of structs, and gives columns
//! of a SELECT that would have the same name distinct ones. In ORDER BY it distinguishes columns of tables from columns of the result
//! that have their names.
//!
//! It works before planning, so that the plan, pruning and results show the one real column. A synonym is replaced only where no
//! relation in scope has a column of that name: what a query defines itself takes precedence.

mod environment;
mod lateral_aliases;
mod order_keys;
mod scope;
mod struct_stars;
mod using;
mod using_wildcards;

use std::collections::HashSet;
use std::ops::ControlFlow;

use datafusion::execution::context::SessionState;
use datafusion::sql::sqlparser::ast::{
    AccessExpr, Distinct, Expr, Function, GroupByExpr, Ident, OrderByKind, Query, Select, SelectItem, SetExpr,
    Statement, TableFactor, VisitorMut,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::Parser;
use datafusion::sql::sqlparser::tokenizer::{Location, Span};

use self::environment::Environment;
use self::lateral_aliases::LateralAliases;
use self::scope::{Meaning, Scope, Scopes};
use crate::error_location::{error_at, location_position};
use crate::names::output_names::{self, column_of, names_written};
use crate::names::relation::{Relation, normal};
use crate::rewrite;
use crate::session::tables::QueryCatalog;
use crate::syntax::visit_outside_subqueries;
use crate::syntax::visitor::visit_mut;
use quarry_lake::tables::{OF_ROW, Synonym};
use quarry_types::{Error, ErrorCode, Result};

pub use struct_stars::expand as expand_struct_stars;

/// Resolves the names of a statement. Lateral aliases are those of SQL: HiveQL, which has none, passes no state.
///
/// # Errors
///
/// A name is ambiguous, or an alias can't be used where it is.
pub fn resolve(statement: &mut Statement, catalog: &QueryCatalog, state: Option<&SessionState>) -> Result<()> {
    let mut resolve = Resolve {
        environment: Environment::new(catalog),
        scopes: Scopes::default(),
        outputs: HashSet::new(),
        fields: HashSet::new(),
        subqueries: 0,
        lateral_aliases: state.map(LateralAliases::new),
    };
    match visit_mut(statement, &mut resolve) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(error) => Err(*error),
    }
}

struct Resolve<'a> {
    environment: Environment<'a>,
    scopes: Scopes,
    /// Positions of names that are an output column of their own SELECT.
    outputs: HashSet<Location>,
    /// Positions of names that are a field of a struct.
    fields: HashSet<Location>,
    /// Number of subqueries in FROM that were given an alias.
    subqueries: usize,
    lateral_aliases: Option<LateralAliases<'a>>,
}

type Flow = ControlFlow<Box<Error>>;

impl VisitorMut for Resolve<'_> {
    type Break = Box<Error>;

    fn pre_visit_query(&mut self, query: &mut Query) -> Flow {
        self.environment.enter(query);
        if self.lateral_aliases.is_some() {
            order_keys::use_positions(query);
            order_keys::name_queries(query, &mut self.subqueries);
        }
        // What ORDER BY sees: the relations of a SELECT, or the columns of UNION and the like.
        let scope = match query.body.as_mut() {
            SetExpr::Select(select) => self.open(select)?,
            other => {
                let relations = vec![Relation::unnamed(self.environment.of_body(other))];
                Scope { relations, ..Scope::default() }
            }
        };
        let of_tables = match &self.lateral_aliases {
            Some(aliases) => order_keys::qualify(query, &scope, &|function| aliases.is_aggregate(function)),
            None => HashSet::new(),
        };
        if let (SetExpr::Select(select), Some(order)) = (query.body.as_ref(), &query.order_by)
            && let OrderByKind::Expressions(keys) = &order.kind
        {
            let names = names_written(select);
            keys.iter().for_each(|key| self.keep_outputs(&key.expr, &names));
            for place in &of_tables {
                self.outputs.remove(place);
            }
        }
        self.scopes.push_query(query, scope);
        self.environment.hide_ctes();
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, query: &mut Query) -> Flow {
        if let Some(aliases) = &self.lateral_aliases {
            rewrite::separate_shadowed_columns(query, &|function| aliases.is_aggregate(function));
        }
        self.scopes.pop();
        self.environment.leave();
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> Flow {
        let scope = match self.scopes.of_select() {
            Some(scope) => scope,
            None => self.open(select)?,
        };
        // In GROUP BY and HAVING a column of USING takes precedence over an alias, in ORDER BY it does not.
        let is_of_using = |name: &String| scope.using.iter().any(|column| column.name == *name);
        let names: HashSet<String> = names_written(select).into_iter().filter(|name| !is_of_using(name)).collect();
        let aliases = self.lateral_aliases.as_ref();
        let is_aggregate = |function: &Function| aliases.is_some_and(|aliases| aliases.is_aggregate(function));
        let conditions = select.having.iter().chain(&select.qualify);
        let of_tables = order_keys::synonyms_in_aggregates(conditions, &scope, &is_aggregate);
        self.scopes.push_select(scope);
        if let GroupByExpr::Expressions(keys, _) = &select.group_by {
            keys.iter().for_each(|key| self.keep_outputs(key, &names));
        }
        if let Some(Distinct::On(keys)) = &select.distinct {
            // A larger expression there is one over the tables.
            let names_alone = keys.iter().filter(|key| matches!(key, Expr::Identifier(_)));
            names_alone.for_each(|key| self.keep_outputs(key, &names));
        }
        select.having.iter().chain(&select.qualify).for_each(|condition| self.keep_outputs(condition, &names));
        for place in &of_tables {
            self.outputs.remove(place);
        }
        let mut synonyms = Vec::new();
        for (index, item) in select.projection.iter_mut().enumerate() {
            if self.name_item(item)? {
                synonyms.push(index);
            }
        }
        output_names::number_synonyms(&mut select.projection, &synonyms);
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, select: &mut Select) -> Flow {
        if let Some(aliases) = &mut self.lateral_aliases {
            aliases.replace(select, &|name| self.scopes.may_be_column(name), &self.fields)?;
        }
        self.scopes.pop();
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, table: &mut TableFactor) -> Flow {
        self.scopes.next_is_derived = matches!(table, TableFactor::Derived { lateral: false, .. });
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> Flow {
        match expr {
            Expr::CompoundFieldAccess { root, access_chain } => self.field_access(root, access_chain),
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
    /// The scope of a SELECT, whose USING and NATURAL are resolved, and whose columns get distinct names.
    fn open(&mut self, select: &mut Select) -> ControlFlow<Box<Error>, Scope> {
        output_names::name_duplicates_of(select, &self.environment.relations(&select.from));
        let mut columns = Vec::new();
        if using::in_any(&select.from) {
            let environment = &self.environment;
            let tables =
                using::resolve(&mut select.from, &|factor| environment.of_factor(factor), &mut self.subqueries)
                    .and_then(|tables| {
                        using_wildcards::expand(&mut select.projection, &tables)?;
                        Ok(tables)
                    });
            match tables {
                Ok(tables) => columns = using::unambiguous(&tables),
                Err(error) => return ControlFlow::Break(error),
            }
        }
        let relations = self.environment.relations(&select.from);
        ControlFlow::Continue(Scope { relations, using: columns, of_select: true, ..Scope::default() })
    }

    /// What an expression means when it is a synonym or a merged column; `None`: it is neither.
    fn meaning(&self, expr: &Expr) -> ControlFlow<Box<Error>, Option<Expr>> {
        let (prefix, ident) = match expr {
            Expr::Identifier(ident) => (&[][..], ident),
            Expr::CompoundIdentifier(parts) => match parts.split_last() {
                Some((ident, prefix)) => (prefix, ident),
                None => return ControlFlow::Continue(None),
            },
            _ => return ControlFlow::Continue(None),
        };
        let place = ident.span.start;
        if prefix.is_empty() && (self.outputs.contains(&place) || self.fields.contains(&place)) {
            return ControlFlow::Continue(None);
        }
        let name = normal(ident);
        let lower = name.to_lowercase();
        if prefix.is_empty()
            && let Some(column) = self.scopes.using(&name)
        {
            return ControlFlow::Continue(Some(column.value.clone()));
        }
        if prefix.is_empty()
            && let Some(relation) = self.scopes.preferred(&name)
        {
            let parts = vec![Ident::with_quote('"', relation), ident.clone()];
            return ControlFlow::Continue(Some(Expr::CompoundIdentifier(parts)));
        }
        let (mut meaning, mut is_lower) = (self.scopes.find(prefix, &name), false);
        if matches!(meaning, Meaning::Unchanged) && lower != name && !self.scopes.knows(prefix, &name) {
            // Quotes keep letter case, but on Dune no name depends on it.
            meaning = self.scopes.find(prefix, &lower);
            is_lower = self.scopes.knows(prefix, &lower);
        }
        ControlFlow::Continue(match meaning {
            Meaning::Unchanged if is_lower => {
                let ident = Ident { value: lower, quote_style: Some('"'), span: ident.span };
                Some(match prefix {
                    [] => Expr::Identifier(ident),
                    _ => Expr::CompoundIdentifier(prefix.iter().cloned().chain([ident]).collect()),
                })
            }
            Meaning::Unchanged => None,
            Meaning::Ambiguous => {
                let message = format!("The column {ident} is ambiguous; write table.{ident} instead.");
                let error = Error::new(ErrorCode::InvalidQuery, message);
                return ControlFlow::Break(Box::new(error_at(error, location_position(place))));
            }
            Meaning::Synonym { synonym, relation } => {
                let relation = relation.map(|name| vec![Ident::with_quote('"', name)]);
                let prefix = if prefix.is_empty() { relation.unwrap_or_default() } else { prefix.to_vec() };
                match expression(synonym, &prefix, ident.span) {
                    Ok(meaning) => Some(meaning),
                    Err(error) => return ControlFlow::Break(Box::new(error)),
                }
            }
        })
    }

    /// `l.topics[1]`, where the parser takes the column for a field of the table. What follows it is no column.
    fn field_access(&mut self, root: &mut Expr, chain: &mut Vec<AccessExpr>) -> Flow {
        let mut names = match &*root {
            Expr::Identifier(name) => vec![name.clone()],
            Expr::CompoundIdentifier(names) => names.clone(),
            _ => Vec::new(),
        };
        for index in 0..chain.len() {
            let AccessExpr::Dot(Expr::Identifier(name)) = &chain[index] else { break };
            if names.is_empty() {
                break;
            }
            names.push(name.clone());
            if let Some(meaning) = self.meaning(&Expr::CompoundIdentifier(names.clone()))? {
                *root = meaning;
                chain.drain(..=index);
                break;
            }
        }
        for access in chain {
            if let AccessExpr::Dot(Expr::Identifier(name)) = access
                && name.span.start.line > 0
            {
                self.fields.insert(name.span.start);
            }
        }
        ControlFlow::Continue(())
    }

    /// Gives a column that is selected by a synonym the synonym as its name; false for any other item.
    fn name_item(&self, item: &mut SelectItem) -> ControlFlow<Box<Error>, bool> {
        let SelectItem::UnnamedExpr(expr) = item else { return ControlFlow::Continue(false) };
        let Some((alias, _)) = column_of(expr) else { return ControlFlow::Continue(false) };
        let Some(meaning) = self.meaning(expr)? else { return ControlFlow::Continue(false) };
        *item = SelectItem::ExprWithAlias { expr: meaning, alias: alias.clone() };
        ControlFlow::Continue(true)
    }

    /// Remembers names of an expression that are output columns.
    fn keep_outputs(&mut self, expr: &Expr, names: &HashSet<String>) {
        visit_outside_subqueries(expr, |expr| {
            if let Expr::Identifier(ident) = expr
                && ident.span.start.line > 0
                && names.contains(&normal(ident))
            {
                self.outputs.insert(ident.span.start);
            }
        });
    }
}

/// The meaning of a synonym as an expression over the relation that `prefix` names, at the position of the synonym.
fn expression(synonym: &Synonym, prefix: &[Ident], span: Span) -> Result<Expr> {
    let parsed = Parser::new(&GenericDialect {})
        .try_with_sql(synonym.means)
        .and_then(|mut parser| parser.parse_expr())
        .map_err(Error::internal)?;
    let mut qualify = Qualify { prefix, span, queries: 0 };
    let mut expr = match parsed {
        column @ Expr::Identifier(_) => column,
        Expr::Subquery(query) => Expr::Subquery(Box::new(named_after(*query, synonym, prefix))),
        other => Expr::Nested(Box::new(other)),
    };
    // The visitor never breaks off.
    let _ = visit_mut(&mut expr, &mut qualify);
    Ok(expr)
}

/// A query whose column has the name of the synonym: the planner distinguishes two of them in one aggregation by their columns.
fn named_after(mut query: Query, synonym: &Synonym, prefix: &[Ident]) -> Query {
    if let SetExpr::Select(select) = query.body.as_mut()
        && let [item] = select.projection.as_mut_slice()
        && let SelectItem::UnnamedExpr(expr) = &*item
    {
        let words = prefix.iter().map(|part| part.value.as_str()).chain([synonym.name]).collect::<Vec<&str>>();
        *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias: Ident::with_quote('"', words.join(".")) };
    }
    query
}

/// Qualifies the columns of a meaning, and gives it a position.
struct Qualify<'a> {
    prefix: &'a [Ident],
    span: Span,
    /// How many subqueries are open, which have names of their own.
    queries: usize,
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
