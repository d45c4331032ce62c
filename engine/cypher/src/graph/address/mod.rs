//! The address graph of the chain: addresses, and the transfers and calls between them. It is built once for each state of the lake and kept in memory.

mod build;
mod edges;
mod labeled;
mod load;

use alloy_primitives::Address;
use alloy_primitives::map::AddressHashMap;

use super::LabelId;
use crate::values::{NodeId, RelId, Value};
use edges::EdgeTable;
use quarry_lake::Head;

pub(crate) use labeled::AddressGraph;
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
/// Types that sum up all edges of another type between two addresses (of one token).
const SUMS: [(&str, usize); 4] =
    [("TRANSFERS", TRANSFER), ("INTERNAL_TRANSFERS", INTERNAL), ("TOKEN_TRANSFERS", TOKEN_TRANSFER), ("CALLS", CALL)];

const NODE_PROPERTIES: [&str; 8] =
    ["address", "firstSeen", "lastSeen", "degree", "inDegree", "outDegree", "symbol", "name"];
const EDGE_PROPERTIES: [&str; 8] = ["value", "time", "timestamp", "hash", "token", "count", "first", "last"];

/// Bits of a relationship's number that are the number of the edge within its type.
const EDGE_BITS: u32 = 32;

/// Tables of the lake that the graph is read from.
const SOURCES: usize = 4;

/// The state of the lake that a graph was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LakeState {
    snapshot: i64,
    head: Option<Head>,
    /// Rows of the tables it was read from.
    rows: [u64; SOURCES],
}

/// The graph.
#[derive(Default)]
pub(crate) struct ChainGraph {
    /// `None` until it is complete.
    lake_state: Option<LakeState>,
    addresses: Vec<Address>,
    numbers: AddressHashMap<NodeId>,
    /// One bit a label.
    labels: Vec<u8>,
    /// Earliest and latest time of an edge of each address, in seconds.
    seen: Vec<(u32, u32)>,
    /// Symbol and name of tokens, if known.
    tokens: AddressHashMap<(Option<String>, Option<String>)>,
    /// Hashes of transactions by their number here.
    hashes: Vec<[u8; 32]>,
    tables: [EdgeTable; TYPES.len()],
}

impl ChainGraph {
    fn address_of(&self, node: NodeId) -> &[u8] {
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

    /// Whether a node has one of the labels of the chain.
    fn has_label(&self, node: NodeId, label: LabelId) -> bool {
        self.labels[node as usize] >> label & 1 == 1
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
