//! A query while it runs: its memory pool, progress, cancellation, and files that it found damaged.

pub mod damage;
pub mod pool;
pub mod progress;
pub mod run;
pub mod shared;
