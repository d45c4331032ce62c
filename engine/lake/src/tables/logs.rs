//! `logs`: one row per event that a contract emitted.

use super::column::{ColumnType::*, col, opt};
use super::synonym::{TX_FROM, TX_TO, synonym};
use super::table_def::TableDef;

pub(super) static DEF: TableDef = TableDef {
    name: "logs",
    doc: "One row per event emitted by a contract.",
    columns: &[
        col("log_index", Int64, "Index among the logs of the block, starting at 0."),
        col("transaction_hash", Hash, "Transaction that caused it.").with_bloom(),
        col("transaction_index", Int64, "Index of the transaction in the block."),
        col("address", Address, "Contract that emitted it.").with_bloom().uncompressed(),
        col("data", Bytes, "Non-indexed arguments, ABI-encoded."),
        opt("topic0", Hash, "Usually the Keccak-256 of the event's signature.").with_dictionary().indexed(),
        opt("topic1", Hash, "First indexed argument.").with_dictionary().indexed(),
        opt("topic2", Hash, "Second indexed argument.").with_dictionary().indexed(),
        opt("topic3", Hash, "Third indexed argument.").indexed(),
        col("block_timestamp", Time, "Time of the block, UTC."),
        col("block_number", Int64, "Height of the block."),
        col("block_hash", Hash, "Hash of the block.").with_dictionary().uncompressed(),
    ],
    sort: &["block_number", "log_index"],
    time: "block_timestamp",
    synonyms: &[
        synonym("block_time", "block_timestamp"),
        synonym("block_date", "cast(block_timestamp as date)"),
        synonym("index", "log_index"),
        synonym("tx_hash", "transaction_hash"),
        synonym("tx_index", "transaction_index"),
        TX_FROM,
        TX_TO,
        synonym("contract_address", "address"),
        synonym(
            "topics",
            "array_slice(make_array(topic0, topic1, topic2, topic3), 1, case when topic0 is null then 0 when topic1 is null then 1 when topic2 is null then 2 when topic3 is null then 3 else 4 end)",
        ),
    ],
};
