//! Rebuilds blocks from rows of the lake.

use alloy::consensus::Header;
use alloy::eips::eip2930::{AccessList, AccessListItem};
use alloy::eips::eip4895::Withdrawal;
use alloy::eips::eip7702::{Authorization, SignedAuthorization};
use alloy_primitives::{Address, B64, B256, Bloom, Log, Signature, U256};
use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use arrow::datatypes::{Int32Type, Int64Type};
use quarry_lake::tables::Table;

use super::cells::{Cells, Unreadable};
use super::traces;
use crate::chain::{BlockData, ReceiptData, TransactionData, TransactionFields};
use crate::proofs::{Check, Mismatch};

/// The remaining rows of a table, in order.
struct Rows<'a> {
    batch: Option<&'a RecordBatch>,
    next: usize,
}

impl<'a> Rows<'a> {
    fn of(batches: &'a [(Table, RecordBatch)], table: Table) -> Rows<'a> {
        Rows { batch: batches.iter().find(|(of, _)| *of == table).map(|(_, batch)| batch), next: 0 }
    }

    /// Takes the next row if `belongs` accepts it.
    fn next_if(
        &mut self,
        belongs: impl Fn(Cells<'a>) -> Result<bool, Unreadable>,
    ) -> Result<Option<Cells<'a>>, Unreadable> {
        let Some(batch) = self.batch.filter(|batch| self.next < batch.num_rows()) else { return Ok(None) };
        let cells = Cells { batch, row: self.next };
        let belongs = belongs(cells)?;
        self.next += usize::from(belongs);
        Ok(belongs.then_some(cells))
    }

    /// Skips rows of earlier blocks.
    fn skip_before(&mut self, number: u64) -> Result<(), Unreadable> {
        while self.next_if(|cells| Ok(cells.int("block_number")? < number))?.is_some() {}
        Ok(())
    }

    /// Takes the next row if it belongs to this block.
    fn next_of_block(&mut self, number: u64) -> Result<Option<Cells<'a>>, Unreadable> {
        self.next_if(|cells| Ok(cells.int("block_number")? == number))
    }
}

/// Rebuilds blocks in ascending order. The error of a block names the missing value.
pub(super) fn blocks(batches: &[(Table, RecordBatch)]) -> (Vec<BlockData>, Vec<Mismatch>) {
    let rows = |table| Rows::of(batches, table);
    let mut heads = rows(Table::Blocks);
    let mut parts = Parts {
        transactions: rows(Table::Transactions),
        logs: rows(Table::Logs),
        withdrawals: rows(Table::Withdrawals),
        traces: rows(Table::Traces),
    };
    let (mut blocks, mut unreadable) = (Vec::new(), Vec::new());
    let mut number = 0;
    while let Ok(Some(head)) = heads.next_if(|_| Ok(true)) {
        let block = head.int("number").and_then(|its| {
            number = its;
            parts.skip_before(its)?;
            parts.block(head, its)
        });
        match block {
            Ok(block) => blocks.push(block),
            Err(what) => unreadable.push(Mismatch { block: number, check: Check::Rows, what }),
        }
    }
    (blocks, unreadable)
}

/// The block numbers of the rows.
pub(super) fn numbers(batches: &[(Table, RecordBatch)]) -> Vec<u64> {
    let mut heads = Rows::of(batches, Table::Blocks);
    let mut numbers = Vec::new();
    while let Ok(Some(head)) = heads.next_if(|_| Ok(true)) {
        numbers.extend(head.int("number"));
    }
    numbers
}

/// The rows that make up blocks.
struct Parts<'a> {
    transactions: Rows<'a>,
    logs: Rows<'a>,
    withdrawals: Rows<'a>,
    traces: Rows<'a>,
}

impl Parts<'_> {
    /// Skip the rest of the failed block.
    fn skip_before(&mut self, number: u64) -> Result<(), Unreadable> {
        let parts = [&mut self.transactions, &mut self.logs, &mut self.withdrawals, &mut self.traces];
        parts.into_iter().try_for_each(|rows| rows.skip_before(number))
    }

    fn block(&mut self, head: Cells<'_>, number: u64) -> Result<BlockData, Unreadable> {
        let mut transactions = Vec::new();
        while let Some(row) = self.transactions.next_of_block(number)? {
            let place = transactions.len() as u64;
            if row.int("transaction_index")? != place {
                return Err(format!("transactions: the one at place {place} is missing"));
            }
            let mut logs = Vec::new();
            let of_this =
                |log: Cells<'_>| Ok(log.int("block_number")? == number && log.int("transaction_index")? == place);
            while let Some(log) = self.logs.next_if(of_this)? {
                logs.push(self::log(log).map_err(|what| format!("logs: {what}"))?);
            }
            transactions.push(transaction(row, logs).map_err(|what| format!("transactions, row {place}: {what}"))?);
        }
        if let Some(log) = self.logs.next_of_block(number)? {
            let place = log.int("transaction_index")?;
            return Err(format!("transactions: the one at place {place}, which has a log, is missing"));
        }
        let mut withdrawals = Vec::new();
        while let Some(row) = self.withdrawals.next_of_block(number)? {
            withdrawals.push(withdrawal(row)?);
        }
        let mut traces = Vec::new();
        while let Some(row) = self.traces.next_of_block(number)? {
            traces.push(traces::trace(row).map_err(|what| format!("traces: {what}"))?);
        }
        let header = header(head, number)?;
        Ok(BlockData {
            hash: head.hash("hash")?,
            size: head.int("size")?,
            total_difficulty: head.wei_opt("total_difficulty")?.map(U256::from),
            withdrawals: header.withdrawals_root.map(|_| withdrawals),
            traces: (!traces.is_empty()).then_some(traces),
            tokens: Default::default(),
            transactions,
            header,
        })
    }
}

