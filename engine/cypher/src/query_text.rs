//! The text of a query, for the positions of errors.

use quarry_types::{Error, ErrorCode, Position, Result};

/// The byte offset of an expression in the text. All are equal, so that comparing expressions ignores positions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct At(pub usize);

impl PartialEq for At {
    fn eq(&self, _: &At) -> bool {
        true
    }
}

#[derive(Clone, Copy)]
pub(crate) struct QueryText<'a>(pub &'a str);

impl QueryText<'_> {
    /// Line and column of a byte.
    fn position(self, at: At) -> Position {
        let before = self.0.get(..at.0.min(self.0.len())).unwrap_or(self.0);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() as u64 + 1;
        let column = before.rsplit('\n').next().map_or(0, |last| last.chars().count()) as u64 + 1;
        Position { line, column }
    }

    /// An error at a position.
    pub fn error(self, code: ErrorCode, message: impl Into<String>, at: At) -> Error {
        Error::new(code, message).at(self.position(at))
    }

    pub fn invalid(self, message: impl Into<String>, at: At) -> Error {
        self.error(ErrorCode::InvalidQuery, message, at)
    }

    pub fn unsupported(self, what: &str, at: At) -> Error {
        self.error(ErrorCode::NotAllowed, format!("{what} is not supported here."), at)
    }

    /// The error of a clause that writes.
    pub fn read_only(self, clause: &str, at: At) -> Error {
        self.error(ErrorCode::NotAllowed, format!("{clause} is not allowed: graph queries are read-only."), at)
    }

    /// Gives an error a position if it has none.
    pub fn locate<T>(self, outcome: Result<T>, at: At) -> Result<T> {
        outcome.map_err(|error| match error.position {
            Some(_) => error,
            None => error.at(self.position(at)),
        })
    }
}
