//! Shapes of tracking events. What a page does not know it leaves out or sends as null: a report is never refused for that.

use serde::Deserialize;
use utoipa::ToSchema;

use crate::http::strict::or_empty;

/// A visitor went from one page to another.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct RouteReport {
    #[serde(deserialize_with = "or_empty")]
    #[schema(value_type = Option<String>)]
    pub pre_url: String,
    #[serde(deserialize_with = "or_empty")]
    #[schema(value_type = Option<String>)]
    pub pre_title: String,
    #[serde(deserialize_with = "or_empty")]
    #[schema(value_type = Option<String>)]
    pub current_url: String,
    #[serde(deserialize_with = "or_empty")]
    #[schema(value_type = Option<String>)]
    pub current_title: String,
    /// How long the previous page was looked at, in milliseconds.
    #[serde(deserialize_with = "or_empty")]
    #[schema(value_type = Option<f64>)]
    pub prepage_browse_time_ms: f64,
    /// The same in seconds; used where the milliseconds are missing.
    #[serde(deserialize_with = "or_empty")]
    #[schema(value_type = Option<f64>)]
    pub prepage_browse_time_s: f64,
    /// What the browser calls itself over the pages of a visit.
    #[serde(deserialize_with = "or_empty")]
    #[schema(value_type = Option<String>)]
    pub fingerprint: String,
    /// Ignored: the server knows who is logged in.
    pub user: Option<String>,
    /// Ignored: true without a login.
    pub anonymous: Option<bool>,
}

/// A visitor used something on a page.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ClickReport {
    #[serde(deserialize_with = "or_empty")]
    #[schema(value_type = Option<String>)]
    pub current_url: String,
    #[serde(deserialize_with = "or_empty")]
    #[schema(value_type = Option<String>)]
    pub trigger_type: String,
    #[serde(deserialize_with = "or_empty")]
    #[schema(value_type = Option<String>)]
    pub title: String,
    #[serde(deserialize_with = "or_empty")]
    #[schema(value_type = Option<String>)]
    pub behavior: String,
    /// What the browser calls itself over the pages of a visit.
    #[serde(deserialize_with = "or_empty")]
    #[schema(value_type = Option<String>)]
    pub fingerprint: String,
    /// Ignored: the server knows who is logged in.
    pub user: Option<String>,
    /// Ignored: true without a login.
    pub anonymous: Option<bool>,
}
