//! What a node says of its chain, written the way `quarry sql --format csv` prints rows. It is computed here from the
//! JSON-RPC answers alone, so that the lake is compared with something it had no part in.

use quarry_tests::node::{Node, quantity};
use serde_json::{Value, json};

/// Keccak-256 of `Transfer(address,address,uint256)`, `TransferSingle(…)` and `TransferBatch(…)`.
const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const TRANSFER_SINGLE: &str = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62";
const TRANSFER_BATCH: &str = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb";

/// Rows of the four tables of a chain, in their sort order.
#[derive(Default)]
pub struct Expected {
    pub blocks: Vec<String>,
    pub transactions: Vec<String>,
    pub logs: Vec<String>,
    pub token_transfers: Vec<String>,
    /// Sum of the wei that transactions sent along.
    pub value: u128,
    /// Transactions whose receipt has status 0.
    pub failed: usize,
}

/// The queries that give the same rows from the lake.
pub const BLOCKS: &str = "select number, hash, parent_hash, miner, gas_limit, gas_used, transaction_count, \
    base_fee_per_gas, size, cast(extract(epoch from timestamp) as bigint), state_root, receipts_root, logs_bloom \
    from blocks order by number";
pub const TRANSACTIONS: &str = "select block_number, transaction_index, hash, transaction_type, from_address, \
    to_address, value, nonce, gas, input, receipt_status, receipt_gas_used, receipt_cumulative_gas_used, \
    receipt_effective_gas_price, receipt_contract_address, max_fee_per_gas, block_hash \
    from transactions order by block_number, transaction_index";
pub const LOGS: &str = "select block_number, log_index, transaction_hash, transaction_index, address, data, topic0, \
    topic1, topic2, topic3 from logs order by block_number, log_index";
pub const TOKEN_TRANSFERS: &str = "select block_number, log_index, batch_index, standard, token_address, from_address, \
    to_address, value, token_id, transaction_hash from token_transfers order by block_number, log_index, batch_index";

/// Asks the node for the blocks `from..=to`.
pub fn expected(node: &Node, from: i64, to: i64) -> Expected {
    let mut all = Expected::default();
    for number in from..=to {
        let block = node.call("eth_getBlockByNumber", json!([format!("{number:#x}"), true]));
        let receipts = node.call("eth_getBlockReceipts", json!([format!("{number:#x}")]));
        all.add(&block, receipts.as_array().unwrap());
    }
    all
}

impl Expected {
    fn add(&mut self, block: &Value, receipts: &[Value]) {
        let transactions = block["transactions"].as_array().unwrap();
        assert_eq!(transactions.len(), receipts.len(), "a receipt per transaction");
        self.blocks.push(row(&[
            number(&block["number"]),
            text(&block["hash"]),
            text(&block["parentHash"]),
            text(&block["miner"]),
            number(&block["gasLimit"]),
            number(&block["gasUsed"]),
            transactions.len().to_string(),
            number(&block["baseFeePerGas"]),
            number(&block["size"]),
            number(&block["timestamp"]),
            text(&block["stateRoot"]),
            text(&block["receiptsRoot"]),
            text(&block["logsBloom"]),
        ]));
        for (transaction, receipt) in transactions.iter().zip(receipts) {
            self.value += quantity(&transaction["value"]);
            self.failed += usize::from(quantity(&receipt["status"]) == 0);
            self.transactions.push(row(&[
                number(&transaction["blockNumber"]),
                number(&transaction["transactionIndex"]),
                text(&transaction["hash"]),
                number(&transaction["type"]),
                text(&transaction["from"]),
                text(&transaction["to"]),
                number(&transaction["value"]),
                number(&transaction["nonce"]),
                number(&transaction["gas"]),
                text(&transaction["input"]),
                number(&receipt["status"]),
                number(&receipt["gasUsed"]),
                number(&receipt["cumulativeGasUsed"]),
                number(&receipt["effectiveGasPrice"]),
                text(&receipt["contractAddress"]),
                number(&transaction["maxFeePerGas"]),
                text(&transaction["blockHash"]),
            ]));
            for log in receipt["logs"].as_array().unwrap() {
                self.add_log(log);
            }
        }
    }

    fn add_log(&mut self, log: &Value) {
        let topic = |at: usize| text(&log["topics"][at]);
        self.logs.push(row(&[
            number(&log["blockNumber"]),
            number(&log["logIndex"]),
            text(&log["transactionHash"]),
            number(&log["transactionIndex"]),
            text(&log["address"]),
            text(&log["data"]),
            topic(0),
            topic(1),
            topic(2),
            topic(3),
        ]));
        let words = words(&text(&log["data"]));
        // Of each token moved: standard, places of giver and receiver among the topics, amount, token id.
        let moved: Vec<(&str, usize, String, String)> = match (topic(0).as_str(), topic(3).is_empty()) {
            (TRANSFER, true) => vec![("erc20", 1, decimal(&words[0]), String::new())],
            (TRANSFER, false) => vec![("erc721", 1, "1".to_string(), decimal(&topic(3)[2..]))],
            (TRANSFER_SINGLE, _) => vec![("erc1155", 2, decimal(&words[1]), decimal(&words[0]))],
            (TRANSFER_BATCH, _) => {
                // Two dynamic arrays: their offsets, then each with its length before its items.
                let list = |at: usize| {
                    let start = decimal(&words[at]).parse::<usize>().unwrap() / 32;
                    let length = decimal(&words[start]).parse::<usize>().unwrap();
                    words[start + 1..=start + length].iter().map(|word| decimal(word)).collect::<Vec<_>>()
                };
                list(0).into_iter().zip(list(1)).map(|(id, amount)| ("erc1155", 2, amount, id)).collect()
            }
            _ => Vec::new(),
        };
        for (at, (standard, giver, amount, id)) in moved.into_iter().enumerate() {
            self.token_transfers.push(row(&[
                number(&log["blockNumber"]),
                number(&log["logIndex"]),
                at.to_string(),
                standard.to_string(),
                text(&log["address"]),
                format!("0x{}", &topic(giver)[26..]),
                format!("0x{}", &topic(giver + 1)[26..]),
                amount,
                id,
                text(&log["transactionHash"]),
            ]));
        }
    }
}

fn row(cells: &[String]) -> String {
    cells.join(",")
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_lowercase()
}

fn number(value: &Value) -> String {
    if value.is_null() { String::new() } else { quantity(value).to_string() }
}

/// The 32-byte words of ABI-encoded data, as hex digits.
fn words(data: &str) -> Vec<String> {
    let digits: Vec<char> = data.trim_start_matches("0x").chars().collect();
    digits.chunks(64).map(|word| word.iter().collect()).collect()
}

/// Hex digits as a decimal number of any length.
fn decimal(hex: &str) -> String {
    let mut digits = vec![0u32];
    for nibble in hex.chars().map(|c| c.to_digit(16).unwrap()) {
        let mut carry = nibble;
        for digit in &mut digits {
            let value = *digit * 16 + carry;
            *digit = value % 10;
            carry = value / 10;
        }
        while carry > 0 {
            digits.push(carry % 10);
            carry /= 10;
        }
    }
    digits.iter().rev().map(|digit| char::from_digit(*digit, 10).unwrap()).collect()
}

#[test]
fn decimals_are_exact() {
    assert_eq!(decimal("0"), "0");
    assert_eq!(decimal("ff"), "255");
    assert_eq!(
        decimal(&"f".repeat(64)),
        "115792089237316195423570985008687907853269984665640564039457584007913129639935"
    );
}
