//! Traces beside receipts. No root covers traces, and a node may tell those of a block that has the same transactions in
//! another fork; how the outermost call of each transaction ended is what a proven receipt tells of them.

use alloy::consensus::Transaction;

use crate::chain::{BlockData, TraceData, TraceKind, TransactionData};

/// That each transaction has an outermost call, which ended as its receipt tells.
///
/// # Errors
/// The first that does not.
pub(super) fn check(block: &BlockData) -> Result<(), String> {
    let Some(traces) = &block.traces else { return Ok(()) };
    let mut outermost =
        traces.iter().filter(|trace| trace.trace_address.is_empty() && trace.kind != TraceKind::Suicide);
    for (place, sent) in (0_u64..).zip(&block.transactions) {
        match outermost.next() {
            Some(trace) if trace.transaction_index == Some(place) => {
                ends_as_told(trace, sent).map_err(|why| format!("transaction {place}: {why}"))?;
            }
            _ => return Err(format!("transaction {place} has no outermost call")),
        }
    }
    Ok(())
}

fn ends_as_told(trace: &TraceData, sent: &TransactionData) -> Result<(), String> {
    let receipt = &sent.receipt;
    match (&trace.error, receipt.status) {
        (Some(error), Some(true)) => {
            return Err(format!("its outermost call failed ({error}), but its receipt says success"));
        }
        (None, Some(false)) => return Err("its outermost call succeeded, but its receipt says failure".to_string()),
        _ => {}
    }
    let created = sent.tx.to().is_none().then(|| sent.from.create(sent.tx.nonce()));
    if trace.error.is_none() && created.is_some() && (trace.kind != TraceKind::Create || trace.to != created) {
        return Err("its outermost call does not create the contract of its receipt".to_string());
    }
    // Geth, from 1.11 on, and others that trace as it does count the whole transaction, as the receipt does; those that
    // leave out what it costs before it runs give its call less than its limit.
    match trace.gas_used {
        Some(used) if trace.gas == Some(sent.tx.gas_limit()) && used != receipt.gas_used => {
            Err(format!("its outermost call used {used} gas, but its receipt says {}", receipt.gas_used))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use alloy_primitives::{Address, U256};

    use super::super::{Check, block};
    use crate::chain::{BlockData, TraceData, TraceKind};
    use crate::testing::{chain, seal};

    /// A block of two transactions, the second of which failed, with their traces.
    fn traced() -> BlockData {
        let mut block = chain(5, 1, 0, 1).remove(0);
        block.transactions[1].receipt.status = Some(false);
        seal(&mut block);
        let call = |place: u64, path: &[u32]| TraceData {
            transaction_index: Some(place),
            kind: TraceKind::Call,
            call_type: Some("call"),
            reward_type: None,
            from: Some(Address::ZERO),
            to: Some(Address::ZERO),
            value: U256::ZERO,
            input: None,
            output: None,
            gas: Some(90_000),
            gas_used: Some(21_000),
            subtraces: 0,
            trace_address: path.to_vec(),
            error: None,
        };
        let reverted = |path| TraceData { error: Some("Reverted".to_string()), ..call(1, path) };
        let reward = TraceData { transaction_index: None, kind: TraceKind::Reward, error: None, ..call(0, &[]) };
        block.traces = Some(vec![call(0, &[]), reverted(&[]), reverted(&[0]), call(1, &[1]), reward]);
        block
    }

    #[test]
    fn outermost_calls_end_as_the_receipts_tell() {
        assert_eq!(block(&traced()), Ok(()));
        type Change = fn(&mut Vec<TraceData>);
        let changes: [(Change, &str); 6] = [
            (
                |traces| traces[0].error = Some("out of gas".to_string()),
                "transaction 0: its outermost call failed (out of gas)",
            ),
            (
                |traces| traces[1].error = None,
                "transaction 1: its outermost call succeeded, but its receipt says failure",
            ),
            (
                |traces| traces[1].gas_used = Some(20_999),
                "transaction 1: its outermost call used 20999 gas, but its receipt says 21000",
            ),
            (|traces| drop(traces.remove(0)), "transaction 0 has no outermost call"),
            (|traces| drop(traces.remove(1)), "transaction 1 has no outermost call"),
            (Vec::clear, "transaction 0 has no outermost call"),
        ];
        for (change, said) in changes {
            let mut changed = traced();
            change(changed.traces.as_mut().expect("traces"));
            let found = block(&changed).expect_err(said);
            assert!(found.check == Check::Traces && found.what.starts_with(said), "{said}: {found}");
        }
    }

    #[test]
    fn what_not_all_nodes_count_alike_is_not_compared() {
        let changed = |change: fn(&mut TraceData)| {
            let mut changed = traced();
            change(&mut changed.traces.as_mut().expect("traces")[1]);
            block(&changed)
        };
        // Without what a transaction costs before it runs, as in flat lists.
        assert_eq!(changed(|trace| (trace.gas, trace.gas_used) = (Some(69_000), Some(7))), Ok(()));
        assert_eq!(changed(|trace| trace.gas_used = None), Ok(()));
        let mut old = traced();
        for sent in &mut old.transactions {
            sent.receipt.status = None;
            sent.receipt.root = Some(old.header.state_root);
        }
        seal(&mut old);
        assert_eq!(block(&old), Ok(()), "before Byzantium receipts tell no outcome");
    }
}
