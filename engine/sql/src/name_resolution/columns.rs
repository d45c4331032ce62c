//! The columns of the relations of a query, as far as its text and the catalogue tell them before planning.

use datafusion::sql::sqlparser::ast::{
    Expr, ObjectName, Query, Select, SelectItem, SelectItemQualifiedWildcardKind, SetExpr, TableAlias, TableFactor,
    TableWithJoins, WildcardAdditionalOptions,
};

use super::relation::{Relation, last, left_out, normal};
use super::shared;
use crate::session::tables::{Columns, QueryCatalog};
use quarry_lake::tables::Table;

/// What table names mean: common table expressions in sight, then the catalogue.
pub(super) struct Environment<'a> {
    catalog: &'a QueryCatalog,
    /// Of each query around, the innermost last.
    expressions: Vec<Vec<(String, Columns)>>,
}

impl<'a> Environment<'a> {
    pub(super) fn new(catalog: &'a QueryCatalog) -> Environment<'a> {
        Environment { catalog, expressions: Vec::new() }
    }

    /// Enters a query: its common table expressions come into sight.
    pub(super) fn enter(&mut self, query: &Query) {
        self.expressions.push(Vec::new());
        let Some(with) = &query.with else { return };
        for cte in &with.cte_tables {
            // A recursive expression reads itself, and what that is nobody knows yet.
            let columns = if with.recursive { Columns::Unknown } else { self.of_query(&cte.query) };
            let columns = renamed(columns, Some(&cte.alias));
            if let Some(level) = self.expressions.last_mut() {
                level.push((normal(&cte.alias.name), columns));
            }
        }
    }

    pub(super) fn leave(&mut self) {
        self.expressions.pop();
    }

    pub(super) fn relations(&self, from: &[TableWithJoins]) -> Vec<Relation> {
        let factors = from
            .iter()
            .flat_map(|table| std::iter::once(&table.relation).chain(table.joins.iter().map(|join| &join.relation)));
        factors.flat_map(|factor| self.of_factor(factor)).collect()
    }

    pub(super) fn of_factor(&self, factor: &TableFactor) -> Vec<Relation> {
        let (columns, own_name, alias) = match factor {
            TableFactor::Table { name, alias, args: None, .. } => (self.of_table(name), last(name), alias.as_ref()),
            TableFactor::Derived { subquery, alias, .. } => (self.inner(subquery), None, alias.as_ref()),
            TableFactor::UNNEST { alias: Some(alias), with_offset_alias, .. } => {
                let mut names: Vec<String> = alias.columns.iter().map(|column| normal(&column.name)).collect();
                if names.is_empty() {
                    names.push(normal(&alias.name));
                }
                names.extend(with_offset_alias.as_ref().map(normal));
                return vec![Relation {
                    name: Some(normal(&alias.name)),
                    columns: Columns::Known { names, chain: None },
                }];
            }
            TableFactor::NestedJoin { table_with_joins, alias: None } => {
                return self.relations(std::slice::from_ref(table_with_joins));
            }
            // A LATERAL VIEW of HiveQL: the table, and the columns that are made beside it.
            TableFactor::Unpivot { table, alias: Some(alias), .. } => {
                let mut relations = self.of_factor(table);
                let made = renamed(Columns::Unknown, Some(alias));
                relations.push(Relation { name: Some(normal(&alias.name)), columns: made });
                return relations;
            }
            TableFactor::Table { alias, .. }
            | TableFactor::TableFunction { alias, .. }
            | TableFactor::Function { alias, .. }
            | TableFactor::NestedJoin { alias, .. } => (Columns::Unknown, None, alias.as_ref()),
            _ => (Columns::Unknown, None, None),
        };
        let name = alias.map(|alias| normal(&alias.name)).or(own_name);
        vec![Relation { name, columns: renamed(columns, alias) }]
    }

    fn of_table(&self, ObjectName(parts): &ObjectName) -> Columns {
        let names: Option<Vec<String>> = parts.iter().map(|part| part.as_ident().map(normal)).collect();
        let Some(names) = names else { return Columns::Unknown };
        if let [name] = names.as_slice()
            && let Some((_, columns)) = self.expressions.iter().rev().flatten().rev().find(|(held, _)| held == name)
        {
            return columns.clone();
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.catalog.columns(&names)
    }

    /// Columns of a query that may have common table expressions of its own.
    fn inner(&self, query: &Query) -> Columns {
        let mut inner = Environment { catalog: self.catalog, expressions: self.expressions.clone() };
        inner.enter(query);
        inner.of_body(&query.body)
    }

    fn of_query(&self, query: &Query) -> Columns {
        if query.with.is_some() { self.inner(query) } else { self.of_body(&query.body) }
    }

    pub(super) fn of_body(&self, body: &SetExpr) -> Columns {
        match body {
            SetExpr::Select(select) => self.of_select(select),
            SetExpr::Query(query) => self.of_query(query),
            SetExpr::SetOperation { left, right, .. } => match (self.of_body(left), self.of_body(right)) {
                (Columns::Known { names, chain }, Columns::Known { chain: other, .. }) => {
                    Columns::Known { names, chain: chain.filter(|table| Some(*table) == other) }
                }
                _ => Columns::Unknown,
            },
            _ => Columns::Unknown,
        }
    }

    fn of_select(&self, select: &Select) -> Columns {
        let relations = self.relations(&select.from);
        let (mut names, mut chains) = (Vec::new(), Vec::new());
        for item in &select.projection {
            match item {
                SelectItem::ExprWithAlias { alias, .. } => names.push(normal(alias)),
                SelectItem::ExprWithAliases { aliases, .. } => names.extend(aliases.iter().map(normal)),
                SelectItem::UnnamedExpr(Expr::Identifier(ident)) => names.push(normal(ident)),
                SelectItem::UnnamedExpr(Expr::CompoundIdentifier(parts)) => names.extend(parts.last().map(normal)),
                SelectItem::UnnamedExpr(_) => {}
                SelectItem::Wildcard(options) if shared::in_any(&select.from) => {
                    match shared::names_of_star(&select.from, options, &|factor| self.of_factor(factor)) {
                        Some(all) => names.extend(all),
                        None => return Columns::Unknown,
                    }
                }
                SelectItem::Wildcard(options) => {
                    if !expand(&relations, options, &mut names, &mut chains) {
                        return Columns::Unknown;
                    }
                }
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), options) => {
                    let of = last(name);
                    let found = relations.iter().find(|relation| relation.name == of);
                    if !found.is_some_and(|one| expand(std::slice::from_ref(one), options, &mut names, &mut chains)) {
                        return Columns::Unknown;
                    }
                }
                SelectItem::QualifiedWildcard(..) => return Columns::Unknown,
            }
        }
        let chain = if let [chain] = chains.as_slice() { Some(*chain) } else { None };
        Columns::Known { names, chain }
    }
}

/// The columns of `*`; false when they are not known.
fn expand(
    relations: &[Relation],
    options: &WildcardAdditionalOptions,
    names: &mut Vec<String>,
    chains: &mut Vec<Table>,
) -> bool {
    if options.opt_rename.is_some() || options.opt_ilike.is_some() {
        return false;
    }
    let gone = left_out(options);
    for relation in relations {
        let Columns::Known { names: held, chain } = &relation.columns else { return false };
        names.extend(held.iter().filter(|name| !gone.contains(name)).cloned());
        chains.extend(chain.filter(|_| gone.is_empty()));
    }
    true
}

/// Columns under the names that an alias gives them.
fn renamed(columns: Columns, alias: Option<&TableAlias>) -> Columns {
    let Some(alias) = alias.filter(|alias| !alias.columns.is_empty()) else { return columns };
    let mut given: Vec<String> = alias.columns.iter().map(|column| normal(&column.name)).collect();
    if let Columns::Known { names, .. } = columns {
        given.extend(names.into_iter().skip(given.len()));
    }
    Columns::Known { names: given, chain: None }
}
