//! An engine on a small chain with values that are easy to compute by hand, and large Parquet files to attach.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow::array::{ArrayRef, Int64Array, RecordBatch};
use arrow::datatypes::{DataType, Field, Schema};
use datafusion::common::ScalarValue;
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use quarry_engine::Engine;
use quarry_lake::tables::Table;
use quarry_lake::{BlockRange, Head, Lake, LakeOptions, Origin, Publish};
use quarry_runtime::EngineConfig;
use quarry_runtime::job::{JobHandle, JobKind, JobRequest, JobSnapshot, Schemas};
use tempfile::TempDir;

pub const ETH: i128 = 1_000_000_000_000_000_000;
/// 2024-01-01 00:00:00 UTC in microseconds.
const START: i64 = 1_704_067_200_000_000;
const FIRST_BLOCK: i64 = 100;
const BLOCKS: usize = 3;
const PER_BLOCK: usize = 4;

/// An engine on a temporary home.
pub struct Home {
    pub engine: Arc<Engine>,
    pub dir: TempDir,
}

static IDS: AtomicU64 = AtomicU64::new(1);

impl Home {
    /// A home with an empty lake.
    pub fn empty() -> Home {
        Home::with(|_| {})
    }

    /// The same with other settings.
    pub fn with(change: impl FnOnce(&mut EngineConfig)) -> Home {
        let dir = tempfile::tempdir().unwrap();
        let mut config =
            EngineConfig { memory_limit: 1 << 30, query_memory_limit: 1 << 29, ..EngineConfig::at(dir.path()) };
        config.threads = 2;
        change(&mut config);
        Home { engine: Engine::open(config).unwrap(), dir }
    }

    /// A home with the small chain.
    pub async fn chain() -> Home {
        let home = Home::empty();
        write_blocks(home.engine.lake(), 0).await;
        home
    }

    /// A home with the small chain in row groups of `rows` rows.
    pub async fn chain_in_row_groups(rows: usize) -> Home {
        let dir = tempfile::tempdir().unwrap();
        let config = EngineConfig { threads: 2, ..EngineConfig::at(dir.path()) };
        let options = LakeOptions { row_group_rows: rows, ..LakeOptions::default() };
        let lake = Lake::open_with(&dir.path().join("lake"), options).await.unwrap();
        write_blocks(&lake, 0).await;
        drop(lake);
        Home { engine: Engine::open(config).unwrap(), dir }
    }

    /// Adds three blocks of the same kind to the small chain.
    pub async fn grow(&self) {
        write_blocks(self.engine.lake(), BLOCKS).await;
    }

    pub fn submit(&self, text: &str) -> JobHandle {
        self.submit_as("someone", text)
    }

    pub fn submit_as(&self, owner: &str, text: &str) -> JobHandle {
        let id = format!("job-{}", IDS.fetch_add(1, Ordering::Relaxed));
        let request = JobRequest { id, text: text.to_string(), owner: owner.to_string(), ..JobRequest::default() };
        self.engine.submit(request).unwrap()
    }

    /// Runs a query and waits for it.
    pub async fn run(&self, text: &str) -> JobSnapshot {
        self.submit(text).wait().await
    }

    /// Runs a script of HiveQL of a user and waits for it.
    pub async fn hive(&self, user: &str, text: &str) -> JobSnapshot {
        self.submit_hive(user, text).wait().await
    }

    pub fn submit_hive(&self, user: &str, text: &str) -> JobHandle {
        let request = JobRequest {
            id: format!("job-{}", IDS.fetch_add(1, Ordering::Relaxed)),
            kind: JobKind::Hive,
            text: text.to_string(),
            owner: user.to_string(),
            schemas: Schemas { own: Some(format!("user_{user}")), ..Schemas::default() },
            ..JobRequest::default()
        };
        self.engine.submit(request).unwrap()
    }

