//! Maps errors to SQLSTATEs.

use super::wire::Fault;
use super::writes::{INSTEAD, READ_ONLY};
use crate::app::App;
use crate::http::ApiError;

/// The end of the engine's message for a statement that writes. Its code is also used for other refusals.
const ONLY_READS: &str = "queries are read-only.";

/// The SQLSTATE for one of Quarry's codes.
fn state(code: &str) -> &'static str {
    match code {
        "syntax_error" => "42601",
        "unknown_table" => "42P01",
        "unknown_column" => "42703",
        "unknown_function" => "42883",
        "invalid_query" => "42804",
        "not_allowed" | "forbidden" => "42501",
        "too_complex" => "54001",
        "arithmetic_error" => "22003",
        "memory_limit" => "53200",
        "time_limit" | "killed" | "server_stopped" | "server_lost" => "57014",
        "result_limit" | "quota_exceeded" => "54000",
        "storage_full" => "53100",
        "database_unavailable" => "57P03",
        "busy" | "too_many_requests" => "53300",
        "invalid_input" => "22023",
        "wrong_login" => "28P01",
        "account_disabled" | "login_expired" | "unauthenticated" => "28000",
        key if key.starts_with("api_key_") => "28000",
        _ => "XX000",
    }
}

/// The outcome of work that needs the platform database, or an error if the database is unavailable.
pub async fn unless_gone<T>(app: &App, asked: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
    app.db.unless_gone(asked).await.unwrap_or_else(|| Err(ApiError::database_gone().into()))
}

/// A failure with one of Quarry's codes, which the client finds in its detail.
pub fn of_code(code: &str, message: impl Into<String>) -> Fault {
    let message = message.into();
    let detail = format!("code {code}");
    // A write is not a matter of permissions: nobody may write.
    if code == "not_allowed" && message.ends_with(ONLY_READS) {
        return Fault { detail, ..Fault::new(READ_ONLY, format!("{message} {INSTEAD}")) };
    }
    Fault { detail, ..Fault::new(state(code), message) }
}

impl From<ApiError> for Fault {
    fn from(error: ApiError) -> Fault {
        let fault = of_code(&error.code, error.msg);
        // After its login has ended, a client has to connect again.
        Fault { fatal: fault.state.starts_with("28"), ..fault }
    }
}
