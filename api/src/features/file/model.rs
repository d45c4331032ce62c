//! Shapes of files and their tickets.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::uploads::Scene;

/// What a ticket is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// Downloading the result of a job, or a file.
    Download,
    /// Uploading a picture.
    Upload,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TicketRequest {
    pub purpose: Purpose,
    /// For a download: the job whose result is meant.
    pub job_id: Option<String>,
    /// For a download: the file that is meant.
    pub path: Option<String>,
}

/// A key that works once.
#[derive(Debug, Serialize, ToSchema)]
pub struct Ticket {
    pub ticket: String,
}

/// A kind of files.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SceneView {
    pub scene: Scene,
    /// Media types of its files.
    pub media: Vec<String>,
    /// Largest file, in bytes.
    pub largest: usize,
}

/// Which files.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct FileFilter {
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
    pub scene: Option<Scene>,
    /// Part of the name.
    pub name: Option<String>,
    /// Part of the name of who uploaded it; only for the back office, others see their own files.
    pub user_name: Option<String>,
    /// At or after this moment, in milliseconds since 1970.
    pub from: Option<i64>,
    /// Before this moment.
    pub to: Option<i64>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PathParam {
    pub path: String,
}

/// Which file to download.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FileParams {
    pub path: String,
    /// A ticket of `POST /api/file/ticket`, or the bearer token.
    pub token: Option<String>,
    /// A ticket of `POST /api/file/ticket`.
    pub ticket: Option<String>,
}

/// Who uploads.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UploadParams {
    /// A ticket of `POST /api/file/ticket`, or the bearer token.
    pub token: Option<String>,
    /// A ticket of `POST /api/file/ticket`.
    pub ticket: Option<String>,
}
