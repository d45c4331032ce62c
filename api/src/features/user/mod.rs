//! Accounts: registering, logging in and out, who is logged in.

pub mod model;
pub mod routes;
