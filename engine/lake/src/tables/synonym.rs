//! Synonyms of columns, so that queries written for Dune run unchanged.

/// A column of the transaction of a row. With `max` of a single value the planner knows that the subquery has one row.
macro_rules! transaction_column {
    ($column:literal) => {
        concat!(
            "(select max(tx_value) from (select block_timestamp as tx_time, block_number as tx_block, \
             transaction_index as tx_place, ",
            $column,
            " as tx_value from ethereum.transactions) as tx where tx_time = of_row.block_timestamp \
             and tx_block = of_row.block_number and tx_place = of_row.transaction_index)"
        )
    };
}

/// The alias of the outer row in the subquery of a synonym: `of_row.block_number`.
pub const OF_ROW: &str = "of_row";

/// The sender of the transaction of a row.
pub(super) const TX_FROM: Synonym = synonym("tx_from", transaction_column!("from_address"));
/// Its receiver.
pub(super) const TX_TO: Synonym = synonym("tx_to", transaction_column!("to_address"));

/// A name for a column, or for an expression over columns of the same table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Synonym {
    /// In lower case.
    pub name: &'static str,
    /// SQL over the columns of the table, usually one column.
    pub means: &'static str,
}

pub(super) const fn synonym(name: &'static str, means: &'static str) -> Synonym {
    Synonym { name, means }
}
