//! What all parts of the analysis share: the query, its graph and its parameters.

use open_cypher::ast;

use super::scope::Scope;
use crate::graph::PropertyGraph;
use crate::logical_plan::Slot;
use crate::query_text::{At, QueryText};
use crate::values::{Map, ValueType};
use quarry_types::Result;

/// Turns the syntax tree of a query into its logical plan.
pub(super) struct Analyzer<'a> {
    pub text: QueryText<'a>,
    pub graph: &'a dyn PropertyGraph,
    pub parameters: &'a Map,
}

/// Where a query is: as a predicate it need not return anything.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Top,
    Subquery,
    Predicate,
}

impl Analyzer<'_> {
    /// Adds a variable whose name is not taken.
    pub fn new_variable(&self, name: &ast::Name, kind: ValueType, scope: &mut Scope) -> Result<Slot> {
        let text = &name.kind.text;
        if scope.find(text).is_some() {
            return Err(self.text.invalid(format!("The variable {text} already exists."), At(name.span.start)));
        }
        Ok(scope.add(text, kind))
    }
}
