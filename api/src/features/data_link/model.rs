//! Shapes of the data monitor.

use quarry_ingest::verify::Mismatch;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::checking::{Blocks, CheckEnd, CheckStatus};
use crate::following::{FollowStatus, Following};
use crate::integrity::Check;

/// State of the data and of the server.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DataStatus {
    /// Newest block; null while the lake is empty, like all about it.
    pub head: Option<i64>,
    /// Time of the newest block, in milliseconds since 1970.
    pub head_time: Option<i64>,
    /// How old the newest block is, in milliseconds.
    pub lag_ms: Option<i64>,
    /// Newest block that can't change any more.
    pub finalised: Option<i64>,
    pub tables: Vec<TableState>,
    /// Jobs that wait or run.
    pub active_jobs: usize,
    pub open_sockets: usize,
    /// How long the platform database took to answer, in milliseconds.
    pub database_ms: f64,
    /// How long reading the lake's catalogue took, in milliseconds.
    pub lake_ms: f64,
    /// Blocks per second over the last hour; null when too few came in it.
    pub blocks_per_second: Option<f64>,
    /// Blocks that did not prove what they say, ever.
    pub verification_failures: u64,
    pub follow: FollowView,
    /// The check that is under way, or the last one since the server started.
    pub check: Option<CheckView>,
    /// The last check of the databases; null before the first since the server started.
    pub databases: Option<DatabaseCheck>,
}

/// A check of the platform database and the lake's catalogue.
#[derive(Debug, Serialize, ToSchema)]
pub struct DatabaseCheck {
    /// When it ended, in milliseconds since 1970.
    pub at: i64,
    /// What is wrong with the platform database; null: nothing.
    pub database: Option<String>,
    /// What is wrong with the lake's catalogue; null: nothing.
    pub catalogue: Option<String>,
}

impl From<Check> for DatabaseCheck {
    fn from(Check { at, database, catalogue }: Check) -> DatabaseCheck {
        DatabaseCheck { at, database, catalogue }
    }
}

/// How following the head of the chain fares.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FollowView {
    /// Whether the settings name nodes to follow.
    pub configured: bool,
    pub running: bool,
    /// Scheme, host and port of the nodes.
    pub nodes: Vec<String>,
    /// Since when, in milliseconds since 1970.
    pub started_at: Option<i64>,
    /// Newest block that came from the nodes.
    pub head: Option<i64>,
    /// Blocks that the nodes have and the lake has not yet; null before anything was seen.
    pub behind_blocks: Option<u64>,
    /// What went wrong last since the start, and when in milliseconds since 1970.
    pub trouble: Option<String>,
    pub trouble_at: Option<i64>,
}

impl FollowView {
    pub fn of(following: &Following) -> FollowView {
        let FollowStatus { running, nodes, started_at, head, behind, trouble } = following.status();
        let (trouble_at, trouble) = trouble.unzip();
        let configured = following.is_possible();
        FollowView { configured, running, nodes, started_at, head, behind_blocks: behind, trouble, trouble_at }
    }
}

/// A check of the lake by itself: each block is put together from what is stored and has to prove itself.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckView {
    pub state: CheckState,
    /// Milliseconds since 1970, like `finishedAt`.
    pub started_at: i64,
    pub finished_at: Option<i64>,
    /// The blocks that were checked; null until it is done.
    pub blocks: Option<Blocks>,
    /// Blocks to check, of which the lake holds each; 0 until that is known.
    pub blocks_total: u64,
    pub blocks_done: u64,
    /// What did not pass, all of it.
    pub mismatches: u64,
    /// The first of them, in the order of the chain.
    pub found: Vec<MismatchView>,
    /// Why it could not go on.
    pub trouble: Option<String>,
}

/// Where a check stands.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CheckState {
    Running,
    Done,
    Stopped,
    Failed,
}

/// A check that a block did not pass.
#[derive(Debug, Serialize, ToSchema)]
pub struct MismatchView {
    pub block: u64,
    /// What was checked: "receipts root", "rows".
    pub check: String,
    /// What was computed, and what is stored.
    pub detail: String,
}

impl CheckView {
    pub fn of(check: CheckStatus) -> CheckView {
        let (state, trouble) = match check.end {
            CheckEnd::Running => (CheckState::Running, None),
            CheckEnd::Done => (CheckState::Done, None),
            CheckEnd::Stopped => (CheckState::Stopped, None),
            CheckEnd::Failed(message) => (CheckState::Failed, Some(message)),
        };
        let mismatch = |found: Mismatch| MismatchView {
            block: found.block,
            check: found.check.name().to_string(),
            detail: found.what,
        };
        CheckView {
            state,
            started_at: check.started_at,
            finished_at: check.finished_at,
            blocks: check.blocks.map(|(from, to)| Blocks { from, to }),
            blocks_total: check.blocks_total,
            blocks_done: check.blocks_done,
            mismatches: check.mismatches,
            found: check.found.into_iter().map(mismatch).collect(),
            trouble,
        }
    }
}

/// Which blocks to check.
#[derive(Debug, Deserialize, ToSchema)]
pub struct CheckForm {
    /// How many of the newest; all that the lake holds when left out.
    #[schema(minimum = 1)]
    pub blocks: Option<u64>,
}

/// The lake at one moment.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LakeLook {
    /// Milliseconds since 1970, like `headTime`.
    pub time: i64,
    /// Time of the newest block; null while the lake is empty.
    pub head_time: Option<i64>,
    /// Blocks that the lake holds.
    pub blocks: u64,
    /// Rows of all tables.
    pub rows: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TableState {
    pub name: String,
    pub rows: u64,
}
