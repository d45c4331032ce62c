//! Checksums of the blocks of a file, and reads that verify them.

use std::fs::File;
use std::io::{Error, ErrorKind, Result};
use std::ops::Range;

use bytes::Bytes;
use rustix::buffer::spare_capacity;
use rustix::io::Errno;

use super::xxh64;

/// Bytes of a block: a page of memory, which the system reads from disk as a whole.
pub(super) const BLOCK: u64 = 4096;
/// Bytes of a block's checksum.
pub(super) const SUM: usize = 4;

/// Checksum of one block: the lower half of its XXH64.
pub(super) fn block_sum(block: &[u8]) -> u32 {
    xxh64(block) as u32
}

/// Checksums of consecutive blocks, up to the last block with one.
#[derive(Debug)]
pub struct BlockSums {
    /// Number of the first block.
    first: u64,
    sums: Box<[u32]>,
    /// End of the last block in the file, which may be shorter than the others.
    end: u64,
}

impl BlockSums {
    /// Reads the checksums at the start of `tail`, which starts at `end` of the file.
    pub(super) fn parse(tail: &[u8], end: u64) -> Option<BlockSums> {
        let length = usize::try_from(end.div_ceil(BLOCK)).ok()?.checked_mul(SUM)?;
        let sums = tail.get(..length)?.as_chunks::<SUM>().0.iter().map(|sum| u32::from_le_bytes(*sum));
        Some(BlockSums { first: 0, sums: sums.collect(), end })
    }

    /// The checksums of the blocks from an offset of the file on.
    pub fn starting_at(&self, offset: u64) -> BlockSums {
        let skipped = (offset / BLOCK).saturating_sub(self.first).min(self.sums.len() as u64);
        let sums = self.sums.iter().skip(skipped as usize).copied().collect();
        BlockSums { first: self.first + skipped, sums, end: self.end }
    }

    /// Bytes in memory.
    pub fn memory_size(&self) -> usize {
        size_of_val(&*self.sums)
    }

    /// The whole blocks around a range of bytes; `None` if some have no checksum.
    fn whole_blocks(&self, range: &Range<u64>) -> Option<Range<u64>> {
        let start = range.start / BLOCK * BLOCK;
        let end = range.end.checked_next_multiple_of(BLOCK)?.min(self.end);
        (range.start <= range.end && range.end <= self.end && start >= self.first * BLOCK).then_some(start..end)
    }

    /// Verifies whole blocks that start at `start`.
    fn verify(&self, start: u64, blocks: &[u8]) -> Result<()> {
        let mut offset = start;
        for block in blocks.chunks(BLOCK as usize) {
            let known = self.sums.get((offset / BLOCK - self.first) as usize);
            if known != Some(&block_sum(block)) {
                return Err(changed(offset..offset + block.len() as u64));
            }
            offset += block.len() as u64;
        }
        Ok(())
    }
}

/// Reads bytes of a file and verifies them if there are checksums.
pub fn read_at(file: &File, sums: Option<&BlockSums>, range: Range<u64>) -> Result<Bytes> {
    let Some(sums) = sums else { return read_unverified(file, &range) };
    if range.is_empty() {
        return Ok(Bytes::new());
    }
    let whole = sums.whole_blocks(&range).ok_or_else(|| changed(range.clone()))?;
    let blocks = read_unverified(file, &whole)?;
    sums.verify(whole.start, &blocks)?;
    let from = (range.start - whole.start) as usize;
    Ok(blocks.slice(from..from + (range.end - range.start) as usize))
}

/// Reads into uninitialized memory: clearing it would take longer than a lookup of a row.
pub(super) fn read_unverified(file: &File, range: &Range<u64>) -> Result<Bytes> {
    let length = range.end.checked_sub(range.start).and_then(|length| usize::try_from(length).ok());
    let length = length.ok_or(ErrorKind::InvalidInput)?;
    let mut buffer = Vec::with_capacity(length);
    while buffer.len() < length {
        let offset = range.start + buffer.len() as u64;
        match rustix::io::pread(file, spare_capacity(&mut buffer), offset) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    buffer.truncate(length);
    Ok(Bytes::from(buffer))
}

pub(super) fn changed(range: Range<u64>) -> Error {
    Error::other(format!("bytes {} to {} differ from their checksum", range.start, range.end))
}
