//! Whether the server lives and can serve.

pub mod routes;
