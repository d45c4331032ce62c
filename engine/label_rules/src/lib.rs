//! LABEL jobs: rules that label addresses. A rule consists of queries over the lake. Its labels go to `labels.addresses` and replace
//! those of an earlier run with the same inputs.

mod groups;
mod output;
mod rule;
mod rules;
mod run;
mod shared_queries;
mod spec;

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::Value;

use quarry_runtime::job::{Job, JobContext, JobRequest};
use quarry_sql::context::QueryContext;
use quarry_sql::running::execute::with_retries;
use quarry_types::{Error, ErrorCode, Result};
use spec::Spec;

pub use rule::{Both, Category, Field, Input, Number, Parameter, ParameterKind, Rule};

/// All rules, by category and number.
pub fn catalogue() -> &'static [Rule] {
    &rules::ALL
}

/// Checks a spec on this lake.
pub async fn check(core: &QueryContext, spec: &Value) -> Result<()> {
    let spec = Spec::read(spec)?;
    run::check_dapp(core, &spec).await?;
    match run::span(core).await? {
        Some((first, head)) => spec.period(first, head).map(drop),
        None => Ok(()),
    }
}

/// A run of a rule as a job.
pub struct LabelJob {
    core: Arc<QueryContext>,
    request: JobRequest,
    spec: Spec,
}

impl LabelJob {
    /// Reads the spec of a request.
    ///
    /// # Errors
    /// The spec is missing or invalid.
    pub fn new(core: Arc<QueryContext>, request: &JobRequest) -> Result<LabelJob> {
        let missing = || Error::new(ErrorCode::InvalidInput, "A label job needs a spec.").about("spec");
        let spec = Spec::read(request.spec.as_ref().ok_or_else(missing)?)?;
        Ok(LabelJob { core, request: request.clone(), spec })
    }
}

impl Job for LabelJob {
    fn run(self: Box<Self>, context: JobContext) -> BoxFuture<'static, Result<()>> {
        async move {
            let LabelJob { core, request, spec } = &*self;
            with_retries(&context, |context| async move { run::run(core, request, spec, &context).await }).await
        }
        .boxed()
    }
}

#[cfg(test)]
mod tests;
