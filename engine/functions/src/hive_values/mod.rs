//! Values of Hive's types: how they are named, written, read and cast.

mod arrow_cast;
pub(super) mod calendar;
pub mod cast;
pub mod intervals;
pub(super) mod java_random;
pub(super) mod nested;
pub mod numerals;
pub mod types;
pub(super) mod zones;
