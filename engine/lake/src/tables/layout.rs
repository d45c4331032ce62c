//! Parquet settings of each table: encodings, compression, statistics, bloom filters.

use parquet::arrow::ArrowSchemaConverter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::metadata::SortingColumn;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::schema::types::ColumnPath;

use super::{ColumnType, Table};
use crate::options::LakeOptions;
use quarry_types::{Error, Result};

/// False positive rate of bloom filters.
const BLOOM_FALSE_POSITIVES: f64 = 0.01;

/// Rows of a data page, the smallest unit that is decoded. Smaller pages make files larger and scans no faster.
pub(crate) const PAGE_ROWS: usize = 2 << 10;

impl Table {
    /// Rows of a data page. Smaller where lookups match single rows and all columns are narrow.
    pub(crate) fn page_rows(self) -> usize {
        match self {
            Table::AddressDays => PAGE_ROWS / 2,
            _ => PAGE_ROWS,
        }
    }
}

/// Settings of the Parquet writer for one table.
pub(crate) fn writer_properties(table: Table, options: &LakeOptions) -> Result<WriterProperties> {
    let level = ZstdLevel::try_new(options.zstd_level)?;
    let mut builder = WriterProperties::builder()
        .set_created_by(format!("quarry {}", env!("CARGO_PKG_VERSION")))
        .set_compression(Compression::ZSTD(level))
        // Version 1 has no dictionaries of fixed-length bytes. Values beyond the size of a dictionary stay plain.
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_encoding(Encoding::PLAIN)
        .set_max_row_group_row_count(Some(options.row_group_rows))
        .set_data_page_row_count_limit(table.page_rows())
        .set_sorting_columns(Some(sorting_columns(table)?));
    for column in table.def().columns {
        let path = ColumnPath::from(column.name);
        builder = builder.set_column_dictionary_enabled(path.clone(), column.dictionary);
        if !column.compressed {
            builder = builder.set_column_compression(path.clone(), Compression::UNCOMPRESSED);
        }
        if column.kind == ColumnType::Hash && !column.nullable {
            // Bounds of hashes prune nothing.
            builder = builder.set_column_statistics_enabled(path.clone(), EnabledStatistics::None);
        }
        if matches!(column.kind, ColumnType::Bytes) {
            // Nobody compares code or call data by order; bounds for each page would only grow the page index.
            builder = builder.set_column_statistics_enabled(path.clone(), EnabledStatistics::Chunk);
        }
        if column.bloom {
            builder = builder
                .set_column_bloom_filter_enabled(path.clone(), true)
                .set_column_bloom_filter_fpp(path.clone(), BLOOM_FALSE_POSITIVES)
                .set_column_bloom_filter_max_ndv(path, options.row_group_rows as u64);
        }
    }
    Ok(builder.build())
}

/// The sort order as Parquet leaf columns.
fn sorting_columns(table: Table) -> Result<Vec<SortingColumn>> {
    let leaves = ArrowSchemaConverter::new().convert(&table.schema())?;
    table
        .def()
        .sort
        .iter()
        .map(|name| {
            let leaf = leaves.columns().iter().position(|leaf| leaf.path().parts() == [(*name).to_string()]);
            let index = leaf
                .and_then(|leaf| i32::try_from(leaf).ok())
                .ok_or_else(|| Error::internal(format!("sort column {name} is not a leaf of {}", table.name())))?;
            Ok(SortingColumn { column_idx: index, descending: false, nulls_first: false })
        })
        .collect()
}
