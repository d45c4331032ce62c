//! Finds the newest common block of the lake and the nodes.

use quarry_lake::{BlockRange, Lake, Snapshot};
use quarry_types::Result;

use crate::rpc::Nodes;
use crate::verify;

/// Blocks whose hashes are compared first; doubled each time.
const FIRST_WINDOW: i64 = 16;
const LARGEST_WINDOW: i64 = 1024;

/// The result of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fork {
    /// The newest common block, and whether the nodes have other blocks than the lake above it.
    After { shared: i64, is_proven: bool },
    /// The nodes have another block at the height of the first block of the lake.
    Nothing,
    /// The nodes have no block at the heights of the lake.
    Unknown,
}

/// Compares the blocks of the lake with those of the nodes, from `top` down.
pub(super) async fn find(lake: &Lake, nodes: &Nodes, snapshot: &Snapshot, top: i64) -> Result<Fork> {
    let lowest = lowest(snapshot);
    let mut to = top;
    let mut window = FIRST_WINDOW;
    let (mut is_proven, mut is_other) = (false, false);
    while to >= lowest {
        let from = (to - window + 1).max(lowest);
        let held = verify::stored_heads(lake.dir(), snapshot, BlockRange::new(from, to)?)?;
        let numbers: Vec<u64> = held.iter().map(|head| head.number.unsigned_abs()).collect();
        for (held, theirs) in held.iter().zip(nodes.hashes_at(&numbers).await?).rev() {
            if theirs == Some(held.hash) {
                return Ok(Fork::After { shared: held.number, is_proven });
            }
            is_other = theirs.is_some();
            is_proven |= is_other;
        }
        to = from - 1;
        window = (window * 2).min(LARGEST_WINDOW);
    }
    Ok(if is_other { Fork::Nothing } else { Fork::Unknown })
}

/// Number of the first block of the lake; 0 for an empty lake.
pub(super) fn lowest(snapshot: &Snapshot) -> i64 {
    snapshot.ranges.iter().map(|range| range.from).min().unwrap_or_default()
}
