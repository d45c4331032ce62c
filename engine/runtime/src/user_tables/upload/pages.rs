//! How much the pages of a Parquet file unpack to, by the header of each page. The reader takes as much memory as a header asks
//! for, whatever the footer says of the column, and an upload may have been written to lie.
//!
//! Headers are structs of Thrift's compact protocol:
//! <https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>,
//! <https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift> (`PageHeader`).

use std::fs::File;

use parquet::file::metadata::ColumnChunkMetaData;

use quarry_lake::checksums::read_at;
use quarry_types::{Error, Result};

/// Bytes of a usual header, and of the longest one, with the statistics that it may hold.
const USUAL_HEADER: u64 = 256;
const LONGEST_HEADER: u64 = 1 << 20;
/// Structs within structs: the format has three levels.
const DEEPEST: usize = 8;
// Numbers of fields of a header.
const UNPACKED_SIZE: i16 = 2;
const PACKED_SIZE: i16 = 3;
const DATA_PAGE: i16 = 5;
const DATA_PAGE_V2: i16 = 8;
/// The same of the header of a data page, of either version.
const VALUES: i16 = 1;

/// What the header of a page says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PageSize {
    /// Bytes in the file.
    pub packed: u64,
    /// Bytes in memory.
    pub unpacked: u64,
    /// Values, nulls among them; 0 for a dictionary. Where there are fewer than this, reading the page fails.
    pub values: u64,
}

/// The pages of a column of a row group, in order; `None` when their headers can't be read.
pub(super) fn page_sizes(file: &File, column: &ColumnChunkMetaData) -> Result<Option<Vec<PageSize>>> {
    let (mut at, length) = column.byte_range();
    let Some(end) = at.checked_add(length).filter(|end| file.metadata().is_ok_and(|file| *end <= file.len())) else {
        return Ok(None);
    };
    let mut pages = Vec::new();
    while at < end {
        let Some((page, header)) = header_at(file, at, end)? else { return Ok(None) };
        let Some(next) = at.checked_add(header as u64).and_then(|at| at.checked_add(page.packed)) else {
            return Ok(None);
        };
        pages.push(page);
        at = next;
    }
    Ok(Some(pages))
}

/// The header at a place. What is read grows with the header, so that a file of very short pages is not read over and over.
fn header_at(file: &File, at: u64, end: u64) -> Result<Option<(PageSize, usize)>> {
    let mut length = USUAL_HEADER;
    loop {
        let bytes = read_at(file, None, at..end.min(at + length)).map_err(Error::internal)?;
        match header(&bytes) {
            None if length < LONGEST_HEADER && at + length < end => length *= 8,
            found => return Ok(found),
        }
    }
}

/// The sizes in a header, and how many bytes it has itself.
fn header(bytes: &[u8]) -> Option<(PageSize, usize)> {
    let mut compact = Compact { bytes, at: 0 };
    let mut page = PageSize::default();
    compact.fields(DEEPEST, |compact, field, kind| match field {
        UNPACKED_SIZE => compact.size(&mut page.unpacked),
        PACKED_SIZE => compact.size(&mut page.packed),
        DATA_PAGE | DATA_PAGE_V2 => compact.fields(DEEPEST - 1, |compact, field, kind| match field {
            VALUES => compact.size(&mut page.values),
            _ => compact.skip(kind, DEEPEST - 2),
        }),
        _ => compact.skip(kind, DEEPEST - 1),
    })?;
    Some((page, compact.at))
}

