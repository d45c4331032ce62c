//! The description of a user table.

use arrow::datatypes::SchemaRef;

use super::manifest::Entry;
use quarry_types::type_names::{ResultColumn, columns};
use quarry_types::{Error, ErrorCode, Result};

/// Description of a user table.
#[derive(Debug, Clone)]
pub struct UserTable {
    pub schema: String,
    pub name: String,
    pub rows: u64,
    /// Bytes on disk.
    pub bytes: u64,
    /// Milliseconds since 1970.
    pub created: u64,
    /// Milliseconds since 1970.
    pub modified: u64,
    pub columns: Vec<ResultColumn>,
    pub arrow: SchemaRef,
}

pub(super) fn describe(schema: &str, name: &str, entry: &Entry) -> Result<UserTable> {
    let arrow = entry.arrow()?;
    Ok(UserTable {
        schema: schema.to_string(),
        name: name.to_string(),
        rows: entry.rows(),
        bytes: entry.bytes(),
        created: entry.created,
        modified: entry.modified,
        columns: columns(&arrow),
        arrow,
    })
}

pub(super) fn missing(table: &str) -> Error {
    Error::new(ErrorCode::NotFound, format!("There is no table {table}."))
}

pub(super) fn exists_already(table: &str) -> Error {
    Error::new(ErrorCode::InvalidInput, format!("The table {table} already exists."))
}
