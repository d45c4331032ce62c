//! Shapes of tracking events.

use serde::Deserialize;
use utoipa::ToSchema;

/// A visitor went from one page to another.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct RouteReport {
    pub pre_url: String,
    pub pre_title: String,
    pub current_url: String,
    pub current_title: String,
    /// How long the previous page was looked at, in milliseconds.
    pub prepage_browse_time_ms: f64,
    /// The same in seconds; used where the milliseconds are missing.
    pub prepage_browse_time_s: f64,
    /// What the browser calls itself over the pages of a visit.
    pub fingerprint: String,
    /// Ignored: the server knows who is logged in.
    pub user: String,
    /// Ignored: true without a login.
    pub anonymous: bool,
}

/// A visitor used something on a page.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ClickReport {
    pub current_url: String,
    pub trigger_type: String,
    pub title: String,
    pub behavior: String,
    /// What the browser calls itself over the pages of a visit.
    pub fingerprint: String,
    /// Ignored: the server knows who is logged in.
    pub user: String,
    /// Ignored: true without a login.
    pub anonymous: bool,
}
