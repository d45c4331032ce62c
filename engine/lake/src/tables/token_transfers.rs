//! `token_transfers`: ERC-20, ERC-721 and ERC-1155 transfers decoded from logs.

use super::column::{ColumnType::*, col, opt};
use super::synonym::synonym;
use super::table_def::TableDef;

pub(super) static DEF: TableDef = TableDef {
    name: "token_transfers",
    doc: "One row per token transferred: ERC-20, ERC-721 and each item of an ERC-1155 transfer.",
    columns: &[
        col("standard", Text, "`erc20`, `erc721` or `erc1155`."),
        col("token_address", Address, "Token contract.").with_bloom().uncompressed(),
        col("from_address", Address, "Sender; the zero address for a mint.").with_bloom().uncompressed(),
        col("to_address", Address, "Receiver; the zero address for a burn.").with_bloom().uncompressed(),
        opt("value", Uint256, "Amount in the token's smallest unit; 1 for ERC-721.").unit("smallest unit"),
        opt("value_decimal", Wei, "The same amount as a decimal number; null if it has more than 38 digits.")
            .unit("smallest unit"),
        opt("token_id", Uint256, "Id of the token; null for ERC-20."),
        opt("operator_address", Address, "Address that moved it, ERC-1155 only."),
        col("batch_index", Int32, "Index in an ERC-1155 batch, otherwise 0."),
        col("transaction_hash", Hash, "Transaction that caused it.").with_bloom(),
        col("transaction_index", Int64, "Index of the transaction in the block."),
        col("log_index", Int64, "Index of the log among the logs of the block."),
        col("block_timestamp", Time, "Time of the block, UTC."),
        col("block_number", Int64, "Height of the block."),
        col("block_hash", Hash, "Hash of the block.").with_dictionary().uncompressed(),
    ],
    sort: &["block_number", "log_index", "batch_index"],
    time: "block_timestamp",
    synonyms: &[
        synonym("block_time", "block_timestamp"),
        synonym("block_date", "cast(block_timestamp as date)"),
        synonym("tx_hash", "transaction_hash"),
        synonym("tx_index", "transaction_index"),
        synonym("evt_index", "log_index"),
        synonym("contract_address", "token_address"),
        synonym("from", "from_address"),
        synonym("to", "to_address"),
        synonym("amount_raw", "value"),
        synonym("token_standard", "standard"),
    ],
};
