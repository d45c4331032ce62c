//! Functions of nodes, relationships, paths and maps.

use super::convert::text_of;
use super::{Arguments, Function, function};
use crate::values::Value;
use crate::values::ValueType::{self, Any, Integer, List, Map, Node, Path, Relationship, Relationships, Text};
use quarry_types::Result;

const ELEMENTS: &[ValueType] = &[Node, Relationship];
const WITH_PROPERTIES: &[ValueType] = &[Node, Relationship, Map];

pub(super) const FUNCTIONS: &[Function] = &[
    function("id", 1, 1, id).typed(&[ELEMENTS], Any),
    function("elementId", 1, 1, |args| Ok(text_of(&id(args)?).map_or(Value::Null, Value::Text)))
        .typed(&[ELEMENTS], Text),
    function("labels", 1, 1, |args| {
        Ok(Value::list(args.graph().labels_of(args.node(0)?).into_iter().map(Value::Text).collect()))
    })
    .typed(&[&[Node]], List),
    function("type", 1, 1, |args| Ok(Value::Text(args.graph().type_name(args.graph().type_of(args.relationship(0)?)))))
        .typed(&[&[Relationship]], Text),
    function("startNode", 1, 1, |args| Ok(Value::Node(args.graph().ends(args.relationship(0)?).0)))
        .typed(&[&[Relationship]], Node),
    function("endNode", 1, 1, |args| Ok(Value::Node(args.graph().ends(args.relationship(0)?).1)))
        .typed(&[&[Relationship]], Node),
    function("nodes", 1, 1, |args| Ok(Value::list(args.path(0)?.nodes.iter().copied().map(Value::Node).collect())))
        .typed(&[&[Path]], List),
    function("relationships", 1, 1, relationships).typed(&[&[Path]], Relationships),
    function("rels", 1, 1, relationships).typed(&[&[Path]], Relationships),
    function("length", 1, 1, |args| Ok(Value::Int(args.path(0)?.relationships.len() as i64)))
        .typed(&[&[Path]], Integer),
    function("properties", 1, 1, properties).typed(&[WITH_PROPERTIES], Map),
    function("keys", 1, 1, keys).typed(&[WITH_PROPERTIES], List),
];

fn id(args: &Arguments<'_>) -> Result<Value> {
    match &args.values[0] {
        Value::Node(node) => Ok(args.graph().node_key(*node)),
        Value::Relationship(one) => Ok(args.graph().relationship_key(*one)),
        _ => Err(args.wrong(0, "a node or a relationship")),
    }
}

fn relationships(args: &Arguments<'_>) -> Result<Value> {
    Ok(Value::list(args.path(0)?.relationships.iter().copied().map(Value::Relationship).collect()))
}

fn properties(args: &Arguments<'_>) -> Result<Value> {
    Ok(Value::map(match &args.values[0] {
        Value::Node(node) => args.graph().node_properties(*node)?,
        Value::Relationship(one) => args.graph().relationship_properties(*one)?,
        Value::Map(_) => return Ok(args.values[0].clone()),
        _ => return Err(args.wrong(0, "a node, a relationship or a map")),
    }))
}

fn keys(args: &Arguments<'_>) -> Result<Value> {
    match properties(args)? {
        Value::Map(map) => Ok(Value::list(map.keys().cloned().map(Value::Text).collect())),
        other => Ok(other),
    }
}
