//! Reads the rows of some blocks, in block order.

use alloy_primitives::{Address, B256, Bytes, U256, b256};
use arrow::array::{Array, AsArray, RecordBatch};
use arrow::compute::concat_batches;
use arrow::datatypes::{Decimal128Type, Int64Type, TimestampMicrosecondType};
use datafusion::common::Result as PlanResult;
use datafusion::functions::core::expr_fn::coalesce;
use datafusion::prelude::{Expr, SessionContext, cast, col, lit};

use quarry_lake::tables::Table;
use quarry_lake::{BlockRange, Lake, Snapshot};
use quarry_types::{Error, Result};

/// `PairCreated(address,address,address,uint256)` of V2 and `PoolCreated(address,address,uint24,int24,address)` of V3.
pub(super) const PAIR_CREATED: B256 = b256!("0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9");
pub(super) const POOL_CREATED: B256 = b256!("783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118");
/// `Sync(uint112,uint112)`: what a V2 pair holds.
pub(super) const SYNC: B256 = b256!("1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1");
/// `Swap` of V2 and of V3.
pub(super) const PAIR_SWAP: B256 = b256!("d78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822");
pub(super) const POOL_SWAP: B256 = b256!("c42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67");

/// A row that belongs to a block.
pub(super) trait BlockRow {
    fn block(&self) -> i64;
}

