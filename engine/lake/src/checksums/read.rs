//! A file as the parquet and arrow crates read it, checked as far as its checksums are known.

use std::fs::File;
use std::io::{BufReader, Error, ErrorKind, Read, Result, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use parquet::file::reader::{ChunkReader, Length};

use super::blocks::{BlockSums, changed, read_at, unchecked};
use super::{Checksums, Tail, of_bytes};

/// Bytes that a sequential reader asks for at once.
const AHEAD: usize = 16 << 10;

/// An open file; clones share it.
#[derive(Debug, Clone)]
pub struct CheckedFile {
    file: Arc<File>,
    length: u64,
    checked: Option<Checked>,
}

#[derive(Debug, Clone)]
struct Checked {
    sums: Arc<BlockSums>,
    from: u64,
    /// What follows `from`, which was checked as a whole.
    tail: Bytes,
}

impl CheckedFile {
    /// Takes an open file; of one with checksums its tail is read and checked.
    ///
    /// # Errors
    /// The tail can't be read, or differs from its checksum.
    pub fn new(file: File, checksums: Option<Checksums>) -> Result<CheckedFile> {
        let length = file.metadata()?.len();
        let checked = match checksums.and_then(|known| known.tail) {
            Some(Tail { from, sum }) => {
                let tail = unchecked(&file, &(from..length))?;
                let sums = BlockSums::parse(&tail, from).filter(|_| of_bytes(&tail) == sum);
                let sums = Arc::new(sums.ok_or_else(|| changed(from..length))?);
                Some(Checked { sums, from, tail })
            }
            None => None,
        };
        Ok(CheckedFile { file: Arc::new(file), length, checked })
    }

    /// Bytes at a place of the file.
    ///
    /// # Errors
    /// They can't be read, or differ from their checksum.
    pub fn read(&self, range: Range<u64>) -> Result<Bytes> {
        match &self.checked {
            Some(Checked { from, tail, .. }) if range.start >= *from => {
                let within = (range.start - from) as usize..range.end.saturating_sub(*from) as usize;
                let is_inside = within.start <= within.end && within.end <= tail.len();
                if is_inside { Ok(tail.slice(within)) } else { Err(ErrorKind::UnexpectedEof.into()) }
            }
            // What the parquet crate reads as one may reach from the rows into the tail.
            Some(Checked { from, .. }) if range.end > *from => {
                let parts = [self.read(range.start..*from)?, self.read(*from..range.end)?];
                Ok(Bytes::from(parts.concat()))
            }
            checked => read_at(&self.file, checked.as_ref().map(|checked| &*checked.sums), range),
        }
    }

    /// The checksums of its blocks, if it has any.
    pub fn sums(&self) -> Option<Arc<BlockSums>> {
        self.checked.as_ref().map(|checked| Arc::clone(&checked.sums))
    }

    /// The bytes before the tail, one after the other.
    pub fn body(self) -> BufReader<CheckedReader> {
        let end = self.checked.as_ref().map_or(self.length, |checked| checked.from);
        BufReader::with_capacity(AHEAD, CheckedReader { file: self, place: 0, end })
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
        let reader = CheckedReader { file: self.clone(), place: start, end: self.length };
        Ok(BufReader::with_capacity(AHEAD, reader))
    }

    fn get_bytes(&self, start: u64, length: usize) -> parquet::errors::Result<Bytes> {
        let end = start.checked_add(length as u64).ok_or(ErrorKind::InvalidInput);
        Ok(end.map_err(Error::from).and_then(|end| self.read(start..end))?)
    }
}

/// Reads a [`CheckedFile`] from a place on.
#[derive(Debug)]
pub struct CheckedReader {
    file: CheckedFile,
    place: u64,
    end: u64,
}

impl Read for CheckedReader {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let length = (buffer.len() as u64).min(self.end.saturating_sub(self.place));
        let bytes = self.file.read(self.place..self.place + length)?;
        buffer[..bytes.len()].copy_from_slice(&bytes);
        self.place += length;
        Ok(bytes.len())
    }
}

impl Seek for CheckedReader {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::End(by) => self.end.checked_add_signed(by),
            SeekFrom::Current(by) => self.place.checked_add_signed(by),
        };
        self.place = place.ok_or(ErrorKind::InvalidInput)?;
        Ok(self.place)
    }
}
