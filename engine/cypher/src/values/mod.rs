//! Values of the language.

mod compare;
mod fields;
mod invalid;
mod json;
mod key;
mod number;
mod parameters;
pub(super) mod temporal;
mod value_type;

use std::collections::BTreeMap;
use std::sync::Arc;

use alloy_primitives::aliases::I512;

pub(super) use compare::{equal, less, order};
pub(super) use invalid::invalid;
pub(super) use json::{from_json, map_from_json};
pub(super) use key::Key;
pub(super) use number::{Arithmetic, arithmetic, as_f64, exact_float, negate, whole};
pub(super) use parameters::parameters;
pub(super) use value_type::ValueType;

/// Number of a node in its graph, from 0.
pub(super) type NodeId = u32;
/// Number of a relationship in its graph.
pub(super) type RelId = u64;
/// A map; the order of its keys has no meaning.
pub(super) type Map = BTreeMap<Arc<str>, Value>;

/// A value of this many bytes is too large.
pub(super) const MAX_SIZE: usize = 1 << 30;
/// Deepest nesting of lists and maps; deeper values count as too large, since code that visits them recurses.
const MAX_DEPTH: usize = 1_000;

/// Any value.
#[derive(Debug, Clone)]
pub(super) enum Value {
    Null,
    Bool(bool),
    /// The language's INTEGER: what leaves 64 bits is an error.
    Int(i64),
    /// An amount of the chain: as exact as an integer, and wide enough for sums of uint256.
    Amount(Box<I512>),
    Float(f64),
    Text(Arc<str>),
    List(Arc<Vec<Value>>),
    Map(Arc<Map>),
    Node(NodeId),
    Relationship(RelId),
    Path(Arc<Path>),
    Temporal(Arc<temporal::Temporal>),
}

/// A path: one node more than relationships.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Path {
    pub nodes: Vec<NodeId>,
    pub relationships: Vec<RelId>,
}

impl Value {
    pub fn text(text: impl Into<Arc<str>>) -> Value {
        Value::Text(text.into())
    }

    pub fn list(items: Vec<Value>) -> Value {
        Value::List(Arc::new(items))
    }

    pub fn map(map: Map) -> Value {
        Value::Map(Arc::new(map))
    }

    pub fn amount(number: I512) -> Value {
        Value::Amount(Box::new(number))
    }

    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// The name of its type, for errors.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Null => "NULL",
            Value::Bool(_) => "BOOLEAN",
            Value::Int(_) | Value::Amount(_) => "INTEGER",
            Value::Float(_) => "FLOAT",
            Value::Text(_) => "STRING",
            Value::List(_) => "LIST",
            Value::Map(_) => "MAP",
            Value::Node(_) => "NODE",
            Value::Relationship(_) => "RELATIONSHIP",
            Value::Path(_) => "PATH",
            Value::Temporal(one) => one.type_name(),
        }
    }

    /// Its bytes on the heap, for the memory limit. Shared parts count each time; counting ends at [`MAX_SIZE`].
    pub fn size(&self) -> usize {
        let mut left = MAX_SIZE;
        self.count(&mut left, 0);
        MAX_SIZE - left
    }

    fn count(&self, left: &mut usize, depth: usize) {
        const SHARED: usize = 16;
        let own = match self {
            Value::Text(text) => SHARED + text.len(),
            Value::Amount(_) => size_of::<I512>(),
            Value::List(items) => SHARED + items.len() * size_of::<Value>(),
            Value::Map(map) => SHARED + map.keys().map(|key| 72 + key.len()).sum::<usize>(),
            Value::Path(path) => SHARED + path.nodes.len() * 4 + path.relationships.len() * 8,
            Value::Temporal(_) => SHARED + size_of::<temporal::Temporal>(),
            _ => 0,
        };
        *left = if depth > MAX_DEPTH { 0 } else { left.saturating_sub(own) };
        let mut inner = |item: &Value| {
            if *left > 0 {
                item.count(left, depth + 1);
            }
        };
        match self {
            Value::List(items) => items.iter().for_each(&mut inner),
            Value::Map(map) => map.values().for_each(&mut inner),
            _ => {}
        }
    }
}

/// Equivalence: null is null and NaN is NaN, as grouping and DISTINCT see it.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        order(self, other).is_eq()
    }
}

impl From<temporal::Temporal> for Value {
    fn from(value: temporal::Temporal) -> Value {
        Value::Temporal(Arc::new(value))
    }
}

impl From<Option<bool>> for Value {
    fn from(truth: Option<bool>) -> Value {
        truth.map_or(Value::Null, Value::Bool)
    }
}
