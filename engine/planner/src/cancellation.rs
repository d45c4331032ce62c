//! Ends the planning of a query that nobody waits for any more. Planning happens on a thread of its own, so the thread knows
//! whether it is still wanted; the optimizer looks before each of its steps.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use datafusion::common::tree_node::Transformed;
use datafusion::common::{DataFusionError, Result};
use datafusion::logical_expr::LogicalPlan;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};

use quarry_types::{Error, ErrorCode};

thread_local! {
    static UNWANTED: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Whoever waits for the work of another thread. The thread is told when this is dropped.
#[derive(Default)]
pub struct Waiting(Arc<AtomicBool>);

impl Waiting {
    /// For the thread that works: what it plans ends when nobody waits any more.
    pub fn work(&self) -> impl FnOnce() + Send + 'static {
        let unwanted = self.0.clone();
        move || UNWANTED.set(Some(unwanted))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The rules with a look at the thread's flag before each of them.
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
        let unwanted = UNWANTED.with_borrow(|flag| flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)));
        if unwanted {
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
    fn what_nobody_waits_for_is_not_planned_to_its_end() {
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
