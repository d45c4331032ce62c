//! The result of a query: typed columns, and the nodes and relationships in it for drawing.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, Decimal128Array, Float64Array, Int64Array, StringArray};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::record_batch::RecordBatch;
use serde_json::Value as Json;

use crate::graph::PropertyGraph;
use crate::values::{Map, NodeId, RelId, Value};
use quarry_runtime::results::ResultGraph;
use quarry_types::cell::float_word;
use quarry_types::meaning::MEANING;
use quarry_types::{Error, ErrorCode, Result};

/// Rows of one batch.
const BATCH: usize = 8_192;
/// Most nodes and relationships that are kept for drawing.
const MAX_NODES: usize = 3_000;
const MAX_EDGES: usize = 6_000;
/// Most bytes of one value: a page of a result is sent and shown whole.
const MAX_VALUE: usize = 32 << 20;

/// What all values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ColumnKind {
    Bool,
    Int,
    /// Amounts of at most 38 digits.
    Decimal,
    /// Amounts with more digits, as text.
    Digits,
    Float,
    Text,
    /// Anything else, as JSON, with the word for its meaning.
    Json(&'static str),
}

/// The rows as record batches of one schema.
pub(super) fn batches<'r>(
    columns: &[String],
    rows: &'r [Vec<Value>],
    graph: &'r dyn PropertyGraph,
) -> (SchemaRef, impl Iterator<Item = Result<RecordBatch>> + 'r) {
    let kinds: Vec<ColumnKind> =
        (0..columns.len()).map(|index| kind(rows.iter().filter_map(|row| row.get(index)))).collect();
    let fields: Vec<Field> = columns.iter().zip(&kinds).map(|(name, kind)| field(name, *kind)).collect();
    let schema = Arc::new(Schema::new(fields));
    let out = schema.clone();
    let batches = rows.chunks(BATCH).map(move |rows| {
        let arrays = kinds
            .iter()
            .enumerate()
            .map(|(index, kind)| array(*kind, rows.iter().map(|row| row.get(index).unwrap_or(&Value::Null)), graph));
        RecordBatch::try_new(schema.clone(), arrays.collect::<Result<_>>()?).map_err(Error::internal)
    });
    (out, batches)
}

fn kind<'v>(values: impl Iterator<Item = &'v Value>) -> ColumnKind {
    let mut sum: Option<ColumnKind> = None;
    for value in values {
        let one = match value {
            Value::Null => continue,
            Value::Bool(_) => ColumnKind::Bool,
            Value::Int(_) => ColumnKind::Int,
            Value::Amount(number)
                if i128::try_from(**number).is_ok_and(|number| number.unsigned_abs() < 10_u128.pow(38)) =>
            {
                ColumnKind::Decimal
            }
            Value::Amount(_) => ColumnKind::Digits,
            Value::Float(_) => ColumnKind::Float,
            Value::Text(_) | Value::Temporal(_) => ColumnKind::Text,
            Value::List(_) => ColumnKind::Json("list"),
            Value::Map(_) => ColumnKind::Json("map"),
            Value::Node(_) => ColumnKind::Json("node"),
            Value::Relationship(_) => ColumnKind::Json("relationship"),
            Value::Path(_) => ColumnKind::Json("path"),
        };
        sum = Some(match (sum, one) {
            (None, one) => one,
            (Some(sum), one) if sum == one => sum,
            (Some(ColumnKind::Decimal | ColumnKind::Digits | ColumnKind::Int), ColumnKind::Digits)
            | (Some(ColumnKind::Digits), ColumnKind::Decimal | ColumnKind::Int) => ColumnKind::Digits,
            (Some(ColumnKind::Decimal), ColumnKind::Int) | (Some(ColumnKind::Int), ColumnKind::Decimal) => {
                ColumnKind::Decimal
            }
            _ => return ColumnKind::Json("any"),
        });
    }
    sum.unwrap_or(ColumnKind::Text)
}

fn field(name: &str, kind: ColumnKind) -> Field {
    let (data_type, meaning) = match kind {
        ColumnKind::Bool => (DataType::Boolean, None),
        ColumnKind::Int => (DataType::Int64, None),
        ColumnKind::Decimal => (DataType::Decimal128(38, 0), None),
        ColumnKind::Digits | ColumnKind::Text => (DataType::Utf8, None),
        ColumnKind::Float => (DataType::Float64, None),
        ColumnKind::Json(meaning) => (DataType::Utf8, Some(meaning)),
    };
    let field = Field::new(name, data_type, true);
    match meaning {
        Some(meaning) => field.with_metadata(HashMap::from([(MEANING.to_string(), meaning.to_string())])),
        None => field,
    }
}

