//! Values of Hive's types: their names, their texts and their casts.

pub(super) mod calendar;
pub mod cast;
pub mod intervals;
pub(super) mod java_random;
pub(super) mod nested;
pub mod numerals;
pub mod types;
pub(super) mod zones;
