//! Plans what to fetch: the missing blocks of a range, in pieces that are published at once.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use quarry_lake::BlockRange;

/// Blocks of the first piece, before anything is known about the chain and the node.
const FIRST_PIECE: u64 = 100;
const SMALLEST_PIECE: u64 = 10;
const LARGEST_PIECE: u64 = 20_000;
/// Rows of all tables that make files of a good size.
const PIECE_ROWS: u64 = 500_000;
/// Maximum work that is lost when the process is killed.
const PIECE_TIME: Duration = Duration::from_secs(20);

/// The number of blocks of a piece, adapted to earlier pieces.
#[derive(Debug, Clone)]
pub(crate) struct PieceSize {
    blocks: Arc<AtomicU64>,
    fixed: bool,
}

impl PieceSize {
    pub(crate) fn new() -> PieceSize {
        PieceSize { blocks: Arc::new(AtomicU64::new(FIRST_PIECE)), fixed: false }
    }

    /// A fixed number of blocks.
    pub(crate) fn fixed(blocks: u64) -> PieceSize {
        PieceSize { blocks: Arc::new(AtomicU64::new(blocks)), fixed: true }
    }

    /// Adapts to a piece of `blocks` blocks that had `rows` rows and took `time`.
    pub(crate) fn learn(&self, blocks: u64, rows: u64, time: Duration) {
        if self.fixed {
            return;
        }
        let by_rows = blocks as f64 * PIECE_ROWS as f64 / rows.max(1) as f64;
        let by_time = blocks as f64 * PIECE_TIME.as_secs_f64() / time.as_secs_f64().max(0.001);
        let before = self.get();
        // The cast saturates. Growth is bounded because pieces differ.
        let size = (by_rows.min(by_time) as u64).min(before * 4).clamp(SMALLEST_PIECE, LARGEST_PIECE);
        self.blocks.store(size, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.blocks.load(Ordering::Relaxed)
    }
}

/// The blocks of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) blocks: BlockRange,
    /// The piece of the step: all its blocks are published at once.
    pub(crate) piece: BlockRange,
}

/// The steps of the missing ranges in ascending order. A piece gets its size with its first step.
pub(crate) struct Steps<F> {
    missing: VecDeque<BlockRange>,
    size: PieceSize,
    /// Current number of blocks of a request.
    step: F,
    /// Next block and current piece.
    current: Option<(i64, BlockRange)>,
}

impl<F: Fn() -> u64> Steps<F> {
    /// `step` is the current number of blocks of a request.
    pub(crate) fn new(missing: Vec<BlockRange>, size: PieceSize, step: F) -> Steps<F> {
        Steps { missing: missing.into(), size, step, current: None }
    }

    fn next_piece(&mut self) -> Option<(i64, BlockRange)> {
        let range = self.missing.pop_front()?;
        let piece = first(range, self.size.get());
        if piece.to < range.to {
            self.missing.push_front(BlockRange { from: piece.to + 1, to: range.to });
        }
        Some((piece.from, piece))
    }
}

impl<F: Fn() -> u64> Iterator for Steps<F> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let (from, piece) = match self.current.take() {
            Some(current) => current,
            None => self.next_piece()?,
        };
        let blocks = first(BlockRange { from, to: piece.to }, (self.step)());
        self.current = (blocks.to < piece.to).then(|| (blocks.to + 1, piece));
        Some(Step { blocks, piece })
    }
}

/// Takes at most `blocks` blocks from the start of a range.
fn first(range: BlockRange, blocks: u64) -> BlockRange {
    let more = i64::try_from(blocks.max(1) - 1).unwrap_or(i64::MAX);
    BlockRange { from: range.from, to: range.from.saturating_add(more).min(range.to) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(pairs: &[(i64, i64)]) -> Vec<BlockRange> {
        pairs.iter().map(|&(from, to)| BlockRange { from, to }).collect()
    }

    #[test]
    fn steps_cover_what_is_missing_once_and_in_order() {
        let missing = ranges(&[(5, 5), (10, 234), (i64::MAX - 3, i64::MAX)]);
        let steps: Vec<Step> = Steps::new(missing.clone(), PieceSize::new(), || 7).collect();
        let of_steps: Vec<i64> = steps.iter().flat_map(|step| step.blocks.from..=step.blocks.to).collect();
        let of_missing: Vec<i64> = missing.iter().flat_map(|range| range.from..=range.to).collect();
        assert_eq!(of_steps, of_missing);
        let mut pieces: Vec<BlockRange> = steps.iter().map(|step| step.piece).collect();
        pieces.dedup();
        assert_eq!(pieces, ranges(&[(5, 5), (10, 109), (110, 209), (210, 234), (i64::MAX - 3, i64::MAX)]));
        for step in steps {
            assert!(
                step.blocks.blocks() <= 7 && step.piece.from <= step.blocks.from && step.blocks.to <= step.piece.to
            );
        }
    }

    #[test]
    fn a_piece_takes_the_size_learnt_meanwhile() {
        let size = PieceSize::new();
        let mut steps = Steps::new(ranges(&[(0, 10_000)]), size.clone(), || 1_000_000);
        assert_eq!(steps.next().map(|step| step.piece), Some(BlockRange { from: 0, to: 99 }));
        size.learn(100, 1000, Duration::from_millis(1));
        assert_eq!(steps.next().map(|step| step.piece), Some(BlockRange { from: 100, to: 499 }), "four times as many");
    }

    #[test]
    fn sizes_follow_rows_and_time() {
        let learnt = |blocks, rows, took| {
            let size = PieceSize::new();
            size.learn(blocks, rows, took);
            size.get()
        };
        assert_eq!(learnt(100, 500_000, Duration::from_secs(1)), 100);
        assert_eq!(learnt(100, 1_000_000, Duration::from_secs(1)), 50);
        assert_eq!(learnt(100, 0, Duration::from_secs(80)), 25);
        assert_eq!(learnt(100, u64::MAX, Duration::MAX), SMALLEST_PIECE);
        assert_eq!(learnt(100, 0, Duration::ZERO), 400);
    }
}
