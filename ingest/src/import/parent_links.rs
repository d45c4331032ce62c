//! Checks parent hashes between imported blocks and their neighbors in the lake.

use alloy_primitives::B256;
use quarry_lake::{BlockRange, Lake};
use quarry_types::Result;

use super::file::invalid;
use crate::verify::{stored_heads, stored_parent};

/// Checks that new blocks continue those of the lake and that those above continue them, if both sides have parent
/// hashes: two forks have the same chain id.
///
/// # Errors
/// `InvalidInput` if they don't.
pub(super) async fn check(lake: &Lake, range: BlockRange, parent: Option<B256>, last: B256) -> Result<()> {
    let snapshot = lake.snapshot().await?;
    if let Some(parent) = parent
        && range.from > 0
        && let Some(below) =
            stored_heads(lake.dir(), &snapshot, BlockRange::new(range.from - 1, range.from - 1)?)?.pop()
        && below.hash != parent
    {
        return Err(invalid(format!(
            "Block {} of the files follows {parent}, but block {} is {} in this lake: they are of two chains.",
            range.from, below.number, below.hash
        )));
    }
    let above = range.to.saturating_add(1);
    if let Some(named) = stored_parent(lake.dir(), &snapshot, above)?
        && named != last
    {
        return Err(invalid(format!(
            "Block {above} of this lake follows {named}, but block {} of the files is {last}: they are of two chains.",
            range.to
        )));
    }
    Ok(())
}
