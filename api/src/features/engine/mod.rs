//! What can be queried: tables, columns, functions.

pub mod model;
pub mod routes;
mod templates;
