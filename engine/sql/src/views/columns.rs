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
pub(super) const TX_INDEX: Column = col("tx_index", Int64, "Place of the transaction in the block.");
pub(super) const TX_POSITION: Column = col("tx_position", Int64, "Place of the transaction in the block.");
pub(super) const TX_FROM: Column = opt("tx_from", Address, "Sender of the transaction.");
pub(super) const TX_TO: Column = opt("tx_to", Address, "Receiver of the transaction; null when it created a contract.");
pub(super) const EVT_INDEX: Column = opt("evt_index", Int64, "Place of its log among the logs of the block.");
pub(super) const SYMBOL: Column = opt("symbol", Text, "Symbol of the token.");
pub(super) const DECIMALS: Column = opt("decimals", Int32, "Decimals of the token.");
pub(super) const FROM: Column = opt("from", Address, "Giver; the zero address for a mint.");
pub(super) const TO: Column = opt("to", Address, "Receiver; the zero address for a burn.");

pub(super) const EVENT_CONTRACT: Column = col("contract_address", Address, "Contract that emitted it.");
pub(super) const EVENT_TX_HASH: Column = col("evt_tx_hash", Hash, "Transaction that caused it.");
pub(super) const EVENT_TX_INDEX: Column = col("evt_tx_index", Int64, "Place of the transaction in the block.");
pub(super) const EVENT_INDEX: Column = col("evt_index", Int64, "Place of its log among the logs of the block.");
pub(super) const EVENT_TIME: Column = col("evt_block_time", Time, "Time of the block, UTC.");
pub(super) const EVENT_NUMBER: Column = col("evt_block_number", Int64, "Height of the block.");
pub(super) const EVENT_DATE: Column = opt("evt_block_date", Date, "Day of the block, UTC.");
