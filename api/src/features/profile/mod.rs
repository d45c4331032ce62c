//! Profiles: what everybody sees of a user, what only the user sees, and how the user changes it.

mod avatar;
pub mod model;
pub mod routes;
mod store;
