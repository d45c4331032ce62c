//! Shapes of white papers.

use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use utoipa::{IntoParams, ToSchema};

use crate::db::Truth;

/// A white paper.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct WhitePaper {
    pub id: i64,
    pub title: String,
    /// `en` or `zh`.
    pub language: String,
    /// Path of the PDF file for `/api/file/download`.
    pub path: String,
    /// In bytes.
    pub size: i64,
    #[schema(value_type = bool)]
    pub published: Truth,
    /// Name of who uploaded it.
    pub created_by: String,
    /// Milliseconds since 1970, like every time here.
    pub created_at: i64,
    pub published_at: Option<i64>,
}

/// What an uploaded file is.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PaperParams {
    /// 1 to 100 characters.
    pub title: String,
    /// `en` or `zh`; `en` when left out.
    pub language: Option<String>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PublishedParam {
    pub published: bool,
}
