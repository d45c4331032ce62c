//! Blocks into rows: one file per table of the lake.

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

/// The rows of these blocks in every table, each batch with exactly `Table::schema()` and sorted as the table's
/// definition says. Blocks may come in any order; a table without rows is left out. Fails when a number does not fit
/// its column, naming block and column.
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

/// The rows of these blocks, in rising order, in one table.
pub(crate) fn batch(table: Table, blocks: &[&BlockData]) -> Result<RecordBatch> {
    match table {
        Table::Blocks => blocks::batch(blocks),
        Table::Transactions => transactions::batch(blocks),
        Table::Logs => logs::batch(blocks),
        Table::TokenTransfers => token_transfers::batch(blocks),
        Table::Traces => traces::batch(blocks),
        Table::Contracts => contracts::batch(blocks),
        Table::Withdrawals => withdrawals::batch(blocks),
        // Made of the transactions where they are staged.
        Table::AddressDays | Table::Days => Ok(RecordBatch::new_empty(table.schema())),
    }
}

/// How many of the first blocks of these sizes have so many bytes together at most; one where that alone has more. Blocks
/// without bounds would be more than the columns of one batch hold.
pub(crate) fn portion(sizes: impl Iterator<Item = usize>, most: usize) -> usize {
    let mut sum = 0_usize;
    let fitting = sizes.take_while(|size| {
        let is_first = sum == 0;
        sum = sum.saturating_add(*size);
        is_first || sum <= most
    });
    fitting.count()
}

/// The contracts created in a block that are tokens by their code.
pub(crate) fn token_contracts(block: &BlockData) -> Vec<Address> {
    contracts::tokens(block)
}
