//! What is kept on disk between two runs: the state after the newest settled block, so that a start reads only the blocks
//! since then. A file that does not fit is left aside, and the chain is gone through again.

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
use super::series::Tracks;
use super::{Metric, all};
use quarry_lake::checksums::{CheckedFile, Checksums, SummingWriter, begin_tail, sealed, unsealed};
use quarry_lake::{LakeInfo, Origin, SnapshotId};
use quarry_types::{Error, Result};

/// Raised when what is kept means something else than before.
const VERSION: u32 = 2;
const FILE: &str = "state.json";
/// Addresses written at once.
const BATCH: usize = 1 << 16;

/// The state after a settled block and all values of periods that ended before it.
#[derive(Debug, Clone)]
pub(super) struct Settled {
    pub state: State,
    pub tracks: Arc<Tracks>,
    /// Version of the lake that this was last known to fit.
    pub snapshot: SnapshotId,
    pub chain: LakeInfo,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    version: u32,
    metrics: Vec<String>,
    chain_id: Option<u64>,
    origin: Option<Origin>,
    snapshot: SnapshotId,
    accounts: String,
    /// Of that file; an older version wrote none.
    #[serde(default)]
    checksums: Option<Checksums>,
    state: State,
    tokens: Vec<(Address, i64)>,
    tracks: Arc<Tracks>,
}

/// Reads what is kept in a folder; nothing when there is none or it can't be used.
pub(super) fn load(dir: &Path) -> Option<Settled> {
    let file = dir.join(FILE);
    if !file.exists() {
        return None;
    }
    match read(dir, &file) {
        Ok(found) => found,
        Err(error) => {
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            tracing::warn!(file = %file.display(), cause, "kept metrics can't be read and are computed again");
            None
        }
    }
}

fn read(dir: &Path, file: &Path) -> Result<Option<Settled>> {
    let text = std::fs::read(file).map_err(Error::internal)?;
    let kept: Kept = serde_json::from_slice(unsealed(&text).map_err(Error::internal)?).map_err(Error::internal)?;
    drop(text);
    if kept.version != VERSION || kept.metrics != names() || !kept.tracks.fits() {
        return Ok(None);
    }
    let mut state = kept.state;
    state.accounts = accounts(&dir.join(&kept.accounts), kept.checksums)?.into_iter().collect();
    state.tokens = kept.tokens.into_iter().collect();
    let chain = LakeInfo { chain_id: kept.chain_id, origin: kept.origin, contracts: Arc::clone(&state.contracts) };
    Ok(Some(Settled { state, tracks: kept.tracks, snapshot: kept.snapshot, chain }))
}

/// Writes it down in place of what was kept: whole or not at all.
pub(super) fn save(dir: &Path, settled: &Settled) -> Result<()> {
    std::fs::create_dir_all(dir).map_err(Error::internal)?;
    let number = settled.state.last.map_or(0, |last| last.number);
    let name = format!("accounts-{number}-{}.parquet", settled.snapshot);
    let checksums = write_accounts(&dir.join(&name), &settled.state)?;
    let kept = Kept {
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
    let mut file = tempfile::NamedTempFile::new_in(dir).map_err(Error::internal)?;
    let text = sealed(serde_json::to_vec(&kept).map_err(Error::internal)?);
    file.write_all(&text).map_err(Error::internal)?;
    file.as_file().sync_all().map_err(Error::internal)?;
    file.persist(dir.join(FILE)).map_err(Error::internal)?;
    for other in std::fs::read_dir(dir).map_err(Error::internal)? {
        let path = other.map_err(Error::internal)?.path();
        if path.extension().is_some_and(|extension| extension == "parquet") && !path.ends_with(&name) {
            std::fs::remove_file(path).map_err(Error::internal)?;
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
    let file = File::create(path).map_err(Error::internal)?;
    let mut writer = ArrowWriter::try_new(SummingWriter::new(file), schema(), None).map_err(Error::internal)?;
    let all: Vec<(&Address, &Account)> = state.accounts.iter().collect();
    for part in all.chunks(BATCH) {
        let number = |of: fn(&Account) -> i64| -> ArrayRef {
            Arc::new(Int64Array::from_iter_values(part.iter().map(|(_, account)| of(account))))
        };
        let addresses = FixedSizeBinaryArray::try_from_iter(part.iter().map(|(address, _)| address.as_slice()));
        let balances = Decimal128Array::from_iter_values(part.iter().map(|(_, account)| account.balance));
        let columns: Vec<ArrayRef> = vec![
            Arc::new(addresses.map_err(Error::internal)?),
            Arc::new(part.iter().map(|(_, account)| Some(account.known)).collect::<BooleanArray>()),
            number(|account| account.active),
            number(|account| account.sent),
            number(|account| account.received),
            Arc::new(balances.with_precision_and_scale(38, 0).map_err(Error::internal)?),
        ];
        let batch = RecordBatch::try_new(schema(), columns).map_err(Error::internal)?;
        writer.write(&batch).map_err(Error::internal)?;
    }
    writer.flush().map_err(Error::internal)?;
    begin_tail(&mut writer).map_err(Error::internal)?;
    let written = writer.into_inner().map_err(Error::internal)?;
    written.inner().sync_all().map_err(Error::internal)?;
    Ok(written.checksums())
}

fn accounts(path: &Path, checksums: Option<Checksums>) -> Result<Vec<(Address, Account)>> {
    let file = File::open(path).map_err(Error::internal)?;
    let file = CheckedFile::new(file, checksums).map_err(Error::internal)?;
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).and_then(|builder| builder.build());
    let mut accounts = Vec::new();
    for batch in reader.map_err(Error::internal)? {
        let batch = batch.map_err(Error::internal)?;
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