macro_rules! row {
    ($(#[$about:meta])* $name:ident { $($(#[$note:meta])* $field:ident: $type:ty),* $(,)? }) => {
        $(#[$about])*
        #[derive(Debug, Clone)]
        pub(crate) struct $name {
            pub block: i64,
            $($(#[$note])* pub $field: $type,)*
        }

        impl BlockRow for $name {
            fn block(&self) -> i64 {
                self.block
            }
        }
    };
}

row! {
    Block {
        hash: B256,
        /// Seconds since 1970.
        time: i64,
        size: Option<i64>,
        difficulty: Option<i128>,
        base_fee: Option<i64>,
        miner: Address,
    }
}

row! {
    Transaction {
        from: Address,
        /// Receiver, or the contract that was created.
        to: Option<Address>,
        created: Option<Address>,
        value: i128,
        failed: bool,
        gas: Option<i64>,
        /// Wei per gas.
        price: i128,
        /// Wei for blobs.
        blob_fee: i128,
    }
}

row! {
    /// A call that moved ether, a reward, or the first trace of its block.
    Trace {
        from: Option<Address>,
        to: Option<Address>,
        /// Wei that moved.
        value: i128,
        reward: bool,
    }
}

row! { Withdrawal { address: Address, value: i128 } }
row! { Transfer { token: Address, fungible: bool } }
row! { Contract {} }

row! {
    Event {
        transaction: i64,
        log: i64,
        address: Address,
        topic0: B256,
        topic1: Option<B256>,
        topic2: Option<B256>,
        data: Bytes,
    }
}

impl Event {
    /// A 32-byte word of the data.
    pub(super) fn word(&self, place: usize) -> Option<U256> {
        self.data.get(32 * place..32 * place + 32).map(U256::from_be_slice)
    }
}

/// The rows of a range of blocks.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    pub blocks: Vec<Block>,
    pub transactions: Vec<Transaction>,
    pub traces: Vec<Trace>,
    pub withdrawals: Vec<Withdrawal>,
    pub transfers: Vec<Transfer>,
    pub contracts: Vec<Contract>,
    pub events: Vec<Event>,
}

/// Where rows are read from.
pub(crate) struct Source<'a> {
    pub context: &'a SessionContext,
    pub lake: &'a Lake,
    pub snapshot: &'a Snapshot,
    /// Bytes of memory for accounts and tokens.
    pub memory_limit: usize,
}

impl Source<'_> {
    /// All rows of these blocks.
    pub async fn rows(&self, range: BlockRange) -> Result<Rows> {
        let mut rows = Rows {
            blocks: blocks(&self.read(Table::Blocks, range, &BLOCKS, None).await?),
            transactions: self.transactions(range).await?,
            traces: self.traces(range).await?,
            withdrawals: withdrawals(&self.read(Table::Withdrawals, range, &WITHDRAWALS, None).await?),
            transfers: transfers(&self.read(Table::TokenTransfers, range, &TRANSFERS, None).await?),
            contracts: contracts(&self.read(Table::Contracts, range, &CONTRACTS, None).await?),
            events: self.events(range).await?,
        };
        rows.blocks.sort_by_key(BlockRow::block);
        rows.transactions.sort_by_key(BlockRow::block);
        rows.traces.sort_by_key(BlockRow::block);
        rows.withdrawals.sort_by_key(BlockRow::block);
        rows.transfers.sort_by_key(BlockRow::block);
        rows.contracts.sort_by_key(BlockRow::block);
        rows.events.sort_by_key(|event| (event.block, event.log));
        Ok(rows)
    }

    async fn transactions(&self, range: BlockRange) -> Result<Vec<Transaction>> {
        Ok(transactions(&self.read(Table::Transactions, range, &TRANSACTIONS, None).await?))
    }

    /// Calls that failed or moved no ether are left out, except the first of a block, which shows that the block has traces.
    async fn traces(&self, range: BlockRange) -> Result<Vec<Trace>> {
        let moved = col("status").eq(lit(1_i64)).and(col("value_decimal").gt(cast(lit(0_i64), WEI)));
        let filter = moved.or(col("trace_index").eq(lit(0_i64)));
        Ok(traces(&self.read(Table::Traces, range, &TRACES, Some(filter)).await?))
    }

    async fn events(&self, range: BlockRange) -> Result<Vec<Event>> {
        let topics = [PAIR_CREATED, POOL_CREATED, SYNC, PAIR_SWAP, POOL_SWAP];
        let topic = |topic: B256| lit(datafusion::common::ScalarValue::FixedSizeBinary(32, Some(topic.to_vec())));
        let filter = col("topic0").in_list(topics.map(topic).to_vec(), false);
        Ok(events(&self.read(Table::Logs, range, &EVENTS, Some(filter)).await?))
    }

    async fn read(
        &self,
        table: Table,
        range: BlockRange,
        columns: &[&str],
        filter: Option<Expr>,
    ) -> Result<RecordBatch> {
        let number = table.def().sort[0];
        let within = col(number).between(lit(range.from), lit(range.to));
        let filter = filter.map_or(within.clone(), |filter| within.and(filter));
        let collect = async || -> PlanResult<RecordBatch> {
            let frame = self.context.read_table(self.lake.provider(self.snapshot, table))?.filter(filter)?;
            let frame = match table {
                // Imported files may lack the effective price; the signed price takes its place.
                Table::Transactions => {
                    frame.with_column("price", coalesce(vec![col("receipt_effective_gas_price"), col("gas_price")]))?
                }
                _ => frame,
            };
            let frame = frame.select_columns(columns)?;
            let schema = std::sync::Arc::clone(frame.schema().inner());
            Ok(concat_batches(&schema, &frame.collect().await?)?)
        };
        collect().await.map_err(|error| match Error::within(&error) {
            Some(ours) => Error::new(ours.code, ours.message.clone()),
            None => Error::internal(error),
        })
    }
}

const WEI: arrow::datatypes::DataType = arrow::datatypes::DataType::Decimal128(38, 0);

const BLOCKS: [&str; 7] = ["number", "hash", "timestamp", "size", "difficulty", "base_fee_per_gas", "miner"];
const TRANSACTIONS: [&str; 10] = [
    "block_number",
    "from_address",
    "to_address",
    "receipt_contract_address",
    "value",
    "receipt_status",
    "receipt_gas_used",
    "price",
    "receipt_blob_gas_used",
    "receipt_blob_gas_price",
];
const TRACES: [&str; 7] =
    ["block_number", "trace_type", "call_type", "from_address", "to_address", "value_decimal", "status"];
const WITHDRAWALS: [&str; 3] = ["block_number", "address", "amount"];
const TRANSFERS: [&str; 3] = ["block_number", "token_address", "standard"];
const CONTRACTS: [&str; 1] = ["block_number"];
const EVENTS: [&str; 8] =
    ["block_number", "transaction_index", "log_index", "address", "topic0", "topic1", "topic2", "data"];

/// Cells of a batch by column and row. The lake's own schema says what they are.
struct Cells<'a>(&'a RecordBatch);

