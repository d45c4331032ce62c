//! The cluster of workers as administrators see it.

pub mod model;
pub mod routes;
