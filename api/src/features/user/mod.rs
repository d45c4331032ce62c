//! Accounts: registering, codes, passwords, second factors, logging in and out (also at a provider), sessions, keys of the API.

mod code;
mod key;
pub mod model;
mod password;
mod provider;
pub mod routes;
mod security;
mod sessions;