    /// The rows of a query that must succeed.
    pub async fn rows(&self, text: &str) -> Vec<Vec<serde_json::Value>> {
        let job = self.run(text).await;
        assert_eq!(job.error, None, "{text}");
        let result = self.engine.result(&job.id).unwrap();
        result.page(0, u64::MAX).unwrap()
    }

    /// Attaches the table `numbers`, see [`write_numbers`]. Returns its file.
    pub fn attach_numbers(&self, rows: i64) -> PathBuf {
        let file = self.dir.path().join("numbers.parquet");
        write_numbers(&file, rows);
        self.engine.attach("numbers", &file).unwrap();
        file
    }

    /// The code and message of the error of a query that must fail.
    pub async fn error(&self, text: &str) -> (String, String) {
        let error = self.run(text).await.error.unwrap_or_else(|| panic!("it ran: {text:.200}"));
        (error.code, error.message)
    }
}

/// Blocks 100 to 102, 12 seconds apart, with 4 transactions and 4 token transfers each. Transaction i (from 0) sends
/// (i + 1) ETH from address 0x0a…0a (even i) or 0x0b…0b (odd i) to 0xc0…c0 + i; every fifth fails, and the third creates a contract.
/// `after` is the number of blocks that already exist.
async fn write_blocks(lake: &Lake, after: usize) {
    let writer = lake.writer().await.unwrap();
    writer.claim(1, Origin::Sample).await.unwrap();
    let first = FIRST_BLOCK + after as i64;
    let last = first + BLOCKS as i64 - 1;
    let mut staging = writer.stage(BlockRange::new(first, last).unwrap());
    let blocks = batch(Table::Blocks, BLOCKS, |name, row| block(name, after + row));
    staging.write(Table::Blocks, blocks).await.unwrap();
    let (rows, before) = (BLOCKS * PER_BLOCK, after * PER_BLOCK);
    let transactions = batch(Table::Transactions, rows, |name, row| transaction(name, before + row));
    staging.write(Table::Transactions, transactions).await.unwrap();
    let transfers = batch(Table::TokenTransfers, rows, |name, row| transfer(name, before + row));
    staging.write(Table::TokenTransfers, transfers).await.unwrap();
    let staged = staging.finish().await.unwrap();
    let blocks = after + BLOCKS;
    let head = Head { number: last, hash: [blocks as u8; 32].into(), time: START + 12_000_000 * (blocks as i64 - 1) };
    let publish = Publish { head: Some(head), reason: "test".to_string(), ..Publish::default() };
    writer.publish(vec![staged], publish).await.unwrap();
}

fn block(name: &str, row: usize) -> Option<ScalarValue> {
    match name {
        "number" => Some((FIRST_BLOCK + row as i64).into()),
        "timestamp" => Some(time(row)),
        "gas_used" => Some((15_000_000 + row as i64).into()),
        "gas_limit" => Some(30_000_000i64.into()),
        "transaction_count" => Some((PER_BLOCK as i64).into()),
        "base_fee_per_gas" => Some(7_000_000_000i64.into()),
        "hash" => Some(fixed(&[row as u8 + 1; 32])),
        _ => None,
    }
}

fn transaction(name: &str, row: usize) -> Option<ScalarValue> {
    let wei = |value: i128| Some(ScalarValue::Decimal128(Some(value), 38, 0));
    match name {
        "block_number" => Some((FIRST_BLOCK + (row / PER_BLOCK) as i64).into()),
        "block_timestamp" => Some(time(row / PER_BLOCK)),
        "transaction_index" => Some(((row % PER_BLOCK) as i64).into()),
        "hash" => Some(fixed(&[0xf0 | row as u8; 32])),
        "from_address" => Some(fixed(&[if row.is_multiple_of(2) { 0x0a } else { 0x0b }; 20])),
        "to_address" if row == 2 => None,
        "to_address" => Some(fixed(&[0xc0 + row as u8; 20])),
        "value" => wei((row as i128 + 1) * ETH),
        "gas_price" => wei(10_000_000_000),
        "receipt_gas_used" => Some(21_000i64.into()),
        "receipt_status" => Some(i64::from(row % 5 != 4).into()),
        "transaction_type" => Some(((row % 3) as i64).into()),
        "input" => Some(ScalarValue::Binary(Some(vec![0xa9, 0x05, 0x9c, 0xbb]))),
        _ => None,
    }
}

