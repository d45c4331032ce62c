//! What every answer has in common: envelope, errors, limits, headers, the embedded web pages and the OpenAPI document.

pub mod address;
pub mod assets;
pub mod body;
pub mod counts;
pub mod document;
pub mod envelope;
pub mod error;
pub mod layers;

pub use address::ClientAddress;
pub use body::{Json, Query};
pub use envelope::{Answer, Failure, Reply, Success};
pub use error::ApiError;
