//! What HiveQL means where it differs from SQL: operators, conversions, the order of rows, LATERAL VIEW.

pub mod conversions;
pub mod group_order;
pub mod lateral_views;
pub mod mixed_types;
pub mod operators;
pub mod subquery_order;
pub mod union_limits;

pub use conversions::Meanings;
pub use lateral_views::LateralViews;
pub use operators::{HiveOperators, TRUTH};

/// With a larger limit nobody looks at which rows they are.
const MAX_ORDERED_ROWS: usize = 10_000;
