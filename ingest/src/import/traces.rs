//! Reads traces of a group, or creations if there are only cryo's files of contracts.

use std::collections::{BTreeMap, BTreeSet};

use alloy_primitives::{Bytes, U256};
use quarry_types::{Error, ErrorCode, Result};

use super::block::{Block, number};
use super::cell::{Cell, address, hash, int};
use super::file::{Foreign, Kind, refused};
use crate::chain::{TraceData, TraceKind, trace_types};

/// Adds traces to the blocks.
///
/// # Errors
/// An invalid value, a row of a missing transaction, a duplicate trace, a successful transaction without traces.
pub(super) fn fill(files: &[Foreign], blocks: &mut BTreeMap<u64, Block>) -> Result<()> {
    let of = |kind: Kind| files.iter().filter(move |file| file.kind == kind);
    let traced = of(Kind::Traces).next().is_some();
    let mut rows: BTreeMap<u64, Vec<TraceData>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for file in of(Kind::Traces) {
        for row in 0..file.rows {
            let number = number(file, row, blocks)?;
            let trace = trace(file, row, &blocks[&number])?;
            let place = (number, trace.transaction_index, trace.trace_address.clone());
            // Rewards have no position.
            if trace.transaction_index.is_some() && !seen.insert(place) {
                return Err(refused(&file.path, row, "trace_address", "this trace is there twice"));
            }
            rows.entry(number).or_default().push(trace);
        }
    }
    if !traced {
        for file in of(Kind::Contracts) {
            for row in 0..file.rows {
                let number = number(file, row, blocks)?;
                let trace = creation(file, row, &blocks[&number])?;
                let place = (number, trace.transaction_index, trace.trace_address.clone());
                if file.has(CREATE_INDEX) && !seen.insert(place) {
                    return Err(refused(&file.path, row, CREATE_INDEX, "this contract is there twice"));
                }
                rows.entry(number).or_default().push(trace);
            }
        }
    }
    for (number, block) in blocks {
        let mut traces = rows.remove(number).unwrap_or_default();
        // In execution order: the tools write blocks and transactions in arbitrary order.
        traces.sort_by(|one, other| order(one).cmp(&order(other)));
        if traced {
            complete(*number, block, &traces)?;
        }
        block.traced = traced;
        block.data.traces = Some(traces);
    }
    Ok(())
}

/// Rewards come last, as in the traces of nodes.
fn order(trace: &TraceData) -> (u64, &[u32]) {
    (trace.transaction_index.unwrap_or(u64::MAX), &trace.trace_address)
}

/// Checks that every transaction starts with its top-level call, with the same outcome. Recent cryo omits failed ones.
fn complete(number: u64, block: &Block, traces: &[TraceData]) -> Result<()> {
    let outermost: BTreeMap<u64, &TraceData> = traces
        .iter()
        .filter(|trace| trace.trace_address.is_empty() && trace.kind != TraceKind::Suicide)
        .filter_map(|trace| Some((trace.transaction_index?, trace)))
        .collect();
    for (place, sent) in (0..).zip(&block.transactions) {
        let succeeded = outermost.get(&place).map(|trace| trace.error.is_none());
        let message = match (succeeded, sent.status) {
            (None, None | Some(true)) => {
                format!("The traces of transaction {place} of block {number} are in none of the files.")
            }
            (Some(true), Some(false)) => {
                format!("Transaction {place} of block {number} failed, but its trace did not.")
            }
            (Some(false), Some(true)) => {
                format!("Transaction {place} of block {number} succeeded, but its trace failed.")
            }
            _ => continue,
        };
        return Err(Error::new(ErrorCode::InvalidInput, message));
    }
    Ok(())
}

/// Column names in files of cryo and ethereum-etl.
const KIND: [&str; 2] = ["action_type", "trace_type"];
const CALL_TYPE: [&str; 2] = ["action_call_type", "call_type"];
const REWARD_TYPE: [&str; 2] = ["action_reward_type", "reward_type"];
const CREATE_INDEX: &str = "create_index";

