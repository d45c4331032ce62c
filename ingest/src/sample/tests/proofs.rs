//! Every block verifies, and nonces, gas and fees follow Ethereum's rules.

use std::collections::{HashMap, HashSet};

use alloy::consensus::Transaction;
use alloy_primitives::{Address, Signature};

use super::*;
use crate::proofs::{self, signer};

#[test]
fn every_block_verifies() {
    let (blocks, truth) = chain(1);
    let mut parent: Option<&BlockData> = None;
    let mut nonces: HashMap<Address, u64> = HashMap::new();
    let mut kinds = HashSet::new();
    let (mut used, mut limit, mut failed) = (0, 0, 0);
    for block in &blocks {
        let header = &block.header;
        assert_eq!(proofs::block(block), Ok(()));
        if let Some(parent) = parent {
            assert_eq!((header.parent_hash, header.number), (parent.hash, parent.header.number + 1));
            assert!(header.timestamp > parent.header.timestamp && header.timestamp.is_multiple_of(12));
            assert_eq!(header.base_fee_per_gas, Some(next_base_fee(parent)));
            assert_eq!(header.excess_blob_gas, Some(next_excess(parent)));
        }
        check_transactions(block, &mut nonces);
        for sent in &block.transactions {
            kinds.insert(sent.tx.tx_type() as u8);
            failed += u64::from(sent.receipt.status == Some(false));
        }
        assert!(block.withdrawals.is_some());
        if block.transactions.len() > 1 {
            used += header.gas_used;
            limit += header.gas_limit;
        }
        parent = Some(block);
    }
    assert_eq!(kinds, HashSet::from([0, 1, 2, 3, 4]));
    assert!(failed > 500, "{failed} failed transactions");
    assert!((45..=55).contains(&(used * 100 / limit)), "blocks are {} % full", used * 100 / limit);
    assert_eq!(blocks.len() as u64, truth["chain"]["blocks"]);
    let ordinary: Vec<_> = blocks.iter().skip(8).map(|block| block.transactions.len()).collect();
    let inside = ordinary.iter().filter(|count| (30..=150).contains(*count)).count();
    assert!(inside * 100 >= ordinary.len() * 97, "{inside} of {} blocks hold 30 to 150 transactions", ordinary.len());
}

/// EIP-1559, implemented from its text.
fn next_base_fee(parent: &BlockData) -> u64 {
    let (fee, used, target) = (
        parent.header.base_fee_per_gas.unwrap() as i128,
        parent.header.gas_used as i128,
        parent.header.gas_limit as i128 / 2,
    );
    let change = fee * (used - target).abs() / target / 8;
    (if used > target { fee + change.max(1) } else { fee - change }) as u64
}

/// EIP-4844 with the target of six blobs since Prague.
fn next_excess(parent: &BlockData) -> u64 {
    (parent.header.excess_blob_gas.unwrap() + parent.header.blob_gas_used.unwrap()).saturating_sub(6 * 131_072)
}

fn check_transactions(block: &BlockData, nonces: &mut HashMap<Address, u64>) {
    let base_fee = u128::from(block.header.base_fee_per_gas.unwrap());
    let (mut gas, mut blob_gas) = (0, 0);
    for sent in &block.transactions {
        let tx = &sent.tx;
        assert_eq!(tx.chain_id(), Some(CHAIN_ID));
        let nonce = nonces.entry(sent.from).or_default();
        assert_eq!(tx.nonce(), *nonce, "{} in block {}", sent.from, block.header.number);
        *nonce += 1;
        for signed in tx.authorization_list().unwrap_or_default() {
            let hash = signed.inner().signature_hash();
            let owner = signer(hash, &Signature::new(signed.r(), signed.s(), signed.y_parity() == 1)).unwrap();
            let nonce = nonces.entry(owner).or_default();
            assert_eq!(signed.inner().nonce(), *nonce);
            *nonce += 1;
        }
        let receipt = &sent.receipt;
        assert!(receipt.gas_used <= tx.gas_limit());
        assert!(receipt.effective_gas_price >= base_fee);
        assert_eq!(receipt.contract_address.is_some(), tx.to().is_none() && receipt.status == Some(true));
        assert!(receipt.status == Some(true) || receipt.logs.is_empty());
        gas += receipt.gas_used;
        assert_eq!(receipt.cumulative_gas_used, gas);
        blob_gas += tx.blob_gas_used().unwrap_or(0);
    }
    assert_eq!((block.header.gas_used, block.header.blob_gas_used), (gas, Some(blob_gas)));
    assert!(gas <= block.header.gas_limit && blob_gas <= 9 * 131_072);
}
