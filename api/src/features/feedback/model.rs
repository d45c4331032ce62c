//! Shapes of feedback.

use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use utoipa::{IntoParams, ToSchema};

use crate::http::strict::or_empty;

/// What a user sends.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeedbackForm {
    /// 1 to 100 characters.
    #[serde(default, deserialize_with = "or_empty")]
    #[schema(value_type = Option<String>)]
    pub feedback_title: String,
    /// 1 to 5,000 characters.
    #[serde(default, deserialize_with = "or_empty")]
    #[schema(value_type = Option<String>)]
    pub feedback_content: String,
    /// The page it is about.
    #[serde(default, deserialize_with = "or_empty")]
    #[schema(value_type = Option<String>)]
    pub feedback_url: String,
    /// Paths of uploaded pictures, joined with `@`.
    #[serde(default, deserialize_with = "or_empty")]
    #[schema(value_type = Option<String>)]
    pub feedback_photo: String,
}

/// State of feedback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FeedbackState {
    Open,
    Handled,
    Rejected,
}

impl FeedbackState {
    pub fn name(self) -> &'static str {
        match self {
            FeedbackState::Open => "open",
            FeedbackState::Handled => "handled",
            FeedbackState::Rejected => "rejected",
        }
    }
}

/// Which feedback.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct FeedbackParams {
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
    /// Part of the name.
    pub user_name: Option<String>,
    /// Part of the title.
    pub title: Option<String>,
    pub state: Option<FeedbackState>,
    /// At or after this moment, in milliseconds since 1970.
    pub from: Option<i64>,
    /// Before this moment.
    pub to: Option<i64>,
}

/// Feedback as administrators see it.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct FeedbackView {
    pub id: i64,
    pub user_id: i64,
    pub user_name: String,
    pub feedback_title: String,
    pub feedback_content: String,
    pub feedback_url: String,
    /// Paths of pictures for `/api/file/byte/array`, joined with `@`.
    pub feedback_photo: String,
    /// `open`, `handled` or `rejected`.
    pub state: String,
    /// What was done about it.
    pub answer: String,
    /// Name of who handled it.
    pub handled_by: String,
    /// Milliseconds since 1970, like every time here.
    pub handled_at: Option<i64>,
    pub created_at: i64,
}

/// What was done about feedback.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Handling {
    pub state: FeedbackState,
    /// Up to 2,000 characters.
    #[serde(default)]
    pub answer: String,
}
