use alloy::consensus::{SignableTransaction, TxEip2930, TxEip4844, TxEip4844Variant, TxEip7702, TxEnvelope, TxLegacy};
use alloy::eips::eip2930::{AccessList, AccessListItem};
use alloy::eips::eip7702::{Authorization, SignedAuthorization};
use alloy_primitives::{Address, B256, Bloom, Bytes, Log, U256, b256};

use super::*;
use crate::chain::BlockData;
use crate::testing::{self, chain, seal, sent, sign};

/// A block with transactions of every type. The first creates a contract.
fn every_type() -> BlockData {
    let mut block = chain(5, 1, 0, 1).remove(0);
    let creation = TxLegacy { gas_price: 10, gas_limit: 90_000, input: vec![1].into(), ..TxLegacy::default() };
    let item = AccessListItem { address: Address::with_last_byte(3), storage_keys: vec![B256::with_last_byte(1)] };
    let list = TxEip2930 { chain_id: 5, gas_price: 8, access_list: AccessList(vec![item]), ..TxEip2930::default() };
    let blob: TxEip4844Variant = TxEip4844 {
        chain_id: 5,
        max_fee_per_gas: 9,
        blob_versioned_hashes: vec![B256::with_last_byte(6); 2],
        ..TxEip4844::default()
    }
    .into();
    let authorization = Authorization { chain_id: U256::MAX, address: Address::with_last_byte(7), nonce: u64::MAX };
    let authorization = SignedAuthorization::new_unchecked(authorization, 255, U256::from(1), U256::from(2));
    let code =
        TxEip7702 { chain_id: 5, max_fee_per_gas: 9, authorization_list: vec![authorization], ..TxEip7702::default() };
    let log =
        |byte: u8| Log::new_unchecked(Address::with_last_byte(byte), vec![B256::with_last_byte(byte)], Bytes::new());
    let more: Vec<(TxEnvelope, Vec<Log>)> = vec![
        (creation.clone().into_signed(sign(1, creation.signature_hash())).into(), vec![]),
        (list.clone().into_signed(sign(1, list.signature_hash())).into(), vec![log(1)]),
        (blob.clone().into_signed(sign(1, blob.signature_hash())).into(), vec![]),
        (code.clone().into_signed(sign(1, code.signature_hash())).into(), vec![log(2), log(3)]),
    ];
    for (tx, logs) in more {
        let place = block.transactions.len() as u64;
        block.transactions.push(sent(tx, 1, logs, place));
    }
    block.transactions[2].receipt.contract_address = Some(testing::address(1).create(0));
    block.transactions[4].receipt.blob_gas_used = Some(2 * 131_072);
    seal(&mut block);
    block
}

#[test]
fn blocks_with_all_transaction_types_are_valid() {
    assert_eq!(super::block(&every_type()), Ok(()));
}

fn other(hash: &mut B256) {
    hash.0[31] ^= 1;
}

/// A change of one byte, with the hash of the header recomputed where a careful liar would, and the check that detects
/// it.
type Flip = (Check, fn(&mut BlockData));

const FLIPS: [Flip; 21] = [
    (Check::HeaderHash, |block| other(&mut block.hash)),
    (Check::HeaderHash, |block| other(&mut block.header.state_root)),
    (Check::HeaderHash, |block| block.header.extra_data = vec![9].into()),
    (Check::HeaderHash, |block| block.header.gas_limit ^= 1),
    (Check::HeaderHash, |block| block.header.requests_hash = Some(B256::ZERO)),
    (Check::TransactionHash, |block| other(&mut block.transactions[1].hash)),
    (Check::Sender, |block| block.transactions[0].from.0[0] ^= 1),
    (Check::Receipt, |block| block.transactions[1].receipt.effective_gas_price ^= 1),
    (Check::Receipt, |block| block.transactions[2].receipt.contract_address = Some(Address::ZERO)),
    (Check::Receipt, |block| block.transactions[1].receipt.contract_address = Some(Address::ZERO)),
    (Check::Receipt, |block| block.transactions[4].receipt.blob_gas_used = Some(131_072)),
    (Check::TransactionsRoot, |block| {
        other(&mut block.header.transactions_root);
        block.hash = block.header.hash_slow();
    }),
    (Check::TransactionsRoot, |block| block.transactions.swap(0, 1)),
    (Check::ReceiptsRoot, |block| block.transactions[1].receipt.logs[0].address.0[19] ^= 1),
    (Check::ReceiptsRoot, |block| {
        let log = &mut block.transactions[1].receipt.logs[0];
        log.data.data = B256::with_last_byte(4).into();
    }),
    (Check::ReceiptsRoot, |block| block.transactions[0].receipt.status = Some(false)),
    (Check::ReceiptsRoot, |block| block.transactions[0].receipt.cumulative_gas_used ^= 1),
    (Check::ReceiptsRoot, |block| {
        let log = block.transactions[1].receipt.logs.remove(0);
        block.transactions[0].receipt.logs.push(log);
    }),
    (Check::LogsBloom, |block| {
        block.header.logs_bloom.0[100] ^= 1;
        block.hash = block.header.hash_slow();
    }),
    (Check::WithdrawalsRoot, |block| {
        let withdrawal = block.withdrawals.as_mut().and_then(|all| all.first_mut()).expect("a withdrawal");
        withdrawal.amount ^= 1;
    }),
    (Check::WithdrawalsRoot, |block| block.withdrawals = None),
];

