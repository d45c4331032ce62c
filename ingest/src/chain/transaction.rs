//! Builds signed transactions from the fields of any source: nodes, rows of the lake, files.

use alloy::consensus::{
    SignableTransaction, TxEip1559, TxEip2930, TxEip4844, TxEip4844Variant, TxEip7702, TxEnvelope, TxLegacy,
};
use alloy::eips::eip2930::AccessList;
use alloy::eips::eip7702::SignedAuthorization;
use alloy_primitives::{Address, B256, Bytes, Signature, U256};

/// The fields of all transaction types. Prices in wei per gas.
#[derive(Debug, Clone)]
pub(crate) struct TransactionFields {
    /// 0 to 4 (EIP-2718).
    pub(crate) kind: u64,
    /// `None` for legacy transactions from before EIP-155.
    pub(crate) chain_id: Option<u64>,
    pub(crate) nonce: u64,
    pub(crate) gas_limit: u64,
    /// `None` when it creates a contract.
    pub(crate) to: Option<Address>,
    /// Wei.
    pub(crate) value: U256,
    pub(crate) input: Bytes,
    pub(crate) gas_price: Option<u128>,
    pub(crate) max_fee_per_gas: Option<u128>,
    pub(crate) max_priority_fee_per_gas: Option<u128>,
    pub(crate) max_fee_per_blob_gas: Option<u128>,
    pub(crate) access_list: Option<AccessList>,
    pub(crate) blob_versioned_hashes: Option<Vec<B256>>,
    pub(crate) authorization_list: Option<Vec<SignedAuthorization>>,
    pub(crate) signature: Signature,
}

impl TransactionFields {
    /// Builds the transaction of its type. Its hash is computed lazily, unlike with alloy's `From`.
    ///
    /// # Errors
    /// A missing required field or an unknown type; follows "it is transaction …:".
    pub(crate) fn envelope(self) -> Result<TxEnvelope, String> {
        match self.kind {
            0 => self.legacy(),
            1 => self.priced_with_access_list(),
            2 => self.dynamic_fee(),
            3 => self.blob(),
            4 => self.set_code(),
            other => Err(unknown_type(other)),
        }
    }

    fn legacy(self) -> Result<TxEnvelope, String> {
        let tx = TxLegacy {
            chain_id: self.chain_id,
            nonce: self.nonce,
            gas_price: needed(self.gas_price, "gasPrice")?,
            gas_limit: self.gas_limit,
            to: self.to.into(),
            value: self.value,
            input: self.input,
        };
        Ok(TxEnvelope::Legacy(tx.into_signed(self.signature)))
    }

    fn priced_with_access_list(self) -> Result<TxEnvelope, String> {
        let tx = TxEip2930 {
            chain_id: needed(self.chain_id, "chainId")?,
            nonce: self.nonce,
            gas_price: needed(self.gas_price, "gasPrice")?,
            gas_limit: self.gas_limit,
            to: self.to.into(),
            value: self.value,
            access_list: self.access_list.unwrap_or_default(),
            input: self.input,
        };
        Ok(TxEnvelope::Eip2930(tx.into_signed(self.signature)))
    }

    fn dynamic_fee(self) -> Result<TxEnvelope, String> {
        let tx = TxEip1559 {
            chain_id: needed(self.chain_id, "chainId")?,
            nonce: self.nonce,
            gas_limit: self.gas_limit,
            max_fee_per_gas: needed(self.max_fee_per_gas, "maxFeePerGas")?,
            max_priority_fee_per_gas: needed(self.max_priority_fee_per_gas, "maxPriorityFeePerGas")?,
            to: self.to.into(),
            value: self.value,
            access_list: self.access_list.unwrap_or_default(),
            input: self.input,
        };
        Ok(TxEnvelope::Eip1559(tx.into_signed(self.signature)))
    }

    fn blob(self) -> Result<TxEnvelope, String> {
        let tx: TxEip4844Variant = TxEip4844 {
            chain_id: needed(self.chain_id, "chainId")?,
            nonce: self.nonce,
            gas_limit: self.gas_limit,
            max_fee_per_gas: needed(self.max_fee_per_gas, "maxFeePerGas")?,
            max_priority_fee_per_gas: needed(self.max_priority_fee_per_gas, "maxPriorityFeePerGas")?,
            to: receiver(self.to)?,
            value: self.value,
            access_list: self.access_list.unwrap_or_default(),
            blob_versioned_hashes: self.blob_versioned_hashes.unwrap_or_default(),
            max_fee_per_blob_gas: needed(self.max_fee_per_blob_gas, "maxFeePerBlobGas")?,
            input: self.input,
        }
        .into();
        Ok(TxEnvelope::Eip4844(tx.into_signed(self.signature)))
    }

    fn set_code(self) -> Result<TxEnvelope, String> {
        let tx = TxEip7702 {
            chain_id: needed(self.chain_id, "chainId")?,
            nonce: self.nonce,
            gas_limit: self.gas_limit,
            max_fee_per_gas: needed(self.max_fee_per_gas, "maxFeePerGas")?,
            max_priority_fee_per_gas: needed(self.max_priority_fee_per_gas, "maxPriorityFeePerGas")?,
            to: receiver(self.to)?,
            value: self.value,
            access_list: self.access_list.unwrap_or_default(),
            authorization_list: self.authorization_list.unwrap_or_default(),
            input: self.input,
        };
        Ok(TxEnvelope::Eip7702(tx.into_signed(self.signature)))
    }
}

/// The error of an unknown transaction type.
pub(crate) fn unknown_type(kind: u64) -> String {
    format!("type {kind} is not one of Ethereum's")
}

fn receiver(to: Option<Address>) -> Result<Address, String> {
    to.ok_or_else(|| "it has no receiver, which its type needs".to_string())
}

/// The value, or an error with the JSON-RPC name of the missing field.
fn needed<T>(field: Option<T>, name: &str) -> Result<T, String> {
    field.ok_or_else(|| format!("it has no {name}"))
}
