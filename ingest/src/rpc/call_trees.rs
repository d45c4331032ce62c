//! Decodes call trees (`debug_traceBlockByNumber` with the `callTracer`).

use std::ops::Range;

use alloy_primitives::{Address, B256, Bytes, U256};
use serde_json::value::RawValue;

use super::json_types::Quantity;
use super::response::Scan;
use super::traces::{belongs, complete, known};
use crate::chain::{BlockData, TraceData, TraceKind, trace_types};

/// Maximum call depth of Ethereum.
const MAX_DEPTH: usize = 1100;
/// Maximum sum of the lengths of all trace addresses of a block: deep calls could take far more memory than their text.
/// Gas keeps Ethereum's blocks far below it.
const MAX_PATH_STEPS: usize = 1 << 27;

/// The result of a transaction of `debug_traceBlockByNumber`.
#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireTree<'a> {
    tx_hash: Option<B256>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    /// The error without a result.
    error: Option<String>,
}

/// A call without its children.
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
}

/// Decodes call trees, one for each transaction in block order.
///
/// # Errors
/// The trees do not belong to the transactions of the block.
pub(super) fn trees(block: &BlockData, wires: Vec<WireTree<'_>>) -> Result<Vec<TraceData>, String> {
    let mut traces = Vec::new();
    let mut steps = 0;
    let mut count = 0;
    for (place, wire) in (0..).zip(wires) {
        belongs(block, place, wire.tx_hash)?;
        let text = wire.result.ok_or_else(|| match wire.error {
            Some(error) => format!("transaction {place} could not be traced: {error}"),
            None => format!("transaction {place} has no trace"),
        })?;
        Tree { text: text.get(), place, traces: &mut traces, steps: &mut steps }.read()?;
        count += 1;
    }
    complete(block, count)?;
    // Each call has an index and is complete.
    Ok(traces.into_iter().flatten().collect())
}

/// Decodes one tree in a single pass. A recursive parser would overflow the stack, and parsing level by level would
/// read the deepest calls again and again.
struct Tree<'a> {
    text: &'a str,
    /// Transaction index.
    place: u64,
    /// In execution order. A call has fields before and after its children, so its slot is reserved until its end.
    traces: &'a mut Vec<Option<TraceData>>,
    steps: &'a mut usize,
}

/// A call whose end was not read yet.
struct Open {
    /// Index of its trace.
    slot: usize,
    start: usize,
    /// Position of its children in the text.
    calls: Option<Range<usize>>,
    /// Number of its children.
    made: u32,
}

/// The next token.
enum Next {
    Call,
    /// A field of the innermost open call.
    Field,
    /// A comma, or the end of the call.
    FieldOrEnd,
}

impl Tree<'_> {
    fn read(&mut self) -> Result<(), String> {
        let mut scan = Scan::of(self.text);
        let mut open: Vec<Open> = Vec::new();
        let mut next = Next::Call;
        loop {
            next = match next {
                Next::Call => {
                    let start = scan.begins(b'{').ok_or("a call is not an object")?;
                    self.begin(&mut open, start)?;
                    if scan.passed(b'}') { self.end(&mut scan, &mut open)? } else { Next::Field }
                }
                Next::Field => {
                    let call = open.last_mut().ok_or_else(cut_off)?;
                    let name = scan.string().filter(|_| scan.passed(b':')).ok_or_else(cut_off)?;
                    if &self.text[name] != "\"calls\"" {
                        scan.value().ok_or_else(cut_off)?;
                        Next::FieldOrEnd
                    } else if call.calls.is_some() {
                        return Err("a call has two lists of calls".to_string());
                    } else if let Some(start) = scan.begins(b'[') {
                        let is_empty = scan.passed(b']');
                        call.calls = Some(start..scan.at());
                        if is_empty { Next::FieldOrEnd } else { Next::Call }
                    } else {
                        scan.value()
                            .filter(|value| &self.text[value.clone()] == "null")
                            .ok_or("calls are not a list")?;
                        Next::FieldOrEnd
                    }
                }
                Next::FieldOrEnd if scan.passed(b',') => Next::Field,
                Next::FieldOrEnd if scan.passed(b'}') => self.end(&mut scan, &mut open)?,
                Next::FieldOrEnd => return Err(cut_off()),
            };
            if open.is_empty() {
                return Ok(());
            }
        }
    }

    fn begin(&mut self, open: &mut Vec<Open>, start: usize) -> Result<(), String> {
        let place = self.place;
        if open.len() > MAX_DEPTH {
            return Err(format!(
                "calls of transaction {place} nest deeper than {MAX_DEPTH}, which Ethereum does not allow"
            ));
        }
        *self.steps += open.len();
        if *self.steps > MAX_PATH_STEPS {
            return Err(format!("transaction {place} has more nested calls than gas allows on Ethereum"));
        }
        open.push(Open { slot: self.traces.len(), start, calls: None, made: 0 });
        self.traces.push(None);
        Ok(())
    }

    /// Reads the fields of the innermost open call, which is complete.
    fn end(&mut self, scan: &mut Scan<'_>, open: &mut Vec<Open>) -> Result<Next, String> {
        let Some(call) = open.pop() else { return Err(cut_off()) };
        let (text, end) = (self.text, scan.at());
        let frame = match call.calls {
            Some(calls) if call.made > 0 => {
                frame(&format!("{}null{}", &text[call.start..calls.start], &text[calls.end..end]))
            }
            _ => frame(&text[call.start..end]),
        };
        let path = open.iter().map(|above| above.made).collect();
        self.traces[call.slot] = Some(trace(frame?, self.place, path, call.made.into())?);
        let Some(above) = open.last_mut() else { return Ok(Next::Call) };
        above.made += 1;
        if scan.passed(b',') {
            return Ok(Next::Call);
        }
        let calls = above.calls.as_mut().filter(|_| scan.passed(b']')).ok_or_else(cut_off)?;
        calls.end = scan.at();
        Ok(Next::FieldOrEnd)
    }
}

