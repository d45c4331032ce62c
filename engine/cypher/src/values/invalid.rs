//! The error of what makes no sense.

use quarry_types::{Error, ErrorCode};

/// The error of an argument that makes no sense.
pub(crate) fn invalid(message: String) -> Error {
    Error::new(ErrorCode::InvalidQuery, message)
}
