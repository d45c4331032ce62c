//! The memory of one query, which it takes from the pool of all queries, and the signal to stop it.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use datafusion::execution::memory_pool::{MemoryConsumer, MemoryPool, MemoryReservation};

use crate::values::{MAX_SIZE, Value};
use quarry_types::{Error, ErrorCode, Result};

/// Steps between two checks of the signal to stop.
const CHECK_EVERY: u32 = 256;
/// Memory is reserved in amounts of at least this size.
const LEAST_RESERVED: usize = 1 << 20;

/// Counts the bytes that a query holds, and its steps.
pub(crate) struct MemoryBudget {
    stop: Arc<AtomicBool>,
    steps: Cell<u32>,
    held: Cell<usize>,
    reservation: RefCell<MemoryReservation>,
}

impl MemoryBudget {
    pub fn new(pool: &Arc<dyn MemoryPool>, stop: Arc<AtomicBool>) -> MemoryBudget {
        let reservation = RefCell::new(MemoryConsumer::new("graph").register(pool));
        MemoryBudget { stop, steps: Cell::new(0), held: Cell::new(0), reservation }
    }

    /// Counts a step of the work; an error when the query was stopped.
    pub fn step(&self) -> Result<()> {
        let steps = self.steps.get().wrapping_add(1);
        self.steps.set(steps);
        if steps.is_multiple_of(CHECK_EVERY) { self.check_stop() } else { Ok(()) }
    }

    /// An error when the query was stopped.
    pub fn check_stop(&self) -> Result<()> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Error::new(ErrorCode::Killed, "The query was stopped."));
        }
        Ok(())
    }

    /// Counts bytes that stay until the end of the query, or until they are released.
    pub fn hold(&self, bytes: usize) -> Result<()> {
        let too_much = || {
            let message = "The query exceeded its memory limit; return or collect fewer values.";
            Error::new(ErrorCode::MemoryLimit, message)
        };
        if bytes >= MAX_SIZE {
            return Err(too_much());
        }
        let held = self.held.get() + bytes;
        self.held.set(held);
        let reservation = self.reservation.borrow_mut();
        if held > reservation.size() {
            let more = (held - reservation.size()).max(LEAST_RESERVED);
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

    /// Releases everything above what was held before.
    pub fn release_to(&self, held: usize) {
        self.held.set(held.min(self.held.get()));
    }
}

/// Bytes that a row holds.
pub(crate) fn row_size(row: &[Value]) -> usize {
    size_of::<Vec<Value>>() + row.iter().map(|value| size_of::<Value>() + value.size()).sum::<usize>()
}
