//! The address graph of the chain: who sent what to whom, when. Built once per state of the lake and held in memory.

mod build;
mod edges;
mod load;

use std::ops::ControlFlow;
use std::sync::Arc;

use alloy_primitives::aliases::I512;
use alloy_primitives::map::AddressHashMap;
use alloy_primitives::{Address, U256};

use super::{Edges, Flow, LabelId, Names, PropertyGraph, TypeId};
use crate::value::{Map, NodeId, RelId, Value};
use edges::EdgeTable;
use quarry_lake::Head;
use quarry_types::Result;

pub(crate) use load::{NewestGraph, chain_graph};

/// Labels of nodes, by their number.
const LABELS: [&str; 4] = ["Address", "EOA", "Contract", "Token"];
const EOA: LabelId = 1;
const CONTRACT: LabelId = 2;
const TOKEN: LabelId = 3;

/// Types of single edges, by their number.
const TYPES: [&str; 5] = ["TRANSFER", "INTERNAL_TRANSFER", "TOKEN_TRANSFER", "CALL", "CREATED"];
const TRANSFER: usize = 0;
const INTERNAL: usize = 1;
const TOKEN_TRANSFER: usize = 2;
const CALL: usize = 3;
const CREATED: usize = 4;
/// Types that add up all edges of a single type between two addresses (of one token).
const SUMS: [(&str, usize); 4] =
    [("TRANSFERS", TRANSFER), ("INTERNAL_TRANSFERS", INTERNAL), ("TOKEN_TRANSFERS", TOKEN_TRANSFER), ("CALLS", CALL)];

const NODE_PROPERTIES: [&str; 8] =
    ["address", "firstSeen", "lastSeen", "degree", "inDegree", "outDegree", "symbol", "name"];
const EDGE_PROPERTIES: [&str; 8] = ["value", "time", "timestamp", "hash", "token", "count", "first", "last"];

/// Bits of an edge's number that say which edge of its type it is.
const EDGE_BITS: u32 = 32;

/// Tables of the lake that the graph is read from.
const SOURCES: usize = 4;

/// The state of the lake that a graph shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shown {
    snapshot: i64,
    head: Option<Head>,
    /// Rows of the tables it was read from.
    rows: [u64; SOURCES],
}

/// The graph.
#[derive(Default)]
pub(crate) struct ChainGraph {
    /// The state of the lake it shows; `None` until it is whole.
    shown: Option<Shown>,
    addresses: Vec<Address>,
    numbers: AddressHashMap<NodeId>,
    /// One bit a label.
    labels: Vec<u8>,
    /// Earliest and latest time an address took part, in seconds.
    seen: Vec<(u32, u32)>,
    /// Symbol and name of tokens, where they are known.
    tokens: AddressHashMap<(Option<String>, Option<String>)>,
    /// Hashes of transactions by their number here.
    hashes: Vec<[u8; 32]>,
    tables: [EdgeTable; TYPES.len()],
}

impl ChainGraph {
    /// Labels of nodes that follow from the chain alone, by their number.
    pub const LABELS: [&str; 4] = LABELS;

    pub fn address_of(&self, node: NodeId) -> &[u8] {
        self.addresses[node as usize].as_slice()
    }

    fn table(&self, relationship: RelId) -> (&EdgeTable, u32, bool) {
        let (type_id, edge) = ((relationship >> EDGE_BITS) as usize, relationship as u32);
        match type_id.checked_sub(TYPES.len()) {
            None => (&self.tables[type_id], edge, false),
            Some(sum) => (&self.tables[SUMS[sum].1], edge, true),
        }
    }

    fn degree(&self, node: NodeId, out: bool, into: bool) -> i64 {
        let count = |table: &EdgeTable| {
            (if out { table.leaving(node).len() } else { 0 }) + (if into { table.reaching(node).len() } else { 0 })
        };
        self.tables.iter().map(count).sum::<usize>() as i64
    }

    fn address(&self, node: NodeId) -> Value {
        Value::text(format!("{:#x}", self.addresses[node as usize]))
    }

