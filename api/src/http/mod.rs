//! What every answer has in common: envelope, errors, limits, headers, the embedded web pages and the OpenAPI document.

pub mod address;
pub mod assets;
pub mod body;
pub mod bounded;
pub mod connections;
pub mod cookies;
pub mod counts;
pub mod document;
pub mod envelope;
pub mod error;
pub mod export;
mod fault;
pub mod import;
pub mod intake;
pub mod layers;
pub mod places;
mod slow;
pub mod strict;
pub mod unread;
pub mod upload;

pub use address::{Client, ClientAddress, Network};
pub use body::{Json, Path, Query};
pub use envelope::{Answer, Failure, Reply, Said, Success};
pub use error::ApiError;
pub use export::csv;
pub use upload::{FileForm, Upload};
