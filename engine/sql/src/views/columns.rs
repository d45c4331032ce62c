//! Columns that several views have.

use quarry_lake::tables::Column;
use quarry_lake::tables::column::{ColumnType::*, col, opt};

pub(super) const BLOCKCHAIN: Column = col("blockchain", Text, "Always `ethereum`.");
pub(super) const BLOCK_TIME: Column = col("block_time", Time, "Time of the block, UTC.");
pub(super) const BLOCK_TIMESTAMP: Column = col("block_timestamp", Time, "Time of the block, UTC.");
pub(super) const BLOCK_DATE: Column = opt("block_date", Date, "Day of the block, UTC.");
pub(super) const BLOCK_MONTH: Column = opt("block_month", Date, "First day of the month, UTC.");
pub(super) const BLOCK_NUMBER: Column = col("block_number", Int64, "Height of the block.");
pub(super) const BLOCK_HASH: Column = col("block_hash", Hash, "Hash of the block.");
pub(super) const TX_HASH: Column = col("tx_hash", Hash, "Transaction that caused it.");
pub(super) const TX_INDEX: Column = col("tx_index", Int64, "Index of the transaction in the block.");
pub(super) const TX_POSITION: Column = col("tx_position", Int64, "Index of the transaction in the block.");
pub(super) const TX_FROM: Column = opt("tx_from", Address, "Sender of the transaction.");
pub(super) const TX_TO: Column = opt("tx_to", Address, "Receiver of the transaction; null when it created a contract.");
pub(super) const EVT_INDEX: Column = opt("evt_index", Int64, "Index of the log among the logs of the block.");
pub(super) const SYMBOL: Column = opt("symbol", Text, "Symbol of the token.");
pub(super) const DECIMALS: Column = opt("decimals", Int32, "Decimals of the token.");
pub(super) const FROM: Column = opt("from", Address, "Sender; the zero address for a mint.");
pub(super) const TO: Column = opt("to", Address, "Receiver; the zero address for a burn.");

/// The worth of a swap.
pub(super) const fn swap_worth(name: &'static str) -> Column {
    opt(
        name,
        Decimal,
        "Value in US dollars: by the side that is a dollar token, otherwise by ether; null for other pairs.",
    )
    .unit("USD")
}

/// What a token or a contract answers about itself.
pub(super) const OWN_SYMBOL: Column = opt("symbol", Text, "The result of `symbol()`.");
pub(super) const OWN_NAME: Column = opt("name", Text, "The result of `name()`.");
