//! JSON of nodes: blocks, transactions and receipts of all clients and versions. Unknown fields are ignored, fields
//! that older clients omit are optional, and each struct covers all variants (tagged unions would be parsed twice).
//! Names and their synonyms are separate fields, as some clients send both, which a serde alias rejects.

use std::fmt;
use std::marker::PhantomData;

use alloy::eips::eip2930::AccessList;
use alloy_primitives::{Address, B64, B256, Bloom, Bytes, U256, hex};
use serde::de::{self, Deserialize, Deserializer, Visitor};

/// A hexadecimal number, with or without leading zeros, or a JSON number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Quantity<T>(pub(super) T);

/// The integer types of a `Quantity`.
pub(super) trait Number: Sized {
    fn from_hex(digits: &str) -> Option<Self>;
    fn from_small(number: u64) -> Self;
}

impl Number for u64 {
    fn from_hex(digits: &str) -> Option<u64> {
        digits
            .bytes()
            .try_fold(0, |number: u64, digit| Some(room(number.leading_zeros(), number << 4)? | hex_digit(digit)?))
    }
    fn from_small(number: u64) -> u64 {
        number
    }
}

impl Number for u128 {
    fn from_hex(digits: &str) -> Option<u128> {
        let add =
            |number: u128, digit| Some(room(number.leading_zeros(), number << 4)? | u128::from(hex_digit(digit)?));
        digits.bytes().try_fold(0, add)
    }
    fn from_small(number: u64) -> u128 {
        number.into()
    }
}

impl Number for U256 {
    fn from_hex(digits: &str) -> Option<U256> {
        let digits = if digits.len() > 64 { digits.trim_start_matches('0') } else { digits };
        let mut padded = [b'0'; 64];
        padded[64_usize.checked_sub(digits.len())?..].copy_from_slice(digits.as_bytes());
        let mut bytes = [0; 32];
        hex::decode_to_slice(padded, &mut bytes).ok()?;
        Some(U256::from_be_bytes(bytes))
    }
    fn from_small(number: u64) -> U256 {
        U256::from(number)
    }
}

/// Shifts by one digit, if there is room.
fn room<T>(zeros: u32, moved: T) -> Option<T> {
    (zeros >= 4).then_some(moved)
}

fn hex_digit(digit: u8) -> Option<u64> {
    char::from(digit).to_digit(16).map(u64::from)
}

impl<'de, T: Number> Deserialize<'de> for Quantity<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(QuantityVisitor(PhantomData))
    }
}

struct QuantityVisitor<T>(PhantomData<T>);

impl<T: Number> Visitor<'_> for QuantityVisitor<T> {
    type Value = Quantity<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number like \"0x1f\"")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Quantity<T>, E> {
        text.strip_prefix("0x")
            .and_then(T::from_hex)
            .map(Quantity)
            .ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Quantity<T>, E> {
        Ok(Quantity(T::from_small(number)))
    }
}

#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireBlock {
    pub(super) number: Quantity<u64>,
    pub(super) hash: B256,
    pub(super) parent_hash: B256,
    pub(super) sha3_uncles: B256,
    pub(super) miner: Option<Address>,
    pub(super) author: Option<Address>,
    pub(super) state_root: B256,
    pub(super) transactions_root: B256,
    pub(super) receipts_root: B256,
    pub(super) logs_bloom: Box<Bloom>,
    pub(super) difficulty: Quantity<U256>,
    pub(super) total_difficulty: Option<Quantity<U256>>,
    pub(super) gas_limit: Quantity<u64>,
    pub(super) gas_used: Quantity<u64>,
    pub(super) timestamp: Quantity<u64>,
    pub(super) extra_data: Bytes,
    pub(super) mix_hash: Option<B256>,
    pub(super) nonce: Option<B64>,
    pub(super) size: Quantity<u64>,
    pub(super) base_fee_per_gas: Option<Quantity<u64>>,
    pub(super) withdrawals_root: Option<B256>,
    pub(super) blob_gas_used: Option<Quantity<u64>>,
    pub(super) excess_blob_gas: Option<Quantity<u64>>,
    pub(super) parent_beacon_block_root: Option<B256>,
    pub(super) requests_hash: Option<B256>,
    pub(super) block_access_list_hash: Option<B256>,
    pub(super) slot_number: Option<Quantity<u64>>,
    pub(super) withdrawals: Option<Vec<WireWithdrawal>>,
    pub(super) transactions: Vec<WireTransaction>,
}

