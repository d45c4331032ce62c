//! What the parts of a run share: rows, and the graph that they are read from.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::SystemTime;

use regex::Regex;

use crate::budget::Budget;
use crate::functions::Context;
use crate::parse;
use crate::plan::{At, Slot};
use crate::store::{Flow, PropertyGraph};
use crate::value::Value;
use quarry_types::{Error, ErrorCode, Result};

/// Regular expressions that were met already, by their text.
type Patterns = HashMap<Arc<str>, Regex>;

/// Values of one row by slot; slots beyond its end are null.
pub(crate) type Row = Vec<Value>;

/// Where rows go; it says whether more are wanted.
pub(crate) type Sink<'s> = dyn FnMut(&mut Row) -> Result<Flow> + 's;

/// Puts a value into a row.
pub(crate) fn set(row: &mut Row, slot: Slot, value: Value) {
    if row.len() <= slot {
        row.resize(slot + 1, Value::Null);
    }
    row[slot] = value;
}

/// The value of a slot.
pub(crate) fn get(row: &Row, slot: Slot) -> &Value {
    row.get(slot).unwrap_or(&Value::Null)
}

/// Runs queries over one graph.
pub(crate) struct Machine<'a> {
    text: &'a str,
    pub(super) context: Context<'a>,
    pub budget: &'a Budget,
    pub(super) patterns: RefCell<Patterns>,
}

impl<'a> Machine<'a> {
    pub fn new(text: &'a str, graph: &'a dyn PropertyGraph, budget: &'a Budget) -> Machine<'a> {
        let context = Context { graph, now: SystemTime::now() };
        Machine { text, context, budget, patterns: RefCell::default() }
    }

    pub fn graph(&self) -> &'a dyn PropertyGraph {
        self.context.graph
    }

    pub fn error(&self, code: ErrorCode, message: impl Into<String>, at: At) -> Error {
        parse::error_at(self.text, code, message, at.0)
    }

    pub fn placed<T>(&self, outcome: Result<T>, at: At) -> Result<T> {
        outcome.map_err(|error| match error.position {
            Some(_) => error,
            None => error.at(parse::position(self.text, at.0)),
        })
    }
}
