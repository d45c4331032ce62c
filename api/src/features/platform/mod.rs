//! Messages of the administrators to everybody.

pub mod routes;
