//! Shapes of running a query.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::jobs::model::Kind;

/// What to run.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Execution {
    pub kind: Kind,
    /// The query.
    pub text: Option<String>,
    /// Values for the query's parameters; must be empty as long as queries take none.
    #[schema(value_type = Option<std::collections::HashMap<String, String>>)]
    pub parameters: Option<serde_json::Map<String, serde_json::Value>>,
}

/// The job that runs it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Submitted {
    pub job_id: String,
}
