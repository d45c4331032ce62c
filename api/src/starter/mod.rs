//! The content that ships with the product: official dashboards, example queries and a project, from `data/starter/`. It
//! is brought in when the server starts; what is there already and what somebody has changed or removed stays as it is.

mod content;
mod load;

pub use content::{Both, StarterQuery};
pub use load::load;

use crate::creations::queries::QueryText;

/// The queries that ship, each with what it runs.
pub fn queries() -> anyhow::Result<Vec<(StarterQuery, QueryText)>> {
    let queries = content::Content::read()?.queries.into_iter();
    queries.map(|query| query.what().map(|what| (query, what))).collect()
}
