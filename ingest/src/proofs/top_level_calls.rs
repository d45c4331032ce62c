//! Checks the top-level calls of traces against their transactions. No root covers traces, and a node may have those of
//! another fork. They must agree with the signed transactions and the verified receipts.

use alloy::consensus::Transaction;

use crate::chain::{BlockData, TraceData, TraceKind, TransactionData};

/// 2026-01-01 in seconds UTC. Later forks may change intrinsic gas.
const GAS_RULES_KNOWN_UNTIL: u64 = 1_767_225_600;

/// Checks that each transaction has a top-level call that agrees with it and with its receipt.
///
/// # Errors
/// The first that does not.
pub(super) fn check(block: &BlockData) -> Result<(), String> {
    let Some(traces) = &block.traces else { return Ok(()) };
    let mut outermost = traces.iter().filter(|trace| trace.trace_address.is_empty() && is_call(trace));
    for (place, sent) in (0_u64..).zip(&block.transactions) {
        let call = outermost.next().filter(|trace| trace.transaction_index == Some(place));
        let checked = match call {
            Some(call) => does_what_was_signed(call, sent)
                .and_then(|()| has_the_gas_that_was_signed(call, sent, block.header.timestamp))
                .and_then(|()| ends_as_the_receipt_says(call, sent)),
            None => return Err(format!("transaction {place} has no outermost call")),
        };
        checked.map_err(|why| format!("transaction {place}: {why}"))?;
    }
    Ok(())
}

fn is_call(trace: &TraceData) -> bool {
    matches!(trace.kind, TraceKind::Call | TraceKind::Create)
}

fn does_what_was_signed(call: &TraceData, sent: &TransactionData) -> Result<(), String> {
    let signed = &sent.tx;
    let differs = |what: &str| Err(format!("{what} of its outermost call is not what was signed"));
    let kind = if signed.to().is_some() { (TraceKind::Call, "call") } else { (TraceKind::Create, "create") };
    if (call.kind, call.call_type) != (kind.0, Some(kind.1)) {
        return differs("the type");
    }
    if call.from != Some(sent.from) {
        return differs("the sender");
    }
    if signed.to().is_some() && call.to != signed.to() {
        return differs("the receiver");
    }
    if call.value != signed.value() {
        return differs("the value");
    }
    // Files may omit the input.
    if call.input.as_ref().is_some_and(|input| input != signed.input()) {
        return differs("the input");
    }
    Ok(())
}

/// Geth 1.11 and later, and compatible tracers, report the gas limit of the transaction for the top-level call. Others
/// subtract intrinsic gas.
fn has_the_gas_that_was_signed(call: &TraceData, sent: &TransactionData, timestamp: u64) -> Result<(), String> {
    let limit = sent.tx.gas_limit();
    let Some(gas) = call.gas.filter(|gas| *gas != limit) else { return Ok(()) };
    let taken = limit.checked_sub(gas);
    if taken.is_some_and(|taken| timestamp >= GAS_RULES_KNOWN_UNTIL || prices(&sent.tx).contains(&taken)) {
        return Ok(());
    }
    Err(format!("its outermost call has {gas} gas, which does not follow from the limit of {limit}"))
}

/// Intrinsic gas by the rules of all forks until Osaka (EIP-2, 2028, 2930, 3860, 7702).
fn prices(signed: &impl Transaction) -> Vec<u64> {
    let input = signed.input();
    let zeros = input.iter().filter(|byte| **byte == 0).count() as u64;
    let others = input.len() as u64 - zeros;
    let listed = signed.access_list().into_iter().flat_map(|list| list.iter());
    let listed: u64 = listed.map(|item| 2_400 + 1_900 * item.storage_keys.len() as u64).sum();
    let authorized = 25_000 * signed.authorization_list().map_or(0, |list| list.len() as u64);
    let base = 21_000 + 4 * zeros + listed + authorized;
    let words = (input.len() as u64).div_ceil(32);
    let creation = if signed.to().is_some() { &[0][..] } else { &[0, 32_000, 32_000 + 2 * words] };
    creation.iter().flat_map(|creation| [16, 68].map(|price| base + creation + price * others)).collect()
}