#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireWithdrawal {
    pub(super) index: Quantity<u64>,
    pub(super) validator_index: Quantity<u64>,
    pub(super) address: Address,
    pub(super) amount: Quantity<u64>,
}

#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireTransaction {
    #[serde(rename = "type")]
    pub(super) kind: Option<Quantity<u64>>,
    pub(super) hash: B256,
    pub(super) from: Address,
    pub(super) to: Option<Address>,
    pub(super) nonce: Quantity<u64>,
    pub(super) gas: Quantity<u64>,
    pub(super) value: Quantity<U256>,
    pub(super) input: Option<Bytes>,
    pub(super) data: Option<Bytes>,
    pub(super) gas_price: Option<Quantity<u128>>,
    pub(super) max_fee_per_gas: Option<Quantity<u128>>,
    pub(super) max_priority_fee_per_gas: Option<Quantity<u128>>,
    pub(super) max_fee_per_blob_gas: Option<Quantity<u128>>,
    pub(super) access_list: Option<AccessList>,
    pub(super) blob_versioned_hashes: Option<Vec<B256>>,
    pub(super) authorization_list: Option<Vec<WireAuthorization>>,
    pub(super) chain_id: Option<Quantity<u64>>,
    pub(super) y_parity: Option<Quantity<u64>>,
    pub(super) v: Option<Quantity<u128>>,
    pub(super) r: Quantity<U256>,
    pub(super) s: Quantity<U256>,
}

#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireAuthorization {
    pub(super) chain_id: Quantity<U256>,
    pub(super) address: Address,
    pub(super) nonce: Quantity<u64>,
    pub(super) y_parity: Option<Quantity<u64>>,
    pub(super) v: Option<Quantity<u64>>,
    pub(super) r: Quantity<U256>,
    pub(super) s: Quantity<U256>,
}

#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireReceipt {
    pub(super) transaction_hash: B256,
    pub(super) transaction_index: Quantity<u64>,
    pub(super) block_hash: Option<B256>,
    pub(super) status: Option<Quantity<u64>>,
    pub(super) root: Option<Bytes>,
    pub(super) gas_used: Quantity<u64>,
    pub(super) cumulative_gas_used: Quantity<u64>,
    pub(super) effective_gas_price: Option<Quantity<u128>>,
    pub(super) contract_address: Option<Address>,
    pub(super) blob_gas_used: Option<Quantity<u64>>,
    pub(super) blob_gas_price: Option<Quantity<u128>>,
    pub(super) logs: Vec<WireLog>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct WireLog {
    pub(super) address: Address,
    pub(super) topics: Vec<B256>,
    pub(super) data: Bytes,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_in_all_notations() {
        let parse = |text: &str| serde_json::from_str::<Quantity<u64>>(text).map(|quantity| quantity.0).ok();
        assert_eq!(parse("\"0x1f\""), Some(31));
        assert_eq!(parse("\"0x001f\""), Some(31));
        assert_eq!(parse("\"0x\""), Some(0));
        assert_eq!(parse("31"), Some(31));
        assert_eq!(parse("\"0xffffffffffffffff\""), Some(u64::MAX));
        for wrong in ["\"1f\"", "\"0x1g\"", "\"0x+1\"", "\"0x10000000000000000\"", "-1", "1.5", "null", "[]"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
        let large = |digits: String| {
            serde_json::from_str::<Quantity<U256>>(&format!("\"0x{digits}\"")).map(|quantity| quantity.0).ok()
        };
        assert_eq!(large("f".repeat(64)), Some(U256::MAX));
        assert_eq!(large(format!("000{}", "F".repeat(64))), Some(U256::MAX));
        assert_eq!((large(String::new()), large("aBc".to_string())), (Some(U256::ZERO), Some(U256::from(0xabc))));
        for wrong in [format!("1{}", "0".repeat(64)), "0x1".to_string(), "g".to_string(), "é".to_string()] {
            assert_eq!(large(wrong.clone()), None, "{wrong}");
        }
        let middle = |text: &str| serde_json::from_str::<Quantity<u128>>(text).map(|quantity| quantity.0).ok();
        assert_eq!(middle("\"0x0ffffffffffffffffffffffffffffffff\""), Some(u128::MAX));
        assert_eq!(middle("\"0x100000000000000000000000000000000\""), None);
    }
}
