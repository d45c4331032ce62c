//! White papers: uploaded by administrators, read by everybody once they are published.

pub mod model;
pub mod routes;
mod store;
