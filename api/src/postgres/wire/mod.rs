//! The messages of the PostgreSQL protocol, version 3.0, as bytes.

mod read;
mod write;

/// The only way to prove a password that is offered.
const SCRAM: &str = "SCRAM-SHA-256";

pub use read::{Ask, Opening, Reader};
pub use write::{Answers, Fault, Field, format_of, with_length};
