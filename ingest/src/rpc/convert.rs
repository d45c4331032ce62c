//! Converts JSON of nodes to blocks. Matches receipts with transactions; `proofs` verifies the block. Errors are one
//! sentence.

use alloy::consensus::{Header, TxEnvelope};
use alloy::eips::eip4895::Withdrawal;
use alloy::eips::eip7702::{Authorization, SignedAuthorization};
use alloy_primitives::{B256, Log, Signature};

use super::json_types::{WireAuthorization, WireBlock, WireLog, WireReceipt, WireTransaction, WireWithdrawal};
use crate::chain::{BlockData, ReceiptData, TransactionData, TransactionFields, unknown_type};

/// An error in a response; follows the name of the call.
pub(super) type InvalidResponse = String;

/// A block with the receipts of its transactions.
pub(super) fn block(wire: WireBlock, mut receipts: Vec<WireReceipt>) -> Result<BlockData, InvalidResponse> {
    let header = header(&wire)?;
    if receipts.len() != wire.transactions.len() {
        let (got, expected) = (receipts.len(), wire.transactions.len());
        return Err(format!("block {} has {expected} transactions but {got} receipts came", header.number));
    }
    receipts.sort_by_key(|receipt| receipt.transaction_index.0);
    let mut gas_so_far = 0;
    let mut transactions = Vec::with_capacity(receipts.len());
    for (index, (tx, receipt)) in wire.transactions.into_iter().zip(receipts).enumerate() {
        let named = |wrong: InvalidResponse| format!("transaction {index} of block {}: {wrong}", header.number);
        check_receipt(&tx, index, &receipt, wire.hash, gas_so_far).map_err(named)?;
        gas_so_far = receipt.cumulative_gas_used.0;
        transactions.push(transaction(tx, receipt, header.base_fee_per_gas).map_err(named)?);
    }
    // Since block access lists (Amsterdam) the header counts gas before refunds.
    if gas_so_far != header.gas_used && header.block_access_list_hash.is_none() {
        let number = header.number;
        return Err(format!("block {number} used {} gas but its receipts add up to {gas_so_far}", header.gas_used));
    }
    Ok(BlockData {
        size: wire.size.0,
        header,
        hash: wire.hash,
        total_difficulty: wire.total_difficulty.map(|number| number.0),
        transactions,
        // Some clients return an empty list instead of none for blocks before Shanghai.
        withdrawals: (wire.withdrawals)
            .filter(|all| wire.withdrawals_root.is_some() || !all.is_empty())
            .map(|all| all.into_iter().map(withdrawal).collect()),
        traces: None,
        tokens: Default::default(),
    })
}

fn header(wire: &WireBlock) -> Result<Header, InvalidResponse> {
    Ok(Header {
        parent_hash: wire.parent_hash,
        ommers_hash: wire.sha3_uncles,
        beneficiary: wire.miner.or(wire.author).ok_or("it has no miner")?,
        state_root: wire.state_root,
        transactions_root: wire.transactions_root,
        receipts_root: wire.receipts_root,
        logs_bloom: *wire.logs_bloom,
        difficulty: wire.difficulty.0,
        number: wire.number.0,
        gas_limit: wire.gas_limit.0,
        gas_used: wire.gas_used.0,
        timestamp: wire.timestamp.0,
        extra_data: wire.extra_data.clone(),
        mix_hash: wire.mix_hash.unwrap_or_default(),
        nonce: wire.nonce.unwrap_or_default(),
        base_fee_per_gas: wire.base_fee_per_gas.map(|number| number.0),
        withdrawals_root: wire.withdrawals_root,
        blob_gas_used: wire.blob_gas_used.map(|number| number.0),
        excess_blob_gas: wire.excess_blob_gas.map(|number| number.0),
        parent_beacon_block_root: wire.parent_beacon_block_root,
        requests_hash: wire.requests_hash,
        block_access_list_hash: wire.block_access_list_hash,
        slot_number: wire.slot_number.map(|number| number.0),
    })
}

fn withdrawal(wire: WireWithdrawal) -> Withdrawal {
    Withdrawal {
        index: wire.index.0,
        validator_index: wire.validator_index.0,
        address: wire.address,
        amount: wire.amount.0,
    }
}

fn check_receipt(
    tx: &WireTransaction,
    index: usize,
    receipt: &WireReceipt,
    block_hash: B256,
    gas_before: u64,
) -> Result<(), InvalidResponse> {
    if receipt.transaction_hash != tx.hash || receipt.transaction_index.0 != index as u64 {
        return Err(format!("its receipt is that of transaction {}", receipt.transaction_hash));
    }
    if let Some(other) = receipt.block_hash.filter(|&hash| hash != block_hash) {
        return Err(format!("its receipt is of another block, {other}; the chain may have just been reorganized"));
    }
    let (used, cumulative) = (receipt.gas_used.0, receipt.cumulative_gas_used.0);
    if gas_before.checked_add(used) != Some(cumulative) {
        return Err(format!("{gas_before} gas before it and {used} used do not give the receipt's {cumulative}"));
    }
    Ok(())
}

