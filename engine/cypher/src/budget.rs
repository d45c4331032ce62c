//! What one query may take: memory from the pool all queries share, and the signal to stop.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use datafusion::execution::memory_pool::{MemoryConsumer, MemoryPool, MemoryReservation};

use crate::value::{LARGEST, Value};
use quarry_types::{Error, ErrorCode, Result};

/// Steps between two looks at the signal to stop.
const LOOK_EVERY: u32 = 256;
/// Memory is asked for in pieces of this size.
const PIECE: usize = 1 << 20;

/// Counts what a query holds and how far it went.
pub(crate) struct Budget {
    stop: Arc<AtomicBool>,
    steps: Cell<u32>,
    held: Cell<usize>,
    reservation: RefCell<MemoryReservation>,
}

impl Budget {
    pub fn new(pool: &Arc<dyn MemoryPool>, stop: Arc<AtomicBool>) -> Budget {
        let reservation = RefCell::new(MemoryConsumer::new("graph").register(pool));
        Budget { stop, steps: Cell::new(0), held: Cell::new(0), reservation }
    }

    /// Called at every step of the work: an error when it was stopped.
    pub fn step(&self) -> Result<()> {
        let steps = self.steps.get().wrapping_add(1);
        self.steps.set(steps);
        if steps.is_multiple_of(LOOK_EVERY) { self.look() } else { Ok(()) }
    }

    /// Looks at the signal to stop.
    pub fn look(&self) -> Result<()> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Error::new(ErrorCode::Killed, "The query was stopped."));
        }
        Ok(())
    }

    /// Counts bytes that stay until the end of the query, or until they are released.
    pub fn hold(&self, bytes: usize) -> Result<()> {
        let too_much = || {
            let message = "The query needed more memory than it may have; return or collect fewer values.";
            Error::new(ErrorCode::MemoryLimit, message)
        };
        if bytes >= LARGEST {
            return Err(too_much());
        }
        let held = self.held.get() + bytes;
        self.held.set(held);
        let reservation = self.reservation.borrow_mut();
        if held > reservation.size() {
            let more = (held - reservation.size()).max(PIECE);
            reservation.try_grow(more).map_err(|error| too_much().because(error))?;
        }
        Ok(())
    }

    pub fn hold_row(&self, row: &[Value]) -> Result<()> {
        self.hold(row_size(row))
    }

    /// Bytes held so far.
    pub fn held(&self) -> usize {
        self.held.get()
    }

    /// Back to what was held before: the rest is gone.
    pub fn release_to(&self, held: usize) {
        self.held.set(held.min(self.held.get()));
    }
}

/// Bytes that a row holds.
pub(crate) fn row_size(row: &[Value]) -> usize {
    size_of::<Vec<Value>>() + row.iter().map(|value| size_of::<Value>() + value.size()).sum::<usize>()
}
