//! The column types of the lake: standard Parquet types that any reader knows (no unsigned integers, no extension types), which
//! keep every quantity of the chain exact.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Fields, TimeUnit};
use quarry_types::meaning::MEANING;

/// Precision of wei columns. All ETH in wei has 27 digits, which leaves room for sums.
pub const WEI_PRECISION: u8 = 38;

/// Type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    Bool,
    Int32,
    Int64,
    Text,
    /// Microseconds UTC.
    Time,
    /// 20 bytes, shown as `0x…`.
    Address,
    /// 32 bytes, shown as `0x…`.
    Hash,
    /// Any number of bytes, shown as `0x…`.
    Bytes,
    /// Amount of wei: Decimal128(38, 0).
    Wei,
    /// A number up to 2^256 − 1: 32 bytes, big-endian, so that byte order is numeric order. Shown as a decimal number.
    Uint256,
    /// Day, UTC. Views only.
    Date,
    /// Number with a fraction: Decimal256(76, 18). Views only.
    Decimal,
    /// Text that is JSON. Views only.
    Json,
    /// Views only.
    ListUint256,
    ListInt32,
    ListHash,
    ListBytes,
    /// EIP-2930: list of (address, storage_keys).
    AccessList,
    /// EIP-7702: list of (chain_id, address, nonce, y_parity, r, s).
    AuthorizationList,
}

/// One column of a lake table.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    pub name: &'static str,
    pub kind: ColumnType,
    pub nullable: bool,
    /// Meaning and unit in one sentence, for the editor and `docs/tables.md`.
    pub doc: &'static str,
    /// Unit of its numbers (`wei`, `gas`, `bytes`, …), or empty.
    pub unit: &'static str,
    /// Whether the Parquet files have a bloom filter on it.
    pub bloom: bool,
    /// Whether the index inside the files covers it.
    pub indexed: bool,
    /// Whether the Parquet files use a dictionary: pays for repeated values that do not compress well enough.
    pub dictionary: bool,
    /// Whether the Parquet files compress it: does not pay for distinct values that look random.
    pub compressed: bool,
}

/// A non-nullable column.
pub const fn col(name: &'static str, kind: ColumnType, doc: &'static str) -> Column {
    Column {
        name,
        kind,
        nullable: false,
        doc,
        unit: "",
        bloom: false,
        indexed: false,
        dictionary: kind.repeats(),
        compressed: true,
    }
}

/// A nullable column.
pub const fn opt(name: &'static str, kind: ColumnType, doc: &'static str) -> Column {
    let mut column = col(name, kind, doc);
    column.nullable = true;
    column
}

impl Column {
    /// With an index and a bloom filter: for lookups of a hash or an address, by other readers too.
    pub const fn with_bloom(mut self) -> Column {
        self.bloom = true;
        self.indexed()
    }

    /// With an index but no bloom filter, which would be too large.
    pub const fn indexed(mut self) -> Column {
        self.indexed = true;
        self
    }

    /// With the unit of its numbers.
    pub const fn unit(mut self, unit: &'static str) -> Column {
        self.unit = unit;
        self
    }

    /// With a dictionary although its type rarely repeats: the hash of a block is in every row of the block.
    pub const fn with_dictionary(mut self) -> Column {
        self.dictionary = true;
        self
    }

    /// Without a dictionary: for addresses that are mostly distinct within a file.
    pub const fn without_dictionary(mut self) -> Column {
        self.dictionary = false;
        self
    }

    /// Without compression: for distinct hashes, signatures and addresses, which do not get smaller. Lookups save decompression.
    pub const fn uncompressed(mut self) -> Column {
        self.compressed = false;
        self
    }

    /// The Arrow field, with the meaning in its metadata if the type is not enough.
    pub fn field(&self) -> Field {
        let field = Field::new(self.name, self.kind.data_type(), self.nullable);
        match self.kind.meaning() {
            Some(meaning) => field.with_metadata(HashMap::from([(MEANING.to_string(), meaning.to_string())])),
            None => field,
        }
    }
}

impl ColumnType {
    /// Whether values of this type usually repeat within a row group.
    const fn repeats(self) -> bool {
        !matches!(self, ColumnType::Hash | ColumnType::Uint256 | ColumnType::Bytes | ColumnType::Wei)
    }

    /// The meaning of this type beyond its Arrow type.
    pub fn meaning(self) -> Option<&'static str> {
        match self {
            ColumnType::Address => Some("address"),
            ColumnType::Hash => Some("hash"),
            ColumnType::Wei => Some("wei"),
            ColumnType::Uint256 => Some("uint256"),
            ColumnType::Json => Some("json"),
            _ => None,
        }
    }

    /// The Arrow type in memory.
    pub fn data_type(self) -> DataType {
        match self {
            ColumnType::Bool => DataType::Boolean,
            ColumnType::Int32 => DataType::Int32,
            ColumnType::Int64 => DataType::Int64,
            ColumnType::Text => DataType::Utf8View,
            ColumnType::Time => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
            ColumnType::Address => DataType::FixedSizeBinary(20),
            ColumnType::Hash | ColumnType::Uint256 => DataType::FixedSizeBinary(32),
            ColumnType::Bytes => DataType::Binary,
            ColumnType::Wei => DataType::Decimal128(WEI_PRECISION, 0),
            ColumnType::Json => DataType::Utf8,
            ColumnType::Date => DataType::Date32,
            ColumnType::Decimal => DataType::Decimal256(76, 18),
            ColumnType::ListUint256 => DataType::List(Arc::new(
                Field::new_list_field(DataType::FixedSizeBinary(32), false)
                    .with_metadata(HashMap::from([(MEANING.to_string(), "uint256".to_string())])),
            )),
            ColumnType::ListInt32 => list(DataType::Int32),
            ColumnType::ListHash => list(DataType::FixedSizeBinary(32)),
            ColumnType::ListBytes => list(DataType::Binary),
            ColumnType::AccessList => list(DataType::Struct(access_fields())),
            ColumnType::AuthorizationList => list(DataType::Struct(authorization_fields())),
        }
    }
}

fn list(item: DataType) -> DataType {
    DataType::List(Arc::new(Field::new_list_field(item, false)))
}

/// Fields of one access list entry.
pub fn access_fields() -> Fields {
    Fields::from(vec![
        Field::new("address", DataType::FixedSizeBinary(20), false),
        Field::new("storage_keys", list(DataType::FixedSizeBinary(32)), false),
    ])
}

/// Fields of one EIP-7702 authorization; `chain_id`, `r` and `s` are uint256 as 32 bytes.
pub fn authorization_fields() -> Fields {
    Fields::from(vec![
        Field::new("chain_id", DataType::FixedSizeBinary(32), false),
        Field::new("address", DataType::FixedSizeBinary(20), false),
        Field::new("nonce", DataType::Int64, false),
        Field::new("y_parity", DataType::Int32, false),
        Field::new("r", DataType::FixedSizeBinary(32), false),
        Field::new("s", DataType::FixedSizeBinary(32), false),
    ])
}
