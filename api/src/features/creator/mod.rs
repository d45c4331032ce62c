//! Creators' pages.

pub mod routes;
