//! Names of the types as analysts and programs read them in results and in the catalogue.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema};

use crate::meaning::json_meaning;
use crate::uint256::{is_number, is_signed, is_uint256};

/// One column of a result.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultColumn {
    pub name: String,
    /// `bigint`, `double`, `decimal(38,0)`, `uint256`, `int256`, `varchar`, `timestamp`, `address`, `hash`, `bytes`, `array(bigint)` …
    pub type_name: String,
}

/// The columns of a schema as results name them.
pub fn columns(schema: &Schema) -> Vec<ResultColumn> {
    let column = |field: &Arc<Field>| ResultColumn { name: field.name().clone(), type_name: type_of(field) };
    schema.fields().iter().map(column).collect()
}

/// The name of a column's type.
pub fn type_of(field: &Field) -> String {
    match json_meaning(field) {
        Some(meaning) => meaning.to_string(),
        None if is_number(field.data_type()) && is_signed(field) => "int256".to_string(),
        None => type_name(field.data_type(), is_uint256(field)),
    }
}

/// The name of a type; with `uint256`, 32 bytes are a number and not a hash.
pub fn type_name(data_type: &DataType, uint256: bool) -> String {
    match data_type {
        DataType::Boolean => "boolean".to_string(),
        DataType::Int8 | DataType::Int16 | DataType::UInt8 => "smallint".to_string(),
        DataType::Int32 | DataType::UInt16 => "int".to_string(),
        DataType::Int64 | DataType::UInt32 | DataType::UInt64 => "bigint".to_string(),
        DataType::Float16 | DataType::Float32 => "real".to_string(),
        DataType::Float64 => "double".to_string(),
        DataType::Decimal32(precision, scale)
        | DataType::Decimal64(precision, scale)
        | DataType::Decimal128(precision, scale)
        | DataType::Decimal256(precision, scale) => format!("decimal({precision},{scale})"),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => "varchar".to_string(),
        DataType::Timestamp(..) => "timestamp".to_string(),
        DataType::Date32 | DataType::Date64 => "date".to_string(),
        DataType::Time32(_) | DataType::Time64(_) => "time".to_string(),
        DataType::Interval(_) | DataType::Duration(_) => "interval".to_string(),
        DataType::FixedSizeBinary(32) if uint256 => "uint256".to_string(),
        number if is_number(number) => "uint256".to_string(),
        DataType::FixedSizeBinary(20) => "address".to_string(),
        DataType::FixedSizeBinary(32) => "hash".to_string(),
        DataType::FixedSizeBinary(_) | DataType::Binary | DataType::LargeBinary | DataType::BinaryView => {
            "bytes".to_string()
        }
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _) => format!("array({})", type_name(item.data_type(), is_uint256(item))),
        DataType::Struct(_) => "struct".to_string(),
        DataType::Map(..) => "map".to_string(),
        DataType::Dictionary(_, values) => type_name(values, false),
        DataType::RunEndEncoded(_, values) => type_name(values.data_type(), is_uint256(values)),
        DataType::Union(..) => "union".to_string(),
        DataType::Null => "null".to_string(),
    }
}