#[test]
fn single_byte_changes_are_detected() {
    for (at, (check, flip)) in FLIPS.iter().enumerate() {
        let mut block = every_type();
        flip(&mut block);
        let found = super::block(&block).expect_err("it differs");
        assert_eq!(found.check, *check, "change {at}: {found}");
        assert_eq!(found.block, 0);
        // Batch verification reports the same check.
        let mut many = chain(5, 40, 0, 40);
        many.push(block);
        assert_eq!(super::mismatches(&many).collect::<Vec<_>>(), [found], "change {at}");
    }
    let mut many = chain(5, 40, 0, 40);
    many.push(every_type());
    assert_eq!(super::mismatches(&many).next(), None);
}

#[test]
fn impossible_signature() {
    let mut block = every_type();
    let tx = TxLegacy { gas_price: 10, ..TxLegacy::default() };
    let impossible = alloy_primitives::Signature::new(U256::MAX, U256::MAX, false);
    block.transactions[0] = sent(tx.into_signed(impossible).into(), 1, vec![], 0);
    seal(&mut block);
    let found = super::block(&block).expect_err("no key makes it");
    assert_eq!(found.to_string(), "block 0: sender: transaction 0: nobody can have made its signature");
}

#[test]
fn blobs_in_the_transactions_root_have_a_hint() {
    let mut block = every_type();
    other(&mut block.header.transactions_root);
    block.hash = block.header.hash_slow();
    assert!(super::block(&block).expect_err("another root").what.ends_with("needs --no-verify)"));
    block.transactions.truncate(2);
    seal(&mut block);
    other(&mut block.header.transactions_root);
    block.hash = block.header.hash_slow();
    assert!(!super::block(&block).expect_err("another root").what.contains("--no-verify"));
}

#[test]
fn chain_links_are_checked() {
    let mut blocks = chain(5, 4, 0, 4);
    assert_eq!(links(&blocks), Ok(()));
    blocks[2] = chain(5, 4, 1, 0).remove(2);
    let found = links(&blocks).expect_err("block 2 is of another chain");
    assert_eq!((found.block, found.check), (2, Check::ParentHash));
}

#[test]
fn receipts_before_byzantium_have_a_state_root() {
    let mut block = chain(5, 1, 0, 1).remove(0);
    for sent in &mut block.transactions {
        sent.receipt.status = None;
        sent.receipt.root = Some(B256::with_last_byte(1));
    }
    seal(&mut block);
    assert_eq!(super::block(&block), Ok(()));
    block.transactions[0].receipt.root = Some(B256::with_last_byte(2));
    let other = super::block(&block).expect_err("another state");
    assert!(other.check == Check::ReceiptsRoot && !other.what.contains("Byzantium"), "{other}");
    // As Reth traces them.
    (block.header.base_fee_per_gas, block.withdrawals) = (None, None);
    block.transactions.truncate(1);
    block.transactions[0].receipt.root = Some(B256::with_last_byte(1));
    seal(&mut block);
    block.transactions[0].receipt.root = None;
    block.transactions[0].receipt.status = Some(true);
    let unknown = super::block(&block).expect_err("no state");
    assert!(unknown.check == Check::ReceiptsRoot && unknown.what.contains("before Byzantium"), "{unknown}");
}

#[test]
fn empty_blocks_of_all_forks_are_valid() {
    let empty = b256!("56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421");
    let mut block = chain(5, 1, 0, 1).remove(0);
    block.transactions.clear();
    block.withdrawals = None;
    block.header.base_fee_per_gas = None;
    seal(&mut block);
    assert_eq!((block.header.transactions_root, block.header.receipts_root), (empty, empty));
    assert_eq!(block.header.logs_bloom, Bloom::ZERO);
    assert_eq!(super::block(&block), Ok(()), "Frontier");
    block.header.base_fee_per_gas = Some(7);
    block.withdrawals = Some(Vec::new());
    seal(&mut block);
    assert_eq!(block.header.withdrawals_root, Some(empty));
    block.header.blob_gas_used = Some(0);
    block.header.excess_blob_gas = Some(0);
    block.header.parent_beacon_block_root = Some(B256::ZERO);
    block.header.requests_hash = Some(B256::ZERO);
    let before = block.hash;
    seal(&mut block);
    assert_ne!(block.hash, before);
    assert_eq!(super::block(&block), Ok(()), "Prague");
}
