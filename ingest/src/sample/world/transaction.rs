//! Transactions of the sample chain and their calls: requested, executing, and executed.

use alloy::consensus::{EthereumTypedTransaction, TxEip4844Variant};
use alloy::eips::eip2930::AccessList;
use alloy::eips::eip7702::SignedAuthorization;
use alloy_primitives::{Address, B256, Bytes, Log, U256};

use super::Id;
use crate::chain::{ReceiptData, TraceData, TraceKind};

/// The transaction type.
pub enum Kind {
    /// Mostly type 2, some of type 0, a few of type 1.
    Usual,
    Blobs(Vec<B256>),
    SetCode(Vec<SignedAuthorization>),
}

/// A requested transaction.
pub struct Ask {
    pub from: Id,
    /// `None` creates a contract from `input`.
    pub to: Option<Id>,
    pub value: u128,
    pub input: Vec<u8>,
    /// Gas limit; the sender must be able to pay for it.
    pub gas_cap: u64,
    pub kind: Kind,
    /// Priority fee in wei per gas; `None` for a default.
    pub tip: Option<u128>,
    /// The transaction fails with this error: it only pays the fee.
    pub error: Option<&'static str>,
}

impl Ask {
    pub fn call(from: Id, to: Id, input: Vec<u8>, gas_cap: u64) -> Ask {
        Ask { from, to: Some(to), value: 0, input, gas_cap, kind: Kind::Usual, tip: None, error: None }
    }

    pub fn paying(mut self, value: u128) -> Ask {
        self.value = value;
        self
    }

    pub fn tipping(mut self, wei: u128) -> Ask {
        self.tip = Some(wei);
        self
    }

    pub fn failing(mut self, error: &'static str) -> Ask {
        self.error = Some(error);
        self
    }
}

/// Wei per gas.
#[derive(Debug, Clone, Copy)]
pub struct Fees {
    pub max: u128,
    pub tip: u128,
}

/// An executing transaction.
pub(super) struct Open {
    pub ask: Ask,
    pub fees: Fees,
    /// Intrinsic gas, and the minimum charge (EIP-7623).
    pub intrinsic: u64,
    pub floor: u64,
    /// 0, 1 or 2 for the usual kind.
    pub envelope: u8,
    pub access_list: AccessList,
    /// Gas of execution so far.
    pub gas: u64,
    pub logs: Vec<Log>,
    pub frames: Vec<Frame>,
    pub stack: Vec<usize>,
    pub created: Option<Address>,
}

/// An executed transaction without signature.
pub struct Drafted {
    pub tx: EthereumTypedTransaction<TxEip4844Variant>,
    pub sender: Id,
    pub from: Address,
    pub receipt: ReceiptData,
    pub traces: Vec<TraceData>,
}

/// A call. Gas counts from the start of execution, without intrinsic gas.
pub(super) struct Frame {
    pub kind: TraceKind,
    pub call_type: &'static str,
    pub from: Address,
    pub to: Option<Address>,
    pub value: u128,
    pub input: Bytes,
    pub output: Bytes,
    pub started: u64,
    pub gas_used: u64,
    pub children: u32,
    pub path: Vec<u32>,
    pub error: Option<&'static str>,
}

impl Frame {
    pub fn call(from: Address, to: Address, value: u128, input: Bytes) -> Frame {
        Frame {
            kind: TraceKind::Call,
            call_type: "call",
            from,
            to: Some(to),
            value,
            input,
            output: Bytes::new(),
            started: 0,
            gas_used: 0,
            children: 0,
            path: Vec::new(),
            error: None,
        }
    }

    /// The trace, once the gas of the execution is known.
    pub fn trace(self, transaction: u64, gas_given: u64) -> TraceData {
        let failed = self.error.is_some();
        TraceData {
            transaction_index: Some(transaction),
            kind: self.kind,
            from: Some(self.from),
            to: self.to.filter(|_| !(failed && self.kind == TraceKind::Create)),
            value: U256::from(self.value),
            output: (!failed).then_some(self.output),
            input: Some(self.input),
            call_type: Some(self.call_type),
            reward_type: None,
            gas: Some(gas_given.saturating_sub(self.started).max(self.gas_used)),
            gas_used: Some(self.gas_used),
            subtraces: u64::from(self.children),
            trace_address: self.path,
            error: self.error.map(str::to_string),
        }
    }
}
