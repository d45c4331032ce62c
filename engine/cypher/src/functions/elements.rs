//! Functions of nodes, relationships, paths and maps.

use super::{Context, Function, plain, wrong};
use crate::value::Value;
use crate::value::ValueType::{self, Any, Integer, List, Map, Node, Path, Relationship, Relationships, Text};
use quarry_types::Result;

/// Nodes and relationships, and with maps, everything that has properties.
const ELEMENTS: &[ValueType] = &[Node, Relationship];
const WITH_PROPERTIES: &[ValueType] = &[Node, Relationship, Map];

pub(super) const FUNCTIONS: &[Function] = &[
    plain("id", 1, 1, id).typed(&[ELEMENTS], Any),
    plain("elementId", 1, 1, element_id).typed(&[ELEMENTS], Text),
    plain("labels", 1, 1, labels).typed(&[&[Node]], List),
    plain("type", 1, 1, type_of).typed(&[&[Relationship]], Text),
    plain("startNode", 1, 1, |c, values| end(c, values, true)).typed(&[&[Relationship]], Node),
    plain("endNode", 1, 1, |c, values| end(c, values, false)).typed(&[&[Relationship]], Node),
    plain("nodes", 1, 1, nodes).typed(&[&[Path]], List),
    plain("relationships", 1, 1, relationships).typed(&[&[Path]], Relationships),
    plain("rels", 1, 1, relationships).typed(&[&[Path]], Relationships),
    plain("length", 1, 1, length).typed(&[&[Path]], Integer),
    plain("properties", 1, 1, properties).typed(&[WITH_PROPERTIES], Map),
    plain("keys", 1, 1, keys).typed(&[WITH_PROPERTIES], List),
];

fn id(context: &Context<'_>, values: &[Value]) -> Result<Value> {
    match &values[0] {
        Value::Node(node) => Ok(context.graph.node_key(*node)),
        Value::Relationship(one) => Ok(context.graph.relationship_key(*one)),
        other => Err(wrong("id", "a node or a relationship", other)),
    }
}

fn element_id(context: &Context<'_>, values: &[Value]) -> Result<Value> {
    let key = id(context, values)?;
    Ok(super::convert::text_of(&key).map_or(Value::Null, Value::Text))
}

fn labels(context: &Context<'_>, values: &[Value]) -> Result<Value> {
    match &values[0] {
        Value::Node(node) => Ok(Value::list(context.graph.labels_of(*node).into_iter().map(Value::Text).collect())),
        other => Err(wrong("labels", "a node", other)),
    }
}

fn type_of(context: &Context<'_>, values: &[Value]) -> Result<Value> {
    match &values[0] {
        Value::Relationship(one) => Ok(Value::Text(context.graph.type_name(context.graph.type_of(*one)))),
        other => Err(wrong("type", "a relationship", other)),
    }
}

fn end(context: &Context<'_>, values: &[Value], start: bool) -> Result<Value> {
    match &values[0] {
        Value::Relationship(one) => {
            let (source, target) = context.graph.ends(*one);
            Ok(Value::Node(if start { source } else { target }))
        }
        other => Err(wrong(if start { "startNode" } else { "endNode" }, "a relationship", other)),
    }
}

fn nodes(_: &Context<'_>, values: &[Value]) -> Result<Value> {
    match &values[0] {
        Value::Path(path) => Ok(Value::list(path.nodes.iter().map(|node| Value::Node(*node)).collect())),
        other => Err(wrong("nodes", "a path", other)),
    }
}

fn relationships(_: &Context<'_>, values: &[Value]) -> Result<Value> {
    match &values[0] {
        Value::Path(path) => Ok(Value::list(path.relationships.iter().map(|one| Value::Relationship(*one)).collect())),
        other => Err(wrong("relationships", "a path", other)),
    }
}

fn length(_: &Context<'_>, values: &[Value]) -> Result<Value> {
    match &values[0] {
        Value::Path(path) => Ok(Value::Int(path.relationships.len() as i64)),
        other => Err(wrong("length", "a path", other)),
    }
}

fn properties(context: &Context<'_>, values: &[Value]) -> Result<Value> {
    Ok(Value::map(match &values[0] {
        Value::Node(node) => context.graph.node_properties(*node)?,
        Value::Relationship(one) => context.graph.relationship_properties(*one)?,
        Value::Map(_) => return Ok(values[0].clone()),
        other => return Err(wrong("properties", "a node, a relationship or a map", other)),
    }))
}

fn keys(context: &Context<'_>, values: &[Value]) -> Result<Value> {
    match properties(context, values)? {
        Value::Map(map) => Ok(Value::list(map.keys().cloned().map(Value::Text).collect())),
        other => Ok(other),
    }
}
