//! Shapes of asking for jobs, their results and logs.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::jobs::log::LogLine;
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

/// A job that was started.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Started {
    pub job_id: String,
}

/// One page of jobs, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobList {
    pub items: Vec<JobView>,
    /// Jobs on all pages.
    pub total: i64,
}

/// Whether an answer waits for the end of the job.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WaitParams {
    /// Milliseconds, at most 30,000: the answer comes when the job has ended, or after this time with how far it is then. At
    /// once when left out.
    pub wait: Option<u64>,
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
