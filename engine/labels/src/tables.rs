//! Schemas of the tables of labels and of the registry of DApps.

use std::sync::Arc;

use arrow::datatypes::{DataType, Schema, SchemaRef};

use quarry_lake::tables::Column;
use quarry_lake::tables::column::{ColumnType, col, opt};

/// The schema of both tables.
pub const SCHEMA: &str = "labels";
pub const ADDRESSES: &str = "addresses";
/// The table of the registry.
pub const DAPPS: &str = "dapps";
/// Type of the values of labels.
pub const VALUE: DataType = DataType::Decimal128(38, 6);

/// Columns of `labels.addresses`. The type of `value` is [`VALUE`].
pub const ADDRESS_COLUMNS: [Column; 14] = [
    col("address", ColumnType::Address, "The address."),
    col("label", ColumnType::Text, "The label's stable name, such as `whale` or `exchange-deposit`."),
    col("label_type", ColumnType::Text, "`EOA`, `CONTRACT`, `DAPP`, `NETWORK`, `TOKEN`, `MINER` or `NFT`."),
    col(
        "category",
        ColumnType::Text,
        "`basic`, `monthly-report`, `dapp-monthly-report`, `algorithm`, or `known` for labels assigned by people.",
    ),
    opt("entity", ColumnType::Text, "The exchange, DApp or group that the label refers to."),
    opt("value", ColumnType::Wei, "The number behind the label; the rule defines what it counts."),
    opt("period", ColumnType::Text, "The month (`2026-10`), or first and last day (`2026-08-03/2026-10-31`)."),
    opt("rule", ColumnType::Text, "The rule that found it, such as `A1`; null for labels assigned by people."),
    opt("rule_version", ColumnType::Int32, "Incremented with every change of the rule."),
    opt("job_id", ColumnType::Text, "The job that found it."),
    col("source", ColumnType::Text, "`rule`, `hand`, `csv`, `admin` or `shipped`."),
    opt("author", ColumnType::Text, "Who ran the job or wrote the label."),
    opt("why", ColumnType::Text, "The facts behind it, as a JSON object."),
    col("created_at", ColumnType::Time, "When it was written, UTC."),
];

/// Columns of `labels.dapps`.
pub const DAPP_COLUMNS: [Column; 3] = [
    col("name", ColumnType::Text, "Name of the DApp."),
    col(
        "dapp_type",
        ColumnType::Text,
        "`games`, `finance`, `betting`, `market`, `social`, `others`, `utilities` or `high-risk`.",
    ),
    col("address", ColumnType::Address, "A contract of the DApp."),
];

/// Arrow schema of `labels.addresses`.
pub fn address_schema() -> SchemaRef {
    let field = |column: &Column| match column.name {
        "value" => column.field().with_data_type(VALUE).with_metadata(Default::default()),
        _ => column.field(),
    };
    Arc::new(Schema::new(ADDRESS_COLUMNS.iter().map(field).collect::<Vec<_>>()))
}

/// Arrow schema of `labels.dapps`.
pub fn dapp_schema() -> SchemaRef {
    Arc::new(Schema::new(DAPP_COLUMNS.iter().map(Column::field).collect::<Vec<_>>()))
}
