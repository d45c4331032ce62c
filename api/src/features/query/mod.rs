//! Running a query.

pub mod model;
pub mod routes;
