//! Tickets for file transfers that the browser starts by an address alone.

pub mod model;
pub mod routes;
