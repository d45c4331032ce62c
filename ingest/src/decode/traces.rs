//! Rows of `traces`.

use arrow::array::RecordBatch;
use quarry_lake::tables::Table;
use quarry_types::Result;

use super::columns::{Columns, Row};
use super::nested;
use crate::chain::{BlockData, TraceData, TraceKind, TransactionData};

/// A trace with its index.
pub(super) struct TraceRow<'a> {
    pub(super) block: &'a BlockData,
    /// `None` for rewards.
    pub(super) transaction: Option<&'a TransactionData>,
    index: u64,
    pub(super) succeeded: bool,
    pub(super) trace: &'a TraceData,
}

impl Row for TraceRow<'_> {
    fn block(&self) -> &BlockData {
        self.block
    }
}

/// All traces in execution order, each with whether it and all its callers succeeded.
pub(super) fn rows<'a>(blocks: &[&'a BlockData]) -> Vec<TraceRow<'a>> {
    let mut rows = Vec::new();
    for &block in blocks {
        let mut callers = Callers::default();
        for (index, trace) in (0..).zip(block.traces.iter().flatten()) {
            let place = trace.transaction_index.and_then(|place| usize::try_from(place).ok());
            let transaction = place.and_then(|place| block.transactions.get(place));
            let succeeded = callers.enter(trace, transaction);
            rows.push(TraceRow { block, transaction, index, succeeded, trace });
        }
    }
    rows
}

/// Whether each caller of the current trace succeeded: a failed call reverts its children.
#[derive(Default)]
struct Callers {
    transaction_index: Option<u64>,
    /// By depth.
    succeeded: Vec<bool>,
}

impl Callers {
    fn enter(&mut self, trace: &TraceData, transaction: Option<&TransactionData>) -> bool {
        if self.transaction_index != trace.transaction_index {
            self.transaction_index = trace.transaction_index;
            self.succeeded.clear();
        }
        self.succeeded.truncate(trace.trace_address.len());
        let above = match self.succeeded.last() {
            Some(&caller) => caller,
            None => transaction.is_none_or(|transaction| transaction.receipt.status != Some(false)),
        };
        let succeeded = above && trace.error.is_none();
        self.succeeded.push(succeeded);
        succeeded
    }
}

pub(super) fn batch(blocks: &[&BlockData]) -> Result<RecordBatch> {
    let rows = rows(blocks);
    let paths = nested::paths(rows.iter().map(|row| row.trace.trace_address.as_slice()));
    Columns::of(Table::Traces, &rows)
        .hash_opt("transaction_hash", |row| row.transaction.map(|transaction| transaction.hash))
        .int_opt("transaction_index", |row| row.trace.transaction_index)
        .address_opt("from_address", |row| row.trace.from)
        .address_opt("to_address", |row| row.trace.to)
        .uint256("value", |row| row.trace.value)
        .decimal_if_it_fits("value_decimal", |row| Some(row.trace.value))
        .bytes_opt("input", |row| row.trace.input.as_ref().map(|bytes| bytes.as_ref()))
        .bytes_opt("output", |row| row.trace.output.as_ref().map(|bytes| bytes.as_ref()))
        .text("trace_type", |row| kind_name(row.trace.kind))
        .text_opt("call_type", |row| row.trace.call_type)
        .text_opt("reward_type", |row| row.trace.reward_type)
        .int_opt("gas", |row| row.trace.gas)
        .int_opt("gas_used", |row| row.trace.gas_used)
        .int("subtraces", |row| row.trace.subtraces)
        .array("trace_address", paths)
        .text_opt("error", |row| row.trace.error.as_deref())
        .int("status", |row| u64::from(row.succeeded))
        .int("trace_index", |row| row.index)
        .block()
        .finish()
}

fn kind_name(kind: TraceKind) -> &'static str {
    match kind {
        TraceKind::Call => "call",
        TraceKind::Create => "create",
        TraceKind::Suicide => "suicide",
        TraceKind::Reward => "reward",
    }
}
