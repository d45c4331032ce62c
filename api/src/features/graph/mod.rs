//! Graphs that people keep.

pub mod model;
pub mod routes;
