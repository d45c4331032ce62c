//! The decoder of functions and events: what transactions, calls and logs mean.

pub mod model;
pub mod routes;
pub mod signatures;
mod store;
