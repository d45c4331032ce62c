use alloy::consensus::{SignableTransaction, TxEip4844, TxEip4844Variant, TxEip7702, TxLegacy};
use alloy::eips::eip2930::{AccessList, AccessListItem};
use alloy::eips::eip4895::Withdrawal;
use alloy::eips::eip7702::{Authorization, SignedAuthorization};
use alloy_primitives::{Address, B256, Bytes, TxKind, U256, hex, keccak256};
use arrow::array::AsArray;

use super::testing::{block, call, hexes, ints, log, only, shown, signature, signed, texts, transaction};
use super::*;
use crate::chain::{TraceData, TraceKind};

#[test]
fn empty_tables_are_omitted() {
    let tables: Vec<_> = batches(&[block(1)]).expect("decodes").into_iter().map(|(table, _)| table).collect();
    assert_eq!(tables, [Table::Blocks]);
    assert!(batches(&[]).expect("decodes").is_empty());
}

#[test]
fn transactions_of_all_types() {
    let creation = TxLegacy { to: TxKind::Create, input: hex!("6000").into(), gas_price: 3, ..TxLegacy::default() };
    let bound = TxLegacy { chain_id: Some(1), to: TxKind::Call(Address::ZERO), ..TxLegacy::default() };
    let item = AccessListItem { address: Address::with_last_byte(3), storage_keys: vec![B256::ZERO; 2] };
    let blob: TxEip4844Variant = TxEip4844 {
        chain_id: 1,
        max_fee_per_gas: 50,
        max_priority_fee_per_gas: 2,
        max_fee_per_blob_gas: 4,
        access_list: AccessList(vec![item]),
        blob_versioned_hashes: vec![B256::with_last_byte(6)],
        ..TxEip4844::default()
    }
    .into();
    let authorization = Authorization { chain_id: U256::MAX, address: Address::with_last_byte(7), nonce: u64::MAX };
    let authorization = SignedAuthorization::new_unchecked(authorization, 255, U256::from(1), U256::from(2));
    let set_code = TxEip7702 { chain_id: 1, authorization_list: vec![authorization], ..TxEip7702::default() };
    let mut one = block(1);
    one.header.base_fee_per_gas = Some(8);
    one.transactions = vec![
        signed(creation.into_signed(signature()).into(), vec![]),
        signed(bound.into_signed(signature()).into(), vec![]),
        signed(blob.into_signed(signature()).into(), vec![]),
        signed(set_code.into_signed(signature()).into(), vec![]),
    ];
    let expected: Vec<_> = one.transactions.iter().map(|tx| tx.hash).collect();
    one.transactions[0].receipt.status = None;
    one.transactions[0].receipt.root = Some(B256::with_last_byte(1));
    one.transactions[1].receipt.status = Some(false);
    let batch = only(Table::Transactions, &[one]);

    assert_eq!(
        hexes(&batch, "hash"),
        expected.iter().map(|hash| format!("{:x}", U256::from_be_bytes(hash.0))).collect::<Vec<_>>()
    );
    assert_eq!(ints(&batch, "transaction_type"), [Some(0), Some(0), Some(3), Some(4)]);
    assert_eq!(ints(&batch, "receipt_status"), [None, Some(0), Some(1), Some(1)]);
    assert_eq!(hexes(&batch, "receipt_root"), ["1", "-", "-", "-"]);
    assert_eq!(hexes(&batch, "to_address"), ["-", "0", "0", "0"]);
    assert_eq!(shown(&batch, "gas_price"), ["3", "0", "9", "9"], "as signed, or what was paid");
    assert_eq!(hexes(&batch, "v"), ["1c", "26", "1", "1"], "28, 35 + 2 + 1, parity");
    assert_eq!(ints(&batch, "chain_id"), [None, Some(1), Some(1), Some(1)]);
    assert_eq!(shown(&batch, "max_fee_per_gas"), ["", "", "50", "0"]);
    assert_eq!(shown(&batch, "max_fee_per_blob_gas"), ["", "", "4", ""]);
    let zero = "0".repeat(64);
    let address = format!("{}3", "0".repeat(39));
    assert_eq!(
        shown(&batch, "access_list"),
        ["", "", &format!("[{{address: {address}, storage_keys: [{zero}, {zero}]}}]"), "[]"]
    );
    let authorizations = &shown(&batch, "authorization_list")[3];
    assert!(authorizations.contains("nonce: -1, y_parity: 255"), "{authorizations}");
    assert_eq!(shown(&batch, "blob_versioned_hashes")[2], format!("[{}6]", "0".repeat(63)));
    assert_eq!(ints(&batch, "base_fee_per_gas"), [Some(8); 4]);
}

#[test]
fn logs_are_numbered_by_block() {
    let mut one = block(1);
    let topics: Vec<B256> = (1..=4).map(B256::with_last_byte).collect();
    one.transactions = vec![
        transaction(0, vec![log(1, vec![], vec![1]), log(2, topics.clone(), vec![])]),
        transaction(1, vec![log(3, topics[..2].to_vec(), vec![])]),
    ];
    let mut two = block(2);
    two.transactions = vec![transaction(2, vec![log(4, vec![], vec![])])];
    let batch = only(Table::Logs, &[two, one]);
    assert_eq!(ints(&batch, "block_number"), [Some(1), Some(1), Some(1), Some(2)]);
    assert_eq!(ints(&batch, "log_index"), [Some(0), Some(1), Some(2), Some(0)]);
    assert_eq!(ints(&batch, "transaction_index"), [Some(0), Some(0), Some(1), Some(0)]);
    assert_eq!(hexes(&batch, "topic1"), ["-", "2", "2", "-"]);
    assert_eq!(hexes(&batch, "topic3"), ["-", "4", "-", "-"]);
    assert_eq!(shown(&batch, "data"), ["01", "", "", ""]);
}

