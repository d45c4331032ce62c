use alloy::consensus::{SignableTransaction, TxEip1559, TxEip2930, TxEip4844, TxEip4844Variant, TxEip7702, TxLegacy};
use alloy_primitives::{Address, Bytes, U256, hex};
use serde_json::{Value, json};

use super::*;

fn signature() -> Signature {
    Signature::new(U256::from(3), U256::from(4), true)
}

/// A transaction in the JSON of a node, modified, and parsed again.
fn read_again(tx: &TxEnvelope, change: impl Fn(&mut Value)) -> Result<TxEnvelope, InvalidResponse> {
    let mut json = serde_json::to_value(tx).expect("a transaction is JSON");
    json["hash"] = json!(tx.tx_hash());
    json["from"] = json!(Address::ZERO);
    change(&mut json);
    let wire: WireTransaction = serde_json::from_value(json).map_err(|error| error.to_string())?;
    envelope(wire)
}

fn remove(json: &mut Value, names: &[&str]) {
    let fields = json.as_object_mut().expect("an object");
    fields.retain(|name, _| !names.contains(&name.as_str()));
}

fn legacy_of(chain_id: Option<u64>) -> TxEnvelope {
    TxLegacy { chain_id, gas_price: 10, gas_limit: 21_000, ..TxLegacy::default() }.into_signed(signature()).into()
}

#[test]
fn legacy_transactions_of_all_eras() {
    let (old, bound) = (legacy_of(None), legacy_of(Some(1)));
    for (tx, v) in [(&old, "0x1c"), (&old, "0x1"), (&bound, "0x26")] {
        let read = read_again(tx, |json| {
            remove(json, &["type", "chainId", "yParity", "accessList"]);
            json["v"] = json!(v);
            json["to"] = Value::Null;
        });
        assert_eq!(read.as_ref().map(|read| read.tx_hash()), Ok(tx.tx_hash()), "v {v}");
    }
    let without_price = read_again(&old, |json| remove(json, &["gasPrice"]));
    assert_eq!(without_price, Err("it has no gasPrice".to_string()));
    let huge_v = read_again(&old, |json| json["v"] = json!(format!("0x{}", "f".repeat(32))));
    assert!(huge_v.is_err_and(|wrong| wrong.contains("out of range")));
}

fn typed() -> [TxEnvelope; 4] {
    let authorization = Authorization { chain_id: U256::MAX, address: Address::with_last_byte(7), nonce: u64::MAX };
    let authorization = SignedAuthorization::new_unchecked(authorization, 255, U256::from(1), U256::from(2));
    let input = Bytes::from(hex!("a9059cbb"));
    let fees = TxEip1559 { chain_id: 1, max_fee_per_gas: 9, input: input.clone(), ..TxEip1559::default() };
    let list = TxEip2930 { chain_id: 1, gas_price: 8, ..TxEip2930::default() };
    let blob = TxEip4844 { chain_id: 1, blob_versioned_hashes: vec![B256::ZERO], ..TxEip4844::default() };
    let blob = TxEip4844Variant::<alloy::eips::eip7594::BlobTransactionSidecarVariant>::from(blob);
    let code = TxEip7702 { chain_id: 1, authorization_list: vec![authorization], ..TxEip7702::default() };
    [
        list.into_signed(signature()).into(),
        fees.into_signed(signature()).into(),
        blob.into_signed(signature()).into(),
        code.into_signed(signature()).into(),
    ]
}

#[test]
fn typed_transactions_with_and_without_parity() {
    for tx in typed() {
        let read = read_again(&tx, |_| {}).expect("as it is");
        assert_eq!(read.tx_hash(), tx.tx_hash());
        let read = read_again(&tx, |json| {
            remove(json, &["yParity"]);
            json["v"] = json!("0x1");
            let input = json["input"].take();
            remove(json, &["input"]);
            json["data"] = input;
        });
        assert_eq!(read.as_ref().map(|read| read.tx_hash()), Ok(tx.tx_hash()), "by v, and data for input");
        let read = read_again(&tx, |json| {
            json["data"] = json["input"].clone();
            for authorization in json["authorizationList"].as_array_mut().into_iter().flatten() {
                authorization["v"] = authorization["yParity"].clone();
            }
        });
        assert_eq!(read.as_ref().map(|read| read.tx_hash()), Ok(tx.tx_hash()), "by all names at once");
        assert!(read_again(&tx, |json| json["yParity"] = json!("0x2")).is_err());
        assert!(read_again(&tx, |json| remove(json, &["chainId"])).is_err());
    }
    let [_, _, blob, code] = typed();
    for tx in [blob, code] {
        assert!(read_again(&tx, |json| json["to"] = Value::Null).is_err(), "it can't create a contract");
    }
}

fn receipt_of(tx: &TxEnvelope, change: impl Fn(&mut Value)) -> Result<ReceiptData, InvalidResponse> {
    let mut json = json!({
        "transactionHash": tx.tx_hash(),
        "transactionIndex": "0x0",
        "cumulativeGasUsed": "0x5208",
        "gasUsed": "0x5208",
        "logs": [],
    });
    change(&mut json);
    let receipt: WireReceipt = serde_json::from_value(json).map_err(|error| error.to_string())?;
    let mut wire = serde_json::to_value(tx).expect("a transaction is JSON");
    wire["hash"] = json!(tx.tx_hash());
    wire["from"] = json!(Address::ZERO);
    let wire: WireTransaction = serde_json::from_value(wire).expect("a transaction");
    transaction(wire, receipt, Some(7)).map(|transaction| transaction.receipt)
}

#[test]
fn receipts_of_all_eras() {
    let root = B256::repeat_byte(1);
    let old = receipt_of(&legacy_of(None), |json| json["root"] = json!(root)).expect("before Byzantium");
    assert_eq!((old.status, old.root, old.effective_gas_price), (None, Some(root), 10));
    let [_, fees, ..] = typed();
    let newer = receipt_of(&fees, |json| {
        json["status"] = json!("0x0");
        json["root"] = json!("0x");
    })
    .expect("a client that has no effective price");
    assert_eq!((newer.status, newer.root, newer.effective_gas_price), (Some(false), None, 7));
    let blob = receipt_of(&fees, |json| {
        json["effectiveGasPrice"] = json!("0x8");
        json["blobGasUsed"] = json!("0x20000");
        json["blobGasPrice"] = json!("0x1");
    })
    .expect("a receipt");
    assert_eq!((blob.effective_gas_price, blob.blob_gas_used, blob.blob_gas_price), (8, Some(0x20000), Some(1)));
}
