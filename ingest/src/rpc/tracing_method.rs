//! The tracing method of a node.

use super::call::Call;
use super::call_trees::{WireTree, trees};
use super::response::Answer;
use super::traces;
use crate::chain::BlockData;

/// A method that traces whole blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TracingMethod {
    /// `trace_block`: flat lists, with rewards.
    Flat,
    /// `debug_traceBlockByNumber` with the `callTracer`: trees of calls.
    Trees,
}

impl TracingMethod {
    pub(super) fn name(self) -> &'static str {
        match self {
            TracingMethod::Flat => "trace_block",
            TracingMethod::Trees => "debug_traceBlockByNumber",
        }
    }

    /// `block` is a hexadecimal number or a name. The genesis block has no traces, and some nodes refuse to trace it.
    pub(super) fn call(self, block: &str) -> Call {
        match self {
            _ if block == "0x0" => Call::new("eth_chainId", "").or_null(),
            TracingMethod::Flat => Call::new(self.name(), format!("\"{block}\"")).or_null(),
            TracingMethod::Trees => Call::new(self.name(), format!("\"{block}\",{{\"tracer\":\"callTracer\"}}")),
        }
    }

    /// Adds the traces of a response to their block.
    pub(super) fn add(self, block: &mut BlockData, answer: &Answer) -> Result<(), String> {
        let wrong = |error: serde_json::Error| error.to_string();
        block.traces = Some(match self {
            _ if block.header.number == 0 => Vec::new(),
            TracingMethod::Flat => traces::flat(block, answer.get())?,
            TracingMethod::Trees => {
                let wires: Vec<WireTree<'_>> = serde_json::from_str(answer.get()).map_err(wrong)?;
                trees(block, wires)?
            }
        });
        Ok(())
    }
}
