//! Labels by hand and the registry of DApps as record batches.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use arrow::array::{
    ArrayRef, Decimal128Array, FixedSizeBinaryArray, Int32Array, RecordBatch, StringViewArray,
    TimestampMicrosecondArray, new_null_array,
};
use arrow::datatypes::DataType;

use super::tables::{VALUE, address_schema, dapp_schema};
use quarry_types::{Error, Result};

/// The category of labels by hand.
pub const KNOWN: &str = "known";

/// Where a label comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Written one by one.
    Hand,
    /// Imported from a file.
    Csv,
    /// Written by an administrator, for everybody.
    Admin,
    /// Shipped with Quarry.
    Shipped,
}

impl Source {
    pub fn name(self) -> &'static str {
        match self {
            Source::Hand => "hand",
            Source::Csv => "csv",
            Source::Admin => "admin",
            Source::Shipped => "shipped",
        }
    }
}

/// A label by hand.
#[derive(Debug, Clone)]
pub struct KnownLabel {
    pub address: [u8; 20],
    pub label: String,
    /// `EOA`, `CONTRACT`, `DAPP`, `NETWORK`, `TOKEN`, `MINER` or `NFT`.
    pub label_type: String,
    /// The owner of the address, or empty.
    pub entity: String,
    pub note: String,
    pub source: Source,
    pub author: String,
    /// Milliseconds since 1970.
    pub created: i64,
}

/// A contract of a DApp.
#[derive(Debug, Clone)]
pub struct DappContract {
    pub name: String,
    pub dapp_type: String,
    pub address: [u8; 20],
}

/// Now, in microseconds since 1970.
pub fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_micros() as i64)
}

pub(super) fn known(labels: &[KnownLabel]) -> Result<RecordBatch> {
    let rows = labels.len();
    let or_null = |text: &str| (!text.is_empty()).then(|| text.to_string());
    let why = |label: &KnownLabel| or_null(&label.note).map(|note| serde_json::json!({ "note": note }).to_string());
    let times = labels.iter().map(|label| label.created.saturating_mul(1_000));
    let columns: Vec<ArrayRef> = vec![
        addresses(labels.iter().map(|label| label.address))?,
        texts(labels.iter().map(|label| Some(label.label.clone()))),
        texts(labels.iter().map(|label| Some(label.label_type.clone()))),
        texts(labels.iter().map(|_| Some(KNOWN.to_string()))),
        texts(labels.iter().map(|label| or_null(&label.entity))),
        Arc::new(Decimal128Array::new_null(rows).with_data_type(VALUE)),
        new_null_array(&DataType::Utf8View, rows),
        new_null_array(&DataType::Utf8View, rows),
        Arc::new(Int32Array::new_null(rows)),
        new_null_array(&DataType::Utf8View, rows),
        texts(labels.iter().map(|label| Some(label.source.name().to_string()))),
        texts(labels.iter().map(|label| or_null(&label.author))),
        texts(labels.iter().map(why)),
        Arc::new(TimestampMicrosecondArray::from_iter_values(times).with_timezone("UTC")),
    ];
    RecordBatch::try_new(address_schema(), columns).map_err(Error::internal)
}

pub(super) fn dapps(contracts: &[DappContract]) -> Result<RecordBatch> {
    let columns: Vec<ArrayRef> = vec![
        texts(contracts.iter().map(|contract| Some(contract.name.clone()))),
        texts(contracts.iter().map(|contract| Some(contract.dapp_type.clone()))),
        addresses(contracts.iter().map(|contract| contract.address))?,
    ];
    RecordBatch::try_new(dapp_schema(), columns).map_err(Error::internal)
}

fn addresses(values: impl Iterator<Item = [u8; 20]>) -> Result<ArrayRef> {
    let values = values.map(Some);
    Ok(Arc::new(FixedSizeBinaryArray::try_from_sparse_iter_with_size(values, 20)?))
}

fn texts(values: impl Iterator<Item = Option<String>>) -> ArrayRef {
    Arc::new(values.collect::<StringViewArray>())
}
