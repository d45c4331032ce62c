//! Roll-ups of transactions by day. A day that several ranges share has rows of each range: sum them, or count distinct addresses
//! as the view `active_addresses` does.

use super::column::{ColumnType::*, col, opt};
use super::table_def::TableDef;

pub(super) static ADDRESS_DAYS: TableDef = TableDef {
    name: "address_days",
    doc: "One row per address, day and published range of blocks in which it sent or received a transaction.",
    columns: &[
        col("day", Time, "Start of the day, UTC."),
        col("address", Address, "Sender or receiver.").indexed().without_dictionary().uncompressed(),
        col("sent", Int64, "Transactions sent by the address."),
        col("received", Int64, "Transactions sent to the address."),
        col("block_number", Int64, "First block of the day in the range."),
    ],
    sort: &["block_number", "address"],
    time: "day",
    synonyms: &[],
};

pub(super) static DAYS: TableDef = TableDef {
    name: "days",
    doc: "One row per day and published range of blocks: sums over its transactions.",
    columns: &[
        col("day", Time, "Start of the day, UTC."),
        col("transactions", Int64, "Transactions."),
        col("failures", Int64, "Transactions that failed."),
        col("creations", Int64, "Transactions that create a contract."),
        col("gas_used", Int64, "Gas used by the transactions, where the receipt reports it.").unit("gas"),
        opt("value", Wei, "Wei sent with the transactions; null if it has more than 38 digits.").unit("wei"),
        opt("fees", Wei, "Wei paid for the transactions' gas, where the receipt reports it, without blob gas; null if it has more than 38 digits.")
            .unit("wei"),
        col("block_number", Int64, "First block of the day in the range."),
        opt("addresses", Int64, "Number of addresses that sent or received a transaction; null if an older version wrote the range."),
        opt("senders", Int64, "Number of addresses that sent a transaction; null if an older version wrote the range."),
        opt("receivers", Int64, "Number of addresses that received a transaction; null if an older version wrote the range."),
    ],
    sort: &["block_number"],
    time: "day",
    synonyms: &[],
};