fn transaction(
    wire: WireTransaction,
    receipt: WireReceipt,
    base_fee: Option<u64>,
) -> Result<TransactionData, InvalidResponse> {
    let (hash, from) = (wire.hash, wire.from);
    let tx = envelope(wire)?;
    let effective_gas_price = match receipt.effective_gas_price {
        Some(price) => price.0,
        // Clients from before London omit it.
        None => alloy::consensus::Transaction::effective_gas_price(&tx, base_fee),
    };
    let receipt = ReceiptData {
        status: receipt.status.map(|status| status.0 != 0),
        root: receipt.root.and_then(|root| B256::try_from(root.as_ref()).ok()),
        gas_used: receipt.gas_used.0,
        cumulative_gas_used: receipt.cumulative_gas_used.0,
        effective_gas_price,
        contract_address: receipt.contract_address,
        blob_gas_used: receipt.blob_gas_used.map(|number| number.0),
        blob_gas_price: receipt.blob_gas_price.map(|number| number.0),
        logs: receipt.logs.into_iter().map(log).collect::<Result<_, _>>()?,
    };
    Ok(TransactionData { tx, hash, from, receipt })
}

fn log(wire: WireLog) -> Result<Log, InvalidResponse> {
    let topics = wire.topics.len();
    Log::new(wire.address, wire.topics, wire.data).ok_or_else(|| format!("a log has {topics} topics"))
}

fn envelope(wire: WireTransaction) -> Result<TxEnvelope, InvalidResponse> {
    let kind = wire.kind.map_or(0, |kind| kind.0);
    let (signature, chain_id) = match kind {
        0 => legacy_signature(&wire)?,
        5.. => return Err(unknown_type(kind)),
        _ => (typed_signature(&wire)?, wire.chain_id.map(|id| id.0)),
    };
    let authorizations = wire.authorization_list.map(|list| list.into_iter().map(authorization).collect());
    let fields = TransactionFields {
        kind,
        chain_id,
        nonce: wire.nonce.0,
        gas_limit: wire.gas.0,
        to: wire.to,
        value: wire.value.0,
        input: wire.input.or(wire.data).ok_or("it has no input")?,
        gas_price: wire.gas_price.map(|price| price.0),
        max_fee_per_gas: wire.max_fee_per_gas.map(|fee| fee.0),
        max_priority_fee_per_gas: wire.max_priority_fee_per_gas.map(|fee| fee.0),
        max_fee_per_blob_gas: wire.max_fee_per_blob_gas.map(|fee| fee.0),
        access_list: wire.access_list,
        blob_versioned_hashes: wire.blob_versioned_hashes,
        authorization_list: authorizations.transpose()?,
        signature,
    };
    fields.envelope()
}

/// The signature, and the chain id in its v (EIP-155).
fn legacy_signature(wire: &WireTransaction) -> Result<(Signature, Option<u64>), InvalidResponse> {
    let v = wire.v.ok_or("it has no v")?.0;
    let (parity, chain_id) = match v {
        0 | 1 => (v == 1, None),
        27 | 28 => (v == 28, None),
        35.. => {
            let id = u64::try_from((v - 35) / 2).map_err(|_| format!("its v {v} is out of range"))?;
            ((v - 35) % 2 == 1, Some(id))
        }
        _ => return Err(format!("its v {v} is not one of a signature")),
    };
    Ok((Signature::new(wire.r.0, wire.s.0, parity), chain_id))
}

fn authorization(wire: WireAuthorization) -> Result<SignedAuthorization, InvalidResponse> {
    let parity = wire.y_parity.or(wire.v).ok_or("an authorization has no yParity")?.0;
    let parity = u8::try_from(parity).map_err(|_| "an authorization's yParity is over 255".to_string())?;
    let inner = Authorization { chain_id: wire.chain_id.0, address: wire.address, nonce: wire.nonce.0 };
    Ok(SignedAuthorization::new_unchecked(inner, parity, wire.r.0, wire.s.0))
}

fn typed_signature(wire: &WireTransaction) -> Result<Signature, InvalidResponse> {
    let parity = match wire.y_parity {
        Some(parity) => u128::from(parity.0),
        None => wire.v.ok_or("it has no yParity")?.0,
    };
    match parity {
        0 | 1 => Ok(Signature::new(wire.r.0, wire.s.0, parity == 1)),
        other => Err(format!("its yParity is {other}, not 0 or 1")),
    }
}

#[cfg(test)]
#[path = "convert_tests.rs"]
mod tests;
