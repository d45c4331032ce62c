//! Query kinds: one folder each; a kind turns the text of a request into a job.

pub mod sql;

use std::sync::Arc;

use crate::engine::Core;
use crate::error::{Error, ErrorCode, Result};
use crate::job::{Job, JobKind, JobRequest};

/// The job that a request asks for.
pub(crate) fn job(core: &Arc<Core>, request: &JobRequest) -> Result<Box<dyn Job>> {
    match request.kind {
        JobKind::Sql => Ok(Box::new(sql::SqlJob::new(core.clone(), request))),
        JobKind::Hive | JobKind::Graph | JobKind::MapReduce | JobKind::Label => {
            Err(Error::new(ErrorCode::InvalidInput, "This engine runs queries of the kind SQL only."))
        }
    }
}