fn array<'v>(kind: ColumnKind, values: impl Iterator<Item = &'v Value>, graph: &dyn PropertyGraph) -> Result<ArrayRef> {
    /// An array of values; null for those that match no pattern.
    macro_rules! array_of {
        ($array:ty, $($pattern:pat => $value:expr),+) => {
            values.map(|value| match value { $($pattern => $value,)+ _ => None }).collect::<$array>()
        };
    }
    Ok(match kind {
        ColumnKind::Bool => Arc::new(array_of!(BooleanArray, Value::Bool(truth) => Some(*truth))),
        ColumnKind::Int => Arc::new(array_of!(Int64Array, Value::Int(number) => Some(*number))),
        ColumnKind::Float => Arc::new(array_of!(Float64Array, Value::Float(number) => Some(*number))),
        ColumnKind::Decimal => {
            let numbers = array_of!(
                Decimal128Array,
                Value::Int(number) => Some(i128::from(*number)),
                Value::Amount(number) => i128::try_from(**number).ok()
            );
            Arc::new(numbers.with_precision_and_scale(38, 0).map_err(Error::internal)?)
        }
        ColumnKind::Digits | ColumnKind::Text | ColumnKind::Json(_) => {
            let text = |value: &Value| match value {
                Value::Null => Ok(None),
                value if matches!(kind, ColumnKind::Json(_)) => json_text(value, graph).map(Some),
                Value::Text(text) => check_size(text.len()).map(|()| Some(text.to_string())),
                Value::Temporal(one) => Ok(Some(one.to_string())),
                Value::Int(number) => Ok(Some(number.to_string())),
                Value::Amount(number) => Ok(Some(number.to_string())),
                _ => Ok(None),
            };
            Arc::new(values.map(text).collect::<Result<StringArray>>()?)
        }
    })
}

fn json_text(value: &Value, graph: &dyn PropertyGraph) -> Result<String> {
    // Looked at first, since making the text takes several times the memory of the value.
    check_size(value.size())?;
    let text = to_json(value, graph)?.to_string();
    check_size(text.len())?;
    Ok(text)
}

fn check_size(bytes: usize) -> Result<()> {
    if bytes <= MAX_VALUE {
        return Ok(());
    }
    let most = MAX_VALUE >> 20;
    let message =
        format!("One value of the result is larger than {most} MiB; return it in rows, or collect less of it.");
    Err(Error::new(ErrorCode::ResultLimit, message))
}

/// The nodes and relationships of a result, as far as they are drawn; relationships bring their ends along.
pub(super) fn drawing(rows: &[Vec<Value>], graph: &dyn PropertyGraph) -> Result<Option<ResultGraph>> {
    let mut found = Elements::default();
    rows.iter().flatten().for_each(|value| found.collect(value));
    let Elements { nodes: OrderedSet { items: found_nodes, seen: mut total }, edges: found_edges } = found;
    let found_edges = found_edges.items;
    if found_nodes.is_empty() && found_edges.is_empty() {
        return Ok(None);
    }
    total.extend(found_edges.iter().flat_map(|edge| <[NodeId; 2]>::from(graph.ends(*edge))));
    let mut drawn: HashSet<NodeId> = HashSet::new();
    let mut nodes = Vec::new();
    let mut draw = |node: NodeId| {
        if drawn.contains(&node) {
            return Ok(true);
        }
        if drawn.len() >= MAX_NODES {
            return Ok(false);
        }
        drawn.insert(node);
        nodes.push(node_to_json(node, graph)?);
        Ok::<_, Error>(true)
    };
    let mut edges = Vec::new();
    for edge in &found_edges {
        let (source, target) = graph.ends(*edge);
        if edges.len() < MAX_EDGES && draw(source)? && draw(target)? {
            edges.push(relationship_to_json(*edge, graph)?);
        }
    }
    for node in &found_nodes {
        draw(*node)?;
    }
    Ok(Some(ResultGraph { nodes, edges, nodes_total: total.len() as u64, edges_total: found_edges.len() as u64 }))
}

/// Nodes and relationships in the order of their first occurrence, each once.
#[derive(Default)]
struct Elements {
    nodes: OrderedSet<NodeId>,
    edges: OrderedSet<RelId>,
}

#[derive(Default)]
struct OrderedSet<T> {
    items: Vec<T>,
    seen: HashSet<T>,
}

impl<T: Copy + Eq + Hash> OrderedSet<T> {
    fn insert(&mut self, item: T) {
        if self.seen.insert(item) {
            self.items.push(item);
        }
    }
}

impl Elements {
    fn collect(&mut self, value: &Value) {
        match value {
            Value::Node(node) => self.nodes.insert(*node),
            Value::Relationship(edge) => self.edges.insert(*edge),
            Value::Path(path) => {
                path.nodes.iter().for_each(|node| self.nodes.insert(*node));
                path.relationships.iter().for_each(|edge| self.edges.insert(*edge));
            }
            Value::List(items) => items.iter().for_each(|item| self.collect(item)),
            Value::Map(map) => map.values().for_each(|item| self.collect(item)),
            _ => {}
        }
    }
}

/// A value as JSON. Nodes are `{id, labels, properties}`, relationships `{id, type, source, target, properties}`, paths
/// `{nodes, relationships}`; amounts are text, since they may have more digits than a reader's numbers; dates and times are text;
/// what JSON has no number for is a word.
fn to_json(value: &Value, graph: &dyn PropertyGraph) -> Result<Json> {
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

fn node_to_json(node: NodeId, graph: &dyn PropertyGraph) -> Result<Json> {
    Ok(serde_json::json!({
        "id": to_json(&graph.node_key(node), graph)?,
        "labels": graph.labels_of(node).iter().map(|label| Json::from(&**label)).collect::<Vec<_>>(),
        "properties": map_to_json(&graph.node_properties(node)?, graph)?,
    }))
}

fn relationship_to_json(one: RelId, graph: &dyn PropertyGraph) -> Result<Json> {
    let (source, target) = graph.ends(one);
    Ok(serde_json::json!({
        "id": to_json(&graph.relationship_key(one), graph)?,
        "type": &*graph.type_name(graph.type_of(one)),
        "source": to_json(&graph.node_key(source), graph)?,
        "target": to_json(&graph.node_key(target), graph)?,
        "properties": map_to_json(&graph.relationship_properties(one)?, graph)?,
    }))
}
