//! Traces as nodes write them: flat lists (`trace_block`) and trees of calls (`debug_traceBlockByNumber` with the
//! `callTracer`), both into the same rows.

use alloy_primitives::{Address, B256, Bytes, U256};
use serde_json::value::RawValue;

use super::wire::Quantity;
use crate::chain::{BlockData, TraceData, TraceKind, trace_words};

/// How deep calls may nest: Ethereum stops at 1024. What a node nests without end would be read again and again.
const DEEPEST: usize = 1100;

/// One entry of `trace_block`.
#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireTrace {
    #[serde(rename = "type")]
    kind: String,
    action: WireAction,
    result: Option<WireResult>,
    #[serde(default)]
    subtraces: u64,
    #[serde(default)]
    trace_address: Vec<u32>,
    transaction_hash: Option<B256>,
    transaction_position: Option<u64>,
    error: Option<String>,
}

/// The fields of all kinds of action.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct WireAction {
    call_type: Option<String>,
    creation_method: Option<String>,
    reward_type: Option<String>,
    from: Option<Address>,
    to: Option<Address>,
    author: Option<Address>,
    address: Option<Address>,
    refund_address: Option<Address>,
    value: Option<Quantity<U256>>,
    balance: Option<Quantity<U256>>,
    gas: Option<Quantity<u64>>,
    input: Option<Bytes>,
    init: Option<Bytes>,
}

#[derive(Debug, Default, serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct WireResult {
    gas_used: Option<Quantity<u64>>,
    output: Option<Bytes>,
    address: Option<Address>,
    code: Option<Bytes>,
}

/// One transaction of `debug_traceBlockByNumber`.
#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireTree {
    tx_hash: Option<B256>,
    result: Box<RawValue>,
}

#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireFrame {
    #[serde(rename = "type")]
    kind: String,
    from: Address,
    to: Option<Address>,
    value: Option<Quantity<U256>>,
    gas: Quantity<u64>,
    gas_used: Quantity<u64>,
    #[serde(default)]
    input: Bytes,
    output: Option<Bytes>,
    error: Option<String>,
    /// Read one by one: calls nest deeper than a parser that descends into them may.
    #[serde(default)]
    calls: Vec<Box<RawValue>>,
}

/// The rows of a flat list.
///
/// # Errors
/// Traces that are not those of the block's transactions.
pub(super) fn flat(block: &BlockData, wires: Vec<WireTrace>) -> Result<Vec<TraceData>, String> {
    let mut next = 0;
    let mut traces = Vec::with_capacity(wires.len());
    for wire in wires {
        if let Some(place) = wire.transaction_position {
            // Each transaction begins with its outermost call, in the order of the block.
            let begins = wire.trace_address.is_empty() && wire.kind != "suicide";
            next += u64::from(begins && place == next);
            belongs(block, place, wire.transaction_hash)?;
            if place + 1 != next {
                return Err(format!("the traces of transaction {place} are not where they belong"));
            }
        }
        traces.push(trace(wire)?);
    }
    complete(block, next)?;
    Ok(traces)
}

fn trace(wire: WireTrace) -> Result<TraceData, String> {
    let WireTrace { kind, action, result, subtraces, trace_address, transaction_position, error, .. } = wire;
    let result = result.unwrap_or_default();
    let mut trace = TraceData {
        transaction_index: transaction_position,
        kind: TraceKind::Call,
        call_type: None,
        reward_type: None,
        from: action.from,
        to: action.to,
        value: action.value.map_or(U256::ZERO, |value| value.0),
        input: action.input,
        output: result.output,
        gas: action.gas.map(|gas| gas.0),
        gas_used: result.gas_used.map(|gas| gas.0),
        subtraces,
        trace_address,
        error,
    };
    match kind.as_str() {
        "call" => trace.call_type = Some(known(trace_words::call, action.call_type.as_deref().unwrap_or("call"))?),
        "create" => {
            trace.kind = TraceKind::Create;
            trace.call_type =
                Some(known(trace_words::creation, action.creation_method.as_deref().unwrap_or("create"))?);
            trace.to = result.address;
            trace.input = action.init;
            trace.output = result.code;
        }
        "suicide" => {
            trace.kind = TraceKind::Suicide;
            trace.from = action.address;
            trace.to = action.refund_address;
            trace.value = action.balance.map_or(U256::ZERO, |balance| balance.0);
        }
        "reward" => {
            trace.kind = TraceKind::Reward;
            trace.reward_type = Some(known(trace_words::reward, action.reward_type.as_deref().unwrap_or("block"))?);
            trace.to = action.author;
        }
        other => return Err(format!("there is a trace of type {other}")),
    }
    Ok(trace)
}