fn cut_off() -> String {
    "a call is cut off".to_string()
}

fn frame(text: &str) -> Result<WireFrame, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn trace(
    frame: WireFrame,
    transaction_index: u64,
    trace_address: Vec<u32>,
    subtraces: u64,
) -> Result<TraceData, String> {
    let lower = frame.kind.to_lowercase();
    let (kind, call_type) = match lower.as_str() {
        "create" | "create2" => (TraceKind::Create, Some(known(trace_types::creation, &lower)?)),
        "selfdestruct" | "suicide" => (TraceKind::Suicide, None),
        _ => (TraceKind::Call, Some(known(trace_types::call, &lower)?)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    /// The traces of a block with this trace of its only transaction.
    fn read(tree: &str) -> Result<Vec<TraceData>, String> {
        let mut block = testing::chain(5, 2, 0, 0).remove(1);
        block.transactions.truncate(1);
        trees(&block, serde_json::from_str(&format!("[{tree}]")).expect("trees"))
    }

    const HEAD: &str = r#""type":"CALL","gas":"0x10""#;
    const TAIL: &str = r#""gasUsed":"0x1","from":"0x0000000000000000000000000000000000000001""#;

    /// A call with fields before and after its children, and strings that look like children.
    fn frame(number: usize, calls: &str) -> String {
        format!(
            r#"{{ {HEAD}, "value":"{number:#x}", "error":"] }} \" [{{", "calls" : [{calls}] , "logs":[{{"calls":[1]}}], {TAIL}}}"#
        )
    }

    #[test]
    fn trees_are_in_execution_order() {
        let of = |number: usize, calls: &[String]| frame(number, &calls.join(" , "));
        let tree = of(0, &[of(1, &[of(2, &[])]), of(3, &[]), of(4, &[of(5, &[]), of(6, &[])])]);
        let traces = read(&format!(r#"{{"result":{tree}}}"#)).expect("traces");
        let paths: Vec<&[u32]> = traces.iter().map(|trace| trace.trace_address.as_slice()).collect();
        let expected: [&[u32]; 7] = [&[], &[0], &[0, 0], &[1], &[2], &[2, 0], &[2, 1]];
        assert_eq!(paths, expected);
        let told: Vec<(u64, u64)> = traces.iter().map(|trace| (trace.value.to(), trace.subtraces)).collect();
        assert_eq!(told, [(0, 3), (1, 1), (2, 0), (3, 0), (4, 2), (5, 0), (6, 0)]);
        assert!(traces.iter().all(|trace| trace.gas_used == Some(1) && trace.error.is_some()));
    }

    #[test]
    fn unbounded_nesting_is_rejected() {
        // Written as text: building a nested value this deep would overflow the stack.
        let nested = |levels: usize| {
            let (head, tail) = (format!("{{{HEAD},{TAIL},\"calls\":["), "]}");
            format!(r#"{{"result":{}{}}}"#, head.repeat(levels), tail.repeat(levels))
        };
        assert_eq!(read(&nested(1025)).expect("as deep as Ethereum's").len(), 1025);
        let error = read(&nested(1200)).expect_err("too deep");
        assert!(error.contains("calls of transaction 0 nest deeper than 1100"), "{error}");
    }

    #[test]
    fn deep_trees_are_read_in_one_pass() {
        // With 30 MB at the bottom of 1000 levels, repeated parsing would read 30 GB.
        let input = format!("{{{HEAD},{TAIL},\"input\":\"0x{}\"}}", "00".repeat(15 << 20));
        let deep = (0..1000).fold(String::new(), |text, _| text + &format!("{{{HEAD},{TAIL},\"calls\":["));
        let started = std::time::Instant::now();
        let traces = read(&format!(r#"{{"result":{deep}{input}{}}}"#, "]}".repeat(1000))).expect("traces");
        assert_eq!((traces.len(), traces[1000].input.as_ref().map(|input| input.len())), (1001, Some(15 << 20)));
        assert!(started.elapsed() < std::time::Duration::from_secs(5), "{:?}", started.elapsed());
    }

    #[test]
    fn invalid_trees_have_clear_errors() {
        for (tree, said) in [
            (r#"{"error":"execution timeout"}"#.to_string(), "transaction 0 could not be traced: execution timeout"),
            ("{}".to_string(), "transaction 0 has no trace"),
            (r#"{"result":7}"#.to_string(), "a call is not an object"),
            (format!(r#"{{"result":{}}}"#, frame(0, "7")), "a call is not an object"),
            (format!(r#"{{"result":{{{HEAD},{TAIL},"calls":7}}}}"#), "calls are not a list"),
            (format!(r#"{{"result":{{{HEAD},{TAIL},"calls":[],"calls":[]}}}}"#), "two lists of calls"),
            (format!(r#"{{"result":{{{HEAD}}}}}"#), "missing field `from`"),
            (r#"{"result":{}}"#.to_string(), "missing field"),
        ] {
            let error = read(&tree).expect_err(said);
            assert!(error.contains(said), "{tree}: {error}");
        }
        let empty = format!(r#"{{"result":{{{HEAD},{TAIL},"calls":null}}}}"#);
        assert_eq!(read(&empty).expect("one call").len(), 1);
    }
}
