//! Readers for the parquet and arrow crates that verify checksums.

use std::fs::File;
use std::io::{BufReader, Error, ErrorKind, Read, Result, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use parquet::file::reader::{ChunkReader, Length};

use super::blocks::{BlockSums, changed, read_at, read_unverified};
use super::{Checksums, Tail, xxh64};

/// Buffer of a sequential reader, in bytes.
const BUFFER: usize = 16 << 10;

/// An open file; clones share it.
#[derive(Debug, Clone)]
pub struct CheckedFile {
    file: Arc<File>,
    length: u64,
    verified: Option<Verified>,
}

#[derive(Debug, Clone)]
struct Verified {
    sums: Arc<BlockSums>,
    from: u64,
    /// Everything from `from` on, verified.
    tail: Bytes,
}

impl CheckedFile {
    /// Reads and verifies the tail of a file with checksums.
    ///
    /// # Errors
    /// The tail can't be read, or differs from its checksum.
    pub fn new(file: File, checksums: Option<Checksums>) -> Result<CheckedFile> {
        let length = file.metadata()?.len();
        let verified = match checksums.and_then(|known| known.tail) {
            Some(Tail { from, sum }) => {
                let tail = read_unverified(&file, &(from..length))?;
                let sums = BlockSums::parse(&tail, from).filter(|_| xxh64(&tail) == sum);
                let sums = Arc::new(sums.ok_or_else(|| changed(from..length))?);
                Some(Verified { sums, from, tail })
            }
            None => None,
        };
        Ok(CheckedFile { file: Arc::new(file), length, verified })
    }

    /// Reads a range of bytes.
    ///
    /// # Errors
    /// They can't be read, or differ from their checksum.
    pub fn read(&self, range: Range<u64>) -> Result<Bytes> {
        match &self.verified {
            Some(Verified { from, tail, .. }) if range.start >= *from => {
                let within = (range.start - from) as usize..range.end.saturating_sub(*from) as usize;
                let is_inside = within.start <= within.end && within.end <= tail.len();
                if is_inside { Ok(tail.slice(within)) } else { Err(ErrorKind::UnexpectedEof.into()) }
            }
            // A read of the parquet crate may extend from the rows into the tail.
            Some(Verified { from, .. }) if range.end > *from => {
                let parts = [self.read(range.start..*from)?, self.read(*from..range.end)?];
                Ok(Bytes::from(parts.concat()))
            }
            verified => read_at(&self.file, verified.as_ref().map(|verified| &*verified.sums), range),
        }
    }

    /// The checksums of its blocks, if it has any.
    pub fn sums(&self) -> Option<Arc<BlockSums>> {
        self.verified.as_ref().map(|verified| Arc::clone(&verified.sums))
    }

    /// A reader of the bytes before the tail.
    pub fn body(self) -> BufReader<CheckedReader> {
        let end = self.verified.as_ref().map_or(self.length, |verified| verified.from);
        BufReader::with_capacity(BUFFER, CheckedReader { file: self, offset: 0, end })
    }
}

impl Length for CheckedFile {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for CheckedFile {
    type T = BufReader<CheckedReader>;

    fn get_read(&self, start: u64) -> parquet::errors::Result<Self::T> {
        let reader = CheckedReader { file: self.clone(), offset: start, end: self.length };
        Ok(BufReader::with_capacity(BUFFER, reader))
    }

    fn get_bytes(&self, start: u64, length: usize) -> parquet::errors::Result<Bytes> {
        let end = start.checked_add(length as u64).ok_or(ErrorKind::InvalidInput);
        Ok(end.map_err(Error::from).and_then(|end| self.read(start..end))?)
    }
}

/// Reads a [`CheckedFile`] from an offset on.
#[derive(Debug)]
pub struct CheckedReader {
    file: CheckedFile,
    offset: u64,
    end: u64,
}

impl Read for CheckedReader {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let length = (buffer.len() as u64).min(self.end.saturating_sub(self.offset));
        let bytes = self.file.read(self.offset..self.offset + length)?;
        buffer[..bytes.len()].copy_from_slice(&bytes);
        self.offset += length;
        Ok(bytes.len())
    }
}

impl Seek for CheckedReader {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let offset = match to {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::End(by) => self.end.checked_add_signed(by),
            SeekFrom::Current(by) => self.offset.checked_add_signed(by),
        };
        self.offset = offset.ok_or(ErrorKind::InvalidInput)?;
        Ok(self.offset)
    }
}