impl Cells<'_> {
    fn map<T>(&self, row: impl FnMut(usize) -> T) -> Vec<T> {
        (0..self.0.num_rows()).map(row).collect()
    }

    fn is(&self, column: usize, row: usize) -> bool {
        self.0.column(column).is_valid(row)
    }

    fn int(&self, column: usize, row: usize) -> i64 {
        self.0.column(column).as_primitive::<Int64Type>().value(row)
    }

    fn int_opt(&self, column: usize, row: usize) -> Option<i64> {
        self.is(column, row).then(|| self.int(column, row))
    }

    fn wei(&self, column: usize, row: usize) -> Option<i128> {
        self.is(column, row).then(|| self.0.column(column).as_primitive::<Decimal128Type>().value(row))
    }

    fn address(&self, column: usize, row: usize) -> Address {
        Address::from_slice(self.0.column(column).as_fixed_size_binary().value(row))
    }

    fn address_opt(&self, column: usize, row: usize) -> Option<Address> {
        self.is(column, row).then(|| self.address(column, row))
    }

    fn word(&self, column: usize, row: usize) -> Option<B256> {
        let word = || B256::from_slice(self.0.column(column).as_fixed_size_binary().value(row));
        self.is(column, row).then(word)
    }

    fn text(&self, column: usize, row: usize) -> Option<&str> {
        self.is(column, row).then(|| self.0.column(column).as_string_view().value(row))
    }

    fn bytes(&self, column: usize, row: usize) -> Bytes {
        let column = self.0.column(column);
        match column.as_binary_view_opt() {
            Some(view) => Bytes::copy_from_slice(view.value(row)),
            None => Bytes::copy_from_slice(column.as_binary::<i32>().value(row)),
        }
    }
}

fn blocks(batch: &RecordBatch) -> Vec<Block> {
    let cells = Cells(batch);
    let times = batch.column(2).as_primitive::<TimestampMicrosecondType>();
    cells.map(|row| Block {
        block: cells.int(0, row),
        hash: cells.word(1, row).unwrap_or_default(),
        time: times.value(row).div_euclid(1_000_000),
        size: cells.int_opt(3, row),
        difficulty: cells.wei(4, row),
        base_fee: cells.int_opt(5, row),
        miner: cells.address(6, row),
    })
}

fn transactions(batch: &RecordBatch) -> Vec<Transaction> {
    let cells = Cells(batch);
    cells.map(|row| Transaction {
        block: cells.int(0, row),
        from: cells.address(1, row),
        to: cells.address_opt(2, row),
        created: cells.address_opt(3, row),
        value: cells.wei(4, row).unwrap_or_default(),
        // Before Byzantium a receipt does not say.
        failed: cells.int_opt(5, row) == Some(0),
        gas: cells.int_opt(6, row),
        price: cells.wei(7, row).unwrap_or_default(),
        blob_fee: i128::from(cells.int_opt(8, row).unwrap_or_default())
            .saturating_mul(cells.wei(9, row).unwrap_or_default()),
    })
}

/// A delegated or static call moves nothing, and one with another's code pays its own caller.
fn traces(batch: &RecordBatch) -> Vec<Trace> {
    let cells = Cells(batch);
    cells.map(|row| {
        let reward = cells.text(1, row) == Some("reward");
        let moves = !matches!(cells.text(2, row), Some("delegatecall" | "staticcall" | "callcode"));
        let counts = moves && cells.int(6, row) == 1;
        Trace {
            block: cells.int(0, row),
            from: cells.address_opt(3, row),
            to: cells.address_opt(4, row),
            value: if counts { cells.wei(5, row).unwrap_or_default() } else { 0 },
            reward,
        }
    })
}

fn withdrawals(batch: &RecordBatch) -> Vec<Withdrawal> {
    const GWEI: i128 = 1_000_000_000;
    let cells = Cells(batch);
    cells.map(|row| Withdrawal {
        block: cells.int(0, row),
        address: cells.address(1, row),
        value: i128::from(cells.int(2, row)) * GWEI,
    })
}

fn transfers(batch: &RecordBatch) -> Vec<Transfer> {
    let cells = Cells(batch);
    cells.map(|row| Transfer {
        block: cells.int(0, row),
        token: cells.address(1, row),
        fungible: cells.text(2, row) == Some("erc20"),
    })
}

fn contracts(batch: &RecordBatch) -> Vec<Contract> {
    let cells = Cells(batch);
    cells.map(|row| Contract { block: cells.int(0, row) })
}

fn events(batch: &RecordBatch) -> Vec<Event> {
    let cells = Cells(batch);
    cells.map(|row| Event {
        block: cells.int(0, row),
        transaction: cells.int(1, row),
        log: cells.int(2, row),
        address: cells.address(3, row),
        topic0: cells.word(4, row).unwrap_or_default(),
        topic1: cells.word(5, row),
        topic2: cells.word(6, row),
        data: cells.bytes(7, row),
    })
}
