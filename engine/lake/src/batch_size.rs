//! Batch sizes for reading files with long values. Call data, logs and traces may have any length, so a number of rows does not
//! bound the memory that they take.

use parquet::arrow::arrow_reader::ArrowReaderOptions;
use parquet::basic::Type;
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData};

/// Bytes of one column in a batch, unless two of its values have more.
const BATCH_BYTES: u64 = 64 << 20;

/// Options for files that [`batch_rows`] is called with: it needs the offset index.
pub fn with_offset_index() -> ArrowReaderOptions {
    ArrowReaderOptions::new().with_offset_index_policy(PageIndexPolicy::Optional)
}

/// Rows of a batch of a file: `max_rows`, or fewer if they are long.
pub fn batch_rows(footer: &ParquetMetaData, max_rows: usize) -> usize {
    rows_within(footer, max_rows, BATCH_BYTES)
}

fn rows_within(footer: &ParquetMetaData, max_rows: usize, bytes: u64) -> usize {
    let leaves = footer.file_metadata().schema_descr().columns();
    let byte_arrays = (0..leaves.len()).filter(|leaf| leaves[*leaf].physical_type() == Type::BYTE_ARRAY);
    byte_arrays.map(|leaf| column_rows(&pages(footer, leaf), max_rows, bytes)).min().unwrap_or(max_rows)
}

/// Rows of a batch of one column.
fn column_rows(pages: &[Page], max_rows: usize, bytes: u64) -> usize {
    let longest = pages.iter().map(|page| page.bytes_of_rows(1)).max().unwrap_or_default();
    let bytes = bytes.max(2 * longest);
    let halves = std::iter::successors(Some(max_rows), |rows| Some(rows / 2));
    halves.take_while(|rows| *rows > 1).find(|rows| max_bytes(pages, *rows as u64) <= bytes).unwrap_or(1)
}

/// Consecutive rows, and the bytes of their values.
#[derive(Debug, Clone, Copy)]
struct Page {
    first: u64,
    rows: u64,
    bytes: u64,
}

impl Page {
    /// Bytes of some of its rows, if all are equally long.
    fn bytes_of_rows(self, rows: u64) -> u64 {
        let share = u128::from(self.bytes) * u128::from(rows.min(self.rows)) / u128::from(self.rows.max(1));
        u64::try_from(share).unwrap_or(u64::MAX)
    }
}

/// The pages of a column in all row groups. Without an offset index, a row group counts as one page.
fn pages(footer: &ParquetMetaData, leaf: usize) -> Vec<Page> {
    let mut pages = Vec::new();
    let mut before = 0;
    for (number, group) in footer.row_groups().iter().enumerate() {
        let rows = group.num_rows().unsigned_abs();
        let index = footer.offset_index().and_then(|groups| groups.get(number)?.get(leaf));
        match index.and_then(|index| Some((index.page_locations(), index.unencoded_byte_array_data_bytes()?))) {
            Some((locations, sizes)) if locations.len() == sizes.len() => {
                let firsts: Vec<u64> = locations.iter().map(|page| page.first_row_index.unsigned_abs()).collect();
                let ends = firsts.iter().skip(1).copied().chain([rows]);
                for ((first, end), bytes) in firsts.iter().zip(ends).zip(sizes) {
                    let rows = end.saturating_sub(*first);
                    pages.push(Page { first: before + first, rows, bytes: bytes.unsigned_abs() });
                }
            }
            _ => {
                let bytes = group.columns().get(leaf).map_or(0, |chunk| chunk.uncompressed_size().unsigned_abs());
                pages.push(Page { first: before, rows, bytes });
            }
        }
        before += rows;
    }
    pages
}

/// The largest number of bytes of `rows` consecutive rows.
fn max_bytes(pages: &[Page], rows: u64) -> u64 {
    let (mut end, mut bytes, mut max) = (0, 0, 0);
    for page in pages {
        // The end of the rows if the first is the last of this page.
        let reach = page.first + page.rows.saturating_sub(1) + rows;
        while let Some(next) = pages.get(end).filter(|next| next.first < reach) {
            bytes += next.bytes_of_rows(rows);
            end += 1;
        }
        max = max.max(bytes);
        bytes = bytes.saturating_sub(page.bytes_of_rows(rows));
    }
    max
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, BinaryArray, Int64Array, RecordBatch};
    use bytes::Bytes;
    use parquet::arrow::ArrowWriter;
    use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ParquetRecordBatchReaderBuilder};
    use parquet::file::properties::WriterProperties;

    use super::*;

    /// A file of two row groups whose values have these lengths.
    fn file(lengths: &[usize]) -> Bytes {
        let values = BinaryArray::from_iter_values(lengths.iter().map(|length| vec![7; *length]));
        let numbers = Int64Array::from_iter_values(0..lengths.len() as i64);
        let columns: [(&str, ArrayRef); 2] = [("number", Arc::new(numbers)), ("data", Arc::new(values))];
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let properties = WriterProperties::builder()
            .set_max_row_group_row_count(Some(lengths.len().div_ceil(2)))
            .set_data_page_row_count_limit(100)
            .set_write_batch_size(50)
            .set_dictionary_enabled(false)
            .build();
        let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        writer.into_inner().unwrap().into()
    }

    fn rows(file: &Bytes, options: ArrowReaderOptions, bytes: u64) -> usize {
        let footer = ArrowReaderMetadata::load(file, options).unwrap();
        rows_within(footer.metadata(), 1024, bytes)
    }

    #[test]
    fn batches_of_long_values_have_fewer_rows() {
        let mut lengths = vec![10; 4000];
        let short = file(&lengths);
        assert_eq!(rows(&short, with_offset_index(), 100_000), 1024);
        lengths[1900..2100].fill(1000);
        let long = file(&lengths);
        let found = rows(&long, with_offset_index(), 100_000);
        assert!((32..=64).contains(&found), "{found}: a hundred of the long ones fit");
        let reader = ParquetRecordBatchReaderBuilder::try_new(long.clone()).unwrap().with_batch_size(found);
        let max = reader.build().unwrap().map(|batch| batch.unwrap().column(1).get_array_memory_size()).max();
        assert!(max.unwrap() < 120_000, "{max:?}");
        // Without the offset index all rows of a row group count as equally long.
        assert!(rows(&long, ArrowReaderOptions::new(), 100_000) > found);
    }

    #[test]
    fn single_large_value_does_not_slow_down_others() {
        let page = |first, rows, bytes| Page { first, rows, bytes };
        let (before, after) = (page(0, 2000, 20_000), page(2003, 1997, 20_000));
        let long = |first, bytes| page(first, 1, bytes);
        let one = [before, long(2000, 1_000_000), long(2001, 10), long(2002, 10), after];
        assert_eq!(column_rows(&one, 1024, 100_000), 1024);
        let three = [before, long(2000, 1_000_000), long(2001, 1_000_000), long(2002, 1_000_000), after];
        assert_eq!(column_rows(&three, 1024, 100_000), 2);
        assert_eq!(column_rows(&[], 1024, 100_000), 1024);
        assert_eq!(column_rows(&[page(0, 0, 0)], 1024, 100_000), 1024);
    }
}
