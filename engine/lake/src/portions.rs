//! How many rows of a file are read at once. Call data, logs and traces are as long as somebody paid for, so a number of
//! rows alone says nothing of the memory that they take.

use parquet::arrow::arrow_reader::ArrowReaderOptions;
use parquet::basic::Type;
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData};

/// Bytes of one column that are read at once, unless two of its values have more.
const BYTES_AT_ONCE: u64 = 64 << 20;

/// How a file is opened of which [`rows_at_once`] is asked: with the places of its pages.
pub fn with_pages() -> ArrowReaderOptions {
    ArrowReaderOptions::new().with_offset_index_policy(PageIndexPolicy::Optional)
}

/// Rows of a file that are read at once: `most` of them, or fewer where they are long.
pub fn rows_at_once(footer: &ParquetMetaData, most: usize) -> usize {
    within(footer, most, BYTES_AT_ONCE)
}

fn within(footer: &ParquetMetaData, most: usize, bytes: u64) -> usize {
    let leaves = footer.file_metadata().schema_descr().columns();
    let long = (0..leaves.len()).filter(|leaf| leaves[*leaf].physical_type() == Type::BYTE_ARRAY);
    long.map(|leaf| rows_of(&pages(footer, leaf), most, bytes)).min().unwrap_or(most)
}

/// Rows of one column.
fn rows_of(pages: &[Page], most: usize, bytes: u64) -> usize {
    let longest = pages.iter().map(|page| page.bytes_of(1)).max().unwrap_or_default();
    let bytes = bytes.max(2 * longest);
    let halves = std::iter::successors(Some(most), |rows| Some(rows / 2));
    halves.take_while(|rows| *rows > 1).find(|rows| densest(pages, *rows as u64) <= bytes).unwrap_or(1)
}

/// Rows that lie together, and the bytes of their values.
#[derive(Debug, Clone, Copy)]
struct Page {
    first: u64,
    rows: u64,
    bytes: u64,
}

impl Page {
    /// Bytes of so many of its rows, which are taken for equally long.
    fn bytes_of(self, rows: u64) -> u64 {
        let share = u128::from(self.bytes) * u128::from(rows.min(self.rows)) / u128::from(self.rows.max(1));
        u64::try_from(share).unwrap_or(u64::MAX)
    }
}

/// The pages of a column, of all row groups one after the other. Where a file does not tell them, a row group counts as one.
fn pages(footer: &ParquetMetaData, leaf: usize) -> Vec<Page> {
    let mut pages = Vec::new();
    let mut before = 0;
    for (place, group) in footer.row_groups().iter().enumerate() {
        let rows = group.num_rows().unsigned_abs();
        let index = footer.offset_index().and_then(|groups| groups.get(place)?.get(leaf));
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

/// Most bytes that so many rows in a row have, wherever they begin.
fn densest(pages: &[Page], rows: u64) -> u64 {
    let (mut end, mut bytes, mut densest) = (0, 0, 0);
    for page in pages {
        // The furthest that rows reach of which the first is in this page.
        let reach = page.first + page.rows.saturating_sub(1) + rows;
        while let Some(next) = pages.get(end).filter(|next| next.first < reach) {
            bytes += next.bytes_of(rows);
            end += 1;
        }
        densest = densest.max(bytes);
        bytes = bytes.saturating_sub(page.bytes_of(rows));
    }
    densest
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
        within(footer.metadata(), 1024, bytes)
    }

    #[test]
    fn fewer_rows_are_read_at_once_where_they_are_long() {
        let mut lengths = vec![10; 4000];
        let short = file(&lengths);
        assert_eq!(rows(&short, with_pages(), 100_000), 1024);
        lengths[1900..2100].fill(1000);
        let long = file(&lengths);
        let found = rows(&long, with_pages(), 100_000);
        assert!((32..=64).contains(&found), "{found}: a hundred of the long ones fit");
        let reader = ParquetRecordBatchReaderBuilder::try_new(long.clone()).unwrap().with_batch_size(found);
        let most = reader.build().unwrap().map(|batch| batch.unwrap().column(1).get_array_memory_size()).max();
        assert!(most.unwrap() < 120_000, "{most:?}");
        // Without the places of pages all rows of a group are taken for equally long.
        assert!(rows(&long, ArrowReaderOptions::new(), 100_000) > found);
    }

    #[test]
    fn one_value_beyond_all_bounds_holds_up_no_other() {
        let page = |first, rows, bytes| Page { first, rows, bytes };
        let (before, after) = (page(0, 2000, 20_000), page(2003, 1997, 20_000));
        let long = |first, bytes| page(first, 1, bytes);
        let one = [before, long(2000, 1_000_000), long(2001, 10), long(2002, 10), after];
        assert_eq!(rows_of(&one, 1024, 100_000), 1024);
        let three = [before, long(2000, 1_000_000), long(2001, 1_000_000), long(2002, 1_000_000), after];
        assert_eq!(rows_of(&three, 1024, 100_000), 2);
        assert_eq!(rows_of(&[], 1024, 100_000), 1024);
        assert_eq!(rows_of(&[page(0, 0, 0)], 1024, 100_000), 1024);
    }
}
