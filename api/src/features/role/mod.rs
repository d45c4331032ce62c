//! Roles and permissions as administrators edit them.

pub mod model;
pub mod routes;
mod store;
