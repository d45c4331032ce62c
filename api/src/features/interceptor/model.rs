//! Shapes of asking for logins and online users.

use serde::Deserialize;
use utoipa::IntoParams;

/// Which logins and logouts.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct RecordParams {
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
    /// Part of the name.
    pub user_name: Option<String>,
    /// `login`, `logout` or `ended`.
    pub action: Option<String>,
    /// At or after this moment, in milliseconds since 1970.
    pub from: Option<i64>,
    /// Before this moment.
    pub to: Option<i64>,
}

/// Which sessions.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct OnlineParams {
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
    /// Part of the name.
    #[serde(alias = "username")]
    pub user_name: Option<String>,
}

/// The session to end.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct EndParams {
    /// From the list of online users.
    pub session_id: String,
}
