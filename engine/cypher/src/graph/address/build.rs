//! Reads rows of the lake's tables into an address graph.

use alloy_primitives::{Address, U256};
use arrow::array::{Array, AsArray, FixedSizeBinaryArray, Int64Array};
use arrow::datatypes::{Decimal128Type, Int32Type, Int64Type, TimestampMicrosecondType};
use arrow::record_batch::RecordBatch;
use datafusion::common::DataFusionError;
use datafusion::prelude::{col, lit};
use futures::StreamExt;

use super::edges::{EdgeTable, Movement, NONE};
use super::{CALL, CONTRACT, CREATED, ChainGraph, EOA, INTERNAL, TOKEN, TOKEN_TRANSFER, TRANSFER, TYPES};
use crate::session::Session;
use crate::values::NodeId;
use quarry_lake::tables::Table;
use quarry_lake::{Lake, Snapshot};
use quarry_runtime::job::{JobContext, Progress};
use quarry_types::{Error, Result};

/// What a graph is read with.
pub(super) struct Chain<'a> {
    pub lake: &'a Lake,
    pub session: &'a dyn Session,
    pub snapshot: &'a Snapshot,
}

/// A graph that is being read.
#[derive(Default)]
pub(super) struct Builder {
    pub graph: ChainGraph,
    movements: [Vec<Movement>; TYPES.len()],
    /// Numbers of transactions by block and place; sorted when all are read.
    places: Vec<((i64, i64), u32)>,
    /// Rows that are read in all, and so far.
    total: u64,
    done: u64,
}

/// The columns that are read of a table.
pub(super) struct Source {
    pub table: Table,
    /// Names with spaces between them.
    columns: &'static str,
    take: fn(&mut Builder, &RecordBatch) -> Option<()>,
}

/// The tables in the order in which they must be read: transactions first, since the other tables refer to them. All begin with
/// the block, the index and the time of the transaction.
pub(super) const SOURCES: [Source; super::SOURCES] = [
    Source {
        table: Table::Transactions,
        columns: "block_number transaction_index block_timestamp from_address to_address receipt_contract_address value \
                  receipt_status input hash",
        take: Builder::transactions,
    },
    Source {
        table: Table::TokenTransfers,
        columns: "block_number transaction_index block_timestamp from_address to_address value token_address",
        take: Builder::transfers,
    },
    Source {
        table: Table::Traces,
        columns: "block_number transaction_index block_timestamp from_address to_address value trace_address status \
                  call_type",
        take: Builder::traces,
    },
    Source {
        table: Table::Contracts,
        columns: "block_number transaction_index block_timestamp creator_address address factory_address is_erc20 \
                  is_erc721 is_erc1155 symbol name",
        take: Builder::contracts,
    },
];

impl Builder {
    /// A builder that starts from a graph and adds the `total` rows of later blocks.
    pub fn onto(graph: ChainGraph, total: u64) -> Builder {
        let mut builder = Builder { total, graph, ..Builder::default() };
        let tables = std::mem::take(&mut builder.graph.tables);
        builder.movements = tables.map(EdgeTable::into_movements);
        builder
    }

    /// Reads the rows of a table in blocks after `after`; returns their number.
    pub async fn read(
        &mut self,
        chain: &Chain<'_>,
        source: &Source,
        after: Option<i64>,
        context: &JobContext,
    ) -> Result<u64> {
        let Source { table, columns, take } = source;
        let before = self.done;
        if chain.snapshot.rows(*table) == 0 {
            return Ok(0);
        }
        let planned = async {
            let mut frame = chain.session.context().read_table(chain.lake.provider(chain.snapshot, *table))?;
            if let Some(after) = after {
                frame = frame.filter(col("block_number").gt(lit(after)))?;
            }
            frame.select_columns(&columns.split(' ').collect::<Vec<_>>())?.execute_stream().await
        };
        let mut stream = planned.await.map_err(failed)?;
        while let Some(batch) = stream.next().await {
            let batch = batch.map_err(failed)?;
            take(self, &batch).ok_or_else(|| Error::internal(format!("{} has other columns", table.name())))?;
            self.done += batch.num_rows() as u64;
            context.progress(Progress {
                stage: "reading".to_string(),
                percent: Some((self.done as f64 * 90.0 / self.total.max(1) as f64).min(90.0)),
                rows_read: self.done,
                rows_total: Some(self.total),
                ..Progress::default()
            });
            tokio::task::yield_now().await;
        }
        if *table == Table::Transactions {
            self.places.sort_unstable();
        }
        Ok(self.done - before)
    }

