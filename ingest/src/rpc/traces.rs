//! Traces as nodes write them: flat lists (`trace_block`) and trees of calls (`debug_traceBlockByNumber` with the
//! `callTracer`), both into the same rows.

use alloy_primitives::{Address, B256, Bytes, U256};
use serde::de::{DeserializeSeed, Deserializer, Error as _, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::wire::Quantity;
use crate::chain::{BlockData, TraceData, TraceKind, trace_words};

/// Bytes of a trace in a flat list at least, which names a type, addresses and gas: shorter ones are none, and as rows
/// take many times the memory of their text.
const SHORTEST: usize = 64;
/// How deep calls may nest: Ethereum stops at 1024. What a node nests without end would be read again and again.
const DEEPEST: usize = 1100;
/// How many steps the paths of a block's calls may have together: where calls nest deep, that is more than there is text.
/// Gas keeps Ethereum's far below it, for deep calls have little left.
const MOST_STEPS: usize = 1 << 27;

/// One entry of `trace_block`.
#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireTrace {
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
pub(super) struct WireTree<'a> {
    tx_hash: Option<B256>,
    #[serde(borrow)]
    result: &'a RawValue,
}

#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireFrame<'a> {
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
    #[serde(default, borrow)]
    calls: Vec<&'a RawValue>,
}

/// The rows of a flat list, or of nothing.
///
/// # Errors
/// Traces that are not those of the block's transactions.
pub(super) fn flat(block: &BlockData, text: &str) -> Result<Vec<TraceData>, String> {
    let most = text.len().div_ceil(SHORTEST);
    let mut flat = Flat { block, next: 0, traces: Vec::new(), most, wrong: None };
    let mut json = serde_json::Deserializer::from_str(text);
    let read = flat.deserialize(&mut json).and_then(|()| json.end());
    if let Some(wrong) = flat.wrong {
        return Err(wrong);
    }
    read.map_err(|error| error.to_string())?;
    complete(block, flat.next)?;
    Ok(flat.traces)
}

/// Makes rows of a flat list while it is read: together, its entries would take many times the memory of their text.
struct Flat<'a> {
    block: &'a BlockData,
    /// The transaction whose traces come next.
    next: u64,
    traces: Vec<TraceData>,
    /// As many as its text can hold.
    most: usize,
    /// What an entry has that can't be, which is no matter of its JSON.
    wrong: Option<String>,
}

impl Flat<'_> {
    fn take(&mut self, wire: WireTrace) -> Result<(), String> {
        if let Some(place) = wire.transaction_position {
            // Each transaction begins with its outermost call, in the order of the block.
            let begins = wire.trace_address.is_empty() && wire.kind != "suicide";
            self.next += u64::from(begins && place == self.next);
            belongs(self.block, place, wire.transaction_hash)?;
            if place + 1 != self.next {
                return Err(format!("the traces of transaction {place} are not where they belong"));
            }
        }
        if self.traces.len() >= self.most {
            return Err(format!("each of its {} traces is shorter than any can be", self.most));
        }
        self.traces.push(trace(wire)?);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for &mut Flat<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for &mut Flat<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list of traces")
    }

    fn visit_none<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(wire) = list.next_element::<WireTrace>()? {
            if let Err(wrong) = self.take(wire) {
                self.wrong = Some(wrong);
                return Err(A::Error::custom("what it holds can't be"));
            }
        }
        Ok(())
    }
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
pub(super) fn trees(block: &BlockData, wires: Vec<WireTree<'_>>) -> Result<Vec<TraceData>, String> {
    let mut traces = Vec::new();
    let mut steps = 0;
    let mut count = 0;
    for (place, wire) in (0..).zip(wires) {
        belongs(block, place, wire.tx_hash)?;
        // The calls of each depth that are not read yet, and the path of the next one of the deepest.
        let mut levels = vec![vec![wire.result].into_iter()];
        let mut path: Vec<u32> = Vec::new();
        // In the order of execution.
        while let Some(level) = levels.last_mut() {
            let Some(text) = level.next() else {
                levels.pop();
                path.pop();
                path.last_mut().into_iter().for_each(|index| *index += 1);
                continue;
            };
            if path.len() > DEEPEST {
                return Err(format!("calls of transaction {place} nest deeper than {DEEPEST}, which Ethereum's can't"));
            }
            steps += path.len();
            if steps > MOST_STEPS {
                return Err(format!(
                    "so many calls of transaction {place} nest so deep as gas lets none of Ethereum's"
                ));
            }
            let mut frame: WireFrame<'_> = serde_json::from_str(text.get()).map_err(|error| error.to_string())?;
            let calls = std::mem::take(&mut frame.calls);
            traces.push(frame_trace(frame, place, path.clone(), calls.len() as u64)?);
            path.push(0);
            levels.push(calls.into_iter());
        }
        count += 1;
    }
    complete(block, count)?;
    Ok(traces)
}

fn frame_trace(
    frame: WireFrame<'_>,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    /// A block with its first transaction only.
    fn block() -> BlockData {
        let mut block = testing::chain(5, 2, 0, 0).remove(1);
        block.transactions.truncate(1);
        block
    }

    #[test]
    fn trees_are_told_in_the_order_of_execution() {
        let frame = |calls: &str| {
            format!(r#"{{"type":"CALL","from":"{}","gas":"0x10","gasUsed":"0x1","calls":[{calls}]}}"#, Address::ZERO)
        };
        let tree = frame(&[frame(&frame("")), frame(""), frame(&[frame(""), frame("")].join(","))].join(","));
        let text = format!(r#"[{{"result":{tree}}}]"#);
        let traces = trees(&block(), serde_json::from_str(&text).expect("trees")).expect("traces");
        let paths: Vec<&[u32]> = traces.iter().map(|trace| trace.trace_address.as_slice()).collect();
        let expected: [&[u32]; 7] = [&[], &[0], &[0, 0], &[1], &[2], &[2, 0], &[2, 1]];
        assert_eq!(paths, expected);
        let children: Vec<u64> = traces.iter().map(|trace| trace.subtraces).collect();
        assert_eq!(children, [3, 1, 0, 0, 2, 0, 0]);
    }

    #[test]
    fn flat_lists_that_can_not_be_are_told_in_words() {
        let call = format!(
            r#"{{"type":"call","action":{{"from":"{}","gas":"0x1"}},"transactionPosition":0,"traceAddress":[0]}}"#,
            Address::ZERO
        );
        let short = r#"{"type":"call","action":{}}"#;
        for (text, said) in [
            ("null".to_string(), "of its 1 transactions only 0 are traced"),
            ("[]".to_string(), "of its 1 transactions only 0 are traced"),
            (format!("[{call}]"), "the traces of transaction 0 are not where they belong"),
            (format!("[{short}]"), "of its 1 transactions only 0 are traced"),
            (format!("[{}]", [short; 9].join(",")), "each of its 4 traces is shorter than any can be"),
            (format!("[{call}"), "the traces of transaction 0 are not where they belong"),
            (format!("[{short}"), "EOF while parsing a list"),
            ("[7]".to_string(), "invalid type"),
            ("{}".to_string(), "a list of traces"),
        ] {
            let error = flat(&block(), &text).expect_err(said);
            assert!(error.contains(said), "{text}: {error}");
        }
        assert_eq!(flat(&BlockData { transactions: Vec::new(), ..block() }, "null").expect("none").len(), 0);
    }
}
