//! Shapes of the lists of Discover.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::creations::ranges::Range;

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Sort {
    /// Most favourites first.
    #[default]
    Favorites,
    /// Newest first.
    Time,
}

/// What to list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DiscoverParams {
    /// Words in any order, `"as written"`, `tag:name`, `author:name`, `-without`.
    pub search: Option<String>,
    #[serde(default)]
    #[param(inline)]
    pub sort: Sort,
    /// By the last change; of creators by when they came.
    #[serde(default)]
    #[param(inline)]
    pub range: Range,
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
}

/// What to count.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CountParams {
    /// As in the lists.
    pub search: Option<String>,
    #[serde(default)]
    #[param(inline)]
    pub range: Range,
}

/// How much each tab shows.
#[derive(Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct TabCounts {
    pub dashboards: i64,
    pub queries: i64,
    pub creators: i64,
    pub projects: i64,
    pub addresses: i64,
}

/// A creator in a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatorCard {
    pub user_name: String,
    pub head_photo: String,
    /// Favourites received.
    pub stars: i64,
    /// Public ones.
    pub dashboards: i64,
    pub queries: i64,
    pub tags: Vec<String>,
    pub favorited: bool,
    /// When the account was made.
    pub create_time: i64,
}

/// An address in a list: one that somebody marked or tagged, or the one that was searched for.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddressCard {
    pub address: String,
    pub favorites: i64,
    pub favorited: bool,
    pub tags: Vec<String>,
    pub update_time: Option<i64>,
}
