//! How large the answers to one wish may be together: until they are read, they are in memory, of which a node could fill
//! any amount.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::failure::{Failure, Remedy};

/// Largest answer taken, in bytes: far above what a few blocks need.
pub(crate) const MAX_ANSWER_BYTES: usize = 1 << 29;

/// Bytes of answers that are on their way, read, or wait for others, over all wishes of one piece of work.
pub(crate) const MAX_BYTES_IN_FLIGHT: usize = 768 << 20;

/// How many times the memory of its text what was read may take.
const MORE: usize = 2;

/// Bytes that a wish may still bring.
#[derive(Debug)]
pub(super) struct Allowance {
    most: usize,
    left: AtomicUsize,
}

impl Allowance {
    /// So many bytes, and never more than the largest answer has.
    pub(super) fn of(bytes: usize) -> Allowance {
        let most = bytes.min(MAX_ANSWER_BYTES);
        Allowance { most, left: AtomicUsize::new(most) }
    }

    /// What it was at first.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// What is left of it.
    pub(super) fn left(&self) -> usize {
        self.left.load(Ordering::Relaxed)
    }

    /// What was taken of it.
    pub(super) fn taken(&self) -> usize {
        self.most - self.left()
    }

    /// After an answer of so many bytes.
    pub(super) fn take(&self, bytes: usize) -> Result<(), Failure> {
        let taken = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes));
        taken.map(|_| ()).map_err(|_| self.exceeded())
    }

    /// That what was read takes not many times the memory of its text, which it can: a path of many calls is one number in
    /// the text of each.
    pub(super) fn check_read(&self, bytes: usize) -> Result<(), Failure> {
        if bytes <= self.most.saturating_mul(MORE) { Ok(()) } else { Err(self.exceeded()) }
    }

    /// The failure of an answer that is larger than what is left.
    pub(super) fn exceeded(&self) -> Failure {
        let what = match self.most >> 20 {
            0 => format!("answers with over {} bytes at once", self.most),
            mebibytes => format!("answers with over {mebibytes} MiB at once"),
        };
        Failure::new(Remedy::TooLarge, what)
    }
}

impl Default for Allowance {
    /// One answer as large as any may be.
    fn default() -> Allowance {
        Allowance::of(MAX_ANSWER_BYTES)
    }
}
