//! Jobs: their state, list, result, download, log and end.

mod desk;
mod download;
pub mod model;
pub mod routes;
mod schedules;