#[test]
fn withdrawals_keep_their_index() {
    let mut one = block(1);
    let withdrawal = |index| Withdrawal { index, validator_index: 9, address: Address::ZERO, amount: 3 };
    one.withdrawals = Some(vec![withdrawal(70), withdrawal(71)]);
    let batch = only(Table::Withdrawals, &[one]);
    assert_eq!(ints(&batch, "index"), [Some(70), Some(71)]);
    assert_eq!(ints(&batch, "withdrawal_index"), [Some(0), Some(1)]);
}

#[test]
fn calls_fail_with_their_callers() {
    let mut one = block(1);
    one.transactions = vec![transaction(0, vec![]), transaction(1, vec![])];
    one.transactions[1].receipt.status = Some(false);
    let failed = |mut trace: TraceData| {
        trace.error = Some("Reverted".to_string());
        trace
    };
    one.traces = Some(vec![
        call(0, &[]),
        failed(call(0, &[0])),
        call(0, &[0, 0]),
        call(0, &[0, 0, 0]),
        call(0, &[1]),
        call(0, &[1, 0]),
        call(1, &[]),
        TraceData {
            transaction_index: None,
            kind: TraceKind::Reward,
            reward_type: Some("block"),
            call_type: None,
            from: None,
            ..call(0, &[])
        },
    ]);
    let batch = only(Table::Traces, &[one]);
    let status = [1, 0, 0, 0, 1, 1, 0, 1].map(Some);
    assert_eq!(ints(&batch, "status"), status);
    assert_eq!(ints(&batch, "trace_index"), (0..8).map(Some).collect::<Vec<_>>());
    assert_eq!(shown(&batch, "trace_address")[3], "[0, 0, 0]");
    assert_eq!(texts(&batch, "trace_type")[7], "reward");
    assert_eq!(ints(&batch, "transaction_index")[7], None);
    assert_eq!(texts(&batch, "error")[1], "Reverted");
}

#[test]
fn traces_of_unknown_transactions_are_accepted() {
    let mut one = block(1);
    one.traces = Some(vec![call(5, &[0, 0]), call(u64::MAX >> 1, &[])]);
    let batch = only(Table::Traces, &[one]);
    assert_eq!(hexes(&batch, "transaction_hash"), ["-", "-"]);
}

#[test]
fn only_successful_creations_are_contracts() {
    let code = Bytes::from(hex!("8063a9059cbb1461010057"));
    let create = |path: &[u32], to: u8| TraceData {
        kind: TraceKind::Create,
        call_type: Some("create"),
        to: Some(Address::with_last_byte(to)),
        output: Some(code.clone()),
        ..call(0, path)
    };
    let failed = TraceData { error: Some("Out of gas".to_string()), ..create(&[1], 22) };
    let mut one = block(1);
    one.transactions = vec![transaction(0, vec![])];
    one.traces = Some(vec![create(&[], 20), create(&[0], 21), failed, create(&[1, 0], 23)]);
    let mut two = block(2);
    two.transactions = vec![transaction(1, vec![])];
    two.traces = Some(vec![TraceData { output: Some(Bytes::new()), ..create(&[], 24) }]);
    let batch = only(Table::Contracts, &[one, two]);
    assert_eq!(hexes(&batch, "address"), ["14", "15", "18"]);
    assert_eq!(ints(&batch, "create_index"), [Some(0), Some(1), Some(0)]);
    assert_eq!(hexes(&batch, "factory_address"), ["-", "1", "-"]);
    assert_eq!(hexes(&batch, "creator_address"), ["1", "1", "1"]);
    assert_eq!(ints(&batch, "code_size"), [Some(11), Some(11), Some(0)]);
    assert_eq!(shown(&batch, "function_sighashes"), ["[a9059cbb]", "[a9059cbb]", "[]"]);
    let hash = format!("{:x}", U256::from_be_bytes(keccak256(&code).0));
    assert_eq!(hexes(&batch, "code_hash")[0], hash);
}

#[test]
fn portions_fit_or_have_one_block() {
    let counts = |sizes: &[usize]| {
        let (mut rest, mut counts) = (sizes, Vec::new());
        while !rest.is_empty() {
            let count = portion(rest.iter().copied(), 10);
            counts.push(count);
            rest = &rest[count..];
        }
        counts
    };
    assert_eq!(counts(&[3, 3, 4, 1, 20, 0, 9, usize::MAX, usize::MAX]), [3, 1, 1, 2, 1, 1]);
    assert_eq!(portion(std::iter::empty(), 10), 0);
}

#[test]
fn columns_are_no_larger_than_their_blocks() {
    let code = Bytes::from(vec![0x60; 5000]);
    let input = TxLegacy { to: TxKind::Create, input: code.clone(), ..TxLegacy::default() };
    let mut one = block(1);
    one.transactions = vec![signed(input.into_signed(signature()).into(), vec![log(1, vec![], vec![7; 3000])])];
    let created = TraceData {
        kind: TraceKind::Create,
        call_type: Some("create"),
        input: Some(code.clone()),
        output: Some(code.clone()),
        ..call(0, &[])
    };
    one.traces = Some(vec![created; 20]);
    let bytes = one.bytes();
    assert!((5000 + 3000 + 20 * 10_000..20 * 11_000 + 10_000).contains(&bytes), "{bytes}");
    for (table, batch) in batches(&[one]).expect("rows") {
        for (field, column) in table.schema().fields().iter().zip(batch.columns()) {
            let size = column.as_binary_opt::<i32>().map_or(0, |column| column.value_data().len());
            assert!(size <= bytes, "{}.{}: {size}", table.name(), field.name());
        }
    }
}
