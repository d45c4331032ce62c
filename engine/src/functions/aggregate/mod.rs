//! What the exact aggregates are made of: kinds of numbers, sums of one group, of many groups, and of distinct values.

pub(super) mod distinct;
pub(super) mod groups;
pub(super) mod mean;
pub(crate) mod moving;
pub(super) mod number;
pub(super) mod sets;
pub(super) mod single;
pub(super) mod sliding;
pub(super) mod values;
