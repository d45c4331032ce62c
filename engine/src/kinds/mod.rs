//! Query kinds: one folder each; a kind turns the text of a request into a job.

mod graph;
pub(crate) mod hive;
mod nearest;
pub mod sql;

use std::sync::Arc;

pub(crate) use graph::{ChainGraphs, GraphFile};

use crate::engine::Core;
use crate::error::{Error, ErrorCode, Result};
use crate::job::{Job, JobKind, JobRequest};

/// The job that a request asks for.
pub(crate) fn job(core: &Arc<Core>, request: &JobRequest) -> Result<Box<dyn Job>> {
    match request.kind {
        JobKind::Sql => Ok(Box::new(sql::SqlJob::new(core.clone(), request))),
        JobKind::Graph => Ok(Box::new(graph::GraphJob::new(core.clone(), request))),
        JobKind::Hive => Ok(Box::new(hive::HiveJob::new(core.clone(), request))),
        JobKind::MapReduce | JobKind::Label => {
            Err(Error::new(ErrorCode::InvalidInput, "This engine does not run queries of this kind yet."))
        }
    }
}
