//! Accounts: registering, codes, passwords, logging in and out, who is logged in, keys of the API.

mod code;
mod key;
pub mod model;
mod password;
pub mod routes;
