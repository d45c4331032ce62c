//! The websocket: one per browser tab, every message `{"type","data"}`, authenticated by a ticket that works once.

mod batch;
mod chat;
pub mod heads;
pub mod hub;
pub mod message;
pub mod routes;
mod socket;

/// Most sockets of one account: tabs, not a flood.
pub const SOCKETS_PER_USER: usize = 50;
