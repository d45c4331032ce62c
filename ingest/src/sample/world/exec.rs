//! Executes a transaction: checks the balance, executes, charges the fee, writes the receipt.

use alloy::consensus::{
    EthereumTypedTransaction, TxEip1559, TxEip2930, TxEip4844, TxEip4844Variant, TxEip7702, TxLegacy,
};
use alloy::eips::eip2930::{AccessList, AccessListItem};
use alloy_primitives::{Address, B256, Bytes, TxKind, U256};

use super::transaction::{Ask, Drafted, Fees, Frame, Kind, Open};
use super::{CHAIN_ID, GWEI, World};
use crate::chain::{ReceiptData, TraceKind};

/// Gas of a blob (EIP-4844).
const BLOB_GAS: u64 = 131_072;

impl World {
    /// Starts a transaction; `false` if the sender can't pay. After `true` the caller applies the effects of the
    /// contracts and calls `finish`.
    #[must_use]
    pub fn begin(&mut self, ask: Ask) -> bool {
        let envelope = match self.random.below(100) {
            0..=19 => 0,
            20..=23 => 1,
            _ => 2,
        };
        let base = u128::from(self.block.base_fee);
        let tip = match ask.tip {
            Some(tip) => tip,
            None => self.random.amount(GWEI / 100, 2 * GWEI),
        };
        let fees = Fees { tip, max: if envelope < 2 { base + tip } else { base + base / 4 + tip } };
        let blobs = match &ask.kind {
            Kind::Blobs(hashes) => hashes.len() as u64,
            _ => 0,
        };
        let blob_cost = u128::from(blobs * BLOB_GAS) * self.block.blob_fee * 2;
        let needed = ask.value + u128::from(ask.gas_cap) * fees.max + blob_cost;
        if self.balance(ask.from) < needed {
            return false;
        }
        let access_list = match (&ask.kind, envelope, ask.to) {
            (Kind::Usual, 1, Some(to)) if self.accounts.get(to).is_contract => {
                let storage_keys = (0..1 + self.random.below(3)).map(|slot| B256::from(U256::from(slot))).collect();
                AccessList(vec![AccessListItem { address: self.address(to), storage_keys }])
            }
            _ => AccessList::default(),
        };
        let (intrinsic, floor) = intrinsic_gas(&ask, &access_list);
        let sender = self.address(ask.from);
        let nonce = u64::from(self.accounts.get(ask.from).nonce);
        let created = ask.to.is_none().then(|| sender.create(nonce));
        let to = ask.to.map_or_else(|| sender.create(nonce), |to| self.address(to));
        let mut frame = Frame::call(sender, to, ask.value, ask.input.clone().into());
        if ask.to.is_none() {
            frame.kind = TraceKind::Create;
            frame.call_type = "create";
        }
        frame.error = ask.error;
        let account = self.accounts.get_mut(ask.from);
        account.nonce += 1;
        account.sent += 1;
        account.failed += u32::from(ask.error.is_some());
        if account.sent == 1 {
            account.first_sent = self.block.time as u32;
        }
        account.last_sent = self.block.time as u32;
        if ask.error.is_none() {
            account.balance -= ask.value;
            if let Some(to) = ask.to {
                self.credit(to, ask.value);
            }
        }
        self.open = Some(Open {
            ask,
            fees,
            intrinsic,
            floor,
            envelope,
            access_list,
            gas: 0,
            logs: Vec::new(),
            frames: vec![frame],
            stack: vec![0],
            created,
        });
        true
    }

    /// Ends a transaction: charges the fee, pays the proposer, writes the receipt.
    pub fn finish(&mut self, output: Vec<u8>) {
        self.leave(output);
        let Some(open) = self.open.take() else { return };
        let failed = open.ask.error.is_some();
        let created = open.created.filter(|_| !failed);
        let gas_limit = self.gas_limit(&open);
        let used = match open.ask.error {
            Some("Out of gas") => gas_limit,
            _ => (open.intrinsic + open.gas).max(open.floor),
        };
        if used > open.ask.gas_cap {
            self.must(false, &format!("{used} gas used of {} given", open.ask.gas_cap));
        }
        let base = u128::from(self.block.base_fee);
        let price = open.fees.max.min(base + open.fees.tip);
        let blobs = match &open.ask.kind {
            Kind::Blobs(hashes) => Some(hashes.len() as u64 * BLOB_GAS),
            _ => None,
        };
        let blob_cost = u128::from(blobs.unwrap_or(0)) * self.block.blob_fee;
        let paid = self.debit(open.ask.from, u128::from(used) * price + blob_cost);
        self.must(paid, "the sender pays the fee");
        self.credit(self.block.proposer, u128::from(used) * (price - base));
        self.gas_used += used;
        self.blob_gas_used += blobs.unwrap_or(0);
        let index = self.drafted.len() as u64;
        let mut traces: Vec<_> = Vec::with_capacity(open.frames.len());
        let execution_gas = gas_limit.saturating_sub(open.intrinsic);
        let (sender, from) = (open.ask.from, self.address(open.ask.from));
        let tx = typed(self, &open, gas_limit);
        for mut frame in open.frames {
            if frame.error == Some("Out of gas") {
                frame.gas_used = execution_gas;
            }
            traces.push(frame.trace(index, execution_gas));
        }
        let receipt = ReceiptData {
            status: Some(!failed),
            root: None,
            gas_used: used,
            cumulative_gas_used: self.gas_used,
            effective_gas_price: price,
            contract_address: created,
            blob_gas_used: blobs,
            blob_gas_price: blobs.map(|_| self.block.blob_fee),
            logs: open.logs,
        };
        self.drafted.push(Drafted { tx, sender, from, receipt, traces });
    }