/// Reads the compact protocol. Everything is `None` where the bytes end or make no sense.
struct Compact<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Compact<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn forward(&mut self, bytes: u64) -> Option<()> {
        self.at = self.at.checked_add(usize::try_from(bytes).ok()?).filter(|at| *at <= self.bytes.len())?;
        Some(())
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn integer(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    /// Reads a size that is not negative; the largest counts where a field comes twice.
    fn size(&mut self, size: &mut u64) -> Option<()> {
        *size = u64::try_from(self.integer()?).ok()?.max(*size);
        Some(())
    }

    /// Calls `field` with the number and the type of each field of a struct; it reads the value.
    fn fields(&mut self, depth: usize, mut field: impl FnMut(&mut Self, i16, u8) -> Option<()>) -> Option<()> {
        depth.checked_sub(1)?;
        let mut number = 0_i16;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Some(());
            }
            number = match head >> 4 {
                0 => i16::try_from(self.integer()?).ok()?,
                step => number.checked_add(i16::from(step))?,
            };
            field(self, number, head & 0x0f)?;
        }
    }

    /// Passes over a value of a type.
    fn skip(&mut self, kind: u8, depth: usize) -> Option<()> {
        match kind {
            // The type of a field holds its boolean.
            1 | 2 => Some(()),
            3 => self.forward(1),
            4..=6 => self.varint().map(drop),
            7 => self.forward(8),
            8 => {
                let length = self.varint()?;
                self.forward(length)
            }
            9 | 10 => {
                let head = self.byte()?;
                let count = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
                (0..count).try_for_each(|_| self.skip_item(head & 0x0f, depth.checked_sub(1)?))
            }
            12 => self.fields(depth, |compact, _, kind| compact.skip(kind, depth - 1)),
            // Headers have no maps.
            _ => None,
        }
    }

    /// Passes over an item of a list, where a boolean takes a byte.
    fn skip_item(&mut self, kind: u8, depth: usize) -> Option<()> {
        if matches!(kind, 1 | 2) { self.forward(1) } else { self.skip(kind, depth) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, Int64Array, StringArray};
    use arrow::record_batch::RecordBatch;
    use parquet::arrow::ArrowWriter;
    use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
    use parquet::basic::{Compression, ZstdLevel};
    use parquet::file::properties::{WriterProperties, WriterVersion};

    use super::*;

    #[test]
    fn the_pages_of_a_column_are_found() {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            let texts: ArrayRef = Arc::new(StringArray::from_iter_values((0..20_000).map(|n| format!("{n:0100}"))));
            let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(0..20_000));
            let batch = RecordBatch::try_from_iter([("t", texts), ("n", numbers)]).unwrap();
            let properties = WriterProperties::builder()
                .set_writer_version(version)
                .set_compression(Compression::ZSTD(ZstdLevel::default()))
                .build();
            let file = tempfile::tempfile().unwrap();
            let mut writer = ArrowWriter::try_new(file.try_clone().unwrap(), batch.schema(), Some(properties)).unwrap();
            writer.write(&batch).unwrap();
            writer.close().unwrap();
            let footer = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).unwrap();
            for column in footer.metadata().row_group(0).columns() {
                let pages = page_sizes(&file, column).unwrap().unwrap();
                assert!(pages.len() > 1);
                let unpacked: u64 = pages.iter().map(|page| page.unpacked).sum();
                // The footer counts the headers too.
                let said = column.uncompressed_size() as u64;
                assert!(unpacked < said && said < unpacked + 100 * pages.len() as u64, "{unpacked} {said}");
                assert_eq!(pages.iter().map(|page| page.values).sum::<u64>(), 20_000);
            }
        }
    }

    #[test]
    fn what_is_no_header_is_none() {
        // Fields 1 to 3, then a struct in field 6 with a list of booleans and a text.
        let good = [0x15, 0, 0x15, 0x80, 0x10, 0x15, 0x14, 0x3c, 0x19, 0x21, 1, 0, 0x18, 2, b'a', b'b', 0, 0, 9];
        assert_eq!(header(&good), Some((PageSize { packed: 10, unpacked: 1024, values: 0 }, good.len() - 1)));
        (0..good.len() - 1).for_each(|end| assert_eq!(header(&good[..end]), None, "{end}"));
        let deep = [0x1c; 64];
        let negative = [0x15, 0, 0x15, 1, 0];
        let endless = [0x19, 0xf8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
        for bytes in [&deep[..], &negative, &endless, &[0xff; 32]] {
            assert_eq!(header(bytes), None, "{bytes:x?}");
        }
    }
}
