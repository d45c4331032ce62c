//! Shapes of profiles.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A user's profile. What is private is null for everybody but the user and administrators.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    pub user_id: i64,
    pub user_name: String,
    /// Path of the picture for `/api/file/byte/array`; empty when there is none.
    pub head_photo: String,
    /// Favourites that others set on the user's creations.
    pub star_count: i64,
    /// Dashboards that everybody sees.
    pub dashboard_count: i64,
    /// Queries that everybody sees.
    pub query_count: i64,
    pub credit_count: i64,
    /// When the account was made, in milliseconds since 1970.
    pub creator_since: i64,
    /// Private, like all that follows.
    pub phone_number: Option<String>,
    pub email: Option<String>,
    pub career: Option<String>,
    pub address: Option<String>,
    pub tags: Option<Vec<String>>,
    /// First characters of the newest key of the developer API; empty when there is none.
    pub api_key: Option<String>,
    pub role: Option<String>,
}

/// What a user changes; what is left out stays.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ProfileChange {
    /// Up to 100 characters.
    pub career: Option<String>,
    /// Up to 200 characters.
    pub address: Option<String>,
    /// Tags of 1 to 15 characters, separated by commas.
    pub tag: Option<String>,
}
