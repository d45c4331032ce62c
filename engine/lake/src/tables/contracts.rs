//! `contracts`: one row per contract that was created.

use super::column::{ColumnType::*, col, opt};
use super::synonym::synonym;
use super::table_def::TableDef;

pub(super) static DEF: TableDef = TableDef {
    name: "contracts",
    doc: "One row per contract created, with its code and what can be derived from the code.",
    columns: &[
        col("address", Address, "The contract.").with_bloom().without_dictionary(),
        col("bytecode", Bytes, "Deployed code."),
        col("code_hash", Hash, "Keccak-256 of the code."),
        col("code_size", Int64, "Length of the code in bytes.").unit("bytes"),
        col("function_sighashes", ListBytes, "4-byte function selectors found in the code."),
        col("is_erc20", Bool, "Whether the code has the functions of ERC-20."),
        col("is_erc721", Bool, "Whether the code has the functions of ERC-721."),
        col("is_erc1155", Bool, "Whether the code has the functions of ERC-1155."),
        opt("symbol", Text, "The result of `symbol()`, if it was read."),
        opt("name", Text, "The result of `name()`, if it was read."),
        opt("decimals", Int32, "The result of `decimals()`, if it was read."),
        col("creator_address", Address, "Sender of the transaction that created it.").with_bloom(),
        opt("factory_address", Address, "Contract that created it, if it was created by a contract."),
        col("transaction_hash", Hash, "Transaction that created it.").with_bloom(),
        col("transaction_index", Int64, "Index of that transaction in the block."),
        col("create_index", Int64, "Index among the creations of the block, starting at 0."),
        col("block_timestamp", Time, "Time of the block, UTC."),
        col("block_number", Int64, "Height of the block."),
        col("block_hash", Hash, "Hash of the block.").with_dictionary().uncompressed(),
    ],
    sort: &["block_number", "create_index"],
    time: "block_timestamp",
    synonyms: &[
        synonym("block_time", "block_timestamp"),
        synonym("block_date", "cast(block_timestamp as date)"),
        synonym("tx_hash", "transaction_hash"),
        synonym("tx_index", "transaction_index"),
        synonym("contract_address", "address"),
        synonym("from", "creator_address"),
        synonym("code", "bytecode"),
    ],
};
