//! Decodes flat traces (`trace_block`), and has what they share with call trees.

use alloy_primitives::{Address, B256, Bytes, U256};
use serde::de::{DeserializeSeed, Deserializer, Error as _, SeqAccess, Visitor};

use super::json_types::Quantity;
use crate::chain::{BlockData, TraceData, TraceKind, trace_types};

/// Minimum bytes of a flat trace, which has a type, addresses and gas. Shorter entries are invalid and would take far
/// more memory as rows.
const SHORTEST: usize = 64;
const REORGANIZED: &str = "the chain may have just been reorganized";

/// An entry of `trace_block`.
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
    block_hash: Option<B256>,
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

/// Decodes a flat list; `null` is an empty one.
///
/// # Errors
/// The traces do not belong to the transactions of the block.
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

/// Converts entries while deserializing: collected, they would take far more memory than the text.
struct Flat<'a> {
    block: &'a BlockData,
    /// The current transaction.
    next: u64,
    traces: Vec<TraceData>,
    /// The maximum number that the text can hold.
    most: usize,
    /// An error of an entry that is not a JSON error.
    wrong: Option<String>,
}

impl Flat<'_> {
    fn take(&mut self, wire: WireTrace) -> Result<(), String> {
        // The same transactions may be part of another block of this height, with other effects.
        if let Some(said) = wire.block_hash.filter(|said| *said != self.block.hash) {
            return Err(format!("they are of block {said}, not {}; {REORGANIZED}", self.block.hash));
        }
        if let Some(place) = wire.transaction_position {
            // Each transaction starts with its top-level call, in block order.
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
        "call" => trace.call_type = Some(known(trace_types::call, action.call_type.as_deref().unwrap_or("call"))?),
        "create" => {
            trace.kind = TraceKind::Create;
            trace.call_type =
                Some(known(trace_types::creation, action.creation_method.as_deref().unwrap_or("create"))?);
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
            trace.reward_type = Some(known(trace_types::reward, action.reward_type.as_deref().unwrap_or("block"))?);
            trace.to = action.author;
        }
        other => return Err(format!("there is a trace of type {other}")),
    }
    Ok(trace)
}

/// The trace type in the lake's spelling.
pub(super) fn known(words: fn(&str) -> Option<&'static str>, word: &str) -> Result<&'static str, String> {
    words(word).ok_or_else(|| format!("there is a trace with {word}"))
}

/// Checks that a trace belongs to the transaction at this index.
pub(super) fn belongs(block: &BlockData, place: u64, said: Option<B256>) -> Result<(), String> {
    let sent = usize::try_from(place).ok().and_then(|place| block.transactions.get(place));
    match (sent, said) {
        (None, _) => Err(format!("there is a trace of transaction {place}, which the block does not have")),
        (Some(sent), Some(said)) if said != sent.hash => {
            Err(format!("the trace of transaction {place} is that of {said}; {REORGANIZED}"))
        }
        _ => Ok(()),
    }
}

/// Checks that the block has this number of transactions.
pub(super) fn complete(block: &BlockData, traced: u64) -> Result<(), String> {
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
    fn invalid_flat_traces_have_clear_errors() {
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
