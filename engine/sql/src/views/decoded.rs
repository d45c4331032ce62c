//! Calls and logs with the names of their functions and events, under Dune's names.

use super::View;
use quarry_lake::tables::Column;
use quarry_lake::tables::column::{ColumnType::*, col, opt};

const DATE: Column = col("block_date", Date, "Day of the block, UTC.");
const TIME: Column = col("block_time", Time, "Time of the block, UTC.");
const NUMBER: Column = col("block_number", Int64, "Height of the block.");
const NAMESPACE: Column = opt("namespace", Text, "Null: the chain does not record the project of a contract.");
const CONTRACT_NAME: Column =
    opt("contract_name", Text, "Null: the chain does not record the name of a contract in its source code.");

macro_rules! unnamed {
    () => {
        "arrow_cast(null, 'Utf8View') as namespace, arrow_cast(null, 'Utf8View') as contract_name, "
    };
}

pub(super) const TRACES: View = View {
    schema: "ethereum",
    name: "traces_decoded",
    doc: "One row per call of a function whose signature ships with Quarry, with its name.",
    columns: &[
        DATE,
        TIME,
        NUMBER,
        opt("tx_hash", Hash, "Transaction of the call."),
        col(
            "trace_address",
            ListInt32,
            "Path of child indices from the transaction's first call; empty for the first call itself.",
        ),
        opt("to", Address, "Contract that was called."),
        NAMESPACE,
        CONTRACT_NAME,
        opt("function_name", Text, "Name of the function."),
        opt("signature", Bytes, "First 4 bytes of the input, which select the function."),
    ],
    sql: concat!(
        "select cast(block_timestamp as date) as block_date, block_timestamp as block_time, block_number, \
         transaction_hash as tx_hash, trace_address, to_address as \"to\", ",
        unnamed!(),
        "function_name(input) as function_name, arrow_cast(bytearray_substring(input, 1, 4), 'Binary') as signature \
         from ethereum.traces where trace_type = 'call' and function_name(input) is not null",
    ),
};

pub(super) const LOGS: View = View {
    schema: "ethereum",
    name: "logs_decoded",
    doc: "One row per log of an event whose signature ships with Quarry, with its name.",
    columns: &[
        DATE,
        TIME,
        NUMBER,
        col("tx_hash", Hash, "Transaction that emitted the log."),
        col("index", Int64, "Index among the logs of the block, starting at 0."),
        col("contract_address", Address, "Contract that emitted the log."),
        NAMESPACE,
        CONTRACT_NAME,
        opt("event_name", Text, "Name of the event."),
        opt("signature", Hash, "Hash of the event's signature: its topic0."),
    ],
    sql: concat!(
        "select cast(block_timestamp as date) as block_date, block_timestamp as block_time, block_number, \
         transaction_hash as tx_hash, log_index as index, address as contract_address, ",
        unnamed!(),
        "event_name(topic0) as event_name, topic0 as signature \
         from ethereum.logs where event_name(topic0) is not null",
    ),
};
