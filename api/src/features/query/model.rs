//! Shapes of running and saving queries.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::creations::model::{Head, Origin, Visibility};
use crate::creations::queries::{QueryText, Strategy};
use crate::creations::versions::VersionView;
use crate::creations::viz::Viz;
use crate::jobs::model::{JobView, Kind};
use crate::jobs::of_query::{RunView, Shown};
use crate::jobs::result::ResultPage;

/// What to run.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Execution {
    pub kind: Kind,
    /// The query; of the kinds SQL, HIVE and GRAPH.
    pub text: Option<String>,
    /// Of MAPREDUCE: `tableName`, `startDate`, `endDate`, `driver`, `mapper`, `reducer`, and `combiner` and `result` (`table` or
    /// `rows`) if wanted. Of LABEL: `label` and what that label takes.
    #[schema(value_type = Option<Object>)]
    pub spec: Option<Value>,
    /// Values for the parameters `{{name}}` of the text (`$name` in GRAPH): texts, numbers, lists, or ranges with a `start`
    /// and an `end`.
    #[schema(value_type = Option<std::collections::HashMap<String, serde_json::Value>>)]
    pub parameters: Option<serde_json::Map<String, serde_json::Value>>,
    /// The saved query that is being worked on, whose history this run belongs to. Its owner's run of the text as it is
    /// saved makes the result that viewers see.
    pub query_id: Option<String>,
    /// What lists of jobs call the run, at most 200 characters; a run of a saved query is called as the query is.
    pub title: Option<String>,
    /// Milliseconds, at most 30,000, that the answer waits for the end of the job; it comes with the job then, and with the
    /// first rows of a job that succeeded: one call for who wants rows. At once when left out.
    pub wait: Option<u64>,
    /// Rows that come along with `wait`: 1 to 10,000; 100 when left out.
    pub limit: Option<u64>,
}

/// The job that runs it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Submitted {
    pub job_id: String,
    /// The job as it was when the answer left; with `wait` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<JobView>,
    /// The first rows; with `wait`, of a job that has succeeded by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultPage>,
}

/// A query to be saved.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewQuery {
    pub title: String,
    #[serde(default)]
    pub notes: String,
    /// Each of 1 to 15 characters.
    #[serde(default)]
    pub tags: Vec<String>,
    pub what: QueryText,
    /// `ethereum` when left out.
    pub database: Option<String>,
    #[serde(default)]
    pub update_strategy: Strategy,
    /// Five fields, UTC; only with the strategy `cron`.
    #[serde(default)]
    pub cron: String,
    #[serde(default)]
    pub visibility: Visibility,
}

/// A change of a saved query; what is left out stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueryChange {
    pub id: String,
    /// The revision that the change was made on; 409 with the current state when there is a newer one.
    pub revision: i64,
    pub title: Option<String>,
    pub notes: Option<String>,
    pub tags: Option<Vec<String>>,
    /// Kind, text, spec and parameters together.
    pub what: Option<QueryText>,
    pub database: Option<String>,
    pub update_strategy: Option<Strategy>,
    pub cron: Option<String>,
    /// Whether the schedule rests.
    pub paused: Option<bool>,
}

/// A saved query.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueryView {
    #[serde(flatten)]
    pub head: Head,
    pub what: QueryText,
    pub database: String,
    pub update_strategy: Strategy,
    pub cron: String,
    pub paused: bool,
    pub next_run_time: Option<i64>,
    /// The result that viewers see; nothing as long as no run succeeded.
    pub shown: Option<Shown>,
    pub visualizations: Vec<VisualizationOf>,
}

/// A visualization of a query.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VisualizationOf {
    pub id: String,
    pub title: String,
    pub revision: i64,
    pub visibility: Visibility,
    pub viz: Viz,
}

/// One version of a query.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueryVersion {
    #[serde(flatten)]
    pub version: VersionView,
    pub what: QueryText,
}

/// Which version.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct VersionTarget {
    pub id: String,
    pub version: i64,
    pub share: Option<String>,
}

/// Which version becomes the current one again.
#[derive(Debug, Deserialize, ToSchema)]
pub struct VersionChoice {
    pub id: String,
    pub version: i64,
}

/// Which versions.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct VersionList {
    pub id: String,
    pub share: Option<String>,
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
}

/// Which rows of the result that viewers see.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ShownParams {
    pub id: String,
    /// The token of a share link.
    pub share: Option<String>,
    /// Rows to pass over; 0 when left out.
    pub offset: Option<u64>,
    /// 1 to 10,000; 1,000 when left out.
    pub limit: Option<u64>,
}

/// A saved query to run.
#[derive(Debug, Deserialize, ToSchema)]
pub struct RunRequest {
    pub id: String,
    /// Values for its parameters; those left out have their defaults.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub parameters: BTreeMap<String, Value>,
    /// The token of a share link.
    pub share: Option<String>,
}

/// Which runs.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RunParams {
    pub id: String,
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
}

/// A run whose text becomes the query's again.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunChoice {
    pub id: String,
    pub job_id: String,
}

/// One page of runs, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct RunList {
    pub items: Vec<RunView>,
    pub total: i64,
}

/// Where a query came from, the nearest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Lineage {
    pub ancestors: Vec<Origin>,
}

/// What somebody is writing and has not saved, kept on the server for every open tab.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    /// Chosen by the editor: 1 to 40 letters, digits, `-` or `_`.
    pub id: String,
    #[serde(default)]
    pub title: String,
    /// The saved query it is a change of.
    pub query_id: Option<String>,
    /// The revision of that query which the draft began with.
    pub revision: Option<i64>,
    pub what: QueryText,
    /// What the editor keeps beside: charts that are being built, the last run.
    #[serde(default)]
    pub state: Value,
    /// Set by the server.
    #[serde(default)]
    pub update_time: i64,
}

/// The caller's drafts, the newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct DraftList {
    pub items: Vec<Draft>,
}
