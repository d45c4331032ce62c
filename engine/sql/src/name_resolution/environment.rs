//! The columns of the relations of a query, as far as they follow from its text and the catalog before planning.

use datafusion::sql::sqlparser::ast::{
    Expr, ExprWithAlias, ObjectName, PivotValueSource, Query, Select, SelectItem, SelectItemQualifiedWildcardKind,
    SetExpr, SetQuantifier, TableAlias, TableFactor, TableWithJoins, Value, WildcardAdditionalOptions,
};

use super::using;
use crate::names::relation::{Relation, alias_of, last, left_out, normal};
use crate::session::tables::{Columns, QueryCatalog};
use quarry_lake::tables::Table;

/// The most columns that are known of a query. `SELECT *, * FROM (SELECT *, * FROM …)` has twice as many at each level.
const MAX_COLUMNS: usize = 10_000;

/// What table names mean: common table expressions in scope, then the catalog.
pub(super) struct Environment<'a> {
    catalog: &'a QueryCatalog,
    /// The WITH of each query around, the innermost last.
    withs: Vec<CteColumns>,
}

/// The columns of the common table expressions of a query.
#[derive(Clone, Default)]
struct CteColumns {
    ctes: Vec<(String, Columns)>,
    recursive: bool,
    /// How many of them, from the last one on, are not in scope yet.
    hidden: usize,
}

impl CteColumns {
    fn show_next(&mut self) {
        self.hidden = self.hidden.saturating_sub(1);
    }

    fn find(&self, name: &str) -> Option<&Columns> {
        let visible = &self.ctes[..self.ctes.len() - self.hidden];
        visible.iter().rev().find(|(known, _)| known == name).map(|(_, columns)| columns)
    }
}

impl<'a> Environment<'a> {
    pub(super) fn new(catalog: &'a QueryCatalog) -> Environment<'a> {
        Environment { catalog, withs: Vec::new() }
    }

    /// Enters a query, whose common table expressions come into scope.
    pub(super) fn enter(&mut self, query: &Query) {
        // A recursive expression is in its own scope.
        if let Some(outer) = self.withs.last_mut().filter(|outer| outer.recursive) {
            outer.show_next();
        }
        let recursive = query.with.as_ref().is_some_and(|with| with.recursive);
        self.withs.push(CteColumns { recursive, ..CteColumns::default() });
        for cte in query.with.iter().flat_map(|with| &with.cte_tables) {
            // A recursive expression has the columns of its first term, which does not read it.
            let columns = renamed(self.of_query(&cte.query), Some(&cte.alias));
            if let Some(with) = self.withs.last_mut() {
                with.ctes.push((normal(&cte.alias.name), columns));
            }
        }
    }

    /// Hides the common table expressions of the query that was entered last: the next queries to enter are theirs, in order, and
    /// each is in scope for those after it. `WITH blocks AS (SELECT … FROM blocks)` reads the table.
    pub(super) fn hide_ctes(&mut self) {
        if let Some(with) = self.withs.last_mut() {
            with.hidden = with.ctes.len();
        }
    }

    pub(super) fn leave(&mut self) {
        self.withs.pop();
        if let Some(outer) = self.withs.last_mut().filter(|outer| !outer.recursive) {
            outer.show_next();
        }
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
            && let Some(columns) = self.withs.iter().rev().find_map(|with| with.find(name))
        {
            return columns.clone();
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.catalog.columns(&names)
    }

    /// Columns of a query that may have common table expressions of its own.
    fn inner(&self, query: &Query) -> Columns {
        let mut inner = Environment { catalog: self.catalog, withs: self.withs.clone() };
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
        // The columns of each table are computed once: a query in FROM may have queries in FROM.
        let joined =
            using::in_any(&select.from).then(|| using::joined_tables(&select.from, &|table| self.of_factor(table)));
        let relations = match &joined {
            None => self.relations(&select.from),
            Some(Some(tables)) => tables.iter().flat_map(using::JoinedTables::relations).cloned().collect(),
            Some(None) => return Columns::Unknown,
        };
        let (mut names, mut chains) = (Vec::new(), Vec::new());
        for item in &select.projection {
            match item {
                SelectItem::ExprWithAlias { alias, .. } => names.push(normal(alias)),
                SelectItem::ExprWithAliases { aliases, .. } => names.extend(aliases.iter().map(normal)),
                SelectItem::UnnamedExpr(Expr::Identifier(ident)) => names.push(normal(ident)),
                SelectItem::UnnamedExpr(Expr::CompoundIdentifier(parts)) => names.extend(parts.last().map(normal)),
                SelectItem::UnnamedExpr(_) => {}
                SelectItem::Wildcard(options) => match &joined {
                    Some(Some(tables)) => match using::names_of_star(tables, options) {
                        Some(all) => names.extend(all),
                        None => return Columns::Unknown,
                    },
                    _ if expand(&relations, options, &mut names, &mut chains) => {}
                    _ => return Columns::Unknown,
                },
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), options) => {
                    let name = last(name);
                    let relation = relations.iter().find(|relation| relation.name == name);
                    if !relation.is_some_and(|one| expand(std::slice::from_ref(one), options, &mut names, &mut chains))
                    {
                        return Columns::Unknown;
                    }
                }
                SelectItem::QualifiedWildcard(..) => return Columns::Unknown,
            }
            if names.len() > MAX_COLUMNS {
                return Columns::Unknown;
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
    let left_out = left_out(options);
    for relation in relations {
        let Columns::Known { names: columns, chain } = &relation.columns else { return false };
        names.extend(columns.iter().filter(|name| !left_out.contains(name)).cloned());
        chains.extend(chain.filter(|_| left_out.is_empty()));
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
    let mut aliases: Vec<String> = alias_columns(alias).collect();
    if let Columns::Known { names, .. } = columns {
        aliases.extend(names.into_iter().skip(aliases.len()));
    }
    known(aliases)
}