fn header(row: Cells<'_>, number: u64) -> Result<Header, Unreadable> {
    let bytes = |name: &str, length: usize| {
        let bytes = row.bytes(name)?;
        if bytes.len() == length { Ok(bytes) } else { Err(format!("{name} has {} bytes", bytes.len())) }
    };
    Ok(Header {
        parent_hash: row.hash("parent_hash")?,
        ommers_hash: row.hash("sha3_uncles")?,
        beneficiary: row.address("miner")?,
        state_root: row.hash("state_root")?,
        transactions_root: row.hash("transactions_root")?,
        receipts_root: row.hash("receipts_root")?,
        logs_bloom: Bloom::from_slice(&bytes("logs_bloom", 256)?),
        difficulty: U256::from(row.wei("difficulty")?),
        number,
        gas_limit: row.int("gas_limit")?,
        gas_used: row.int("gas_used")?,
        timestamp: row.seconds("timestamp")?,
        extra_data: row.bytes("extra_data")?,
        mix_hash: row.hash("mix_hash")?,
        nonce: B64::from_slice(&bytes("nonce", 8)?),
        base_fee_per_gas: row.int_opt("base_fee_per_gas")?,
        withdrawals_root: row.hash_opt("withdrawals_root")?,
        blob_gas_used: row.int_opt("blob_gas_used")?,
        excess_blob_gas: row.int_opt("excess_blob_gas")?,
        parent_beacon_block_root: row.hash_opt("parent_beacon_block_root")?,
        requests_hash: row.hash_opt("requests_hash")?,
        block_access_list_hash: row.hash_opt("block_access_list_hash")?,
        slot_number: row.int_opt("slot_number")?,
    })
}

fn transaction(row: Cells<'_>, logs: Vec<Log>) -> Result<TransactionData, Unreadable> {
    let parity = row.int32("y_parity")? == 1;
    let kind = row.int("transaction_type")?;
    let fields = TransactionFields {
        kind,
        chain_id: row.int_opt("chain_id")?,
        nonce: row.int("nonce")?,
        gas_limit: row.int("gas")?,
        to: row.address_opt("to_address")?,
        value: U256::from(row.wei("value")?),
        input: row.bytes("input")?,
        gas_price: row.wei_opt("gas_price")?,
        max_fee_per_gas: row.wei_opt("max_fee_per_gas")?,
        max_priority_fee_per_gas: row.wei_opt("max_priority_fee_per_gas")?,
        max_fee_per_blob_gas: row.wei_opt("max_fee_per_blob_gas")?,
        access_list: row.list_opt("access_list")?.map(|list| access_list(&list)),
        blob_versioned_hashes: row.list_opt("blob_versioned_hashes")?.map(|list| hashes(&list)),
        authorization_list: row.list_opt("authorization_list")?.map(|list| authorizations(&list)),
        signature: Signature::new(row.uint256("r")?, row.uint256("s")?, parity),
    };
    let receipt = ReceiptData {
        status: row.int_opt("receipt_status")?.map(|status| status == 1),
        root: row.hash_opt("receipt_root")?,
        gas_used: row.int("receipt_gas_used")?,
        cumulative_gas_used: row.int("receipt_cumulative_gas_used")?,
        effective_gas_price: row.wei("receipt_effective_gas_price")?,
        contract_address: row.address_opt("receipt_contract_address")?,
        blob_gas_used: row.int_opt("receipt_blob_gas_used")?,
        blob_gas_price: row.wei_opt("receipt_blob_gas_price")?,
        logs,
    };
    Ok(TransactionData { tx: fields.envelope()?, hash: row.hash("hash")?, from: row.address("from_address")?, receipt })
}

fn log(row: Cells<'_>) -> Result<Log, Unreadable> {
    let mut topics = Vec::with_capacity(4);
    for name in ["topic0", "topic1", "topic2", "topic3"] {
        topics.extend(row.hash_opt(name)?);
    }
    Ok(Log::new_unchecked(row.address("address")?, topics, row.bytes("data")?))
}

fn withdrawal(row: Cells<'_>) -> Result<Withdrawal, Unreadable> {
    Ok(Withdrawal {
        index: row.int("index")?,
        validator_index: row.int("validator_index")?,
        address: row.address("address")?,
        amount: row.int("amount")?,
    })
}

fn hashes(list: &ArrayRef) -> Vec<B256> {
    list.as_fixed_size_binary().iter().flatten().map(B256::from_slice).collect()
}

fn access_list(list: &ArrayRef) -> AccessList {
    let entries = list.as_struct();
    let (addresses, keys) = (entries.column(0).as_fixed_size_binary(), entries.column(1).as_list::<i32>());
    let item = |at: usize| AccessListItem {
        address: Address::from_slice(addresses.value(at)),
        storage_keys: hashes(&keys.value(at)),
    };
    AccessList((0..addresses.len()).map(item).collect())
}

fn authorizations(list: &ArrayRef) -> Vec<SignedAuthorization> {
    let entries = list.as_struct();
    let word = |column: usize, at: usize| U256::from_be_slice(entries.column(column).as_fixed_size_binary().value(at));
    let addresses = entries.column(1).as_fixed_size_binary();
    let (nonces, parities) =
        (entries.column(2).as_primitive::<Int64Type>(), entries.column(3).as_primitive::<Int32Type>());
    let item = |at: usize| {
        let address = Address::from_slice(addresses.value(at));
        let inner = Authorization { chain_id: word(0, at), address, nonce: nonces.value(at).cast_unsigned() };
        // The column was written from a byte.
        SignedAuthorization::new_unchecked(inner, parities.value(at) as u8, word(4, at), word(5, at))
    };
    (0..addresses.len()).map(item).collect()
}
