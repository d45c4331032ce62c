//! Feedback: what users send, and how administrators handle it.

pub mod model;
pub mod routes;
pub mod store;