fn known(words: fn(&str) -> Option<&'static str>, word: &str) -> Result<&'static str, String> {
    words(word).ok_or_else(|| format!("there is a trace with {word}"))
}

/// The rows of trees of calls, one for each transaction in the order of the block.
///
/// # Errors
/// Trees that are not those of the block's transactions.
pub(super) fn trees(block: &BlockData, wires: Vec<WireTree>) -> Result<Vec<TraceData>, String> {
    let mut traces = Vec::new();
    let mut count = 0;
    for (place, wire) in (0..).zip(wires) {
        belongs(block, place, wire.tx_hash)?;
        // In the order of execution.
        let mut waiting = vec![(Vec::new(), wire.result)];
        while let Some((path, text)) = waiting.pop() {
            let mut frame: WireFrame = serde_json::from_str(text.get()).map_err(|error| error.to_string())?;
            if path.len() > DEEPEST {
                return Err(format!("calls of transaction {place} nest deeper than {DEEPEST}, which Ethereum's can't"));
            }
            let calls = std::mem::take(&mut frame.calls);
            let of_child = |index: u32| path.iter().copied().chain([index]).collect::<Vec<u32>>();
            let children: Vec<_> = (0..).zip(calls).map(|(index, call)| (of_child(index), call)).collect();
            traces.push(frame_trace(frame, place, path, children.len() as u64)?);
            waiting.extend(children.into_iter().rev());
        }
        count += 1;
    }
    complete(block, count)?;
    Ok(traces)
}

fn frame_trace(
    frame: WireFrame,
    transaction_index: u64,
    trace_address: Vec<u32>,
    subtraces: u64,
) -> Result<TraceData, String> {
    let lower = frame.kind.to_lowercase();
    let (kind, call_type) = match lower.as_str() {
        "create" | "create2" => (TraceKind::Create, Some(known(trace_words::creation, &lower)?)),
        "selfdestruct" | "suicide" => (TraceKind::Suicide, None),
        _ => (TraceKind::Call, Some(known(trace_words::call, &lower)?)),
    };
    let ends = kind == TraceKind::Suicide;
    Ok(TraceData {
        transaction_index: Some(transaction_index),
        kind,
        call_type,
        reward_type: None,
        from: Some(frame.from),
        to: frame.to,
        value: frame.value.map_or(U256::ZERO, |value| value.0),
        input: (!ends).then_some(frame.input),
        output: if ends { None } else { Some(frame.output.unwrap_or_default()).filter(|_| frame.error.is_none()) },
        gas: (!ends).then_some(frame.gas.0),
        gas_used: (!ends).then_some(frame.gas_used.0),
        subtraces,
        trace_address,
        error: frame.error,
    })
}

fn belongs(block: &BlockData, place: u64, said: Option<B256>) -> Result<(), String> {
    let sent = usize::try_from(place).ok().and_then(|place| block.transactions.get(place));
    match (sent, said) {
        (None, _) => Err(format!("there is a trace of transaction {place}, which the block does not have")),
        (Some(sent), Some(said)) if said != sent.hash => {
            Err(format!("the trace of transaction {place} is that of {said}; the chain may have just been reorganised"))
        }
        _ => Ok(()),
    }
}

fn complete(block: &BlockData, traced: u64) -> Result<(), String> {
    match block.transactions.len() as u64 {
        all if all == traced => Ok(()),
        all => Err(format!("of its {all} transactions only {traced} are traced")),
    }
}
