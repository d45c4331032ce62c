//! Dashboards: saving, versions, forks, comments, operation records, and what their widgets show.

mod comments;
mod filtered;
pub mod model;
mod records;
pub mod routes;
mod store;
mod versions;
mod widgets;
