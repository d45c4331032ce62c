//! Shapes of file tickets.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a ticket is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// Downloading the result of a job.
    Download,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TicketRequest {
    pub purpose: Purpose,
    /// The job whose result is meant.
    pub job_id: Option<String>,
}

/// A key that works once.
#[derive(Debug, Serialize, ToSchema)]
pub struct Ticket {
    pub ticket: String,
}
