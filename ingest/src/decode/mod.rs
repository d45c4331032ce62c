//! Decodes blocks into rows: one file for each table.

mod blocks;
pub(crate) mod columns;
mod contracts;
mod logs;
mod nested;
mod selectors;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod token_transfers;
mod traces;
mod transactions;
mod withdrawals;

use alloy_primitives::Address;
use arrow::array::RecordBatch;
use quarry_lake::tables::Table;
use quarry_types::Result;

use crate::chain::BlockData;
pub(crate) use nested::hash_lists;

/// Decodes blocks into a batch of each table, with `Table::schema()` and in the sort order of the table. Blocks may be
/// in any order; tables without rows are omitted. Fails if a number does not fit its column.
pub fn batches(blocks: &[BlockData]) -> Result<Vec<(Table, RecordBatch)>> {
    let mut blocks: Vec<&BlockData> = blocks.iter().collect();
    blocks.sort_by_key(|block| block.header.number);
    let mut batches = Vec::with_capacity(Table::ALL.len());
    for table in Table::ALL {
        let batch = batch(table, &blocks)?;
        if batch.num_rows() > 0 {
            batches.push((table, batch));
        }
    }
    Ok(batches)
}

/// Decodes blocks in ascending order into one table.
pub(crate) fn batch(table: Table, blocks: &[&BlockData]) -> Result<RecordBatch> {
    match table {
        Table::Blocks => blocks::batch(blocks),
        Table::Transactions => transactions::batch(blocks),
        Table::Logs => logs::batch(blocks),
        Table::TokenTransfers => token_transfers::batch(blocks),
        Table::Traces => traces::batch(blocks),
        Table::Contracts => contracts::batch(blocks),
        Table::Withdrawals => withdrawals::batch(blocks),
        // Computed from the transactions when they are staged.
        Table::AddressDays | Table::Days => Ok(RecordBatch::new_empty(table.schema())),
    }
}

/// How many of the first blocks have at most `max_bytes` bytes together; at least one. A batch limits the bytes of a
/// column.
pub(crate) fn portion(sizes: impl Iterator<Item = usize>, max_bytes: usize) -> usize {
    let mut sum = 0_usize;
    let fitting = sizes.take_while(|size| {
        let is_first = sum == 0;
        sum = sum.saturating_add(*size);
        is_first || sum <= max_bytes
    });
    fitting.count()
}

/// The token contracts that a block creates.
pub(crate) fn token_contracts(block: &BlockData) -> Vec<Address> {
    contracts::tokens(block)
}
