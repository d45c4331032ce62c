//! `contracts`: one row per contract that was created.

use super::column::{ColumnType::*, col, opt};
use super::synonym::synonym;
use super::table_def::TableDef;

pub(super) static DEF: TableDef = TableDef {
    name: "contracts",
    doc: "One row per contract created, with its code and what its code tells.",
    columns: &[
        col("address", Address, "The contract.").with_bloom().without_dictionary(),
        col("bytecode", Bytes, "Code that was deployed."),
        col("code_hash", Hash, "Keccak-256 of the code."),
        col("code_size", Int64, "Length of the code in bytes.").unit("bytes"),
        col("function_sighashes", ListBytes, "4-byte function selectors found in the code."),
        col("is_erc20", Bool, "The code has the functions of ERC-20."),
        col("is_erc721", Bool, "The code has the functions of ERC-721."),
        col("is_erc1155", Bool, "The code has the functions of ERC-1155."),
        opt("symbol", Text, "What `symbol()` answers, where it was asked."),
        opt("name", Text, "What `name()` answers, where it was asked."),
        opt("decimals", Int32, "What `decimals()` answers, where it was asked."),
        col("creator_address", Address, "Sender of the transaction that created it.").with_bloom(),
        opt("factory_address", Address, "Contract that created it, when a contract did."),
        col("transaction_hash", Hash, "Transaction that created it.").with_bloom(),
        col("transaction_index", Int64, "Place of that transaction in the block."),
        col("create_index", Int64, "Place among the creations of the block, from 0."),
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
