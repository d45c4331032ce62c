//! Files: pictures and documents by their path, uploads, and tickets for transfers that the browser starts by an address
//! alone.

mod access;
pub mod model;
pub mod routes;
mod transfer;
