//! The official dashboards.

pub mod model;
pub mod routes;
mod runs;
mod store;
