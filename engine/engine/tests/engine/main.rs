//! Tests of the engine's API, in one binary, since every binary with the query engine takes long to link.

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
mod pipeline;
mod progress;
mod results;
mod reuse;
mod row_groups;
mod slt;
mod workers;
