//! Decoded values as JSON: numbers as decimal texts, bytes as `0x…`.

use alloy_dyn_abi::DynSolValue;
use alloy_primitives::hex;
use serde_json::Value;

/// A decoded call or log.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Decoded {
    pub name: String,
    /// The signature with the names of its arguments.
    pub signature: String,
    pub arguments: Vec<Argument>,
}

/// One argument.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Argument {
    /// Empty where the signature has none.
    pub name: String,
    /// Its Solidity type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Exact: numbers are decimal texts, addresses and bytes `0x…`; lists of these for arrays and tuples. Of an indexed value
    /// without a fixed size a log has only the hash.
    pub value: Value,
}

pub(super) fn argument(name: &str, kind: String, value: DynSolValue) -> Argument {
    Argument { name: name.to_string(), kind, value: json(value) }
}

fn json(value: DynSolValue) -> Value {
    match value {
        DynSolValue::Bool(value) => Value::Bool(value),
        DynSolValue::Uint(value, _) => Value::String(value.to_string()),
        DynSolValue::Int(value, _) => Value::String(value.to_string()),
        DynSolValue::Address(address) => Value::String(format!("{address:#x}")),
        DynSolValue::Function(function) => Value::String(hex::encode_prefixed(function.as_slice())),
        DynSolValue::FixedBytes(word, width) => Value::String(hex::encode_prefixed(&word[..width.min(32)])),
        DynSolValue::Bytes(bytes) => Value::String(hex::encode_prefixed(bytes)),
        DynSolValue::String(text) => Value::String(text),
        DynSolValue::Array(items) | DynSolValue::FixedArray(items) | DynSolValue::Tuple(items) => {
            Value::Array(items.into_iter().map(json).collect())
        }
    }
}
