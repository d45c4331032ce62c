//! Checksums of the blocks of a file, and reading whole blocks to check them.

use std::fs::File;
use std::io::{Error, ErrorKind, Result};
use std::ops::Range;

use bytes::Bytes;
use rustix::buffer::spare_capacity;
use rustix::io::Errno;

use super::of_bytes;

/// Bytes of a block: a page of memory, which a read of any part of it brings from the disk anyway.
pub(super) const BLOCK: u64 = 4096;
/// Bytes of a block's checksum.
pub(super) const SUM: usize = 4;

/// Checksum of one block: the lower half of its XXH64.
pub(super) fn block_sum(block: &[u8]) -> u32 {
    of_bytes(block) as u32
}

/// Checksums of consecutive blocks, up to the end of what has any.
#[derive(Debug)]
pub struct BlockSums {
    /// Number of the first block.
    first: u64,
    sums: Box<[u32]>,
    /// End of the last block in the file; only this one may be shorter than the others.
    end: u64,
}

impl BlockSums {
    /// Those that stand at the beginning of `tail`, which itself begins at `end` of the file.
    pub(super) fn parse(tail: &[u8], end: u64) -> Option<BlockSums> {
        let length = usize::try_from(end.div_ceil(BLOCK)).ok()?.checked_mul(SUM)?;
        let sums = tail.get(..length)?.as_chunks::<SUM>().0.iter().map(|sum| u32::from_le_bytes(*sum));
        Some(BlockSums { first: 0, sums: sums.collect(), end })
    }

    /// Those of the blocks from a place of the file on.
    pub fn starting_at(&self, place: u64) -> BlockSums {
        let skipped = (place / BLOCK).saturating_sub(self.first).min(self.sums.len() as u64);
        let sums = self.sums.iter().skip(skipped as usize).copied().collect();
        BlockSums { first: self.first + skipped, sums, end: self.end }
    }

    /// Bytes that they take in memory.
    pub fn memory_size(&self) -> usize {
        size_of_val(&*self.sums)
    }

    /// The whole blocks around a range of bytes; `None` where some of it has no checksum.
    fn whole_blocks(&self, range: &Range<u64>) -> Option<Range<u64>> {
        let start = range.start / BLOCK * BLOCK;
        let end = range.end.checked_next_multiple_of(BLOCK)?.min(self.end);
        (range.start <= range.end && range.end <= self.end && start >= self.first * BLOCK).then_some(start..end)
    }

    /// Checks whole blocks that begin at `start`.
    fn check(&self, start: u64, blocks: &[u8]) -> Result<()> {
        let mut place = start;
        for block in blocks.chunks(BLOCK as usize) {
            let known = self.sums.get((place / BLOCK - self.first) as usize);
            if known != Some(&block_sum(block)) {
                return Err(changed(place..place + block.len() as u64));
            }
            place += block.len() as u64;
        }
        Ok(())
    }
}

/// Bytes of a file, checked where checksums are given.
pub fn read_at(file: &File, sums: Option<&BlockSums>, range: Range<u64>) -> Result<Bytes> {
    let Some(sums) = sums else { return unchecked(file, &range) };
    if range.is_empty() {
        return Ok(Bytes::new());
    }
    let whole = sums.whole_blocks(&range).ok_or_else(|| changed(range.clone()))?;
    let blocks = unchecked(file, &whole)?;
    sums.check(whole.start, &blocks)?;
    let from = (range.start - whole.start) as usize;
    Ok(blocks.slice(from..from + (range.end - range.start) as usize))
}

/// Reads into memory that was not cleared for it: clearing takes longer than looking a row up.
pub(super) fn unchecked(file: &File, range: &Range<u64>) -> Result<Bytes> {
    let length = range.end.checked_sub(range.start).and_then(|length| usize::try_from(length).ok());
    let length = length.ok_or(ErrorKind::InvalidInput)?;
    let mut buffer = Vec::with_capacity(length);
    while buffer.len() < length {
        let place = range.start + buffer.len() as u64;
        match rustix::io::pread(file, spare_capacity(&mut buffer), place) {
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
