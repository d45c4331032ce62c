//! Errors by cause: a small closed set of codes; the message is for the user, the source is for the log only.

use std::fmt;
use std::io::ErrorKind;

use arrow::error::ArrowError;
use datafusion::common::DataFusionError;
use parquet::errors::ParquetError;

/// Stable code of an error: programs and the web's translations rely on these names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorCode {
    /// The text is not valid SQL (or another query language).
    Syntax,
    /// There is no such table.
    UnknownTable,
    /// There is no such column.
    UnknownColumn,
    /// There is no such function.
    UnknownFunction,
    /// The query is valid SQL with a wrong meaning (types, arguments, grouping).
    InvalidQuery,
    /// The statement is not allowed (DDL, DML, SET, several statements, files).
    NotAllowed,
    /// The text is too long, too deep or joins too many tables.
    TooComplex,
    /// A number left the range of its type, or was divided by zero.
    Arithmetic,
    /// The query needed more memory than its limit.
    MemoryLimit,
    /// The query ran longer than its limit.
    TimeLimit,
    /// The result is larger than its limit.
    ResultLimit,
    /// The tables of a user would exceed their quota.
    Quota,
    /// Stopped by a user.
    Killed,
    /// Too many jobs wait.
    Busy,
    /// There is no such job, result or file.
    NotFound,
    /// An invalid parameter or setting.
    InvalidInput,
    /// A file of the lake can't be read.
    DamagedFile,
    /// Another process writes this lake.
    LakeLocked,
    /// A worker that ran a part of the query is gone or can't be reached.
    WorkerLost,
    /// The source of chain data can't be reached or sends invalid data.
    Source,
    /// A block or lake fails its proofs.
    Verification,
    /// There is no space left on the disk, or in the quota of the process.
    StorageFull,
    /// A fault of ours or of the machine. The message has no internals.
    Internal,
}

impl ErrorCode {
    /// The name programs see, in snake case.
    pub fn as_str(self) -> &'static str {
        match self {
            ErrorCode::Syntax => "syntax_error",
            ErrorCode::UnknownTable => "unknown_table",
            ErrorCode::UnknownColumn => "unknown_column",
            ErrorCode::UnknownFunction => "unknown_function",
            ErrorCode::InvalidQuery => "invalid_query",
            ErrorCode::NotAllowed => "not_allowed",
            ErrorCode::TooComplex => "too_complex",
            ErrorCode::Arithmetic => "arithmetic_error",
            ErrorCode::MemoryLimit => "memory_limit",
            ErrorCode::TimeLimit => "time_limit",
            ErrorCode::ResultLimit => "result_limit",
            ErrorCode::Quota => "quota_exceeded",
            ErrorCode::Killed => "killed",
            ErrorCode::Busy => "busy",
            ErrorCode::NotFound => "not_found",
            ErrorCode::InvalidInput => "invalid_input",
            ErrorCode::DamagedFile => "damaged_file",
            ErrorCode::LakeLocked => "lake_locked",
            ErrorCode::WorkerLost => "worker_lost",
            ErrorCode::Source => "source_error",
            ErrorCode::Verification => "verification_failed",
            ErrorCode::StorageFull => "storage_full",
            ErrorCode::Internal => "internal_error",
        }
    }
}

/// A place in a text: line and column count from 1, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Position {
    pub line: u64,
    pub column: u64,
}

/// Error of the engine and of everything built on it.
#[derive(Debug)]
pub struct Error {
    pub code: ErrorCode,
    /// One clear sentence for the user, in English; the web translates by code where it can.
    pub message: String,
    pub position: Option<Position>,
    /// The field of a job's spec that caused it.
    pub param: Option<&'static str>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// Result with the engine's error.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Error {
        Error { code, message: message.into(), position: None, param: None, source: None }
    }

    /// An internal error: the user reads a neutral sentence, the log gets `source`. A full disk has its own code and sentence.
    pub fn internal(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        let source = source.into();
        // An error of ours stays the same inside those of libraries.
        if let Some(own) = Error::within(source.as_ref()) {
            let (code, message, position, param) = (own.code, own.message.clone(), own.position, own.param);
            return Error { code, message, position, param, source: Some(source) };
        }
        let (code, message) = no_space(source.as_ref())
            .unwrap_or((ErrorCode::Internal, "Something went wrong on our side; the log has the details."));
        Error { code, message: message.to_string(), position: None, param: None, source: Some(source) }
    }

