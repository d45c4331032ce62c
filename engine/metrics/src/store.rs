//! Saves the state after the newest settled block, so that a start reads only later blocks. A file that can't be used is ignored, and
//! the pass starts again.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use alloy_primitives::Address;
use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Decimal128Array, FixedSizeBinaryArray, Int64Array, RecordBatch,
};
use arrow::datatypes::{DataType, Decimal128Type, Field, Int64Type, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde::{Deserialize, Serialize};

use super::fold::{Account, State};
use super::series::SeriesValues;
use super::{Metric, all};
use quarry_lake::checksums::{CheckedFile, ChecksumWriter, Checksums, append_checksum, begin_tail, strip_checksum};
use quarry_lake::{LakeInfo, Origin, SnapshotId};
use quarry_types::{Error, Result};

/// Version of the format.
const VERSION: u32 = 2;
const FILE: &str = "state.json";
/// Addresses of a batch.
const BATCH: usize = 1 << 16;

/// The state after a settled block and all values of periods that ended before it.
#[derive(Debug, Clone)]
pub(super) struct Settled {
    pub state: State,
    pub tracks: Arc<SeriesValues>,
    /// Version of the lake that it was last compared with.
    pub snapshot: SnapshotId,
    pub chain: LakeInfo,
}

#[derive(Serialize, Deserialize)]
struct SavedState {
    version: u32,
    metrics: Vec<String>,
    chain_id: Option<u64>,
    origin: Option<Origin>,
    snapshot: SnapshotId,
    accounts: String,
    /// Of the file of accounts; `None` in older versions.
    #[serde(default)]
    checksums: Option<Checksums>,
    state: State,
    tokens: Vec<(Address, i64)>,
    tracks: Arc<SeriesValues>,
}

/// Reads the saved state of a folder; `None` if there is none or it can't be used.
pub(super) fn load(dir: &Path) -> Option<Settled> {
    let file = dir.join(FILE);
    if !file.exists() {
        return None;
    }
    match read(dir, &file) {
        Ok(found) => found,
        Err(error) => {
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            tracing::warn!(file = %file.display(), cause, "saved metrics can't be read and are computed again");
            None
        }
    }
}

fn read(dir: &Path, file: &Path) -> Result<Option<Settled>> {
    let text = std::fs::read(file)?;
    let saved: SavedState = serde_json::from_slice(strip_checksum(&text)?)?;
    drop(text);
    if saved.version != VERSION || saved.metrics != names() || !saved.tracks.fits() {
        return Ok(None);
    }
    let mut state = saved.state;
    state.accounts = accounts(&dir.join(&saved.accounts), saved.checksums)?.into_iter().collect();
    state.tokens = saved.tokens.into_iter().collect();
    let chain = LakeInfo { chain_id: saved.chain_id, origin: saved.origin, contracts: Arc::clone(&state.contracts) };
    Ok(Some(Settled { state, tracks: saved.tracks, snapshot: saved.snapshot, chain }))
}

/// Replaces the saved state atomically.
pub(super) fn save(dir: &Path, settled: &Settled) -> Result<()> {
    std::fs::create_dir_all(dir)?;
    let number = settled.state.last.map_or(0, |last| last.number);
    let name = format!("accounts-{number}-{}.parquet", settled.snapshot);
    let checksums = write_accounts(&dir.join(&name), &settled.state)?;
    let saved = SavedState {
        version: VERSION,
        metrics: names(),
        chain_id: settled.chain.chain_id,
        origin: settled.chain.origin,
        snapshot: settled.snapshot,
        accounts: name.clone(),
        checksums: Some(checksums),
        state: settled.state.clone(),
        tokens: settled.state.tokens.iter().map(|(token, last)| (*token, *last)).collect(),
        tracks: settled.tracks.clone(),
    };
    let mut file = tempfile::NamedTempFile::new_in(dir)?;
    let text = append_checksum(serde_json::to_vec(&saved)?);
    file.write_all(&text)?;
    file.as_file().sync_all()?;
    file.persist(dir.join(FILE)).map_err(Error::internal)?;
    for other in std::fs::read_dir(dir)? {
        let path = other?.path();
        if path.extension().is_some_and(|extension| extension == "parquet") && !path.ends_with(&name) {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}

fn names() -> Vec<String> {
    all().iter().map(|metric| Metric::path(metric)).collect()
}

fn schema() -> SchemaRef {
    let number = |name: &str| Field::new(name, DataType::Int64, false);
    Arc::new(Schema::new(vec![
        Field::new("address", DataType::FixedSizeBinary(20), false),
        Field::new("known", DataType::Boolean, false),
        number("active"),
        number("sent"),
        number("received"),
        Field::new("balance", DataType::Decimal128(38, 0), false),
    ]))
}

fn write_accounts(path: &Path, state: &State) -> Result<Checksums> {
    let file = File::create(path)?;
    let mut writer = ArrowWriter::try_new(ChecksumWriter::new(file), schema(), None)?;
    let all: Vec<(&Address, &Account)> = state.accounts.iter().collect();
    for chunk in all.chunks(BATCH) {
        let number = |field: fn(&Account) -> i64| -> ArrayRef {
            Arc::new(Int64Array::from_iter_values(chunk.iter().map(|(_, account)| field(account))))
        };
        let addresses = FixedSizeBinaryArray::try_from_iter(chunk.iter().map(|(address, _)| address.as_slice()));
        let balances = Decimal128Array::from_iter_values(chunk.iter().map(|(_, account)| account.balance));
        let columns: Vec<ArrayRef> = vec![
            Arc::new(addresses?),
            Arc::new(chunk.iter().map(|(_, account)| Some(account.known)).collect::<BooleanArray>()),
            number(|account| account.active),
            number(|account| account.sent),
            number(|account| account.received),
            Arc::new(balances.with_precision_and_scale(38, 0)?),
        ];
        let batch = RecordBatch::try_new(schema(), columns)?;
        writer.write(&batch)?;
    }
    writer.flush()?;
    begin_tail(&mut writer)?;
    let written = writer.into_inner()?;
    written.inner().sync_all()?;
    Ok(written.checksums())
}

fn accounts(path: &Path, checksums: Option<Checksums>) -> Result<Vec<(Address, Account)>> {
    let file = File::open(path)?;
    let file = CheckedFile::new(file, checksums)?;
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).and_then(|builder| builder.build());
    let mut accounts = Vec::new();
    for batch in reader? {
        let batch = batch?;
        if batch.num_columns() != schema().fields().len() {
            return Err(Error::internal("accounts of metrics have other columns"));
        }
        let number = |column: usize| batch.column(column).as_primitive_opt::<Int64Type>();
        let columns = (
            batch.column(0).as_fixed_size_binary_opt(),
            batch.column(1).as_boolean_opt(),
            (number(2), number(3), number(4)),
            batch.column(5).as_primitive_opt::<Decimal128Type>(),
        );
        let (Some(addresses), Some(known), (Some(active), Some(sent), Some(received)), Some(balances)) = columns else {
            return Err(Error::internal("accounts of metrics have columns of other types"));
        };
        accounts.extend((0..addresses.len()).map(|row| {
            let account = Account {
                known: known.value(row),
                active: active.value(row),
                sent: sent.value(row),
                received: received.value(row),
                balance: balances.value(row),
            };
            (Address::from_slice(addresses.value(row)), account)
        }));
    }
    Ok(accounts)
}
