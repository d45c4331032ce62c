//! Tracking: what pages report about their use.

pub mod model;
pub mod routes;
