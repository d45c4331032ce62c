//! Shapes of asking for jobs, their results and logs.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::jobs::model::{JobView, Kind, State};

/// Which jobs.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ListParams {
    pub kind: Option<Kind>,
    pub state: Option<State>,
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
    /// `true` for the jobs of everybody; administrators only.
    pub all: Option<bool>,
}

/// One page of jobs, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobList {
    pub items: Vec<JobView>,
    /// Jobs on all pages.
    pub total: i64,
}

/// Which rows of a result.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageParams {
    /// Rows to pass over; 0 when left out.
    pub offset: Option<u64>,
    /// 1 to 10,000; 100 when left out.
    pub limit: Option<u64>,
}

/// Rows of a result.
#[derive(Debug, Serialize, ToSchema)]
pub struct ResultPage {
    pub columns: Vec<ResultColumn>,
    /// One list per row. Numbers that a JavaScript number can't hold exactly are text, bytes are `0x…`,
    /// times are `YYYY-MM-DD HH:mm:ss`.
    pub rows: Vec<Vec<serde_json::Value>>,
    /// Rows of the whole result.
    pub total: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ResultColumn {
    pub name: String,
    #[serde(rename = "type")]
    pub type_name: String,
}

/// Format of a download.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DownloadFormat {
    Csv,
    Xlsx,
    Json,
    Parquet,
    Arrow,
}

/// How to download.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DownloadParams {
    #[param(inline)]
    pub format: DownloadFormat,
    /// A ticket of `POST /api/file/ticket`, in place of the authorization header.
    pub ticket: Option<String>,
}

/// What a job said while it ran.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobLog {
    pub lines: Vec<LogLine>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LogLine {
    /// Milliseconds since 1970.
    pub time: i64,
    pub text: String,
}
