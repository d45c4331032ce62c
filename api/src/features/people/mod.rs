//! Users as administrators see them: list, disable and enable, roles, platform users.

pub mod model;
pub mod routes;
mod store;
