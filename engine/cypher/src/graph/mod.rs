//! Property graphs that a query runs on: the address graph of the chain, or a graph file.

mod address;
mod json_file;

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::values::{Map, NodeId, RelId, Value};
use quarry_types::Result;

pub(super) use address::{AddressGraph, NewestGraph, chain_graph};
pub(super) use json_file::JsonGraph;

/// Whether to continue with more rows or edges.
pub(super) type Flow = ControlFlow<()>;
/// Number of a label in its graph.
pub(super) type LabelId = u32;
/// Number of a relationship type in its graph, below 64.
pub(super) type TypeId = u32;

/// A filter of relationships.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Edges {
    /// Types, one bit each.
    pub types: u64,
    /// Earliest and latest time, both included, in microseconds UTC.
    pub from: i64,
    pub to: i64,
    /// Least `value`.
    pub least: u128,
}

impl Edges {
    pub const ALL: Edges = Edges { types: u64::MAX, from: i64::MIN, to: i64::MAX, least: 0 };

    pub fn of_types(types: u64) -> Edges {
        Edges { types, ..Edges::ALL }
    }

    pub fn has_type(&self, one: TypeId) -> bool {
        self.types >> one & 1 == 1
    }

    /// Whether it filters by types only.
    pub fn only_types(&self) -> bool {
        Edges { types: u64::MAX, ..self.clone() } == Edges::ALL
    }
}

/// Names that exist in a graph.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    pub labels: Vec<String>,
    pub types: Vec<String>,
    pub properties: Vec<String>,
}

/// A directed graph whose nodes have labels and whose relationships have one type; both have properties.
pub(super) trait PropertyGraph: Send + Sync {
    /// Nodes are numbered from 0.
    fn node_count(&self) -> u32;
    fn label(&self, name: &str) -> Option<LabelId>;
    fn has_label(&self, node: NodeId, label: LabelId) -> bool;
    fn labels_of(&self, node: NodeId) -> Vec<Arc<str>>;
    /// The result of `id()`.
    fn node_key(&self, node: NodeId) -> Value;
    /// Null when it has none of this name.
    fn node_property(&self, node: NodeId, name: &str) -> Result<Value>;
    fn node_properties(&self, node: NodeId) -> Result<Map>;
    /// The nodes whose property equals a value, when the graph has an index on it.
    fn seek(&self, property: &str, value: &Value) -> Option<Vec<NodeId>>;
    /// Whether `seek` finds nodes by a property.
    fn has_index(&self, property: &str) -> bool;

    fn type_id(&self, name: &str) -> Option<TypeId>;
    fn type_name(&self, id: TypeId) -> Arc<str>;
    fn type_of(&self, relationship: RelId) -> TypeId;
    fn relationship_key(&self, relationship: RelId) -> Value;
    /// Where it starts and where it ends.
    fn ends(&self, relationship: RelId) -> (NodeId, NodeId);
    fn relationship_property(&self, relationship: RelId, name: &str) -> Result<Value>;
    fn relationship_properties(&self, relationship: RelId) -> Result<Map>;
    /// Visits the relationships that leave a node (`out`) or reach it, with the node at the other end.
    fn expand(
        &self,
        node: NodeId,
        out: bool,
        edges: &Edges,
        visit: &mut dyn FnMut(RelId, NodeId) -> Result<Flow>,
    ) -> Result<Flow>;

    /// Names for suggestions; a graph with a fixed vocabulary makes an unknown name an error.
    fn names(&self) -> Names;
    fn fixed_vocabulary(&self) -> bool;
}
