//! Errors by blame: a small closed set of codes; the sentence is for the person, the source is for the log only.

use std::fmt;
use std::io::ErrorKind;

use datafusion::common::DataFusionError;

/// Stable code of an error: programs and the web's translations rely on these names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorCode {
    /// The text is not valid SQL (or another query language).
    Syntax,
    /// A table that is not there.
    UnknownTable,
    /// A column that is not there.
    UnknownColumn,
    /// A function that is not there.
    UnknownFunction,
    /// The text is understood and asks for something that makes no sense (types, arguments, grouping).
    InvalidQuery,
    /// The text asks for something that is not allowed (DDL, DML, SET, several statements, files).
    NotAllowed,
    /// The text is too long, too deep or joins too many tables.
    TooComplex,
    /// A number left the range of its type, or a division by zero.
    Arithmetic,
    /// The query needed more memory than it may have.
    MemoryLimit,
    /// The query ran longer than it may.
    TimeLimit,
    /// The result is larger than it may be.
    ResultLimit,
    /// The tables of a user would have more bytes than they may.
    Quota,
    /// Stopped by a person.
    Killed,
    /// Too many jobs wait already.
    Busy,
    /// Something named does not exist (job, result, file).
    NotFound,
    /// A parameter or setting that can't be used.
    InvalidInput,
    /// A file of the lake can't be read.
    DamagedFile,
    /// Another process writes this lake.
    LakeLocked,
    /// The source of chain data can't be reached or answers nonsense.
    Source,
    /// A block or lake that does not prove what it says.
    Verification,
    /// There is no space left on the disk, or in the quota of the process.
    StorageFull,
    /// Our own fault, or the machine's. The message says nothing of the inside.
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
    /// One clear sentence for the person, in English; the web translates by code where it can.
    pub message: String,
    pub position: Option<Position>,
    /// The field of a job's spec that it is about.
    pub param: Option<&'static str>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// Result with the engine's error.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Error {
        Error { code, message: message.into(), position: None, param: None, source: None }
    }

    /// An error of ours: the person reads a neutral sentence, the log gets `source`. A full disk is told, wherever it was met.
    pub fn internal(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        let source = source.into();
        // A refusal of ours stays one, whichever library carried it.
        if let Some(own) = Error::within(source.as_ref()) {
            let (code, message, position, param) = (own.code, own.message.clone(), own.position, own.param);
            return Error { code, message, position, param, source: Some(source) };
        }
        let (code, message) = no_room(source.as_ref())
            .unwrap_or((ErrorCode::Internal, "Something went wrong on our side; the log has the details."));
        Error { code, message: message.to_string(), position: None, param: None, source: Some(source) }
    }

    /// The error of ours that another library carried through, if there is one: a scan that met a damaged file.
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

    /// Keeps the cause for the log; it is never shown to a person.
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

/// A call or a value that makes no sense.
pub fn invalid(message: impl Into<String>) -> DataFusionError {
    refuse(ErrorCode::InvalidQuery, message)
}

/// A number that left the range of its type.
pub fn out_of_range(message: impl Into<String>) -> DataFusionError {
    refuse(ErrorCode::Arithmetic, message)
}

/// Whether a write found no space on the disk, however deep the error of the system lies.
pub fn is_storage_full(error: &(dyn std::error::Error + 'static)) -> bool {
    no_room(error).is_some_and(|(code, _)| code == ErrorCode::StorageFull)
}

/// What to say of a write that found no room, as the system or SQLite tells it.
fn no_room(error: &(dyn std::error::Error + 'static)) -> Option<(ErrorCode, &'static str)> {
    const FULL: &str = "There is no space left on the disk; what was being written was given up.";
    // SQLITE_FULL, and no room for the shared memory of its log (SQLITE_IOERR_SHMSIZE).
    const SQLITE_FULL: [&str; 2] = ["database or disk is full", "(code: 4874)"];
    const TOO_LARGE: &str =
        "A file reached the largest size that the system allows; what was being written was given up.";
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

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| source.as_ref() as &(dyn std::error::Error + 'static))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_however_deep_it_is() {
        let full = || std::io::Error::from(ErrorKind::StorageFull);
        let wrapped = parquet::errors::ParquetError::External(Box::new(full()));
        for error in
            [Error::internal(full()), Error::internal(wrapped), Error::internal("(code: 13) database or disk is full")]
        {
            assert!(error.message.contains("no space left"), "{}", error.message);
            assert_eq!(error.code, ErrorCode::StorageFull);
        }
        let limited = Error::internal(std::io::Error::from(ErrorKind::FileTooLarge));
        assert!(limited.message.contains("largest size"), "{}", limited.message);
        assert!(!Error::internal(std::io::Error::from(ErrorKind::NotFound)).message.contains("space"));
    }
}
