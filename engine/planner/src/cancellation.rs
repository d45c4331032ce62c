//! Cancels the planning of a query whose caller is gone. Planning runs on a thread of its own, which has a flag for that; the
//! optimizer checks it before each rule.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use datafusion::common::tree_node::Transformed;
use datafusion::common::{DataFusionError, Result};
use datafusion::logical_expr::LogicalPlan;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};

use quarry_types::{Error, ErrorCode};

thread_local! {
    static IS_CANCELED: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// The caller of a planning thread. Dropping it cancels the planning.
#[derive(Default)]
pub struct Waiting(Arc<AtomicBool>);

impl Waiting {
    /// Runs on the planning thread, and connects it to this caller.
    pub fn work(&self) -> impl FnOnce() + Send + 'static {
        let is_canceled = self.0.clone();
        move || IS_CANCELED.set(Some(is_canceled))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The rules with a check of the thread's flag before each of them.
pub fn between(
    rules: Vec<Arc<dyn OptimizerRule + Send + Sync>>,
) -> impl Iterator<Item = Arc<dyn OptimizerRule + Send + Sync>> {
    let stop: Arc<dyn OptimizerRule + Send + Sync> = Arc::new(StopRule);
    rules.into_iter().flat_map(move |rule| [stop.clone(), rule])
}

#[derive(Debug)]
struct StopRule;

impl OptimizerRule for StopRule {
    fn name(&self) -> &str {
        "stop"
    }

    fn rewrite(&self, plan: LogicalPlan, _: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        let is_canceled =
            IS_CANCELED.with_borrow(|flag| flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)));
        if is_canceled {
            let stopped = Error::new(ErrorCode::Killed, "Planning was stopped.");
            return Err(DataFusionError::External(Box::new(stopped)));
        }
        Ok(Transformed::no(plan))
    }
}

#[cfg(test)]
mod tests {
    use datafusion::logical_expr::LogicalPlanBuilder;
    use datafusion::optimizer::{Optimizer, OptimizerContext};

    use super::*;

    #[test]
    fn dropping_the_caller_cancels_planning() {
        let optimizer = Optimizer::with_rules(between(Optimizer::new().rules).collect());
        let optimize = || {
            let plan = LogicalPlanBuilder::empty(true).build()?;
            optimizer.optimize(plan, &OptimizerContext::new(), |_, _| {})
        };
        let waiting = Waiting::default();
        waiting.work()();
        optimize().unwrap();
        drop(waiting);
        let error = optimize().unwrap_err().to_string();
        assert!(error.contains("Planning was stopped."), "{error}");
    }
}