fn trace(file: &Foreign, row: usize, block: &Block) -> Result<TraceData> {
    let kind = text(file, &KIND, row)?.unwrap_or_default();
    let called = text(file, &CALL_TYPE, row)?;
    let wrong = |names: &[&'static str], word: &str| {
        refused(&file.path, row, file.column(names), &format!("`{word}` is none that is imported"))
    };
    let bytes = |names: &[&'static str]| Ok::<_, Error>(file.opt(names, row, |cell| cell.bytes())?.map(Bytes::from));
    let mut trace = TraceData {
        transaction_index: file.opt(&["transaction_index"], row, int)?,
        kind: TraceKind::Call,
        call_type: None,
        reward_type: None,
        from: file.opt(&["action_from", "from_address"], row, address)?,
        to: file.opt(&["action_to", "to_address"], row, address)?,
        value: file.opt(&["action_value", "value"], row, |cell| cell.number())?.unwrap_or(U256::ZERO),
        input: bytes(&["action_input", "input"])?,
        output: bytes(&["result_output", "output"])?,
        gas: file.opt(&["action_gas", "gas"], row, int)?,
        gas_used: file.opt(&["result_gas_used", "gas_used"], row, int)?,
        subtraces: file.opt(&["subtraces"], row, int)?.unwrap_or_default(),
        trace_address: file.opt(&["trace_address"], row, |cell| cell.path())?.unwrap_or_default(),
        error: text(file, &["error"], row)?,
    };
    match kind.as_str() {
        "call" => {
            let word = called.as_deref().filter(|word| *word != "none").unwrap_or("call");
            trace.call_type = Some(trace_types::call(word).ok_or_else(|| wrong(&CALL_TYPE, word))?);
        }
        "create" | "create2" => {
            trace.kind = TraceKind::Create;
            trace.call_type = trace_types::creation(&kind);
            trace.to = file.opt(&["result_address", "to_address"], row, address)?;
            trace.input = bytes(&["action_init", "input"])?;
            trace.output = bytes(&["result_code", "output"])?;
        }
        "suicide" => {
            trace.kind = TraceKind::Suicide;
            // Only ethereum-etl's files from geth have it.
            (trace.input, trace.output, trace.gas, trace.gas_used) = (None, None, None, None);
        }
        "reward" => {
            let word = text(file, &REWARD_TYPE, row)?.unwrap_or_default();
            trace.kind = TraceKind::Reward;
            trace.reward_type = Some(trace_types::reward(&word).ok_or_else(|| wrong(&REWARD_TYPE, &word))?);
            // cryo has the beneficiary in the sender column.
            trace.to = file.opt(&["action_from", "to_address"], row, address)?;
            trace.from = None;
        }
        other => return Err(wrong(&KIND, other)),
    }
    if trace.kind == TraceKind::Reward {
        trace.transaction_index = None;
        return Ok(trace);
    }
    let sent = trace.transaction_index.and_then(|place| block.transactions.get(usize::try_from(place).ok()?));
    let said = file.opt(&["transaction_hash"], row, hash)?;
    match sent {
        Some(sent) if said.is_none_or(|said| said == sent.hash) => Ok(trace),
        _ => Err(refused(&file.path, row, "transaction_index", "its transaction is not there")),
    }
}

/// A creation trace from a row of cryo's contracts.
fn creation(file: &Foreign, row: usize, block: &Block) -> Result<TraceData> {
    let said = file.needed(&["transaction_hash"], row, hash)?;
    let sent = (0..).zip(&block.transactions).find(|(_, sent)| sent.hash == said);
    let Some((place, sent)) = sent else {
        return Err(refused(&file.path, row, "transaction_hash", "its transaction is not there"));
    };
    let created = file.needed(&["contract_address"], row, address)?;
    let outermost = sent.to.is_none() && created == sent.from.create(sent.nonce);
    // Its exact position among the calls of the transaction is unknown, only that it is below the top level, and the
    // order.
    let index = file.opt(&[CREATE_INDEX], row, |cell| cell.int().and_then(|index| u32::try_from(index).ok()))?;
    Ok(TraceData {
        transaction_index: Some(place),
        kind: TraceKind::Create,
        call_type: Some("create"),
        reward_type: None,
        from: file.opt(&["factory"], row, address)?,
        to: Some(created),
        value: U256::ZERO,
        input: file.opt(&["init_code"], row, |cell| cell.bytes())?.map(Bytes::from),
        output: Some(file.opt(&["code"], row, |cell| cell.bytes())?.unwrap_or_default().into()),
        gas: None,
        gas_used: None,
        subtraces: 0,
        trace_address: if outermost { Vec::new() } else { vec![index.unwrap_or_default()] },
        error: None,
    })
}

fn text(file: &Foreign, names: &[&'static str], row: usize) -> Result<Option<String>> {
    file.opt(names, row, |cell| match cell {
        Cell::Text(text) => Some(text.to_string()),
        _ => None,
    })
}
