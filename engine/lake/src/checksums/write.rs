//! Computes checksums while a file is written.

use std::hash::Hasher;
use std::io::{Result, Write};

use parquet::arrow::ArrowWriter;
use twox_hash::XxHash64;

use super::blocks::{BLOCK, block_sum};
use super::{Checksums, Tail};

/// Ends the rows of a Parquet file whose row groups are all flushed: the checksums of its blocks follow them.
pub fn begin_tail<W: Write + Send>(parquet: &mut ArrowWriter<SummingWriter<W>>) -> Result<()> {
    // What waits in a buffer belongs to the blocks, not to the tail.
    parquet.sync()?;
    let sums = parquet.inner_mut().begin_tail();
    parquet.write_all(&sums)
}

/// A writer that computes the checksums of what passes through it.
pub struct SummingWriter<W> {
    inner: W,
    file: XxHash64,
    written: u64,
    /// Of the blocks that are complete.
    sums: Vec<u8>,
    /// The bytes of the block that is not.
    begun: Vec<u8>,
    tail: Option<(u64, XxHash64)>,
}

impl<W: Write> SummingWriter<W> {
    pub fn new(inner: W) -> SummingWriter<W> {
        let begun = Vec::with_capacity(BLOCK as usize);
        SummingWriter { inner, file: XxHash64::with_seed(0), written: 0, sums: Vec::new(), begun, tail: None }
    }

    pub fn inner(&self) -> &W {
        &self.inner
    }

    /// Begins the tail and returns the checksums of the blocks so far, which must be the next that is written.
    pub fn begin_tail(&mut self) -> Vec<u8> {
        if !self.begun.is_empty() {
            self.sums.extend(block_sum(&self.begun).to_le_bytes());
            self.begun.clear();
        }
        self.tail = Some((self.written, XxHash64::with_seed(0)));
        std::mem::take(&mut self.sums)
    }

    /// Of all that was written.
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
        if !self.begun.is_empty() {
            let (first, rest) = bytes.split_at(bytes.len().min(BLOCK as usize - self.begun.len()));
            self.begun.extend(first);
            if self.begun.len() < BLOCK as usize {
                return;
            }
            self.sums.extend(block_sum(&self.begun).to_le_bytes());
            self.begun.clear();
            bytes = rest;
        }
        let mut blocks = bytes.chunks_exact(BLOCK as usize);
        blocks.by_ref().for_each(|block| self.sums.extend(block_sum(block).to_le_bytes()));
        self.begun.extend(blocks.remainder());
    }
}

impl<W: Write> Write for SummingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let written = self.inner.write(bytes)?;
        self.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> Result<()> {
        self.inner.flush()
    }
}
