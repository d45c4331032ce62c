//! The engine as its callers see it: one binary, since each that links the query engine takes long to build.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a helper of a test fails the test by a panic")]

mod differential;
mod examples;
mod fixture;
mod fuzz;
mod graph;
mod hive;
mod jobs;
mod limits;
mod mapreduce;
mod mapreduce_batches;
mod mapreduce_errors;
mod parameters;
mod progress;
mod repeated;
mod results;
mod row_groups;
mod slt;
