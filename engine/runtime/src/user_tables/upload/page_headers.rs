//! Reads the sizes of Parquet pages from their headers. The parquet crate allocates what a header says, and a malicious upload may
//! have another size in its footer.
//!
//! Headers are structs of Thrift's compact protocol:
//! <https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>,
//! <https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift> (`PageHeader`).

use std::fs::File;

use parquet::file::metadata::ColumnChunkMetaData;

use quarry_lake::checksums::read_at;
use quarry_types::Result;

/// Bytes of a typical header, and of the longest one, which includes statistics.
const TYPICAL_HEADER: u64 = 256;
const MAX_HEADER: u64 = 1 << 20;
/// Nesting of structs; the format has three levels.
const MAX_DEPTH: usize = 8;
// Field numbers of a header.
const UNCOMPRESSED_SIZE: i16 = 2;
const COMPRESSED_SIZE: i16 = 3;
const DATA_PAGE: i16 = 5;
const DATA_PAGE_V2: i16 = 8;
/// Field number in the header of a data page of either version.
const VALUES: i16 = 1;

/// Sizes of a page, from its header.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PageSize {
    /// Bytes in the file.
    pub compressed: u64,
    /// Bytes in memory.
    pub uncompressed: u64,
    /// Values, including nulls; 0 for a dictionary. Reading the page fails if it has fewer.
    pub values: u64,
}

/// The pages of a column chunk in order; `None` if their headers can't be read.
pub(super) fn page_sizes(file: &File, column: &ColumnChunkMetaData) -> Result<Option<Vec<PageSize>>> {
    let (mut at, length) = column.byte_range();
    let Some(end) = at.checked_add(length).filter(|end| file.metadata().is_ok_and(|file| *end <= file.len())) else {
        return Ok(None);
    };
    let mut pages = Vec::new();
    while at < end {
        let Some((page, header)) = header_at(file, at, end)? else { return Ok(None) };
        let Some(next) = at.checked_add(header as u64).and_then(|at| at.checked_add(page.compressed)) else {
            return Ok(None);
        };
        pages.push(page);
        at = next;
    }
    Ok(Some(pages))
}

/// The header at an offset. Reads start small, so that a file of very short pages is not read many times.
fn header_at(file: &File, at: u64, end: u64) -> Result<Option<(PageSize, usize)>> {
    let mut length = TYPICAL_HEADER;
    loop {
        let bytes = read_at(file, None, at..end.min(at + length))?;
        match parse_header(&bytes) {
            None if length < MAX_HEADER && at + length < end => length *= 8,
            found => return Ok(found),
        }
    }
}

/// The sizes in a header, and the length of the header.
fn parse_header(bytes: &[u8]) -> Option<(PageSize, usize)> {
    let mut compact = CompactReader { bytes, at: 0 };
    let mut page = PageSize::default();
    compact.fields(MAX_DEPTH, |compact, field, kind| match field {
        UNCOMPRESSED_SIZE => compact.size(&mut page.uncompressed),
        COMPRESSED_SIZE => compact.size(&mut page.compressed),
        DATA_PAGE | DATA_PAGE_V2 => compact.fields(MAX_DEPTH - 1, |compact, field, kind| match field {
            VALUES => compact.size(&mut page.values),
            _ => compact.skip(kind, MAX_DEPTH - 2),
        }),
        _ => compact.skip(kind, MAX_DEPTH - 1),
    })?;
    Some((page, compact.at))
}

/// Reads the compact protocol. All methods return `None` at the end of the bytes, or for invalid ones.
struct CompactReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl CompactReader<'_> {
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

    /// Reads a size; of a duplicate field the larger one counts.
    fn size(&mut self, size: &mut u64) -> Option<()> {
        *size = u64::try_from(self.integer()?).ok()?.max(*size);
        Some(())
    }

    /// Calls `field` with the number and type of each field of a struct. It must read the value.
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

    /// Skips a value of a type.
    fn skip(&mut self, kind: u8, depth: usize) -> Option<()> {
        match kind {
            // The type of a field contains the boolean.
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

    /// Skips an item of a list, where a boolean is a byte.
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
    fn page_headers_are_found() {
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
                let uncompressed: u64 = pages.iter().map(|page| page.uncompressed).sum();
                // The footer counts the headers too.
                let said = column.uncompressed_size() as u64;
                assert!(uncompressed < said && said < uncompressed + 100 * pages.len() as u64, "{uncompressed} {said}");
                assert_eq!(pages.iter().map(|page| page.values).sum::<u64>(), 20_000);
            }
        }
    }

    #[test]
    fn invalid_headers_are_none() {
        // Fields 1 to 3, then a struct in field 6 with a list of booleans and a text.
        let good = [0x15, 0, 0x15, 0x80, 0x10, 0x15, 0x14, 0x3c, 0x19, 0x21, 1, 0, 0x18, 2, b'a', b'b', 0, 0, 9];
        assert_eq!(
            parse_header(&good),
            Some((PageSize { compressed: 10, uncompressed: 1024, values: 0 }, good.len() - 1))
        );
        (0..good.len() - 1).for_each(|end| assert_eq!(parse_header(&good[..end]), None, "{end}"));
        let deep = [0x1c; 64];
        let negative = [0x15, 0, 0x15, 1, 0];
        let endless = [0x19, 0xf8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
        for bytes in [&deep[..], &negative, &endless, &[0xff; 32]] {
            assert_eq!(parse_header(bytes), None, "{bytes:x?}");
        }
    }
}
