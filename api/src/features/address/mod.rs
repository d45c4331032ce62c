//! Address pages.

pub mod routes;
