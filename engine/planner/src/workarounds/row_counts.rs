//! Of the statistics of files that others wrote, only the number of rows is believed. Bounds of long texts are shortened and null
//! counts may be missing, and aggregates take both for exact
//! (<https://github.com/apache/datafusion/issues/25226>, <https://github.com/apache/datafusion/issues/25239>). The Rust
//! writer marks shortened bounds as inexact, so files of its own don't show this and no test can tell when it is fixed.

use std::sync::Arc;

use arrow::datatypes::SchemaRef;
use async_trait::async_trait;
use datafusion::catalog::Session;
use datafusion::common::{Result, Statistics};
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::physical_plan::{FileScanConfig, FileSource};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::physical_plan::ExecutionPlan;
use object_store::{ObjectMeta, ObjectStore};

/// Parquet files without statistics of their columns and without a promised order.
#[derive(Debug)]
pub struct RowCountsOnly(pub ParquetFormat);

#[async_trait]
impl FileFormat for RowCountsOnly {
    fn get_ext(&self) -> String {
        self.0.get_ext()
    }

    fn get_ext_with_compression(&self, compression: &FileCompressionType) -> Result<String> {
        self.0.get_ext_with_compression(compression)
    }

    fn compression_type(&self) -> Option<FileCompressionType> {
        self.0.compression_type()
    }

    async fn infer_schema(
        &self,
        state: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        objects: &[ObjectMeta],
    ) -> Result<SchemaRef> {
        self.0.infer_schema(state, store, objects).await
    }

    async fn infer_stats(
        &self,
        state: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        schema: SchemaRef,
        object: &ObjectMeta,
    ) -> Result<Statistics> {
        let known = self.0.infer_stats(state, store, Arc::clone(&schema), object).await?;
        let Statistics { num_rows, total_byte_size, .. } = known;
        Ok(Statistics { num_rows, total_byte_size, ..Statistics::new_unknown(&schema) })
    }

    async fn create_physical_plan(&self, state: &dyn Session, scan: FileScanConfig) -> Result<Arc<dyn ExecutionPlan>> {
        self.0.create_physical_plan(state, scan).await
    }

    fn file_source(&self, schema: TableSchema) -> Arc<dyn FileSource> {
        self.0.file_source(schema)
    }
}