    fn node(&mut self, address: &[u8]) -> NodeId {
        let address = Address::from_slice(address);
        let graph = &mut self.graph;
        *graph.numbers.entry(address).or_insert_with(|| {
            graph.addresses.push(address);
            graph.labels.push(1);
            graph.seen.push((u32::MAX, 0));
            graph.addresses.len() as NodeId - 1
        })
    }

    fn add(&mut self, type_id: usize, movement: Movement) {
        for node in [movement.source, movement.target] {
            let seen = &mut self.graph.seen[node as usize];
            *seen = (seen.0.min(movement.time), seen.1.max(movement.time));
        }
        self.movements[type_id].push(movement);
    }

    /// The movement of a row without its value and token.
    fn movement(&mut self, batch: &RecordBatch, row: usize, source: &[u8], target: &[u8]) -> Option<Movement> {
        let place = (integers(batch, 0)?.value(row), integers(batch, 1)?.value(row));
        let at = self.places.binary_search_by_key(&place, |one| one.0);
        Some(Movement {
            source: self.node(source),
            target: self.node(target),
            token: NONE,
            time: seconds(batch, row)?,
            transaction: at.map_or(u32::MAX, |at| self.places[at].1),
            value: U256::ZERO,
        })
    }

    fn transactions(&mut self, batch: &RecordBatch) -> Option<()> {
        let (block, index, status) = (integers(batch, 0)?, integers(batch, 1)?, integers(batch, 7)?);
        let (from, to, created, hash) = (bytes(batch, 3)?, bytes(batch, 4)?, bytes(batch, 5)?, bytes(batch, 9)?);
        let value = batch.column(6).as_primitive_opt::<Decimal128Type>()?;
        for row in 0..batch.num_rows() {
            let transaction = self.graph.hashes.len() as u32;
            self.graph.hashes.push(hash.value(row).try_into().ok()?);
            self.places.push(((block.value(row), index.value(row)), transaction));
            let source = self.node(from.value(row));
            let receiver = if to.is_valid(row) { to } else { created };
            let failed = status.is_valid(row) && status.value(row) == 0;
            if failed || receiver.is_null(row) {
                continue;
            }
            let target = self.node(receiver.value(row));
            let value = U256::from(value.value(row).max(0).unsigned_abs());
            let movement = Movement { source, target, token: NONE, time: seconds(batch, row)?, transaction, value };
            if !value.is_zero() {
                self.add(TRANSFER, movement);
            }
            if to.is_valid(row) && has_bytes(batch, 8, row)? {
                self.add(CALL, movement);
            }
        }
        Some(())
    }

    fn transfers(&mut self, batch: &RecordBatch) -> Option<()> {
        let (from, to, value, token) = (bytes(batch, 3)?, bytes(batch, 4)?, bytes(batch, 5)?, bytes(batch, 6)?);
        for row in 0..batch.num_rows() {
            let mut movement = self.movement(batch, row, from.value(row), to.value(row))?;
            movement.token = self.node(token.value(row));
            if value.is_valid(row) {
                movement.value = U256::from_be_slice(value.value(row));
            }
            self.graph.labels[movement.token as usize] |= 1 << TOKEN | 1 << CONTRACT;
            self.add(TOKEN_TRANSFER, movement);
        }
        Some(())
    }

