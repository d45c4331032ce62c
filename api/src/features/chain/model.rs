//! Shapes of what the lake holds.

use serde::Serialize;
use utoipa::ToSchema;

use crate::checking::Blocks;
use crate::ws::message::ChainHead;

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
    pub gas_by_kind: GasByKind,
}

/// Gas used by kind of transaction; a transaction counts as the first kind of this order that fits.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct GasByKind {
    /// Created a contract.
    pub creation: i64,
    /// Swapped tokens on an exchange of the Uniswap family.
    pub swap: i64,
    /// Moved NFTs or filled an order for them.
    pub nft: i64,
    /// Moved ERC-20 tokens.
    pub token: i64,
    /// Moved ether and called nothing.
    pub transfer: i64,
    pub other: i64,
}

/// How the lake fares, for the people who run it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LakeMonitor {
    pub snapshot: i64,
    pub head: Option<ChainHead>,
    pub finalised: Option<i64>,
    /// Blocks that the lake holds, in rising order.
    pub covered: Vec<Blocks>,
    /// Blocks missing in between.
    pub gaps: Vec<Blocks>,
    pub tables: Vec<TableFiles>,
    /// The newest reorganisations, newest first.
    pub reorgs: Vec<ReorgView>,
    /// Blocks per second over the last hour; null when too few came in to tell.
    pub blocks_per_second: Option<f64>,
    /// Blocks that failed a check.
    pub verification_failures: u64,
    /// The newest of them, newest first.
    pub last_failures: Vec<FailureView>,
    /// Files that were replaced and are not deleted yet.
    pub replaced_files: u64,
    pub replaced_bytes: u64,
    /// The reading of all files again, which finds damage.
    pub scrub: ScrubView,
}

/// How reading the files of the lake again fares.
#[derive(Debug, Serialize, ToSchema)]
pub struct ScrubView {
    /// The pass that is under way; null between two.
    pub current: Option<ScrubPassView>,
    /// The last pass that ended; null before the first.
    pub last: Option<ScrubPassView>,
    /// Files that were damaged when they were last read, at most 100, by their blocks.
    pub damaged: Vec<DamagedFileView>,
}

/// One pass over all files.
#[derive(Debug, Serialize, ToSchema)]
pub struct ScrubPassView {
    /// Milliseconds since 1970, like `ended`.
    pub started: i64,
    /// Null while it is under way.
    pub ended: Option<i64>,
    /// Files that it has read.
    pub files: u64,
    pub bytes: u64,
    /// How many of them were damaged.
    pub damaged: u64,
}

/// A file that differs from what was written.
#[derive(Debug, Serialize, ToSchema)]
pub struct DamagedFileView {
    /// Table and name.
    pub path: String,
    /// The blocks of its rows: `quarry ingest --overwrite` brings them in again.
    pub blocks: Blocks,
    /// When it was found, in milliseconds since 1970.
    pub time: i64,
    /// What is wrong with it.
    pub detail: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TableFiles {
    pub name: String,
    pub rows: u64,
    pub bytes: u64,
    pub files: usize,
    /// Highest block with a row.
    pub head: Option<i64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ReorgView {
    /// Milliseconds since 1970.
    pub time: i64,
    /// The blocks that were given up, as they had been published.
    pub blocks: Blocks,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FailureView {
    /// Milliseconds since 1970.
    pub time: i64,
    pub block: Option<i64>,
    pub detail: String,
}
