//! What the product can do, one folder each; a feature never imports another.

pub mod chain;
pub mod engine;
pub mod file;
pub mod health;
pub mod job;
pub mod query;
pub mod table;
pub mod user;
