//! Discover: lists and search over everything public.

pub mod model;
mod people;
pub mod routes;
pub mod store;