    /// The gas limit that a wallet would set: exact for plain payments, with a margin for calls.
    fn gas_limit(&mut self, open: &Open) -> u64 {
        let used = (open.intrinsic + open.gas).max(open.floor);
        if open.ask.input.is_empty() && open.gas == 0 {
            return used;
        }
        let more = used + used * self.random.below(40) / 100;
        (more.div_ceil(1000) * 1000).min(open.ask.gas_cap).max(used)
    }

    /// The address that the current transaction creates.
    pub fn created_address(&self) -> Option<Address> {
        self.open.as_ref().and_then(|open| open.created)
    }
}

/// Intrinsic gas, and the floor of the data (EIP-7623).
fn intrinsic_gas(ask: &Ask, access_list: &AccessList) -> (u64, u64) {
    let zeros = ask.input.iter().filter(|byte| **byte == 0).count() as u64;
    let others = ask.input.len() as u64 - zeros;
    let tokens = zeros + 4 * others;
    let keys: usize = access_list.0.iter().map(|item| item.storage_keys.len()).sum();
    let mut gas = 21_000 + 4 * tokens + 2_400 * access_list.0.len() as u64 + 1_900 * keys as u64;
    if ask.to.is_none() {
        gas += 32_000 + 2 * (ask.input.len() as u64).div_ceil(32);
    }
    if let Kind::SetCode(list) = &ask.kind {
        gas += 25_000 * list.len() as u64;
    }
    (gas, 21_000 + 10 * tokens)
}

fn typed(world: &World, open: &Open, gas_limit: u64) -> EthereumTypedTransaction<TxEip4844Variant> {
    let ask = &open.ask;
    // The nonce was incremented at the start; authorizations incremented only those of others.
    let nonce = u64::from(world.accounts.get(ask.from).nonce) - 1;
    let to = ask.to.map(|to| world.address(to));
    let kind = to.map_or(TxKind::Create, TxKind::Call);
    let (value, input) = (U256::from(ask.value), Bytes::from(ask.input.clone()));
    let Fees { max, tip } = open.fees;
    let access_list = open.access_list.clone();
    match &ask.kind {
        Kind::Blobs(hashes) => EthereumTypedTransaction::Eip4844(TxEip4844Variant::TxEip4844(TxEip4844 {
            chain_id: CHAIN_ID,
            nonce,
            gas_limit,
            max_fee_per_gas: max,
            max_priority_fee_per_gas: tip,
            to: to.unwrap_or_default(),
            value,
            access_list,
            blob_versioned_hashes: hashes.clone(),
            max_fee_per_blob_gas: world.block.blob_fee * 2,
            input,
        })),
        Kind::SetCode(list) => EthereumTypedTransaction::Eip7702(TxEip7702 {
            chain_id: CHAIN_ID,
            nonce,
            gas_limit,
            max_fee_per_gas: max,
            max_priority_fee_per_gas: tip,
            to: to.unwrap_or_default(),
            value,
            access_list,
            authorization_list: list.clone(),
            input,
        }),
        Kind::Usual => match open.envelope {
            0 => EthereumTypedTransaction::Legacy(TxLegacy {
                chain_id: Some(CHAIN_ID),
                nonce,
                gas_price: max,
                gas_limit,
                to: kind,
                value,
                input,
            }),
            1 => EthereumTypedTransaction::Eip2930(TxEip2930 {
                chain_id: CHAIN_ID,
                nonce,
                gas_price: max,
                gas_limit,
                to: kind,
                value,
                access_list,
                input,
            }),
            _ => EthereumTypedTransaction::Eip1559(TxEip1559 {
                chain_id: CHAIN_ID,
                nonce,
                gas_limit,
                max_fee_per_gas: max,
                max_priority_fee_per_gas: tip,
                to: kind,
                value,
                access_list,
                input,
            }),
        },
    }
}
