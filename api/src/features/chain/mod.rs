//! What the lake holds: head, origin, rows, the newest blocks.

pub mod model;
pub mod routes;
pub mod rpc;
