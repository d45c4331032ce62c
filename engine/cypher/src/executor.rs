//! What the operators and expressions of a running query share: its rows, its graph and its memory.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::SystemTime;

use regex::Regex;

use crate::functions::Context;
use crate::graph::{Flow, PropertyGraph};
use crate::logical_plan::Slot;
use crate::memory_budget::MemoryBudget;
use crate::query_text::QueryText;
use crate::values::Value;
use quarry_types::Result;

/// Values of one row by slot; slots beyond its end are null.
pub(crate) type Row = Vec<Value>;

/// Takes rows; returns whether to continue.
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
pub(crate) struct Executor<'a> {
    pub text: QueryText<'a>,
    pub context: Context<'a>,
    pub budget: &'a MemoryBudget,
    /// Compiled regular expressions by their text.
    pub patterns: RefCell<HashMap<Arc<str>, Regex>>,
}

impl<'a> Executor<'a> {
    pub fn new(text: QueryText<'a>, graph: &'a dyn PropertyGraph, budget: &'a MemoryBudget) -> Executor<'a> {
        let context = Context { graph, now: SystemTime::now() };
        Executor { text, context, budget, patterns: RefCell::default() }
    }

    pub fn graph(&self) -> &'a dyn PropertyGraph {
        self.context.graph
    }
}
