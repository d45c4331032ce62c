//! Errors at the boundary: one type, a stable code each, logged once when it is our fault.

use std::borrow::Cow;
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use quarry_types::{Error as EngineError, ErrorCode, Position, is_storage_full};

use super::envelope::{FailStatus, Failure};
use crate::db::Outage;

/// Text that the end of an authentication failure's `msg` must be.
pub const AUTHENTICATION_FAILED: &str = "认证失败，无法访问系统资源";
/// Text for a login that has run out or was ended.
pub const LOGIN_EXPIRED: &str = "Your login status has expired, please sign in again!";
/// Text for every refused login.
pub const WRONG_LOGIN: &str = "Wrong user name or password! Please enter again!";
/// Text for an account that does not exist.
pub const NO_SUCH_USER: &str = "No such user!";
/// Text for two passwords that should be the same.
pub const PASSWORDS_DIFFER: &str = "Passwords are not matched";
/// Text for a password that could not be changed.
pub const RESET_FAILED: &str = "Reset password failed! Please check your current password!";
/// Text for an email address that no code can be sent to.
pub const NO_CODE_BY_MAIL: &str = "Please check your email, can't send code to this email address!";
/// Text for a phone number that no code can be sent to.
pub const NO_CODE_BY_PHONE: &str = "Please check your phone number, can't send code to this phone number!";
/// Text for a picture of another type.
pub const NOT_A_PICTURE: &str = "Uploaded avatar pictures can only be in JPG / jpeg / PNG / GIF format!";
/// Text for a picture that is too large.
pub const PICTURE_TOO_LARGE: &str = "The size of uploaded avatar image cannot exceed 2MB!";
/// Text for every refused registration.
pub const REGISTRATION_FAILED: &str = "Registration Failed, Please checked your information!";

/// Text for a write that found no room.
const STORAGE_FULL: &str =
    "There is no space left on the server's disk, so this was not saved. Please try again later.";
/// Text for a platform database that can't be reached.
const DATABASE_GONE: &str = "The server cannot reach its database right now. Please try again in a moment.";

const INTERNAL: &str = "Something went wrong on our side; the log has the details.";

/// A failure on its way to the person.
#[derive(Debug)]
pub struct ApiError {
    pub status: StatusCode,
    pub code: Cow<'static, str>,
    pub msg: String,
    param: Option<Box<str>>,
    detail: Option<Box<str>>,
    more: Option<Box<More>>,
    retry_after: Option<u32>,
    /// For the log only.
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// What few failures carry.
#[derive(Debug, Default)]
struct More {
    position: Option<Position>,
    data: Option<serde_json::Value>,
}

impl ApiError {
    pub fn new(status: StatusCode, code: impl Into<Cow<'static, str>>, msg: impl Into<String>) -> ApiError {
        ApiError {
            status,
            code: code.into(),
            msg: msg.into(),
            param: None,
            detail: None,
            more: None,
            retry_after: None,
            source: None,
        }
    }

    pub fn invalid(param: impl Into<Box<str>>, msg: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, "invalid_input", msg).param(param)
    }

