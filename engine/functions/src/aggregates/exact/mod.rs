//! What the exact aggregates are made of: kinds of numbers, sums of one group, of many groups, and of distinct values;
//! and frames that slide.

pub(super) mod distinct;
pub(super) mod groups;
pub(super) mod length;
pub(super) mod mean;
pub(super) mod moments;
pub mod moving;
pub(super) mod number;
pub(crate) mod recomputed;
pub(super) mod sets;
pub(super) mod single;
pub(super) mod sliding;
pub(super) mod values;
