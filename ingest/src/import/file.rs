//! Files of other tools: Parquet and CSV, with their columns by the names of the lake.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use quarry_types::{Error, ErrorCode, Result};

use super::cell::{Cell, Cells};

/// The tool that wrote the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportFormat {
    Cryo,
    EthereumEtl,
}

impl ImportFormat {
    /// The name of the tool.
    pub fn name(self) -> &'static str {
        match self {
            ImportFormat::Cryo => "cryo",
            ImportFormat::EthereumEtl => "ethereum-etl",
        }
    }

    /// Finds a format by name.
    pub fn parse(name: &str) -> Option<ImportFormat> {
        [ImportFormat::Cryo, ImportFormat::EthereumEtl].into_iter().find(|format| format.name() == name)
    }

    /// The kinds of files that a range needs.
    pub(super) fn kinds(self) -> &'static [Kind] {
        match self {
            ImportFormat::Cryo => &[Kind::Blocks, Kind::Transactions, Kind::Logs],
            ImportFormat::EthereumEtl => &[Kind::Blocks, Kind::Transactions, Kind::Receipts, Kind::Logs],
        }
    }
}

/// The kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    Blocks,
    Transactions,
    Receipts,
    Logs,
    Traces,
    Contracts,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Blocks => "blocks",
            Kind::Transactions => "transactions",
            Kind::Receipts => "receipts",
            Kind::Logs => "logs",
            Kind::Traces => "traces",
            Kind::Contracts => "contracts",
        }
    }

    /// Detects the kind by its distinctive columns.
    fn of(has: impl Fn(&str) -> bool) -> Option<Kind> {
        let all = |names: &[&str]| names.iter().all(|name| has(name));
        if all(&["log_index", "transaction_hash", "data", "block_number"]) && (has("topics") || has("topic0")) {
            Some(Kind::Logs)
        } else if has("trace_address") && (has("trace_type") || has("action_type")) {
            Some(Kind::Traces)
        } else if all(&["contract_address", "deployer", "factory", "code"]) {
            Some(Kind::Contracts)
        } else if all(&["transaction_hash", "cumulative_gas_used", "status"]) {
            Some(Kind::Receipts)
        } else if all(&["nonce", "from_address", "input", "transaction_index"]) {
            Some(Kind::Transactions)
        } else if has("timestamp") && has("gas_used") && (has("miner") || has("author")) {
            Some(Kind::Blocks)
        } else {
            None
        }
    }
}

/// Whether the rows of a file can be derived from other files: transfers from logs and traces, contracts and token
/// metadata (ethereum-etl's files of them have no block numbers) from traces and a node.
fn follows(has: impl Fn(&str) -> bool) -> bool {
    let transfers = has("log_index") && (has("token_address") || has("erc20"));
    let ether = has("transfer_index");
    let contracts = has("bytecode") && has("function_sighashes");
    let tokens = has("symbol") && has("decimals") && has("total_supply");
    transfers || ether || contracts || tokens
}

/// A file in memory.
pub(super) struct Foreign {
    pub(super) path: PathBuf,
    pub(super) kind: Kind,
    pub(super) rows: usize,
    columns: HashMap<String, Cells>,
}

/// An invalid value with its position.
pub(super) fn refused(path: &Path, row: usize, column: &str, why: &str) -> Error {
    let message = format!("{}, row {}, column {column}: {why}.", path.display(), row + 1);
    Error::new(ErrorCode::InvalidInput, message)
}

fn unreadable(path: &Path, why: &dyn std::fmt::Display) -> Error {
    Error::new(ErrorCode::InvalidInput, format!("{} can't be read: {why}.", path.display()))
}

fn is_csv(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"))
}

/// Whether a file is empty, as ethereum-etl writes for blocks without transactions.
pub(super) fn is_void(path: &Path) -> Result<bool> {
    let about = std::fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    Ok(is_csv(path) && about.len() == 0)
}

