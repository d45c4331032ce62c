//! Which relation the name of a column belongs to, from the innermost SELECT outwards.

use std::iter::successors;

use datafusion::sql::sqlparser::ast::{Ident, Query, SetExpr};

use super::using::UsingColumn;
use crate::names::relation::{Relation, normal};
use quarry_lake::tables::Synonym;

/// The scopes of the queries around, the innermost last.
#[derive(Default)]
pub(super) struct Scopes {
    scopes: Vec<Scope>,
    /// Whether the next query is one of FROM without LATERAL.
    pub(super) next_is_derived: bool,
}

/// What names in a SELECT can refer to.
#[derive(Clone, Default)]
pub(super) struct Scope {
    pub(super) relations: Vec<Relation>,
    /// Columns that its joins merge.
    pub(super) using: Vec<UsingColumn>,
    /// Whether this is the scope of a query's ORDER BY and also that of its only SELECT.
    pub(super) of_select: bool,
    /// The scope around that is visible.
    pub(super) outer: Option<usize>,
    /// How many of the queries directly inside are left that do not see this scope: those of WITH, and sides of UNION.
    pub(super) isolated_queries: usize,
}

/// What a name is.
pub(super) enum Meaning {
    /// A column by its own name, or nothing that is known here.
    Unchanged,
    /// A synonym of a column of one relation, which qualifies it if there are several.
    Synonym { synonym: &'static Synonym, relation: Option<String> },
    /// Several relations have a column with this synonym.
    Ambiguous,
}

impl Scope {
    /// Whether a bare name is known to be one column of its relations.
    pub(super) fn is_input(&self, name: &str) -> bool {
        let is_merged = self.using.iter().any(|column| column.name == name);
        is_merged || self.owner(name).is_some() || self.has_synonym(name)
    }

    /// Whether a name is a synonym, and no column has it itself.
    pub(super) fn has_synonym(&self, name: &str) -> bool {
        !self.relations.iter().any(|relation| relation.columns.may_have(name))
            && self.relations.iter().any(|relation| relation.columns.synonym(name).is_some())
    }

    /// The relation that a bare name belongs to: the only one that has it, or else the only one that does not yield.
    pub(super) fn owner(&self, name: &str) -> Option<&Relation> {
        let having: Vec<&Relation> = self.relations.iter().filter(|relation| relation.columns.has(name)).collect();
        if let [only] = having.as_slice() {
            return Some(*only);
        }
        let mut others = having.into_iter().filter(|relation| !relation.columns.yields(name));
        match (others.next(), others.next()) {
            (Some(meant), None) => Some(meant),
            _ => None,
        }
    }
}

impl Scopes {
    pub(super) fn push_query(&mut self, query: &Query, scope: Scope) {
        let last = self.scopes.len().checked_sub(1);
        let is_derived = std::mem::take(&mut self.next_is_derived);
        let outer = match self.scopes.last_mut() {
            Some(around) if is_derived => around.outer,
            Some(around) if around.isolated_queries > 0 => {
                around.isolated_queries -= 1;
                around.outer
            }
            _ => last,
        };
        let in_with = query.with.as_ref().map_or(0, |with| with.cte_tables.len());
        self.scopes.push(Scope { outer, isolated_queries: in_with + queries_of(&query.body), ..scope });
    }

    /// A SELECT does not see the scope of the ORDER BY of its query.
    pub(super) fn push_select(&mut self, scope: Scope) {
        let outer = self.scopes.last().and_then(|query| query.outer);
        self.scopes.push(Scope { outer, isolated_queries: 0, of_select: false, ..scope });
    }

    /// The scope of the query around the next SELECT, if the SELECT has the same one.
    pub(super) fn of_select(&self) -> Option<Scope> {
        self.scopes.last().filter(|scope| scope.of_select).cloned()
    }

    pub(super) fn pop(&mut self) {
        self.scopes.pop();
    }

    pub(super) fn find(&self, prefix: &[Ident], name: &str) -> Meaning {
        match prefix.last() {
            Some(relation) => self.of_relation(&normal(relation), name),
            None => self.anywhere(name),
        }
    }

    /// The relation of the innermost SELECT that a bare name belongs to although another one, which yields, has the name too.
    pub(super) fn preferred(&self, name: &str) -> Option<String> {
        let relations = &self.scopes.last()?.relations;
        let having: Vec<&Relation> = relations.iter().filter(|relation| relation.columns.has(name)).collect();
        let mut others = having.iter().filter(|relation| !relation.columns.yields(name));
        match (others.next(), others.next()) {
            (Some(meant), None) if having.len() > 1 => meant.name.clone(),
            _ => None,
        }
    }

    /// Whether a relation in scope has a column of this name.
    pub(super) fn knows(&self, prefix: &[Ident], name: &str) -> bool {
        let relation = prefix.last().map(normal);
        let mut relations = self.relations().filter(|other| relation.is_none() || other.name == relation);
        relations.any(|relation| relation.columns.has(name))
    }

    /// Whether a bare name is a column in scope, or may be one of a relation whose columns are not known.
    pub(super) fn may_be_column(&self, name: &str) -> bool {
        self.relations().any(|relation| relation.columns.may_have(name)) || self.using(name).is_some()
    }

    fn of_relation(&self, relation: &str, name: &str) -> Meaning {
        let relation = self.relations().find(|other| other.name.as_deref() == Some(relation));
        match relation.and_then(|relation| relation.columns.synonym(name)) {
            Some(synonym) => Meaning::Synonym { synonym, relation: None },
            None => Meaning::Unchanged,
        }
    }

    fn anywhere(&self, name: &str) -> Meaning {
        for Scope { relations, .. } in self.visible() {
            // A relation whose columns are not known here may have one of this very name.
            if relations.iter().any(|relation| relation.columns.may_have(name)) {
                return Meaning::Unchanged;
            }
            let mut candidates = relations
                .iter()
                .filter_map(|relation| relation.columns.synonym(name).map(|synonym| (relation, synonym)));
            if let Some((relation, synonym)) = candidates.next() {
                if candidates.next().is_some() {
                    return Meaning::Ambiguous;
                }
                let several = relations.len() > 1;
                return Meaning::Synonym { synonym, relation: relation.name.clone().filter(|_| several) };
            }
        }
        Meaning::Unchanged
    }

    /// The merged column with a bare name.
    pub(super) fn using(&self, name: &str) -> Option<&UsingColumn> {
        for Scope { relations, using, .. } in self.visible() {
            if let Some(found) = using.iter().find(|column| column.name == name) {
                return Some(found);
            }
            if relations.iter().any(|relation| relation.columns.may_have(name)) {
                return None;
            }
        }
        None
    }

    /// The scopes that the innermost one sees, itself first.
    fn visible(&self) -> impl Iterator<Item = &Scope> {
        successors(self.scopes.last(), |scope| scope.outer.map(|outer| &self.scopes[outer]))
    }

    /// All relations in scope, those of the innermost SELECT first.
    fn relations(&self) -> impl Iterator<Item = &Relation> {
        self.visible().flat_map(|scope| &scope.relations)
    }
}

/// How many queries in parentheses the body of a query has.
fn queries_of(body: &SetExpr) -> usize {
    match body {
        SetExpr::Query(_) => 1,
        SetExpr::SetOperation { left, right, .. } => queries_of(left) + queries_of(right),
        _ => 0,
    }
}