    /// Number of edges of all types, each counted once.
    pub fn edge_count(&self) -> usize {
        self.tables.iter().map(EdgeTable::len).sum()
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        let per_node = size_of::<Address>() * 2 + size_of::<NodeId>() + 1 + size_of::<(u32, u32)>();
        let edges: usize = self.tables.iter().map(EdgeTable::bytes).sum();
        edges + self.addresses.len() * per_node + self.hashes.len() * 32
    }
}

/// A time as everywhere in Quarry: `YYYY-MM-DD HH:mm:ss` UTC. As a text it sorts by time.
fn time_text(seconds: u32) -> Value {
    match arrow::temporal_conversions::timestamp_s_to_datetime(i64::from(seconds)) {
        Some(time) => Value::text(time.format("%Y-%m-%d %H:%M:%S").to_string()),
        None => Value::Null,
    }
}

fn amount(value: U256) -> Value {
    let mut limbs = [0; 8];
    limbs[..4].copy_from_slice(value.as_limbs());
    Value::amount(I512::from_limbs(limbs))
}

fn map_of(names: &[&str], value: impl Fn(&str) -> Result<Value>) -> Result<Map> {
    let mut map = Map::new();
    for name in names {
        let value = value(name)?;
        if !value.is_null() {
            map.insert(Arc::from(*name), value);
        }
    }
    Ok(map)
}

impl PropertyGraph for ChainGraph {
    fn node_count(&self) -> u32 {
        self.addresses.len() as u32
    }

    fn label(&self, name: &str) -> Option<LabelId> {
        LABELS.iter().position(|label| *label == name).map(|at| at as LabelId)
    }

    fn has_label(&self, node: NodeId, label: LabelId) -> bool {
        self.labels[node as usize] >> label & 1 == 1
    }

    fn labels_of(&self, node: NodeId) -> Vec<Arc<str>> {
        let has = |label: &LabelId| self.has_label(node, *label);
        (0..LABELS.len() as LabelId).filter(has).map(|label| Arc::from(LABELS[label as usize])).collect()
    }

    fn node_key(&self, node: NodeId) -> Value {
        self.address(node)
    }

    fn node_property(&self, node: NodeId, name: &str) -> Result<Value> {
        let (first, last) = self.seen[node as usize];
        let token = || self.tokens.get(&self.addresses[node as usize]);
        let word = |word: Option<&String>| word.map_or(Value::Null, |word| Value::text(word.as_str()));
        Ok(match name {
            "address" => self.address(node),
            // Who only has code, and never took part, was not seen.
            "firstSeen" if first <= last => time_text(first),
            "lastSeen" if first <= last => time_text(last),
            "degree" => Value::Int(self.degree(node, true, true)),
            "outDegree" => Value::Int(self.degree(node, true, false)),
            "inDegree" => Value::Int(self.degree(node, false, true)),
            "symbol" => word(token().and_then(|token| token.0.as_ref())),
            "name" => word(token().and_then(|token| token.1.as_ref())),
            _ => Value::Null,
        })
    }

    fn node_properties(&self, node: NodeId) -> Result<Map> {
        map_of(&NODE_PROPERTIES, |name| self.node_property(node, name))
    }

    fn seek(&self, property: &str, value: &Value) -> Option<Vec<NodeId>> {
        if property != "address" {
            return None;
        }
        let Value::Text(text) = value else { return Some(Vec::new()) };
        // The property is lower case: an address written otherwise equals none.
        let address = text.parse::<Address>().ok().filter(|_| !text.bytes().any(|byte| byte.is_ascii_uppercase()));
        Some(address.and_then(|address| self.numbers.get(&address)).copied().into_iter().collect())
    }

    fn has_index(&self, property: &str) -> bool {
        property == "address"
    }

    fn type_id(&self, name: &str) -> Option<TypeId> {
        let sums = SUMS.iter().map(|sum| &sum.0);
        TYPES.iter().chain(sums).position(|known| *known == name).map(|at| at as TypeId)
    }

    fn type_name(&self, id: TypeId) -> Arc<str> {
        let id = id as usize;
        Arc::from(if id < TYPES.len() { TYPES[id] } else { SUMS[id - TYPES.len()].0 })
    }

