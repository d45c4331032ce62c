//! Logins and logouts, and who is online.

pub mod model;
pub mod routes;
