//! Web access: how much the pages are used.

pub mod routes;
