//! Users' own tables: listed, described, uploaded, shared and dropped.

pub mod model;
pub mod routes;
mod upload;
