//! What all parts of the planner share: the query that is planned, and its errors with their places.

use open_cypher::ast;

use super::scope::Scope;
use super::{At, ValueType};
use crate::parse;
use crate::store::PropertyGraph;
use crate::value::Map;
use quarry_types::{Error, ErrorCode, Result};

/// Turns syntax into a plan.
pub(super) struct Planner<'a> {
    pub text: &'a str,
    pub graph: &'a dyn PropertyGraph,
    pub parameters: &'a Map,
}

/// Where a query stands: alone it must return something, as a predicate it need not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Top,
    Subquery,
    Predicate,
}

impl Planner<'_> {
    pub fn error(&self, code: ErrorCode, message: impl Into<String>, at: At) -> Error {
        parse::error_at(self.text, code, message, at.0)
    }

    pub fn invalid(&self, message: impl Into<String>, at: At) -> Error {
        self.error(ErrorCode::InvalidQuery, message, at)
    }

    pub fn unsupported(&self, what: &str, at: At) -> Error {
        self.error(ErrorCode::NotAllowed, format!("{what} is not supported here."), at)
    }

    /// Gives an error a place unless it has one.
    pub fn placed<T>(&self, outcome: Result<T>, at: At) -> Result<T> {
        outcome.map_err(|error| match error.position {
            Some(_) => error,
            None => error.at(parse::position(self.text, at.0)),
        })
    }

    /// A variable that no one has named yet.
    pub fn new_variable(&self, name: &ast::Name, kind: ValueType, scope: &mut Scope) -> Result<usize> {
        let text = &name.kind.text;
        if scope.find(text).is_some() {
            return Err(self.invalid(format!("The variable {text} exists already."), At(name.span.start)));
        }
        Ok(scope.add(text, kind))
    }
}