fn transfer(name: &str, row: usize) -> Option<ScalarValue> {
    let small = |value: u128| {
        let mut bytes = [0; 32];
        bytes[16..].copy_from_slice(&value.to_be_bytes());
        Some(fixed(&bytes))
    };
    match name {
        "block_number" => Some((FIRST_BLOCK + (row / PER_BLOCK) as i64).into()),
        "block_timestamp" => Some(time(row / PER_BLOCK)),
        "log_index" => Some(((row % PER_BLOCK) as i64).into()),
        "standard" => Some("erc20".into()),
        "token_address" => Some(fixed(&[0xdd; 20])),
        "from_address" => Some(fixed(&[0x0a; 20])),
        "to_address" => Some(fixed(&[0xc0 + row as u8; 20])),
        // The last one is the largest possible number.
        "value" if row == 11 => Some(fixed(&[0xff; 32])),
        "value" => small((row as u128 + 1) * ETH as u128),
        "value_decimal" if row == 11 => None,
        "value_decimal" => Some(ScalarValue::Decimal128(Some((row as i128 + 1) * ETH), 38, 0)),
        _ => None,
    }
}

fn time(block: usize) -> ScalarValue {
    ScalarValue::TimestampMicrosecond(Some(START + 12_000_000 * block as i64), Some("UTC".into()))
}

fn fixed(bytes: &[u8]) -> ScalarValue {
    ScalarValue::FixedSizeBinary(bytes.len() as i32, Some(bytes.to_vec()))
}

/// Rows of a table with the values of `cell`, or null, or zero in columns that can't be null.
fn batch(table: Table, rows: usize, cell: impl Fn(&str, usize) -> Option<ScalarValue>) -> RecordBatch {
    let schema = table.schema();
    let column = |field: &Arc<Field>| {
        let value = |row| cell(field.name(), row).unwrap_or_else(|| empty(field));
        arrow::compute::cast(&ScalarValue::iter_to_array((0..rows).map(value)).unwrap(), field.data_type()).unwrap()
    };
    let columns = schema.fields().iter().map(column).collect();
    RecordBatch::try_new(schema.clone(), columns).unwrap()
}

fn empty(field: &Field) -> ScalarValue {
    match field.data_type() {
        data_type if field.is_nullable() => ScalarValue::try_from(data_type).unwrap(),
        DataType::FixedSizeBinary(width) => fixed(&vec![0; *width as usize]),
        DataType::Binary => ScalarValue::Binary(Some(Vec::new())),
        data_type => ScalarValue::new_default(data_type).unwrap(),
    }
}

/// Writes a Parquet file of `rows` rows: `id` from 0, `spread` a permutation of it, `bucket` of 1,000.
fn write_numbers(path: &Path, rows: i64) {
    let fields = ["id", "spread", "bucket"].map(|name| Field::new(name, DataType::Int64, false));
    let schema = Arc::new(Schema::new(fields.to_vec()));
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(100_000)).build();
    let file = std::fs::File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, schema.clone(), Some(properties)).unwrap();
    const STEP: i64 = 100_000;
    for first in (0..rows).step_by(STEP as usize) {
        let ids: Vec<i64> = (first..(first + STEP).min(rows)).collect();
        let spread = ids.iter().map(|id| id.wrapping_mul(0x5851_f42d_4c95_7f2d) >> 3);
        let columns: Vec<ArrayRef> = vec![
            Arc::new(Int64Array::from_iter_values(ids.iter().copied())),
            Arc::new(Int64Array::from_iter_values(spread)),
            Arc::new(Int64Array::from_iter_values(ids.iter().map(|id| id % 1_000))),
        ];
        writer.write(&RecordBatch::try_new(schema.clone(), columns).unwrap()).unwrap();
    }
    writer.close().unwrap();
}