    /// The error of ours inside that of another library, if there is one: a scan that met a damaged file.
    pub fn within<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a Error> {
        let mut next = Some(error);
        while let Some(error) = next {
            if let Some(ours) = error.downcast_ref::<Error>() {
                return Some(ours);
            }
            next = error.source();
        }
        None
    }

    #[must_use]
    pub fn at(mut self, position: Position) -> Error {
        self.position = Some(position);
        self
    }

    /// Names the field of a job's spec that is to blame.
    #[must_use]
    pub fn about(mut self, param: &'static str) -> Error {
        self.param = Some(param);
        self
    }

    /// Keeps the cause for the log; it is never shown to a user.
    #[must_use]
    pub fn because(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        self.source = Some(source.into());
        self
    }
}

/// An error of a query, in the type that functions and operators of DataFusion return.
pub fn refuse(code: ErrorCode, message: impl Into<String>) -> DataFusionError {
    DataFusionError::from(Error::new(code, message))
}

/// An invalid call or value.
pub fn invalid(message: impl Into<String>) -> DataFusionError {
    refuse(ErrorCode::InvalidQuery, message)
}

/// A number that left the range of its type.
pub fn out_of_range(message: impl Into<String>) -> DataFusionError {
    refuse(ErrorCode::Arithmetic, message)
}

/// Whether a write found no space on the disk, at any depth of the error's sources.
pub fn is_storage_full(error: &(dyn std::error::Error + 'static)) -> bool {
    no_space(error).is_some_and(|(code, _)| code == ErrorCode::StorageFull)
}

/// The code and the message of a write that found no space, by the error of the system or of SQLite.
fn no_space(error: &(dyn std::error::Error + 'static)) -> Option<(ErrorCode, &'static str)> {
    const FULL: &str = "There is no space left on the disk; the write was aborted.";
    // SQLITE_FULL, and no room for the shared memory of its log (SQLITE_IOERR_SHMSIZE).
    const SQLITE_FULL: [&str; 2] = ["database or disk is full", "(code: 4874)"];
    const TOO_LARGE: &str = "A file reached the maximum size that the system allows; the write was aborted.";
    let mut next = Some(error);
    while let Some(error) = next {
        let kind = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        match kind {
            Some(ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => return Some((ErrorCode::StorageFull, FULL)),
            Some(ErrorKind::FileTooLarge) => return Some((ErrorCode::Internal, TOO_LARGE)),
            None if SQLITE_FULL.iter().any(|said| error.to_string().contains(said)) => {
                return Some((ErrorCode::StorageFull, FULL));
            }
            _ => {}
        }
        next = error.source();
    }
    None
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Some(at) => write!(f, "line {}, column {}: {}", at.line, at.column, self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// For code that plans and operators call.
impl From<Error> for DataFusionError {
    fn from(error: Error) -> DataFusionError {
        DataFusionError::External(Box::new(error))
    }
}

/// Failures of the system and of these libraries are ours, unless the caller says otherwise.
macro_rules! internal {
    ($($library:ty),*) => {$(
        impl From<$library> for Error {
            fn from(error: $library) -> Error {
                Error::internal(error)
            }
        }
    )*};
}

internal!(std::io::Error, serde_json::Error, ArrowError, ParquetError);

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| source.as_ref() as &(dyn std::error::Error + 'static))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_recognized_at_any_depth() {
        let full = || std::io::Error::from(ErrorKind::StorageFull);
        let wrapped = ParquetError::External(Box::new(full()));
        for error in
            [Error::internal(full()), Error::internal(wrapped), Error::internal("(code: 13) database or disk is full")]
        {
            assert!(error.message.contains("no space left"), "{}", error.message);
            assert_eq!(error.code, ErrorCode::StorageFull);
        }
        let limited = Error::internal(std::io::Error::from(ErrorKind::FileTooLarge));
        assert!(limited.message.contains("maximum size"), "{}", limited.message);
        assert!(!Error::internal(std::io::Error::from(ErrorKind::NotFound)).message.contains("space"));
    }
}
