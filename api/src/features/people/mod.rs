//! Users as administrators see them: list, disable and enable, roles, second factors, invitations, platform users.

mod invitations;
mod may;
pub mod model;
pub mod routes;
mod second_factor;
mod store;
