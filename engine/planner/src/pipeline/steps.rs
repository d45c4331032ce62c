//! An ordered list of planner steps: DataFusion's, and ours at places that are named by theirs.

use std::fmt::Debug;
use std::sync::Arc;

use datafusion::optimizer::{AnalyzerRule, OptimizerRule};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use quarry_types::{Error, Result};

/// A rule of DataFusion's analyzer, optimizer or physical optimizer.
pub trait Rule: Debug + Send + Sync {
    fn name(&self) -> &str;
}

impl Rule for dyn AnalyzerRule + Send + Sync {
    fn name(&self) -> &str {
        AnalyzerRule::name(self)
    }
}

impl Rule for dyn OptimizerRule + Send + Sync {
    fn name(&self) -> &str {
        OptimizerRule::name(self)
    }
}

impl Rule for dyn PhysicalOptimizerRule + Send + Sync {
    fn name(&self) -> &str {
        PhysicalOptimizerRule::name(self)
    }
}

/// One step of the list.
#[derive(Debug)]
pub struct Step<R: ?Sized> {
    pub rule: Arc<R>,
    pub is_ours: bool,
    /// What a step of ours does, or what ours does around a stock rule, and why; empty for a stock rule as it is.
    pub does: &'static str,
}

/// Steps in the order in which they run. A place beside a stock rule that DataFusion does not have is an error of
/// [`Steps::finish`], so that an upgrade which renames a rule does not move ours in silence.
#[derive(Debug)]
pub struct Steps<R: ?Sized> {
    steps: Vec<Step<R>>,
    missing: Vec<&'static str>,
}

impl<R: Rule + ?Sized> Steps<R> {
    /// DataFusion's own steps.
    pub fn stock(rules: Vec<Arc<R>>) -> Steps<R> {
        let steps = rules.into_iter().map(|rule| Step { rule, is_ours: false, does: "" }).collect();
        Steps { steps, missing: Vec::new() }
    }

    /// Before all steps so far.
    pub fn first(&mut self, rule: Arc<R>, does: &'static str) {
        self.steps.insert(0, Step { rule, is_ours: true, does });
    }

    /// After all steps so far.
    pub fn last(&mut self, rule: Arc<R>, does: &'static str) {
        self.steps.push(Step { rule, is_ours: true, does });
    }

    /// Right before the first stock rule of a name.
    pub fn before(&mut self, stock: &'static str, rule: Arc<R>, does: &'static str) {
        if let Some(place) = self.place(stock) {
            self.steps.insert(place, Step { rule, is_ours: true, does });
        }
    }

    /// Right after the first stock rule of a name.
    pub fn after(&mut self, stock: &'static str, rule: Arc<R>, does: &'static str) {
        if let Some(place) = self.place(stock) {
            self.steps.insert(place + 1, Step { rule, is_ours: true, does });
        }
    }

    /// The first stock rule of a name, before all steps so far.
    pub fn move_first(&mut self, stock: &'static str, does: &'static str) {
        if let Some(place) = self.place(stock) {
            let step = self.steps.remove(place);
            self.steps.insert(0, Step { does, ..step });
        }
    }

    /// Every stock rule of a name with something of ours around it.
    pub fn around(&mut self, stock: &'static str, wrap: fn(Arc<R>) -> Arc<R>, does: &'static str) {
        let _ = self.place(stock);
        for step in self.steps.iter_mut().filter(|step| !step.is_ours && step.rule.name() == stock) {
            *step = Step { rule: wrap(step.rule.clone()), is_ours: false, does };
        }
    }

    fn place(&mut self, stock: &'static str) -> Option<usize> {
        let place = self.steps.iter().position(|step| step.rule.name() == stock);
        if place.is_none() {
            self.missing.push(stock);
        }
        place
    }

    /// # Errors
    ///
    /// DataFusion has no rule of a name beside which one of ours belongs.
    pub fn finish(self) -> Result<Vec<Step<R>>> {
        match self.missing.as_slice() {
            [] => Ok(self.steps),
            missing => Err(Error::internal(format!("DataFusion has no rules of these names: {}", missing.join(", ")))),
        }
    }
}

/// The rules alone.
pub fn rules<R: ?Sized>(steps: Vec<Step<R>>) -> Vec<Arc<R>> {
    steps.into_iter().map(|step| step.rule).collect()
}

#[cfg(test)]
mod tests {
    use datafusion::optimizer::Optimizer;

    use super::*;

    #[test]
    fn a_place_that_is_not_there_is_an_error() {
        let mut steps: Steps<dyn OptimizerRule + Send + Sync> = Steps::stock(Optimizer::new().rules);
        let rule = steps.steps[0].rule.clone();
        steps.before("push_down_filter", rule.clone(), "one");
        steps.before("no_such_rule", rule, "two");
        let error = steps.finish().unwrap_err();
        assert!(std::error::Error::source(&error).unwrap().to_string().ends_with("no_such_rule"));
    }
}
