//! The metrics API for developers.

pub mod model;
pub mod routes;
