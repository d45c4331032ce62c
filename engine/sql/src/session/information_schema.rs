//! `information_schema`: the tables and columns that a query can read, for `SHOW TABLES`, `DESCRIBE` and tools. The stock one would
//! also show the engine's settings.

use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::SchemaRef;
use async_trait::async_trait;
use datafusion::catalog::{MemTable, SchemaProvider, TableProvider};
use datafusion::common::Result;

use quarry_types::type_names::type_name;
use quarry_types::uint256::is_uint256;

const TABLES: &str = "tables";
const COLUMNS: &str = "columns";

/// The schema, whose two tables are built when a query reads them.
#[derive(Debug)]
pub(super) struct InformationSchema {
    /// Schemas and their tables by name.
    pub schemas: Vec<(String, Vec<(String, SchemaRef)>)>,
}

/// The Arrow schema of one of the two tables.
pub(super) fn table_schema(table: &str) -> Option<SchemaRef> {
    let empty = InformationSchema { schemas: Vec::new() };
    let batch = match table {
        TABLES => empty.tables(),
        COLUMNS => empty.columns(),
        _ => return None,
    };
    batch.ok().map(|batch| batch.schema())
}

#[async_trait]
impl SchemaProvider for InformationSchema {
    fn table_names(&self) -> Vec<String> {
        vec![TABLES.to_string(), COLUMNS.to_string()]
    }

    async fn table(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        let batch = match name {
            TABLES => self.tables()?,
            COLUMNS => self.columns()?,
            _ => return Ok(None),
        };
        Ok(Some(Arc::new(MemTable::try_new(batch.schema(), vec![vec![batch]])?)))
    }

    fn table_exist(&self, name: &str) -> bool {
        [TABLES, COLUMNS].contains(&name)
    }
}

impl InformationSchema {
    fn all_tables(&self) -> impl Iterator<Item = (&str, &str, &SchemaRef)> {
        self.schemas.iter().flat_map(|(schema, tables)| {
            tables.iter().map(move |(name, table)| (schema.as_str(), name.as_str(), table))
        })
    }

    fn tables(&self) -> Result<RecordBatch> {
        let (schemas, names): (Vec<_>, Vec<_>) = self.all_tables().map(|(schema, name, _)| (schema, name)).unzip();
        let columns: [(&str, ArrayRef); 2] = [
            ("table_schema", Arc::new(StringArray::from(schemas))),
            ("table_name", Arc::new(StringArray::from(names))),
        ];
        Ok(RecordBatch::try_from_iter(columns)?)
    }

    fn columns(&self) -> Result<RecordBatch> {
        let (mut schemas, mut tables, mut names, mut types) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut positions, mut nullable) = (Vec::new(), Vec::new());
        for (schema, name, table) in self.all_tables() {
            for (index, field) in table.fields().iter().enumerate() {
                schemas.push(schema);
                tables.push(name);
                names.push(field.name().clone());
                positions.push(index as i64 + 1);
                types.push(type_name(field.data_type(), is_uint256(field)));
                nullable.push(field.is_nullable());
            }
        }
        let columns: [(&str, ArrayRef); 6] = [
            ("table_schema", Arc::new(StringArray::from(schemas))),
            ("table_name", Arc::new(StringArray::from(tables))),
            ("column_name", Arc::new(StringArray::from(names))),
            ("ordinal_position", Arc::new(Int64Array::from(positions))),
            ("data_type", Arc::new(StringArray::from(types))),
            ("is_nullable", Arc::new(BooleanArray::from(nullable))),
        ];
        Ok(RecordBatch::try_from_iter(columns)?)
    }
}
