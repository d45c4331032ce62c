//! Data monitor: whether the data flows and what the server is busy with.

pub mod model;
pub mod routes;
