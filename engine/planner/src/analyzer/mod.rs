//! Analyzer rules and expression planners: what operators, calls and casts mean by the types of their operands.
//!
//! While a query is planned, [`operators::Operators`] plans division, 256-bit numbers and comparisons of bytes, since they
//! decide types. Then [`coerce_types::CoerceTypes`] coerces everything else, from the leaves up. When DataFusion's type
//! coercion has run, one walk over the plan puts in operators that fail on overflow, compare intervals by their length, take
//! `-0.0` for `0.0` and the like.

mod binary;
mod calls;
mod coerce_types;
mod coercion;
mod conditions;
mod count_functions;
mod double_division;
mod field_access;
mod floats;
mod hex;
mod in_lists;
mod in_subqueries;
mod integers;
mod intervals;
mod item_texts;
mod join_keys;
mod json;
mod literal;
mod macros;
mod nested_order;
mod nullif;
mod operators;
mod reduce;
mod times;
mod unify;
mod unnested_json;
mod values;
mod volatile_expressions;
mod window_frames;

pub use coerce_types::CoerceTypes;
pub use count_functions::CountFunctions;
pub use field_access::FieldAccess;
pub(crate) use floats::{cast_floats_to_decimals, normalize_floats};
pub use in_lists::balanced_tree;
pub(crate) use in_lists::split_in_lists;
pub(crate) use integers::check_integer_overflow;
pub(crate) use intervals::compare_intervals_by_length;
pub use macros::{ExpandMacros, MAX_ADDED, Macro, repeated_volatile_argument, too_many_added};
pub(crate) use nested_order::compare_nested_values;
pub use operators::Operators;
pub(crate) use times::format_times;
pub(crate) use volatile_expressions::extract_volatile_expressions;
