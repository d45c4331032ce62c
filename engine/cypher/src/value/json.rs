//! Values from JSON (graph files, parameters) and to JSON (results).

use std::sync::Arc;

use serde_json::Value as Json;

use super::{Map, NodeId, RelId, Value};
use crate::store::PropertyGraph;
use quarry_types::Result;
use quarry_types::cell::float_word;

/// A JSON value as a value of the language: whole numbers are integers, others floats.
pub(crate) fn from_json(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(whole), ..) => Value::Int(whole),
            (None, Some(whole), _) => Value::amount(alloy_primitives::aliases::I512::unchecked_from(whole)),
            (.., float) => float.map_or(Value::Null, Value::Float),
        },
        Json::String(text) => Value::text(text.as_str()),
        Json::Array(items) => Value::list(items.iter().map(from_json).collect()),
        Json::Object(members) => Value::map(map_from_json(members)),
    }
}

pub(crate) fn map_from_json<'a>(members: impl IntoIterator<Item = (&'a String, &'a Json)>) -> Map {
    members.into_iter().map(|(key, value)| (Arc::from(key.as_str()), from_json(value))).collect()
}

/// A value as JSON. Nodes are `{id, labels, properties}`, relationships `{id, type, source, target, properties}`, paths
/// `{nodes, relationships}`; amounts are text, since they may have more digits than a reader's numbers; dates and times are text;
/// what JSON has no number for is a word.
pub(crate) fn to_json(value: &Value, graph: &dyn PropertyGraph) -> Result<Json> {
    Ok(match value {
        Value::Null => Json::Null,
        Value::Bool(truth) => Json::Bool(*truth),
        Value::Int(number) => Json::from(*number),
        Value::Amount(number) => Json::String(number.to_string()),
        Value::Float(number) => match serde_json::Number::from_f64(*number) {
            Some(number) => Json::Number(number),
            None => float_word(*number).into(),
        },
        Value::Text(text) => Json::from(&**text),
        Value::Temporal(one) => Json::String(one.to_string()),
        Value::List(items) => Json::Array(items.iter().map(|item| to_json(item, graph)).collect::<Result<_>>()?),
        Value::Map(map) => map_to_json(map, graph)?,
        Value::Node(node) => node_to_json(*node, graph)?,
        Value::Relationship(relationship) => relationship_to_json(*relationship, graph)?,
        Value::Path(path) => {
            let nodes = path.nodes.iter().map(|node| node_to_json(*node, graph)).collect::<Result<Vec<_>>>()?;
            let relationships = path.relationships.iter().map(|one| relationship_to_json(*one, graph));
            serde_json::json!({ "nodes": nodes, "relationships": relationships.collect::<Result<Vec<_>>>()? })
        }
    })
}

fn map_to_json(map: &Map, graph: &dyn PropertyGraph) -> Result<Json> {
    let members = map.iter().map(|(key, value)| Ok((key.to_string(), to_json(value, graph)?)));
    Ok(Json::Object(members.collect::<Result<_>>()?))
}

pub(crate) fn node_to_json(node: NodeId, graph: &dyn PropertyGraph) -> Result<Json> {
    Ok(serde_json::json!({
        "id": to_json(&graph.node_key(node), graph)?,
        "labels": graph.labels_of(node).iter().map(|label| Json::from(&**label)).collect::<Vec<_>>(),
        "properties": map_to_json(&graph.node_properties(node)?, graph)?,
    }))
}

pub(crate) fn relationship_to_json(one: RelId, graph: &dyn PropertyGraph) -> Result<Json> {
    let (source, target) = graph.ends(one);
    Ok(serde_json::json!({
        "id": to_json(&graph.relationship_key(one), graph)?,
        "type": &*graph.type_name(graph.type_of(one)),
        "source": to_json(&graph.node_key(source), graph)?,
        "target": to_json(&graph.node_key(target), graph)?,
        "properties": map_to_json(&graph.relationship_properties(one)?, graph)?,
    }))
}
