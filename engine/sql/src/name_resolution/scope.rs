//! Which relation a column name belongs to, from the innermost SELECT outwards.

use datafusion::sql::sqlparser::ast::Ident;

use super::relation::{Relation, normal};
use super::shared::Shared;
use crate::session::tables::Columns;
use quarry_lake::tables::Synonym;

/// The scopes in sight, the innermost SELECT last.
#[derive(Default)]
pub(super) struct Scopes(Vec<Scope>);

/// What names in a SELECT can refer to.
#[derive(Clone, Default)]
pub(super) struct Scope {
    pub(super) relations: Vec<Relation>,
    /// Columns that its joins share.
    pub(super) shared: Vec<Shared>,
    /// Whether this is the scope of a query's ORDER BY and also that of its only SELECT.
    pub(super) of_select: bool,
}

/// What a name is.
pub(super) enum Found {
    /// A column by its own name, or nothing that is known here.
    Nothing,
    /// Another name of a column of one relation, which must be named when there are several.
    Synonym { synonym: &'static Synonym, relation: Option<String> },
    /// Several relations have a column of this other name.
    Ambiguous,
}

impl Scopes {
    pub(super) fn push(&mut self, scope: Scope) {
        self.0.push(scope);
    }

    /// The scope of the query around the next SELECT, if the SELECT has the same one.
    pub(super) fn of_select(&self) -> Option<Scope> {
        let scope = self.0.last().filter(|scope| scope.of_select)?;
        Some(Scope { of_select: false, ..scope.clone() })
    }

    pub(super) fn pop(&mut self) {
        self.0.pop();
    }

    pub(super) fn find(&self, prefix: &[Ident], name: &str) -> Found {
        match prefix.last() {
            Some(relation) => self.of_relation(&normal(relation), name),
            None => self.anywhere(name),
        }
    }

    /// The relation of the innermost SELECT whose column is meant by a bare name although another has one that yields.
    pub(super) fn preferred(&self, name: &str) -> Option<String> {
        let having: Vec<&Relation> =
            self.0.last()?.relations.iter().filter(|relation| relation.columns.has(name)).collect();
        let mut others = having.iter().filter(|relation| !relation.columns.yields(name));
        match (others.next(), others.next()) {
            (Some(meant), None) if having.len() > 1 => meant.name.clone(),
            _ => None,
        }
    }

    /// Whether a relation in sight has a column of this name.
    pub(super) fn knows(&self, prefix: &[Ident], name: &str) -> bool {
        let relation = prefix.last().map(normal);
        let mut meant = self.relations().filter(|held| relation.is_none() || held.name == relation);
        meant.any(|held| held.columns.has(name))
    }

    fn of_relation(&self, relation: &str, name: &str) -> Found {
        let found = self.relations().find(|held| held.name.as_deref() == Some(relation));
        match found.and_then(|found| found.columns.synonym(name)) {
            Some(synonym) => Found::Synonym { synonym, relation: None },
            None => Found::Nothing,
        }
    }

    fn anywhere(&self, name: &str) -> Found {
        for Scope { relations, .. } in self.0.iter().rev() {
            if relations.iter().any(|relation| relation.columns.has(name)) {
                return Found::Nothing;
            }
            let mut candidates = relations
                .iter()
                .filter_map(|relation| relation.columns.synonym(name).map(|synonym| (relation, synonym)));
            let first = candidates.next();
            let unclear = relations.iter().any(|relation| matches!(relation.columns, Columns::Unknown));
            match first {
                // A relation whose columns are not known here may have one of this very name.
                _ if unclear => return Found::Nothing,
                Some(_) if candidates.next().is_some() => return Found::Ambiguous,
                Some((relation, synonym)) => {
                    let several = relations.len() > 1;
                    return Found::Synonym { synonym, relation: relation.name.clone().filter(|_| several) };
                }
                None => {}
            }
        }
        Found::Nothing
    }

    /// The shared column that a bare name means.
    pub(super) fn shared(&self, name: &str) -> Option<&Shared> {
        for Scope { relations, shared, .. } in self.0.iter().rev() {
            if let Some(found) = shared.iter().find(|shared| shared.name == name) {
                return Some(found);
            }
            let may_have = |columns: &Columns| matches!(columns, Columns::Unknown) || columns.has(name);
            if relations.iter().any(|relation| may_have(&relation.columns)) {
                return None;
            }
        }
        None
    }

    /// All relations, those of the innermost SELECT first.
    fn relations(&self) -> impl Iterator<Item = &Relation> {
        self.0.iter().rev().flat_map(|scope| &scope.relations)
    }
}
