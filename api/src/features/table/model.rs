//! Shapes of users' tables.

use quarry_runtime::user_tables::UserTable;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The tables that somebody may use.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserTables {
    /// The caller's schema, `user_<name>`.
    pub schema: String,
    /// Bytes that the caller's tables have.
    pub used: u64,
    /// Bytes that they may have.
    pub quota: u64,
    pub tables: Vec<UserTableView>,
    /// Tables of others that the caller may read.
    pub shared: Vec<UserTableView>,
}

/// One table; times are milliseconds since 1970.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserTableView {
    pub schema: String,
    pub table: String,
    pub rows: u64,
    pub bytes: u64,
    pub created: u64,
    pub modified: u64,
    pub columns: Vec<UserTableColumn>,
    /// User names that may read it, `*` for everybody; empty for tables of others.
    pub shared_with: Vec<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct UserTableColumn {
    pub name: String,
    #[serde(rename = "type")]
    pub type_name: String,
}

/// Which table is meant.
#[derive(Debug, Deserialize, ToSchema, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TableName {
    /// Name of the table.
    pub table: String,
    /// Schema of the table; the caller's own when it is left out.
    pub schema: Option<String>,
}

/// The caller's own table that is meant.
#[derive(Debug, Deserialize, ToSchema)]
pub struct OwnTable {
    pub table: String,
}

/// Who may read a table from now on.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Share {
    pub table: String,
    /// The reader; `*` is everybody.
    pub user_name: String,
    /// False takes the right back.
    #[serde(default = "yes")]
    pub allow: bool,
}

/// Which right to a table of the caller would be taken back.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct TakenBack {
    /// Name of the table.
    pub table: String,
    /// The reader who would lose it, `*` for the share with everybody; all of them, as when the table is dropped, when left out.
    pub user_name: Option<String>,
}

fn yes() -> bool {
    true
}

/// The form of an upload.
#[derive(Debug, ToSchema)]
pub struct UploadForm {
    /// Name of the table, before the file.
    pub table: String,
    /// `create` (the default), `replace` or `append`, before the file.
    pub mode: Option<String>,
    /// A CSV file with a header row, or a Parquet file; the end of its name says which.
    #[schema(value_type = String, format = Binary)]
    pub file: Vec<u8>,
}

impl UserTableView {
    pub fn new(table: UserTable, shared_with: Vec<String>) -> UserTableView {
        let columns = table.columns.into_iter();
        UserTableView {
            schema: table.schema,
            table: table.name,
            rows: table.rows,
            bytes: table.bytes,
            created: table.created,
            modified: table.modified,
            columns: columns.map(|column| UserTableColumn { name: column.name, type_name: column.type_name }).collect(),
            shared_with,
        }
    }
}
