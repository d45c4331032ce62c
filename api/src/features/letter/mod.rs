//! Private letters: who wrote, what was written, what was read. They are sent over the websocket.

pub mod model;
pub mod routes;
