//! Query kinds: one folder each; a kind turns the text of a request into a job.

#[cfg(test)]
mod extremes;
mod graph;
mod growth;
pub(crate) mod hive;
pub mod label;
mod lambdas;
pub mod mapreduce;
mod nearest;
mod outer_aggregates;
mod places;
pub mod sql;
mod unheeded;
mod windows;

use std::sync::Arc;

pub(crate) use graph::{ChainGraphs, GraphFile};

use crate::engine::Core;
use crate::error::Result;
use crate::job::{Job, JobKind, JobRequest};

/// The job that a request asks for.
pub(crate) fn job(core: &Arc<Core>, request: &JobRequest) -> Result<Box<dyn Job>> {
    match request.kind {
        JobKind::Sql => Ok(Box::new(sql::SqlJob::new(core.clone(), request))),
        JobKind::Graph => Ok(Box::new(graph::GraphJob::new(core.clone(), request))),
        JobKind::Hive => Ok(Box::new(hive::HiveJob::new(core.clone(), request))),
        JobKind::MapReduce => Ok(Box::new(mapreduce::MapReduceJob::new(core.clone(), request)?)),
        JobKind::Label => Ok(Box::new(label::LabelJob::new(core.clone(), request)?)),
    }
}
