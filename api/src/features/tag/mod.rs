//! Tags.

pub mod routes;
mod store;
