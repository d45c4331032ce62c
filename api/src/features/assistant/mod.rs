//! Questions to the assistant.

pub mod model;
pub mod routes;
