//! `withdrawals`: one row per withdrawal from the beacon chain.

use super::column::{ColumnType::*, col};
use super::synonym::synonym;
use super::table_def::TableDef;

pub(super) static DEF: TableDef = TableDef {
    name: "withdrawals",
    doc: "One row per withdrawal of a validator from the beacon chain.",
    columns: &[
        col("index", Int64, "Sequential number of the withdrawal over the whole chain."),
        col("withdrawal_index", Int64, "Index in the block, starting at 0."),
        col("validator_index", Int64, "Validator."),
        col("address", Address, "Receiver.").with_bloom(),
        col("amount", Int64, "Amount in gwei.").unit("gwei"),
        col("block_timestamp", Time, "Time of the block, UTC."),
        col("block_number", Int64, "Height of the block."),
        col("block_hash", Hash, "Hash of the block.").with_dictionary().uncompressed(),
    ],
    sort: &["block_number", "withdrawal_index"],
    time: "block_timestamp",
    synonyms: &[synonym("block_time", "block_timestamp"), synonym("block_date", "cast(block_timestamp as date)")],
};
