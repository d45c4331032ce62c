//! Hashes, roots, blooms, signatures and fees are what Ethereum's rules say.

use std::collections::{HashMap, HashSet};

use alloy::consensus::{Transaction, TxEnvelope};
use alloy::eips::eip2718::{Decodable2718, Encodable2718};
use alloy_primitives::{Address, B256, Bloom, BloomInput, Bytes, U256, keccak256};
use alloy_rlp::Encodable;
use secp256k1::Message;
use secp256k1::ecdsa::{RecoverableSignature, RecoveryId};

use super::*;

#[test]
fn every_block_proves_itself() {
    let (blocks, truth) = chain(1);
    let mut parent: Option<&BlockData> = None;
    let mut nonces: HashMap<Address, u64> = HashMap::new();
    let mut kinds = HashSet::new();
    let (mut used, mut limit, mut failed) = (0, 0, 0);
    for block in &blocks {
        let header = &block.header;
        let mut rlp = Vec::new();
        header.encode(&mut rlp);
        assert_eq!(keccak256(&rlp), block.hash);
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
        let leaves = block.withdrawals.as_ref().unwrap();
        assert_eq!(header.withdrawals_root, Some(trie(leaves.iter().map(alloy_rlp::encode))));
        let bloom = block.transactions.iter().flat_map(|sent| &sent.receipt.logs).fold(Bloom::ZERO, add);
        assert_eq!(header.logs_bloom, bloom);
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

fn add(mut bloom: Bloom, log: &alloy_primitives::Log) -> Bloom {
    bloom.accrue(BloomInput::Raw(log.address.as_slice()));
    for topic in log.data.topics() {
        bloom.accrue(BloomInput::Raw(topic.as_slice()));
    }
    bloom
}

fn trie(items: impl Iterator<Item = Vec<u8>>) -> B256 {
    let items: Vec<Bytes> = items.map(Bytes::from).collect();
    alloy::consensus::proofs::ordered_trie_root_with_encoder(&items, |item, out| out.extend_from_slice(item))
}

/// EIP-1559 from its text.
fn next_base_fee(parent: &BlockData) -> u64 {
    let (fee, used, target) = (
        parent.header.base_fee_per_gas.unwrap() as i128,
        parent.header.gas_used as i128,
        parent.header.gas_limit as i128 / 2,
    );
    let change = fee * (used - target).abs() / target / 8;
    (if used > target { fee + change.max(1) } else { fee - change }) as u64
}

/// EIP-4844 with Prague's target of six blobs.
fn next_excess(parent: &BlockData) -> u64 {
    (parent.header.excess_blob_gas.unwrap() + parent.header.blob_gas_used.unwrap()).saturating_sub(6 * 131_072)
}

fn check_transactions(block: &BlockData, nonces: &mut HashMap<Address, u64>) {
    let base_fee = u128::from(block.header.base_fee_per_gas.unwrap());
    let (mut gas, mut blob_gas) = (0, 0);
    for sent in &block.transactions {
        let raw = sent.tx.encoded_2718();
        assert_eq!(keccak256(&raw), sent.hash);
        let tx = TxEnvelope::decode_2718(&mut raw.as_slice()).unwrap();
        assert_eq!(sender(&tx), sent.from);
        assert_eq!(tx.chain_id(), Some(CHAIN_ID));
        let nonce = nonces.entry(sent.from).or_default();
        assert_eq!(tx.nonce(), *nonce, "{} in block {}", sent.from, block.header.number);
        *nonce += 1;
        for signed in tx.authorization_list().unwrap_or_default() {
            let hash = signed.inner().signature_hash();
            let owner = recover(hash, signed.r(), signed.s(), signed.y_parity() == 1);
            let nonce = nonces.entry(owner).or_default();
            assert_eq!(signed.inner().nonce(), *nonce);
            *nonce += 1;
        }
        let receipt = &sent.receipt;
        assert!(receipt.gas_used <= tx.gas_limit());
        assert_eq!(receipt.effective_gas_price, tx.effective_gas_price(Some(base_fee as u64)));
        assert!(receipt.effective_gas_price >= base_fee);
        assert_eq!(receipt.contract_address.is_some(), tx.to().is_none() && receipt.status == Some(true));
        if let Some(created) = receipt.contract_address {
            assert_eq!(created, sent.from.create(tx.nonce()));
        }
        assert!(receipt.status == Some(true) || receipt.logs.is_empty());
        gas += receipt.gas_used;
        assert_eq!(receipt.cumulative_gas_used, gas);
        blob_gas += tx.blob_gas_used().unwrap_or(0);
    }
    assert_eq!((block.header.gas_used, block.header.blob_gas_used), (gas, Some(blob_gas)));
    assert!(gas <= block.header.gas_limit && blob_gas <= 9 * 131_072);
    let raw = block.transactions.iter().map(|sent| sent.tx.encoded_2718());
    assert_eq!(block.header.transactions_root, trie(raw));
    assert_eq!(block.header.receipts_root, trie(block.transactions.iter().map(receipt)));
}

/// A receipt as the trie holds it, from the yellow paper: type, then status, gas, bloom and logs.
fn receipt(sent: &crate::chain::TransactionData) -> Vec<u8> {
    let data = &sent.receipt;
    let mut payload = Vec::new();
    data.status.unwrap().encode(&mut payload);
    data.cumulative_gas_used.encode(&mut payload);
    data.logs.iter().fold(Bloom::ZERO, add).encode(&mut payload);
    alloy_rlp::encode_list(&data.logs, &mut payload);
    let mut encoded = Vec::new();
    if sent.tx.tx_type() as u8 > 0 {
        encoded.push(sent.tx.tx_type() as u8);
    }
    alloy_rlp::Header { list: true, payload_length: payload.len() }.encode(&mut encoded);
    encoded.extend(payload);
    encoded
}

fn sender(tx: &TxEnvelope) -> Address {
    let signature = tx.signature();
    recover(tx.signature_hash(), signature.r(), signature.s(), signature.v())
}

fn recover(hash: B256, r: U256, s: U256, odd: bool) -> Address {
    let bytes = [r.to_be_bytes::<32>(), s.to_be_bytes::<32>()].concat();
    let id = RecoveryId::try_from(i32::from(odd)).unwrap();
    let signature = RecoverableSignature::from_compact(&bytes, id).unwrap();
    let key = secp256k1::Secp256k1::new().recover_ecdsa(&Message::from_digest(hash.0), &signature).unwrap();
    Address::from_slice(&keccak256(&key.serialize_uncompressed()[1..])[12..])
}
