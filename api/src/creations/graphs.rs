//! Graphs that people keep: nodes and edges with names, drawn by hand or taken from a result.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::{AnyConnection, Row};
use utoipa::ToSchema;

use crate::db::Db;
use crate::http::ApiError;

const MOST_NODES: usize = 3_000;
const MOST_EDGES: usize = 6_000;
const LONGEST_NAME: usize = 200;
const MOST_PROPERTIES: usize = 30;
const LONGEST_VALUE: usize = 1_000;

/// A node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GraphNode {
    pub id: String,
    #[serde(default)]
    pub name: String,
    /// Decides the colour.
    #[serde(default)]
    pub category: String,
    /// A decimal number as text; decides the size.
    #[serde(default)]
    pub value: String,
    /// Where somebody put it; null where the drawing decides.
    #[serde(default)]
    pub x: Option<f64>,
    #[serde(default)]
    pub y: Option<f64>,
    #[serde(default)]
    #[schema(value_type = Object)]
    pub properties: BTreeMap<String, Value>,
}

/// An edge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GraphEdge {
    pub source: String,
    pub target: String,
    #[serde(default)]
    pub name: String,
    /// A decimal number as text; decides the width.
    #[serde(default)]
    pub value: String,
    #[serde(default)]
    #[schema(value_type = Object)]
    pub properties: BTreeMap<String, Value>,
}

/// Nodes and the edges between them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GraphContent {
    #[serde(default)]
    pub nodes: Vec<GraphNode>,
    #[serde(default)]
    pub edges: Vec<GraphEdge>,
}

impl GraphContent {
    /// Refuses what no graph can be: nodes with one id, edges that end nowhere.
    pub fn check(&self) -> Result<(), ApiError> {
        if self.nodes.len() > MOST_NODES || self.edges.len() > MOST_EDGES {
            let msg = format!("A graph has at most {MOST_NODES} nodes and {MOST_EDGES} edges.");
            return Err(ApiError::invalid("nodes", msg));
        }
        let mut ids = BTreeSet::new();
        for node in &self.nodes {
            let texts = [&node.id, &node.name, &node.category, &node.value];
            check(&texts, &node.properties, "nodes")?;
            if node.id.is_empty() || !ids.insert(node.id.as_str()) {
                return Err(ApiError::invalid("nodes", "Every node has an id of its own."));
            }
        }
        for edge in &self.edges {
            check(&[&edge.name, &edge.value], &edge.properties, "edges")?;
            for end in [&edge.source, &edge.target] {
                if !ids.contains(end.as_str()) {
                    let end: String = end.chars().take(80).collect();
                    return Err(ApiError::invalid(
                        "edges",
                        format!("An edge names the node {end}, which is not there."),
                    ));
                }
            }
        }
        Ok(())
    }
}

fn check(texts: &[&String], properties: &BTreeMap<String, Value>, param: &'static str) -> Result<(), ApiError> {
    let long = |text: &str| text.chars().count() > LONGEST_NAME;
    let heavy = |value: &Value| match value {
        Value::Array(_) | Value::Object(_) => true,
        Value::String(text) => text.chars().count() > LONGEST_VALUE,
        _ => false,
    };
    if texts.iter().any(|text| long(text)) || properties.keys().any(|name| long(name)) {
        return Err(ApiError::invalid(param, format!("A name in a graph has at most {LONGEST_NAME} characters.")));
    }
    if properties.len() > MOST_PROPERTIES || properties.values().any(heavy) {
        let msg = format!("A node or edge has at most {MOST_PROPERTIES} properties: texts, numbers or truth values.");
        return Err(ApiError::invalid(param, msg));
    }
    Ok(())
}

pub async fn insert(at: &mut AnyConnection, id: &str, content: &GraphContent) -> Result<(), ApiError> {
    let content = serde_json::to_string(content).map_err(ApiError::internal)?;
    sqlx::query("insert into graphs (id, content) values ($1, $2)").bind(id).bind(content).execute(at).await?;
    Ok(())
}

/// Writes the content anew; the rights are those of the creation's row, which is changed first.
pub async fn update(at: &mut AnyConnection, id: &str, content: &GraphContent) -> Result<(), ApiError> {
    let content = serde_json::to_string(content).map_err(ApiError::internal)?;
    sqlx::query("update graphs set content = $2 where id = $1").bind(id).bind(content).execute(at).await?;
    Ok(())
}

/// The content, for who has read the creation's row.
pub async fn find(db: &Db, id: &str) -> Result<GraphContent, ApiError> {
    let row = sqlx::query("select content from graphs where id = $1").bind(id).fetch_optional(db.pool()).await?;
    let row = row.ok_or_else(|| ApiError::not_found("graph"))?;
    let content: String = row.try_get("content")?;
    serde_json::from_str(&content).map_err(ApiError::internal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn checked(graph: Value) -> Result<(), ApiError> {
        serde_json::from_value::<GraphContent>(graph).unwrap().check()
    }

    #[test]
    fn edges_join_nodes_that_are_there() {
        assert!(
            checked(json!({"nodes": [{"id": "a"}, {"id": "b"}], "edges": [{"source": "a", "target": "b"}]})).is_ok()
        );
        assert!(checked(json!({"nodes": [{"id": "a"}], "edges": [{"source": "a", "target": "b"}]})).is_err());
        assert!(checked(json!({"nodes": [{"id": "a"}, {"id": "a"}]})).is_err());
        assert!(checked(json!({"nodes": [{"id": ""}]})).is_err());
        assert!(checked(json!({"nodes": [{"id": "a", "properties": {"deep": [[1]]}}]})).is_err());
    }
}
