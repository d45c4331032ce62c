//! A query while it runs: its memory pool, progress, cancellation, and files that it found damaged.

pub(crate) mod damage;
pub(crate) mod pool;
pub(crate) mod progress;
pub(crate) mod shared;
mod stoppable;
pub(crate) mod stopping;
pub(super) mod yielding;
