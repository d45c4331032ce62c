//! Shapes of private letters.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Somebody this user wrote with.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatItem {
    pub username: String,
    /// Path of the picture for `/api/file/byte/array`; empty when there is none.
    pub avatar: String,
    /// The newest letter.
    pub content: String,
    /// Milliseconds since 1970.
    pub send_time: i64,
    /// Whether letters of that user are unread.
    pub if_not_read: bool,
    /// How many are unread.
    pub unread: i64,
    pub online: bool,
}

/// A letter.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LetterView {
    pub id: i64,
    pub comment: String,
    /// Name of the sender.
    pub comment_from: String,
    /// Name of the receiver.
    pub comment_to: String,
    /// Milliseconds since 1970.
    pub comment_time: i64,
    /// `是` when the receiver has read it, `否` otherwise.
    pub if_read: String,
}

/// Which letters.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ThreadParams {
    /// Name of the other user.
    pub comment_from: String,
    /// Only letters before the one with this id, for reading further back.
    pub before: Option<i64>,
    /// 1 to 100; 50 when left out.
    pub size: Option<i64>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct FromParam {
    /// Name of the user whose letters were read.
    pub comment_from: String,
}
