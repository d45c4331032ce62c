//! Checks parent hashes between new blocks and their neighbors in the lake.

use std::collections::BTreeMap;

use alloy_primitives::B256;
use quarry_lake::{BlockRange, Head, Lake, Snapshot};
use quarry_types::{Error, ErrorCode, Result};

use crate::chain::BlockData;
use crate::verify;

const MICROSECONDS: i64 = 1_000_000;

/// What the new blocks replace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Replaces {
    /// Nothing.
    Nothing,
    /// The same blocks. The ranges never split a published range.
    TheSame,
    /// Everything from a block on. Blocks from `given_up` on were reorganized; earlier ones are written again.
    AllFrom { block: i64, given_up: i64 },
}

/// The neighbors in the lake of the ranges to ingest.
pub(super) struct ParentLinks {
    /// By first block of a range: the block of the lake below it.
    below: BTreeMap<i64, Head>,
    /// By last block of a range: the parent hash of the block of the lake above it.
    above: BTreeMap<i64, B256>,
    /// The last block received.
    last: Option<Head>,
}

impl ParentLinks {
    /// Loads the neighbors of ranges in ascending order. Blocks that are replaced do not count.
    pub(super) async fn of(lake: &Lake, ranges: &[BlockRange], replaces: Replaces) -> Result<ParentLinks> {
        let snapshot = lake.snapshot().await?;
        let mut links = ParentLinks { below: BTreeMap::new(), above: BTreeMap::new(), last: None };
        for (at, range) in ranges.iter().enumerate() {
            let (has_below, has_above) = match replaces {
                Replaces::Nothing => (true, true),
                Replaces::TheSame => (at == 0, at + 1 == ranges.len()),
                Replaces::AllFrom { .. } => (true, false),
            };
            if has_below && let Some(below) = held(lake, &snapshot, range.from - 1)? {
                links.below.insert(range.from, below);
            }
            if has_above && let Some(parent) = verify::stored_parent(lake.dir(), &snapshot, range.to.saturating_add(1))?
            {
                links.above.insert(range.to, parent);
            }
        }
        Ok(links)
    }

    /// The last block received, which is the newest as blocks are in ascending order.
    pub(super) fn last(&self) -> Option<Head> {
        self.last
    }

    /// Checks the parent hashes between new blocks, across requests and runs, and with the blocks above.
    pub(super) fn check(&mut self, blocks: &[BlockData], node: &str) -> Result<()> {
        let (Some(first), Some(last)) = (blocks.first().map(head), blocks.last().map(head)) else { return Ok(()) };
        let parent = blocks[0].header.parent_hash;
        let broken = |before: &Head| before.number + 1 == first.number && before.hash != parent;
        if let Some(before) = self.below.get(&first.number) {
            if broken(before) {
                let message = format!(
                    "Block {} of the node at {node} follows {parent}, but block {} is {} in this lake: the chain was \
                     reorganized, or it is a different chain.",
                    first.number, before.number, before.hash
                );
                return Err(Error::new(ErrorCode::Verification, message));
            }
        } else if let Some(before) = self.last.filter(broken) {
            // Both blocks are verified, so the chain was reorganized.
            let message = format!(
                "Block {} of the node at {node} follows {parent}, but block {} was {} a moment ago: the chain was \
                 reorganized in the meantime.",
                first.number, before.number, before.hash
            );
            return Err(Error::new(ErrorCode::Source, message));
        }
        if let Some(named) = self.above.get(&last.number).filter(|named| **named != last.hash) {
            let message = format!(
                "Block {} of this lake follows {named}, but block {} of the node at {node} is {}: the chain was \
                 reorganized, or it is a different chain.",
                last.number + 1,
                last.number,
                last.hash
            );
            return Err(Error::new(ErrorCode::Verification, message));
        }
        self.last = Some(last);
        Ok(())
    }
}

/// A block of the lake.
pub(super) fn held(lake: &Lake, snapshot: &Snapshot, number: i64) -> Result<Option<Head>> {
    if let Some(head) = snapshot.head.filter(|head| head.number == number) {
        return Ok(Some(head));
    }
    if !snapshot.ranges.iter().any(|range| range.contains(number)) {
        return Ok(None);
    }
    Ok(verify::stored_heads(lake.dir(), snapshot, BlockRange::new(number, number)?)?.pop())
}

fn head(block: &BlockData) -> Head {
    let number = i64::try_from(block.header.number).unwrap_or(i64::MAX);
    let seconds = i64::try_from(block.header.timestamp).unwrap_or(i64::MAX);
    Head { number, hash: block.hash, time: seconds.saturating_mul(MICROSECONDS) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn reorg_between_requests_is_not_a_failure() {
        let (old, new) = (testing::chain(5, 4, 0, 0), testing::chain(5, 4, 1, 1));
        let mut links = ParentLinks { below: BTreeMap::new(), above: BTreeMap::new(), last: None };
        links.check(&old[..2], "here").expect("the first");
        links.check(&old[2..3], "here").expect("they follow");
        let error = links.check(&new[3..], "here").expect_err("they are of another fork");
        assert_eq!(error.code, ErrorCode::Source);
        assert!(error.message.contains("reorganized in the meantime"), "{error}");

        let of_the_lake = BTreeMap::from([(3, head(&old[2]))]);
        let mut links = ParentLinks { below: of_the_lake, above: BTreeMap::new(), last: None };
        let error = links.check(&new[3..], "here").expect_err("the lake holds another fork");
        assert_eq!(error.code, ErrorCode::Verification);
        links.check(&old[3..], "here").expect("it continues the lake's");
    }
}
