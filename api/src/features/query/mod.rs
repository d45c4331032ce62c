//! Queries: running a text, and saved ones with their versions, runs, forks and drafts.

mod drafts;
pub mod model;
pub mod routes;
mod runs;
mod saved;
mod schedules;
mod store;
mod versions;
