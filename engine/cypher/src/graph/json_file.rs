//! A small property graph from a JSON file:
//! `{"nodes":[{"id","labels","properties"}],"edges":[{"id","type","source","target","properties"}]}`;
//! `src`, `dst` and `props` are understood too.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map as JsonMap, Value as Json};

use super::{Edges, Flow, LabelId, Names, PropertyGraph, TypeId};
use crate::values::{Map, NodeId, RelId, Value, from_json, map_from_json};
use quarry_types::{Error, ErrorCode, Result};

/// Most types of relationships in a file: filters of edges hold them as the bits of a word.
const MAX_TYPES: usize = 64;

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    nodes: Vec<FileNode>,
    #[serde(default, alias = "relationships")]
    edges: Vec<FileEdge>,
}

#[derive(Deserialize)]
struct FileNode {
    id: Json,
    #[serde(default)]
    labels: Vec<String>,
    #[serde(default, alias = "props")]
    properties: Option<JsonMap<String, Json>>,
}

#[derive(Deserialize)]
struct FileEdge {
    id: Option<Json>,
    #[serde(rename = "type")]
    type_name: String,
    #[serde(alias = "src")]
    source: Json,
    #[serde(alias = "dst")]
    target: Json,
    #[serde(default, alias = "props")]
    properties: Option<JsonMap<String, Json>>,
}

struct Node {
    key: Value,
    labels: Vec<LabelId>,
    properties: Map,
    out: Vec<RelId>,
    into: Vec<RelId>,
}

struct Edge {
    key: Value,
    type_id: TypeId,
    source: NodeId,
    target: NodeId,
    properties: Map,
}

/// The graph in memory.
#[derive(Default)]
pub(crate) struct JsonGraph {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    labels: Vec<Arc<str>>,
    types: Vec<Arc<str>>,
}

impl JsonGraph {
    /// Reads the text of a file.
    pub fn parse(text: &str) -> Result<JsonGraph> {
        let file: File =
            serde_json::from_str(text).map_err(|error| bad(format!("it is not a property graph: {error}")))?;
        let mut graph = JsonGraph::default();
        let mut numbers: HashMap<String, NodeId> = HashMap::new();
        for node in &file.nodes {
            let number = NodeId::try_from(graph.nodes.len()).map_err(Error::internal)?;
            if numbers.insert(node.id.to_string(), number).is_some() {
                return Err(bad(format!("two nodes have the id {}", node.id)));
            }
            let labels = node.labels.iter().map(|label| intern(&mut graph.labels, label)).collect();
            let properties = properties(node.properties.as_ref());
            graph.nodes.push(Node { key: from_json(&node.id), labels, properties, out: vec![], into: vec![] });
        }
        let end = |id: &Json| {
            numbers
                .get(&id.to_string())
                .copied()
                .ok_or_else(|| bad(format!("an edge refers to the node {id}, which does not exist")))
        };
        for (number, edge) in file.edges.iter().enumerate() {
            let (source, target) = (end(&edge.source)?, end(&edge.target)?);
            let type_id = intern(&mut graph.types, &edge.type_name);
            if graph.types.len() > MAX_TYPES {
                return Err(bad(format!("it has more than {MAX_TYPES} edge types")));
            }
            graph.nodes[source as usize].out.push(number as RelId);
            graph.nodes[target as usize].into.push(number as RelId);
            let key = edge.id.as_ref().map_or(Value::Int(number as i64), from_json);
            graph.edges.push(Edge { key, type_id, source, target, properties: properties(edge.properties.as_ref()) });
        }
        Ok(graph)
    }

    fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node as usize]
    }

    fn edge(&self, edge: RelId) -> &Edge {
        &self.edges[edge as usize]
    }
}

fn bad(why: String) -> Error {
    Error::new(ErrorCode::InvalidInput, format!("The graph file can't be used: {why}."))
}

fn intern(names: &mut Vec<Arc<str>>, name: &str) -> u32 {
    let known = names.iter().position(|known| **known == *name);
    known.unwrap_or_else(|| {
        names.push(Arc::from(name));
        names.len() - 1
    }) as u32
}

/// A property that is null does not exist.
fn properties(members: Option<&JsonMap<String, Json>>) -> Map {
    let mut map = members.map(map_from_json).unwrap_or_default();
    map.retain(|_, value| !value.is_null());
    map
}

impl PropertyGraph for JsonGraph {
    fn node_count(&self) -> u32 {
        self.nodes.len() as u32
    }

    fn label(&self, name: &str) -> Option<LabelId> {
        self.labels.iter().position(|label| **label == *name).map(|at| at as LabelId)
    }

    fn has_label(&self, node: NodeId, label: LabelId) -> bool {
        self.node(node).labels.contains(&label)
    }

    fn labels_of(&self, node: NodeId) -> Vec<Arc<str>> {
        self.node(node).labels.iter().map(|label| self.labels[*label as usize].clone()).collect()
    }

    fn node_key(&self, node: NodeId) -> Value {
        self.node(node).key.clone()
    }

    fn node_property(&self, node: NodeId, name: &str) -> Result<Value> {
        Ok(self.node(node).properties.get(name).cloned().unwrap_or(Value::Null))
    }

    fn node_properties(&self, node: NodeId) -> Result<Map> {
        Ok(self.node(node).properties.clone())
    }

    fn seek(&self, _property: &str, _value: &Value) -> Option<Vec<NodeId>> {
        None
    }

    fn has_index(&self, _property: &str) -> bool {
        false
    }

    fn type_id(&self, name: &str) -> Option<TypeId> {
        self.types.iter().position(|known| **known == *name).map(|at| at as TypeId)
    }

    fn type_name(&self, id: TypeId) -> Arc<str> {
        self.types[id as usize].clone()
    }

    fn type_of(&self, relationship: RelId) -> TypeId {
        self.edge(relationship).type_id
    }

    fn relationship_key(&self, relationship: RelId) -> Value {
        self.edge(relationship).key.clone()
    }

    fn ends(&self, relationship: RelId) -> (NodeId, NodeId) {
        let edge = self.edge(relationship);
        (edge.source, edge.target)
    }

    fn relationship_property(&self, relationship: RelId, name: &str) -> Result<Value> {
        Ok(self.edge(relationship).properties.get(name).cloned().unwrap_or(Value::Null))
    }

    fn relationship_properties(&self, relationship: RelId) -> Result<Map> {
        Ok(self.edge(relationship).properties.clone())
    }

    fn expand(
        &self,
        node: NodeId,
        out: bool,
        edges: &Edges,
        visit: &mut dyn FnMut(RelId, NodeId) -> Result<Flow>,
    ) -> Result<Flow> {
        let node = self.node(node);
        for &number in if out { &node.out } else { &node.into } {
            let edge = self.edge(number);
            if edges.has_type(edge.type_id) && visit(number, if out { edge.target } else { edge.source })?.is_break() {
                return Ok(Flow::Break(()));
            }
        }
        Ok(Flow::Continue(()))
    }

    fn names(&self) -> Names {
        let text = |names: &[Arc<str>]| names.iter().map(|name| name.to_string()).collect();
        let maps = self.nodes.iter().map(|node| &node.properties).chain(self.edges.iter().map(|edge| &edge.properties));
        let mut properties: Vec<String> = maps.flat_map(|map| map.keys().map(|key| key.to_string())).collect();
        properties.sort();
        properties.dedup();
        Names { labels: text(&self.labels), types: text(&self.types), properties }
    }

    fn fixed_vocabulary(&self) -> bool {
        false
    }
}