impl Foreign {
    /// Reads a file; `None` for a derived one.
    pub(super) fn read(path: &Path, format: ImportFormat) -> Result<Option<Foreign>> {
        let (schema, batches) = if is_csv(path) { read_csv(path)? } else { read_parquet(path)? };
        let has = |name: &str| schema.field_with_name(name).is_ok();
        if follows(has) {
            return Ok(None);
        }
        let Some(kind) = Kind::of(has) else {
            let message = format!(
                "{} is none of the files that are imported: it has neither the columns of blocks, transactions, \
                 receipts, logs, traces nor contracts as {} writes them.",
                path.display(),
                format.name()
            );
            return Err(Error::new(ErrorCode::InvalidInput, message));
        };
        let mut columns = HashMap::new();
        for (at, field) in schema.fields().iter().enumerate() {
            let name = field.name().as_str();
            let parts: Vec<ArrayRef> = batches.iter().map(|batch| Arc::clone(batch.column(at))).collect();
            match Cells::of(field.data_type(), &parts) {
                Some(cells) => drop(columns.insert(name.to_string(), cells)),
                None => {
                    let why = format!("its type {} is none that {} writes", field.data_type(), format.name());
                    return Err(refused(path, 0, name, &why));
                }
            }
        }
        let rows = batches.iter().map(RecordBatch::num_rows).sum();
        Ok(Some(Foreign { path: path.to_path_buf(), kind, rows, columns }))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.columns.contains_key(name)
    }

    /// The first of these columns that exists.
    pub(super) fn column(&self, names: &[&'static str]) -> &'static str {
        names.iter().find(|name| self.has(name)).or(names.first()).copied().unwrap_or_default()
    }

    /// The value of a row in the first of these columns that exists.
    pub(super) fn get(&self, names: &[&'static str], row: usize) -> Option<Cell<'_>> {
        names.iter().find_map(|name| self.columns.get(*name)).and_then(|cells| cells.get(row))
    }

    /// The value converted by `convert`; `None` for null, and an error for an invalid value.
    pub(super) fn opt<T>(
        &self,
        names: &[&'static str],
        row: usize,
        convert: impl Fn(Cell<'_>) -> Option<T>,
    ) -> Result<Option<T>> {
        let Some(cell) = self.get(names, row) else { return Ok(None) };
        match convert(cell) {
            Some(value) => Ok(Some(value)),
            None => Err(refused(&self.path, row, self.column(names), &format!("{} is not such a value", shown(cell)))),
        }
    }

    /// Like `opt`, and an error for null.
    pub(super) fn needed<T>(
        &self,
        names: &[&'static str],
        row: usize,
        convert: impl Fn(Cell<'_>) -> Option<T>,
    ) -> Result<T> {
        let value = self.opt(names, row, convert)?;
        value.ok_or_else(|| refused(&self.path, row, self.column(names), "it has no value"))
    }
}

fn shown(cell: Cell<'_>) -> String {
    const LENGTH: usize = 40;
    let text = match cell {
        Cell::Text(text) => format!("`{text}`"),
        Cell::Bytes(bytes) => format!("0x{}", hex::encode(&bytes[..bytes.len().min(LENGTH)])),
        Cell::Signed(number) => number.to_string(),
        Cell::Unsigned(number) => number.to_string(),
        Cell::Float(number) => number.to_string(),
        Cell::Decimal(number) => number.to_string(),
        Cell::Bool(flag) => flag.to_string(),
        Cell::Time(micros) => format!("{micros} µs"),
    };
    text.chars().take(2 * LENGTH).collect()
}

fn read_parquet(path: &Path) -> Result<(SchemaRef, Vec<RecordBatch>)> {
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| unreadable(path, &error))?;
    let schema = builder.schema().clone();
    let reader = builder.build().map_err(|error| unreadable(path, &error))?;
    let batches: Vec<RecordBatch> =
        reader.collect::<Result<_, arrow::error::ArrowError>>().map_err(|error| unreadable(path, &error))?;
    Ok((schema, batches))
}

/// Reads every column as text, with the names of the first line.
fn read_csv(path: &Path) -> Result<(SchemaRef, Vec<RecordBatch>)> {
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    let mut reader = BufReader::new(file);
    let mut header = String::new();
    reader.read_line(&mut header).map_err(|error| unreadable(path, &error))?;
    let names = header.trim_end().trim_start_matches('\u{feff}').split(',').map(|name| name.trim_matches('"'));
    let schema: SchemaRef =
        Arc::new(Schema::new(names.map(|name| Field::new(name, DataType::Utf8, true)).collect::<Vec<_>>()));
    let reader = arrow::csv::ReaderBuilder::new(Arc::clone(&schema))
        .build_buffered(reader)
        .map_err(|error| unreadable(path, &error))?;
    let batches: Vec<RecordBatch> =
        reader.collect::<Result<_, arrow::error::ArrowError>>().map_err(|error| unreadable(path, &error))?;
    Ok((schema, batches))
}

pub(super) fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorCode::InvalidInput, message)
}
