//! Of the statistics of files that other tools wrote, only the row counts are used. Null counts may be missing and bounds
//! of long texts may be truncated, and aggregates take both for exact: `select count(k) from t` counts nulls
//! (<https://github.com/apache/datafusion/issues/25226>, <https://github.com/apache/datafusion/issues/25239>). The Rust
//! writer marks truncated bounds as inexact, so the test is about null counts.

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

/// Parquet files without statistics of their columns and without an order.
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use arrow::array::{ArrayRef, Int64Array, RecordBatch};
    use datafusion::datasource::listing::ListingOptions;
    use datafusion::prelude::SessionContext;
    use parquet::arrow::ArrowWriter;
    use parquet::file::metadata::ParquetMetaDataWriter;
    use parquet::file::statistics::Statistics;

    use super::*;
    use crate::workarounds::stock::run;

    /// A file of the numbers 1 and 2 and a null, without null counts.
    fn write(path: &Path) {
        let numbers = Arc::new(Int64Array::from(vec![Some(1), None, Some(2)])) as ArrayRef;
        let batch = RecordBatch::try_from_iter([("k", numbers)]).unwrap();
        let mut file = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut file, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        let metadata = writer.close().unwrap();
        let column = metadata.row_group(0).column(0).clone().into_builder();
        let column = column.set_statistics(Statistics::int64(Some(1), Some(2), None, None, false));
        let column = column.set_column_index_offset(None).set_column_index_length(None);
        let column = column.set_offset_index_offset(None).set_offset_index_length(None).build().unwrap();
        let group = metadata.row_group(0).clone().into_builder().set_column_metadata(vec![column]).build().unwrap();
        let metadata =
            metadata.into_builder().set_row_groups(vec![group]).set_column_index(None).set_offset_index(None);
        // The last eight bytes are the length of the footer and a magic number.
        let end = file.len() - 8;
        let footer = u32::from_le_bytes(file[end..end + 4].try_into().unwrap()) as usize;
        file.truncate(end - footer);
        ParquetMetaDataWriter::new(&mut file, &metadata.build()).finish().unwrap();
        std::fs::write(path, file).unwrap();
    }

    /// The number of values that are not null, read in this format.
    async fn count(format: Arc<dyn FileFormat>) -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        write(&dir.path().join("t.parquet"));
        let context = SessionContext::new();
        let options = ListingOptions::new(format).with_file_extension(".parquet");
        let path = format!("file://{}/", dir.path().display());
        context.register_listing_table("t", path, options, None, None).await.unwrap();
        run(&context, &["select count(k) from t"]).await.unwrap()
    }

    #[tokio::test]
    async fn the_stock_format_still_takes_missing_null_counts_for_zero() {
        let stock = Arc::new(ParquetFormat::default());
        assert_ne!(count(stock).await, ["2"], "DataFusion is right now: null counts are safe to use");
        assert_eq!(count(Arc::new(RowCountsOnly(ParquetFormat::default()))).await, ["2"]);
    }
}
