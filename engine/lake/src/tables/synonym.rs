//! Other names of the columns of a table, so that queries written for Dune run as they are.

/// A column of the transaction of a row; of one value the greatest is that value, and tells the planner that there is one.
macro_rules! of_transaction {
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

/// What stands, in a query that a name means, before columns of the row that is asked: `of_row.block_number`.
pub const OF_ROW: &str = "of_row";

/// The sender of the transaction of a row.
pub(super) const TX_FROM: Synonym = synonym("tx_from", of_transaction!("from_address"));
/// Its receiver.
pub(super) const TX_TO: Synonym = synonym("tx_to", of_transaction!("to_address"));

/// A name that a query may use in place of a column or of an expression over columns of the same table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Synonym {
    /// In lower case.
    pub name: &'static str,
    /// SQL over the table's own columns, most often just one of them.
    pub means: &'static str,
}

pub(super) const fn synonym(name: &'static str, means: &'static str) -> Synonym {
    Synonym { name, means }
}
