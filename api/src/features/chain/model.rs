//! Shapes of what the lake holds.

use serde::Serialize;
use utoipa::ToSchema;

/// The chain in the lake.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChainStatus {
    /// Null while the lake is empty, like `origin` and `head`.
    pub chain_id: Option<u64>,
    pub origin: Option<ChainOrigin>,
    pub head: Option<ChainHead>,
    /// Newest block that can't change any more.
    pub finalised: Option<i64>,
    /// Time of the head block in milliseconds since 1970.
    pub data_as_of: Option<i64>,
    pub tables: Vec<TableRows>,
    /// The newest 96 blocks, oldest first.
    pub recent_blocks: Vec<RecentBlock>,
}

/// Where the blocks come from: simulated by Quarry, or pulled from a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChainOrigin {
    Sample,
    Node,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ChainHead {
    pub number: i64,
    /// `0x…`
    pub hash: String,
    /// Milliseconds since 1970.
    pub time: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TableRows {
    pub name: String,
    pub rows: u64,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecentBlock {
    pub number: i64,
    /// Milliseconds since 1970.
    pub time: i64,
    pub gas_used: i64,
    pub gas_limit: i64,
    pub transaction_count: i64,
    /// In wei; null before the London fork.
    pub base_fee: Option<String>,
}
