//! Accounts: registering, codes, passwords, second factors, logging in and out, sessions, keys of the API.

mod code;
mod key;
pub mod model;
mod password;
pub mod routes;
mod security;
mod sessions;
