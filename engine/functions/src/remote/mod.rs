//! Functions that are made for one query, as data of which another process of the same build makes the same functions. All other
//! functions are made once in a process, so an id is enough for them there. What a function keeps in this process only has no such
//! data: the numbers that `rand(seed)` made, the labels that a query may see.

mod aggregates;
mod scalars;
mod windows;

pub use crate::aggregates::frame_exclusion::{ExcludingFunction, FrameFunction, FrameItem};
pub use crate::planner_calls::TryExpr;
pub use aggregates::{AggregateState, aggregate_from, aggregate_state};
pub use scalars::{ScalarState, scalar_from, scalar_state};
pub use windows::{window_from, window_state};
