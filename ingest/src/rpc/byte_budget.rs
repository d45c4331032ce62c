//! Limits the size of responses, so that a node can't fill the memory.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::failure::{Failure, Remedy};

/// Maximum bytes of a response, far above what a few blocks need.
pub(crate) const MAX_ANSWER_BYTES: usize = 1 << 29;

/// Maximum bytes of responses that are received, parsed or waiting, over all requests of an operation.
pub(crate) const MAX_BYTES_IN_FLIGHT: usize = 768 << 20;

/// Maximum ratio of the memory of parsed data to that of its text.
const MORE: usize = 2;

/// Bytes that responses may still have.
#[derive(Debug)]
pub(super) struct ByteBudget {
    most: usize,
    left: AtomicUsize,
}

impl ByteBudget {
    /// A budget of `bytes`, at most the maximum of a response.
    pub(super) fn of(bytes: usize) -> ByteBudget {
        let most = bytes.min(MAX_ANSWER_BYTES);
        ByteBudget { most, left: AtomicUsize::new(most) }
    }

    /// The initial bytes.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// The remaining bytes.
    pub(super) fn left(&self) -> usize {
        self.left.load(Ordering::Relaxed)
    }

    /// The used bytes.
    pub(super) fn taken(&self) -> usize {
        self.most - self.left()
    }

    /// Subtracts a response.
    pub(super) fn take(&self, bytes: usize) -> Result<(), Failure> {
        let taken = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes));
        taken.map(|_| ()).map_err(|_| self.exceeded())
    }

    /// Checks the memory of parsed data against its text. Trace addresses can be far larger: each call repeats the path
    /// of its parent.
    pub(super) fn check_read(&self, bytes: usize) -> Result<(), Failure> {
        if bytes <= self.most.saturating_mul(MORE) { Ok(()) } else { Err(self.exceeded()) }
    }

    /// The failure of a response that exceeds the remaining bytes.
    pub(super) fn exceeded(&self) -> Failure {
        let what = match self.most >> 20 {
            0 => format!("returned more than {} bytes at once", self.most),
            mebibytes => format!("returned more than {mebibytes} MiB at once"),
        };
        Failure::new(Remedy::TooLarge, what)
    }
}

impl Default for ByteBudget {
    /// The maximum of a response.
    fn default() -> ByteBudget {
        ByteBudget::of(MAX_ANSWER_BYTES)
    }
}
