//! Projects: what belongs together.

pub mod model;
pub mod routes;
mod store;
