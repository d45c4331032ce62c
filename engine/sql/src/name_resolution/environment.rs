//! The columns of the relations of a query, as far as they follow from its text and the catalog before planning.

use datafusion::sql::sqlparser::ast::{
    Expr, ExprWithAlias, ObjectName, PivotValueSource, Query, Select, SelectItem, SelectItemQualifiedWildcardKind,
    SetExpr, SetQuantifier, TableAlias, TableFactor, TableWithJoins, Value, WildcardAdditionalOptions,
};

use super::relation::{Relation, alias_of, last, left_out, normal};
use super::using;
use crate::session::tables::{Columns, QueryCatalog};
use quarry_lake::tables::Table;

/// What table names mean: common table expressions in scope, then the catalog.
pub(super) struct Environment<'a> {
    catalog: &'a QueryCatalog,
    /// The common table expressions of each query around, the innermost last.
    ctes: Vec<Vec<(String, Columns)>>,
}

impl<'a> Environment<'a> {
    pub(super) fn new(catalog: &'a QueryCatalog) -> Environment<'a> {
        Environment { catalog, ctes: Vec::new() }
    }

    /// Enters a query: its common table expressions come into scope.
    pub(super) fn enter(&mut self, query: &Query) {
        self.ctes.push(Vec::new());
        let Some(with) = &query.with else { return };
        for cte in &with.cte_tables {
            // A recursive expression has the columns of its first term, which does not read it.
            let columns = self.of_query(&cte.query);
            let columns = renamed(columns, Some(&cte.alias));
            if let Some(level) = self.ctes.last_mut() {
                level.push((normal(&cte.alias.name), columns));
            }
        }
    }

    pub(super) fn leave(&mut self) {
        self.ctes.pop();
    }

    pub(super) fn relations(&self, from: &[TableWithJoins]) -> Vec<Relation> {
        let factors = from
            .iter()
            .flat_map(|table| std::iter::once(&table.relation).chain(table.joins.iter().map(|join| &join.relation)));
        factors.flat_map(|factor| self.of_factor(factor)).collect()
    }

    pub(super) fn of_factor(&self, factor: &TableFactor) -> Vec<Relation> {
        let alias = alias_of(factor);
        let (columns, own_name) = match factor {
            TableFactor::Table { name, args: None, .. } => (self.of_table(name), last(name)),
            TableFactor::Table { name, .. } | TableFactor::Function { name, .. } => (of_table_function(name), None),
            TableFactor::Derived { subquery, .. } => (self.inner(subquery), None),
            TableFactor::UNNEST { with_offset_alias, .. } => {
                let mut names: Vec<String> = alias.iter().flat_map(|alias| alias_columns(alias)).collect();
                if names.is_empty() {
                    names.extend(alias.map(|alias| normal(&alias.name)));
                }
                names.extend(with_offset_alias.as_ref().map(normal));
                return vec![Relation { name: alias.map(|alias| normal(&alias.name)), columns: known(names) }];
            }
            TableFactor::NestedJoin { table_with_joins, .. } => {
                let relations = self.relations(std::slice::from_ref(table_with_joins));
                match alias {
                    None => return relations,
                    Some(_) => (all_of(&relations, Vec::new()), None),
                }
            }
            TableFactor::Pivot { table, value_source, aggregate_functions, .. } => {
                (all_of(&self.of_factor(table), pivoted(value_source, aggregate_functions)), None)
            }
            TableFactor::Unpivot { table, value: Expr::Identifier(value), name, .. } => {
                (all_of(&self.of_factor(table), [value, name].map(normal).into()), None)
            }
            _ => (Columns::Unknown, None),
        };
        let name = alias.map(|alias| normal(&alias.name)).or(own_name);
        vec![Relation { name, columns: renamed(columns, alias) }]
    }

    fn of_table(&self, ObjectName(parts): &ObjectName) -> Columns {
        let names: Option<Vec<String>> = parts.iter().map(|part| part.as_ident().map(normal)).collect();
        let Some(names) = names else { return Columns::Unknown };
        if let [name] = names.as_slice()
            && let Some((_, columns)) = self.ctes.iter().rev().flatten().rev().find(|(held, _)| held == name)
        {
            return columns.clone();
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.catalog.columns(&names)
    }

    /// Columns of a query that may have common table expressions of its own.
    fn inner(&self, query: &Query) -> Columns {
        let mut inner = Environment { catalog: self.catalog, ctes: self.ctes.clone() };
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
            SetExpr::SetOperation { left, right, set_quantifier, .. } => {
                use SetQuantifier::{AllByName, ByName, DistinctByName};
                let by_name = matches!(set_quantifier, ByName | AllByName | DistinctByName);
                match (self.of_body(left), self.of_body(right)) {
                    (Columns::Known { names, .. }, Columns::Known { names: others, .. }) if by_name => {
                        known(names.into_iter().chain(others).collect())
                    }
                    (Columns::Known { names, chain }, Columns::Known { chain: other, .. }) => {
                        Columns::Known { names, chain: chain.filter(|table| Some(*table) == other) }
                    }
                    (Columns::Known { names, .. }, Columns::Unknown) if !by_name => known(names),
                    _ => Columns::Unknown,
                }
            }
            SetExpr::Values(values) => {
                let width = values.rows.first().map_or(0, |row| row.content.len());
                known((1..=width).map(|column| format!("column{column}")).collect())
            }
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
                SelectItem::Wildcard(options) if using::in_any(&select.from) => {
                    match using::names_of_star(&select.from, options, &|factor| self.of_factor(factor)) {
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

fn known(names: Vec<String>) -> Columns {
    Columns::Known { names, chain: None }
}

/// The columns of all of some relations, and more.
fn all_of(relations: &[Relation], more: Vec<String>) -> Columns {
    let names = |relation: &Relation| match &relation.columns {
        Columns::Known { names, .. } => Some(names.clone()),
        Columns::Unknown => None,
    };
    let all: Option<Vec<Vec<String>>> = relations.iter().map(names).collect();
    all.map_or(Columns::Unknown, |all| known(all.into_iter().flatten().chain(more).collect()))
}

/// The columns of DataFusion's table functions.
fn of_table_function(name: &ObjectName) -> Columns {
    match last(name).as_deref() {
        Some("generate_series" | "range") => known(vec!["value".to_string()]),
        _ => Columns::Unknown,
    }
}

/// The names of the columns that a PIVOT makes. It keeps some of the columns of its table: not those of its values.
fn pivoted(values: &PivotValueSource, aggregates: &[ExprWithAlias]) -> Vec<String> {
    let PivotValueSource::List(values) = values else { return Vec::new() };
    let name = |value: &ExprWithAlias| match (&value.alias, &value.expr) {
        (Some(alias), _) => normal(alias),
        (None, Expr::Value(value)) => match &value.value {
            Value::SingleQuotedString(text) => text.clone(),
            other => other.to_string().to_lowercase(),
        },
        (None, other) => other.to_string(),
    };
    let names = values.iter().map(name);
    let names = names.flat_map(|value| {
        let prefixed = |aggregate: &ExprWithAlias| match &aggregate.alias {
            Some(alias) => format!("{}_{value}", normal(alias)),
            None => value.clone(),
        };
        aggregates.iter().map(prefixed).collect::<Vec<_>>()
    });
    names.collect()
}

fn alias_columns(alias: &TableAlias) -> impl Iterator<Item = String> {
    alias.columns.iter().map(|column| normal(&column.name))
}

/// Columns under the names that an alias gives them.
fn renamed(columns: Columns, alias: Option<&TableAlias>) -> Columns {
    let Some(alias) = alias.filter(|alias| !alias.columns.is_empty()) else { return columns };
    let mut given: Vec<String> = alias_columns(alias).collect();
    if let Columns::Known { names, .. } = columns {
        given.extend(names.into_iter().skip(given.len()));
    }
    known(given)
}
