//! `traces`: one row per call, creation, self-destruct or reward.

use super::column::{ColumnType::*, col, opt};
use super::synonym::{TX_FROM, TX_TO, synonym};
use super::table_def::TableDef;

pub(super) static DEF: TableDef = TableDef {
    name: "traces",
    doc: "One row per call, creation, self-destruct or block reward inside the execution.",
    columns: &[
        opt("transaction_hash", Hash, "Transaction it belongs to; null for rewards.").with_bloom(),
        opt("transaction_index", Int64, "Index of the transaction in the block; null for rewards."),
        opt("from_address", Address, "Caller; null for rewards.").with_bloom().uncompressed(),
        opt("to_address", Address, "Callee, created contract, or receiver of a reward.").with_bloom().uncompressed(),
        col("value", Uint256, "Wei transferred; any amount is possible for a failed call.").unit("wei"),
        opt("value_decimal", Wei, "The same value as a decimal number; null if it has more than 38 digits.")
            .unit("wei"),
        opt("input", Bytes, "Call data or init code."),
        opt("output", Bytes, "Return data, or the code of the created contract."),
        col("trace_type", Text, "`call`, `create`, `suicide` or `reward`."),
        opt(
            "call_type",
            Text,
            "`call`, `delegatecall`, `staticcall` or `callcode`; for creations `create` or `create2`.",
        ),
        opt("reward_type", Text, "`block` or `uncle`; only rewards."),
        opt("gas", Int64, "Gas provided.").unit("gas"),
        opt("gas_used", Int64, "Gas used.").unit("gas"),
        col("subtraces", Int64, "Number of direct child calls."),
        col(
            "trace_address",
            ListInt32,
            "Path of child indices from the transaction's first call; empty for the first call itself.",
        ),
        opt("error", Text, "Reason for the failure; null if it did not fail."),
        col("status", Int64, "1 if this call and all of its callers succeeded, otherwise 0."),
        col("trace_index", Int64, "Index among the traces of the block, starting at 0."),
        col("block_timestamp", Time, "Time of the block, UTC."),
        col("block_number", Int64, "Height of the block."),
        col("block_hash", Hash, "Hash of the block.").with_dictionary().uncompressed(),
    ],
    sort: &["block_number", "trace_index"],
    time: "block_timestamp",
    synonyms: &[
        synonym("block_time", "block_timestamp"),
        synonym("block_date", "cast(block_timestamp as date)"),
        synonym("tx_hash", "transaction_hash"),
        synonym("tx_index", "transaction_index"),
        TX_FROM,
        TX_TO,
        synonym("from", "from_address"),
        synonym("to", "to_address"),
        synonym("type", "trace_type"),
        synonym("sub_traces", "subtraces"),
        synonym("success", "status = 1"),
        // Told by the first call of each transaction, since receipts have no status before Byzantium.
        synonym(
            "tx_success",
            "transaction_hash not in (select transaction_hash from ethereum.traces \
             where cardinality(trace_address) = 0 and status = 0 and transaction_hash is not null)",
        ),
        synonym("address", "case when trace_type = 'create' then to_address end"),
        synonym("code", "case when trace_type = 'create' then output end"),
        synonym("refund_address", "case when trace_type = 'suicide' then to_address end"),
    ],
};
