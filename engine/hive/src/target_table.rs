//! A table that a statement writes to.

use arrow::datatypes::SchemaRef;

use quarry_runtime::user_tables::{TableWriter, UserTables, WriteMode};
use quarry_types::Result;

pub(crate) struct TargetTable {
    pub tables: UserTables,
    pub schema: String,
    pub name: String,
}

impl TargetTable {
    pub fn exists(&self) -> bool {
        self.tables.get(&self.schema, &self.name).is_ok()
    }

    /// The columns of the table.
    pub fn columns(&self) -> Result<SchemaRef> {
        Ok(self.tables.get(&self.schema, &self.name)?.arrow)
    }

    pub fn writer(&self, columns: &SchemaRef, mode: WriteMode) -> Result<TableWriter> {
        self.tables.writer(&self.schema, &self.name, columns, mode)
    }

    pub fn drop_table(&self) -> Result<()> {
        self.tables.drop_table(&self.schema, &self.name).map(drop)
    }
}
