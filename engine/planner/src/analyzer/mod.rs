//! Exact numbers and plain hex in queries: what the planner does with operators, and passes over the plan.
//!
//! While a query is planned, [`operators::Operators`] gives division, 256-bit numbers and comparisons of bytes their
//! meaning, since they decide types. Then [`meaning::Meaning`] does the same for everything else, from the leaves up:
//! what the planner could not know yet (a `union` decides types late) is known there. Last,
//! [`integers::CheckedIntegers`] puts in integer operators that fail rather than wrap, and [`intervals::IntervalLengths`]
//! compares intervals by their length, [`texts::TimesAsText`] writes times as results show them, and [`zeros::OneZero`] takes
//! `-0.0` for `0.0`, and [`listed::ListsOfValues`] keeps lists of `IN` to values that are known.

mod binary;
mod calls;
mod compared;
mod conditions;
mod counts;
mod doubles;
mod fields;
mod frames;
mod hex;
mod integers;
mod intervals;
mod keys;
mod listed;
mod literal;
mod macros;
mod meaning;
mod membership;
mod of_json;
pub mod once_per_row;
mod operators;
mod patterns;
mod reduced;
mod texts;
mod times;
mod unify;
mod unnested;
mod values;
mod zeros;

pub use counts::Counts;
pub use fields::RowFields;
pub use integers::CheckedIntegers;
pub use intervals::IntervalLengths;
pub use listed::ListsOfValues;
pub use listed::all_of;
pub use macros::{MAX_ADDED, Macro, Macros, asked_again, too_many_added};
pub use meaning::Meaning;
pub use operators::Operators;
pub use texts::TimesAsText;
pub use times::completed;
pub use zeros::OneZero;