    fn type_of(&self, relationship: RelId) -> TypeId {
        (relationship >> EDGE_BITS) as TypeId
    }

    fn relationship_key(&self, relationship: RelId) -> Value {
        Value::Int(relationship as i64)
    }

    fn ends(&self, relationship: RelId) -> (NodeId, NodeId) {
        let (table, edge, _) = self.table(relationship);
        (table.source[edge as usize], table.target[edge as usize])
    }

    fn relationship_property(&self, relationship: RelId, name: &str) -> Result<Value> {
        let (table, edge, sum) = self.table(relationship);
        let at = edge as usize;
        let type_id = self.type_of(relationship) as usize;
        let times = || table.run(edge).map(|edge| table.time[edge as usize]);
        Ok(match (name, sum) {
            ("token", _) => table.token_of(edge).map_or(Value::Null, |token| self.address(token)),
            ("value", _) if type_id == CREATED => Value::Null,
            ("value", false) => amount(table.value(edge)),
            ("time", false) => time_text(table.time[at]),
            ("timestamp", false) => Value::Int(i64::from(table.time[at])),
            ("hash", false) => {
                let hash = self.hashes.get(table.transaction[at] as usize);
                hash.map_or(Value::Null, |hash| Value::text(format!("0x{}", hex::encode(hash))))
            }
            ("value", true) => {
                let wide = |edge| match amount(table.value(edge)) {
                    Value::Amount(value) => *value,
                    _ => I512::ZERO,
                };
                // Fewer than 2^32 values of 256 bits: their sum fits 512.
                Value::amount(table.run(edge).map(wide).fold(I512::ZERO, |sum, value| sum + value))
            }
            ("count", true) => Value::Int(table.run(edge).len() as i64),
            ("first", true) => times().min().map_or(Value::Null, time_text),
            ("last", true) => times().max().map_or(Value::Null, time_text),
            _ => Value::Null,
        })
    }

    fn relationship_properties(&self, relationship: RelId) -> Result<Map> {
        map_of(&EDGE_PROPERTIES, |name| self.relationship_property(relationship, name))
    }

    fn expand(
        &self,
        node: NodeId,
        out: bool,
        edges: &Edges,
        visit: &mut dyn FnMut(RelId, NodeId) -> Result<Flow>,
    ) -> Result<Flow> {
        // Sums repeat what single edges say: a pattern without types means single ones only.
        let types = if edges.types == u64::MAX { (1 << TYPES.len()) - 1 } else { edges.types };
        for type_id in 0..TYPES.len() + SUMS.len() {
            if types >> type_id & 1 == 0 {
                continue;
            }
            let sum = type_id >= TYPES.len();
            let table = &self.tables[if sum { SUMS[type_id - TYPES.len()].1 } else { type_id }];
            let bounded = !edges.only_types();
            let mut one = |edge: u32| {
                if sum && !table.is_first(edge) || bounded && !sum && !fits(table, edge, edges) {
                    return Ok(ControlFlow::Continue(()));
                }
                let other = if out { table.target[edge as usize] } else { table.source[edge as usize] };
                visit((type_id as u64) << EDGE_BITS | u64::from(edge), other)
            };
            if out {
                for edge in table.leaving(node) {
                    if one(edge)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            } else {
                for edge in table.reaching(node) {
                    if one(*edge)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn names(&self) -> Names {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_string()).collect::<Vec<_>>();
        let mut types = words(&TYPES);
        types.extend(SUMS.iter().map(|sum| sum.0.to_string()));
        let mut properties = words(&NODE_PROPERTIES);
        properties.extend(words(&EDGE_PROPERTIES));
        Names { labels: words(&LABELS), types, properties }
    }

    fn fixed_vocabulary(&self) -> bool {
        true
    }
}

/// Whether a single edge lies within the bounds of a walk.
fn fits(table: &EdgeTable, edge: u32, edges: &Edges) -> bool {
    let time = i64::from(table.time[edge as usize]) * 1_000_000;
    (edges.from..=edges.to).contains(&time) && table.value_up_to_128_bits(edge) >= edges.least
}
