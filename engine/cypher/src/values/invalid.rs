//! The error of a value or a call that is invalid.

use quarry_types::{Error, ErrorCode};

/// The error of an argument that makes no sense.
pub(crate) fn invalid(message: String) -> Error {
    Error::new(ErrorCode::InvalidQuery, message)
}
