//! Where the lake and the nodes part.

use quarry_lake::{BlockRange, Lake, Snapshot};
use quarry_types::Result;

use crate::rpc::Nodes;
use crate::verify;

/// Blocks whose hashes are compared at once; twice as many each time.
const FIRST_WINDOW: i64 = 16;
const LARGEST_WINDOW: i64 = 1024;

/// What comparing blocks came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fork {
    /// The newest block that both have, and whether the nodes were seen to have others than the lake above it.
    After { shared: i64, is_proven: bool },
    /// The nodes have another block in the place of the lake's lowest: nothing is shared.
    Nothing,
    /// The nodes have no block where the lake's are.
    Unknown,
}

/// Compares the lake's blocks from `top` down with those of the nodes.
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

/// Number of the lake's lowest block; 0 for an empty lake.
pub(super) fn lowest(snapshot: &Snapshot) -> i64 {
    snapshot.ranges.iter().map(|range| range.from).min().unwrap_or_default()
}
