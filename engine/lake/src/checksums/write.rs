//! Computes checksums while a file is written.

use std::hash::Hasher;
use std::io::{Result, Write};

use parquet::arrow::ArrowWriter;
use twox_hash::XxHash64;

use super::blocks::{BLOCK, block_sum};
use super::{Checksums, Tail};

/// Writes the checksums of the blocks of a Parquet file. All row groups must be flushed.
pub fn begin_tail<W: Write + Send>(parquet: &mut ArrowWriter<ChecksumWriter<W>>) -> Result<()> {
    // Buffered bytes belong to the blocks, not to the tail.
    parquet.sync()?;
    let sums = parquet.inner_mut().begin_tail();
    parquet.write_all(&sums)
}

/// A writer that computes the checksums of everything written.
pub struct ChecksumWriter<W> {
    inner: W,
    file: XxHash64,
    written: u64,
    /// Checksums of the complete blocks.
    sums: Vec<u8>,
    /// Bytes of the incomplete block.
    partial: Vec<u8>,
    tail: Option<(u64, XxHash64)>,
}

impl<W: Write> ChecksumWriter<W> {
    pub fn new(inner: W) -> ChecksumWriter<W> {
        let partial = Vec::with_capacity(BLOCK as usize);
        ChecksumWriter { inner, file: XxHash64::with_seed(0), written: 0, sums: Vec::new(), partial, tail: None }
    }

    pub fn inner(&self) -> &W {
        &self.inner
    }

    /// Starts the tail and returns the checksums of all blocks, which must be written next.
    pub fn begin_tail(&mut self) -> Vec<u8> {
        if !self.partial.is_empty() {
            self.sums.extend(block_sum(&self.partial).to_le_bytes());
            self.partial.clear();
        }
        self.tail = Some((self.written, XxHash64::with_seed(0)));
        std::mem::take(&mut self.sums)
    }

    /// The checksums of everything written.
    pub fn checksums(&self) -> Checksums {
        let tail = self.tail.as_ref().map(|(from, sum)| Tail { from: *from, sum: sum.finish() });
        Checksums { file: self.file.finish(), tail }
    }

    fn add(&mut self, mut bytes: &[u8]) {
        self.file.write(bytes);
        self.written += bytes.len() as u64;
        if let Some((_, sum)) = &mut self.tail {
            sum.write(bytes);
            return;
        }
        if !self.partial.is_empty() {
            let (first, rest) = bytes.split_at(bytes.len().min(BLOCK as usize - self.partial.len()));
            self.partial.extend(first);
            if self.partial.len() < BLOCK as usize {
                return;
            }
            self.sums.extend(block_sum(&self.partial).to_le_bytes());
            self.partial.clear();
            bytes = rest;
        }
        let mut blocks = bytes.chunks_exact(BLOCK as usize);
        blocks.by_ref().for_each(|block| self.sums.extend(block_sum(block).to_le_bytes()));
        self.partial.extend(blocks.remainder());
    }
}

impl<W: Write> Write for ChecksumWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let written = self.inner.write(bytes)?;
        self.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> Result<()> {
        self.inner.flush()
    }
}
