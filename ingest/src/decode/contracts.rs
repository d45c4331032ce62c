//! Rows of `contracts`: one for each successful creation, from the traces, which have the deployed code.

use alloy_primitives::{Address, keccak256};
use arrow::array::RecordBatch;
use quarry_lake::tables::Table;
use quarry_types::Result;

use super::columns::{Columns, Row};
use super::selectors::{Standards, selectors};
use super::{nested, traces};
use crate::chain::{BlockData, TokenFacts, TraceKind, TransactionData};

struct ContractRow<'a> {
    block: &'a BlockData,
    transaction: &'a TransactionData,
    transaction_index: u64,
    index: u64,
    address: Address,
    factory: Option<Address>,
    code: &'a [u8],
    selectors: Vec<[u8; 4]>,
    standards: Standards,
}

impl Row for ContractRow<'_> {
    fn block(&self) -> &BlockData {
        self.block
    }
}

fn rows<'a>(blocks: &[&'a BlockData]) -> Vec<ContractRow<'a>> {
    let mut rows: Vec<ContractRow<'a>> = Vec::new();
    for row in traces::rows(blocks) {
        let (trace, block) = (row.trace, row.block);
        if trace.kind != TraceKind::Create || !row.succeeded {
            continue;
        }
        let known = (row.transaction, trace.transaction_index, trace.to, trace.output.as_ref());
        let (Some(transaction), Some(transaction_index), Some(address), Some(code)) = known else { continue };
        let index = match rows.last() {
            Some(before) if before.block.header.number == block.header.number => before.index + 1,
            _ => 0,
        };
        let selectors = selectors(code);
        rows.push(ContractRow {
            block,
            transaction,
            transaction_index,
            index,
            address,
            factory: trace.from.filter(|_| !trace.trace_address.is_empty()),
            code,
            standards: Standards::of(&selectors),
            selectors,
        });
    }
    rows
}

/// The metadata of a contract, if known.
fn facts_of<'a>(row: &'a ContractRow<'_>) -> Option<&'a TokenFacts> {
    row.block.tokens.get(&row.address)
}

/// The contracts created in a block whose code implements a token standard.
pub(super) fn tokens(block: &BlockData) -> Vec<Address> {
    let token = |row: &ContractRow<'_>| row.standards.erc20 || row.standards.erc721 || row.standards.erc1155;
    rows(&[block]).iter().filter(|row| token(row)).map(|row| row.address).collect()
}

pub(super) fn batch(blocks: &[&BlockData]) -> Result<RecordBatch> {
    let rows = rows(blocks);
    let selectors = nested::byte_lists(rows.iter().map(|row| row.selectors.as_slice()));
    Columns::of(Table::Contracts, &rows)
        .address("address", |row| row.address)
        .bytes("bytecode", |row| row.code)
        .hash("code_hash", |row| keccak256(row.code))
        .int("code_size", |row| row.code.len() as u64)
        .array("function_sighashes", selectors)
        .bool("is_erc20", |row| row.standards.erc20)
        .bool("is_erc721", |row| row.standards.erc721)
        .bool("is_erc1155", |row| row.standards.erc1155)
        .text_opt("symbol", |row| facts_of(row)?.symbol.as_deref())
        .text_opt("name", |row| facts_of(row)?.name.as_deref())
        .int32_opt("decimals", |row| facts_of(row)?.decimals.map(i32::from))
        .address("creator_address", |row| row.transaction.from)
        .address_opt("factory_address", |row| row.factory)
        .hash("transaction_hash", |row| row.transaction.hash)
        .int("transaction_index", |row| row.transaction_index)
        .int("create_index", |row| row.index)
        .block()
        .finish()
}
