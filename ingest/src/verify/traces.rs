//! Rebuilds traces from rows of the lake.

use alloy_primitives::U256;
use arrow::array::AsArray;
use arrow::datatypes::Int32Type;

use super::cells::{Cells, Unreadable};
use crate::chain::{TraceData, TraceKind};

const CALL_TYPES: [&str; 6] = ["call", "delegatecall", "staticcall", "callcode", "create", "create2"];
const REWARD_TYPES: [&str; 2] = ["block", "uncle"];

pub(super) fn trace(row: Cells<'_>) -> Result<TraceData, Unreadable> {
    let kind = match row.text_opt("trace_type")? {
        Some("call") => TraceKind::Call,
        Some("create") => TraceKind::Create,
        Some("suicide") => TraceKind::Suicide,
        Some("reward") => TraceKind::Reward,
        other => return Err(format!("trace_type is {}", other.unwrap_or("null"))),
    };
    let path = row.list_opt("trace_address")?.ok_or("trace_address is null")?;
    Ok(TraceData {
        transaction_index: row.int_opt("transaction_index")?,
        kind,
        call_type: one_of(&CALL_TYPES, row.text_opt("call_type")?),
        reward_type: one_of(&REWARD_TYPES, row.text_opt("reward_type")?),
        from: row.address_opt("from_address")?,
        to: row.address_opt("to_address")?,
        value: U256::from_be_bytes(row.hash("value")?.0),
        input: row.bytes_opt("input")?,
        output: row.bytes_opt("output")?,
        gas: row.int_opt("gas")?,
        gas_used: row.int_opt("gas_used")?,
        subtraces: row.int("subtraces")?,
        // The column was written from unsigned numbers of the same width.
        trace_address: path.as_primitive::<Int32Type>().values().iter().map(|&index| index.cast_unsigned()).collect(),
        error: row.text_opt("error")?.map(str::to_string),
    })
}

/// A known trace type. An unknown one becomes null, and the comparison of rows finds it.
fn one_of(known: &[&'static str], word: Option<&str>) -> Option<&'static str> {
    known.iter().find(|known| Some(**known) == word).copied()
}