    /// Ether that contracts moved. The value of the transaction itself is a TRANSFER already.
    fn traces(&mut self, batch: &RecordBatch) -> Option<()> {
        let (from, to, value) = (bytes(batch, 3)?, bytes(batch, 4)?, bytes(batch, 5)?);
        let (place, status) = (batch.column(6).as_list_opt::<i32>()?, integers(batch, 7)?);
        let call = batch.column(8);
        for row in 0..batch.num_rows() {
            // A delegated call runs other code with its caller's ether: its value does not move.
            let moves = !call.is_valid(row) || !["delegatecall", "callcode"].contains(&text(call.as_ref(), row)?);
            let amount = U256::from_be_slice(value.value(row));
            let inner = place.value_length(row) > 0;
            if !inner || !moves || amount.is_zero() || status.value(row) == 0 || from.is_null(row) || to.is_null(row) {
                continue;
            }
            let movement = self.movement(batch, row, from.value(row), to.value(row))?;
            self.add(INTERNAL, Movement { value: amount, ..movement });
        }
        Some(())
    }

    fn contracts(&mut self, batch: &RecordBatch) -> Option<()> {
        let (creator, address, factory) = (bytes(batch, 3)?, bytes(batch, 4)?, bytes(batch, 5)?);
        for row in 0..batch.num_rows() {
            let source = if factory.is_valid(row) { factory } else { creator };
            let movement = self.movement(batch, row, source.value(row), address.value(row))?;
            let mut labels = 1 << CONTRACT;
            for column in 6..9 {
                let flag = batch.column(column).as_boolean_opt()?;
                labels |= u8::from(flag.is_valid(row) && flag.value(row)) << TOKEN;
            }
            self.graph.labels[movement.target as usize] |= labels;
            let word = |column: usize| -> Option<Option<String>> {
                let words = batch.column(column);
                Some(if words.is_valid(row) { Some(text(words.as_ref(), row)?.to_string()) } else { None })
            };
            let names = (word(9)?, word(10)?);
            if names != (None, None) {
                self.graph.tokens.insert(Address::from_slice(address.value(row)), names);
            }
            self.add(CREATED, movement);
        }
        Some(())
    }

    /// Sorts the edges.
    pub fn finish(self) -> ChainGraph {
        let mut graph = self.graph;
        for labels in &mut graph.labels {
            // An address that was an account before may have code by now.
            *labels = if *labels >> CONTRACT & 1 == 0 { *labels | 1 << EOA } else { *labels & !(1 << EOA) };
        }
        let nodes = graph.addresses.len();
        graph.tables = self.movements.map(|movements| EdgeTable::new(movements, nodes));
        graph
    }
}

fn failed(error: DataFusionError) -> Error {
    match Error::within(&error) {
        Some(ours) => Error::new(ours.code, ours.message.clone()),
        None => Error::internal(error),
    }
}

fn bytes(batch: &RecordBatch, column: usize) -> Option<&FixedSizeBinaryArray> {
    batch.column(column).as_fixed_size_binary_opt()
}

fn integers(batch: &RecordBatch, column: usize) -> Option<&Int64Array> {
    batch.column(column).as_primitive_opt::<Int64Type>()
}

fn seconds(batch: &RecordBatch, row: usize) -> Option<u32> {
    let times = batch.column(2).as_primitive_opt::<TimestampMicrosecondType>()?;
    Some((times.value(row) / 1_000_000).clamp(0, i64::from(u32::MAX)) as u32)
}

fn has_bytes(batch: &RecordBatch, column: usize, row: usize) -> Option<bool> {
    let column = batch.column(column);
    column
        .as_binary_opt::<i32>()
        .map(|bytes| !bytes.value(row).is_empty())
        .or_else(|| column.as_binary_view_opt().map(|bytes| !bytes.value(row).is_empty()))
        .or_else(|| column.as_binary_opt::<i64>().map(|bytes| !bytes.value(row).is_empty()))
}

fn text(column: &dyn Array, row: usize) -> Option<&str> {
    column
        .as_string_opt::<i32>()
        .map(|words| words.value(row))
        .or_else(|| column.as_string_view_opt().map(|words| words.value(row)))
        .or_else(|| {
            let words = column.as_dictionary_opt::<Int32Type>()?;
            words.values().as_string_opt::<i32>().map(|all| all.value(words.keys().value(row) as usize))
        })
}
