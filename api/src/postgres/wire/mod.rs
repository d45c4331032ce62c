//! The messages of the PostgreSQL protocol, version 3.0, as bytes.

mod read;
mod write;

pub use read::{Ask, Opening, Reader};
pub use write::{Answers, Fault, Field, format_of};
