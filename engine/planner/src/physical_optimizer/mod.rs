//! Physical optimizer rules: operators that answer the same with less work, and that return to the scheduler.

pub mod scan_filters;
pub mod sliding_windows;
pub(crate) mod stoppable_expr;
pub mod yield_by_time;