    pub fn not_found(what: &str) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, "not_found", format!("There is no such {what}."))
    }

    /// An account that somebody named does not exist.
    pub fn no_such_user() -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, "no_such_user", NO_SUCH_USER)
    }

    /// A text with a letter that PostgreSQL can't keep and that ends a pattern in SQLite.
    pub fn zero_byte() -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, "invalid_input", "A text must not contain a zero byte.")
    }

    /// No token, or one that we never made.
    pub fn unauthenticated() -> ApiError {
        let msg = format!("Please sign in first: {AUTHENTICATION_FAILED}");
        ApiError::new(StatusCode::UNAUTHORIZED, "unauthenticated", msg)
    }

    /// A token of ours that has run out or was ended.
    pub fn login_expired() -> ApiError {
        ApiError::new(StatusCode::UNAUTHORIZED, "login_expired", LOGIN_EXPIRED)
    }

    /// Somebody known who may not do this.
    pub fn forbidden() -> ApiError {
        let msg = "Your account does not have the permission for this.";
        ApiError::new(StatusCode::FORBIDDEN, "forbidden", msg)
    }

    /// Too often; the next try may be after `wait`.
    pub fn too_many(wait: Duration) -> ApiError {
        let seconds = wait.as_secs() + 1;
        let msg = format!("Too many attempts. Please try again in {seconds} seconds.");
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_attempts", msg).retry_after(seconds)
    }

    /// As many files of one account arrive as may at once.
    pub fn too_many_uploads() -> ApiError {
        let msg = "Too many files of this account are arriving; wait until some are there.";
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_uploads", msg).retry_after(5)
    }

    pub fn too_many_exports() -> ApiError {
        let msg = "Too many downloads of this account are running; wait until one has ended.";
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_exports", msg).retry_after(5)
    }

    /// As many requests as may are under way, or as much as may waits to be read by clients.
    pub fn busy() -> ApiError {
        let msg = "The server answers as many requests as it can; try again in a moment.";
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", msg).retry_after(1)
    }

    pub fn internal(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> ApiError {
        let source = source.into();
        let mut error = match Outage::of(source.as_ref()) {
            Some(Outage::Gone) => ApiError::database_gone(),
            Some(Outage::Full) => ApiError::storage_full(),
            None if is_storage_full(source.as_ref()) => ApiError::storage_full(),
            None => ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal_error", INTERNAL),
        };
        error.source = Some(source);
        error
    }

    /// What was to be written found no room.
    pub fn storage_full() -> ApiError {
        ApiError::new(StatusCode::INSUFFICIENT_STORAGE, "storage_full", STORAGE_FULL)
    }

    /// The platform database can't be reached.
    pub fn database_gone() -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "database_unavailable", DATABASE_GONE).retry_after(2)
    }

    #[must_use]
    pub fn param(mut self, param: impl Into<Box<str>>) -> ApiError {
        self.param = Some(param.into());
        self
    }

    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> ApiError {
        self.detail = Some(detail.into().into_boxed_str());
        self
    }

    /// What the person needs beside the sentence.
    #[must_use]
    pub fn data(mut self, data: serde_json::Value) -> ApiError {
        self.more.get_or_insert_default().data = Some(data);
        self
    }

    /// Tells the log what is our fault.
    pub fn log(&self) {
        if self.status.is_server_error() {
            let source = self.source.as_deref().map(|source| chain(source)).unwrap_or_default();
            tracing::error!(code = %self.code, %source, "{}", self.msg);
        }
    }

    /// Tells the client after how many seconds it may try again.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> ApiError {
        self.retry_after = Some(u32::try_from(seconds).unwrap_or(u32::MAX));
        self
    }
}

impl From<EngineError> for ApiError {
    fn from(error: EngineError) -> ApiError {
        let status = match error.code {
            ErrorCode::NotFound => StatusCode::NOT_FOUND,
            ErrorCode::Busy => StatusCode::TOO_MANY_REQUESTS,
            ErrorCode::LakeLocked => StatusCode::CONFLICT,
            ErrorCode::Source | ErrorCode::WorkerLost => StatusCode::BAD_GATEWAY,
            ErrorCode::StorageFull => StatusCode::INSUFFICIENT_STORAGE,
            ErrorCode::Internal | ErrorCode::DamagedFile | ErrorCode::Verification => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::BAD_REQUEST,
        };
        let mut answer = ApiError::new(status, error.code.as_str(), error.message.clone());
        answer.param = error.param.map(Into::into);
        answer.more = error.position.map(|position| Box::new(More { position: Some(position), data: None }));
        answer.retry_after = (error.code == ErrorCode::Busy).then_some(5);
        answer.source = (status.is_server_error()).then(|| error.into());
        answer
    }
}

/// What PostgreSQL answers to a text with a zero byte, the one character it can't keep.
const NOT_IN_REPERTOIRE: &str = "22021";

impl From<sqlx::Error> for ApiError {
    fn from(error: sqlx::Error) -> ApiError {
        let code = error.as_database_error().and_then(|error| error.code());
        if code.as_deref() == Some(NOT_IN_REPERTOIRE) {
            return ApiError::zero_byte();
        }
        // What was there when the request was checked went before it was written.
        if error.as_database_error().is_some_and(|error| error.is_foreign_key_violation()) {
            return ApiError::not_found("object");
        }
        ApiError::internal(error)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        self.log();
        let More { position, data } = self.more.map(|more| *more).unwrap_or_default();
        let body = Failure {
            status: FailStatus::Fail,
            msg: self.msg,
            data,
            code: self.code.into_owned(),
            param: self.param.map(Into::into),
            detail: self.detail.map(Into::into),
            position: position.map(Into::into),
        };
        let mut response = (self.status, axum::Json(body)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// An error and its causes on one line.
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
