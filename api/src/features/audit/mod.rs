//! The audit log as administrators read it.

pub mod routes;
