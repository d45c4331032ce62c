//! Visualizations of saved queries.

pub mod model;
pub mod routes;
mod store;