fn ends_as_the_receipt_says(trace: &TraceData, sent: &TransactionData) -> Result<(), String> {
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
    // Tracers that report the gas limit report the gas used of the receipt too.
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
    use super::GAS_RULES_KNOWN_UNTIL;
    use crate::chain::{BlockData, TraceData, TraceKind};
    use crate::testing::{call, chain, seal};

    /// A block of two transactions with traces. The second failed.
    fn traced() -> BlockData {
        let mut block = chain(5, 1, 0, 1).remove(0);
        block.transactions[1].receipt.status = Some(false);
        seal(&mut block);
        let (first, second) = (call(0, &block.transactions[0]), call(1, &block.transactions[1]));
        let below = |step| TraceData { subtraces: 0, trace_address: vec![step], ..second.clone() };
        let reverted = |trace| TraceData { error: Some("Reverted".to_string()), ..trace };
        let reward = TraceData {
            transaction_index: None,
            kind: TraceKind::Reward,
            to: Some(block.header.beneficiary),
            ..first.clone()
        };
        let outermost = TraceData { subtraces: 2, ..second.clone() };
        block.traces = Some(vec![first, reverted(outermost), reverted(below(0)), below(1), reward]);
        block
    }

    #[test]
    fn top_level_calls_match_receipts() {
        assert_eq!(block(&traced()), Ok(()));
        type Change = fn(&mut Vec<TraceData>);
        let changes: [(Change, &str); 13] = [
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
            (|traces| traces[0].kind = TraceKind::Create, "transaction 0: the type of its"),
            (|traces| traces[0].call_type = Some("delegatecall"), "transaction 0: the type of its"),
            (|traces| traces[0].from = None, "transaction 0: the sender of its"),
            (|traces| traces[1].to = Some(Address::ZERO), "transaction 1: the receiver of its"),
            (|traces| traces[1].value += U256::from(1), "transaction 1: the value of its"),
            (|traces| traces[0].input = Some(vec![0].into()), "transaction 0: the input of its"),
            (|traces| traces[1].gas = Some(90_001), "transaction 1: its outermost call has 90001 gas"),
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
    fn node_specific_counts_are_not_compared() {
        let changed = |change: fn(&mut TraceData)| {
            let mut changed = traced();
            change(&mut changed.traces.as_mut().expect("traces")[1]);
            block(&changed)
        };
        // Without intrinsic gas, as in flat lists.
        assert_eq!(changed(|trace| (trace.gas, trace.gas_used) = (Some(69_000), Some(7))), Ok(()));
        assert_eq!(changed(|trace| trace.gas_used = None), Ok(()));
        assert_eq!(changed(|trace| trace.input = None), Ok(()));
        let taken = changed(|trace| (trace.gas, trace.gas_used) = (Some(68_999), Some(7))).expect_err("another price");
        assert!(taken.what.contains("does not follow from the limit of 90000"), "{taken}");
        let mut newer = traced();
        newer.header.timestamp = GAS_RULES_KNOWN_UNTIL;
        seal(&mut newer);
        let mut gas = |gas| {
            let call = &mut newer.traces.as_mut().expect("traces")[1];
            (call.gas, call.gas_used) = (Some(gas), Some(7));
            block(&newer)
        };
        assert_eq!(gas(68_999), Ok(()), "a later fork may have another price");
        assert!(gas(90_001).is_err(), "but none gives more than the limit");
        let mut old = traced();
        for sent in &mut old.transactions {
            sent.receipt.status = None;
            sent.receipt.root = Some(old.header.state_root);
        }
        seal(&mut old);
        assert_eq!(block(&old), Ok(()), "before Byzantium receipts tell no outcome");
    }
}
