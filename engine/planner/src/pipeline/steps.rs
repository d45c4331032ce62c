//! An ordered list of planner steps: DataFusion's, and ours at places that are named by theirs.

use std::fmt::Debug;
use std::sync::Arc;

use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{AnalyzerRule, OptimizerRule};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use quarry_types::{Error, Result};

use crate::node_rules::{AnalyzeNodes, OptimizeNodes, RewriteNode, RewriteOperator, RewriteOperators};

/// What a query is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    Sql,
    Hive,
}

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

pub type AnalyzerSteps = Vec<Step<dyn AnalyzerRule + Send + Sync>>;
pub type OptimizerSteps = Vec<Step<dyn OptimizerRule + Send + Sync>>;
pub type PhysicalSteps = Vec<Step<dyn PhysicalOptimizerRule + Send + Sync>>;

/// A function of a step, its name and what it does.
pub(super) type Part<F> = (&'static str, F, &'static str);

/// One step of the list.
#[derive(Debug)]
pub struct Step<R: ?Sized> {
    pub rule: Arc<R>,
    pub is_ours: bool,
    /// What a step of ours does, or what ours does around a stock rule, and why; empty for a stock rule as it is.
    pub does: &'static str,
    /// The functions of a step that has several, in order, and what each does.
    pub parts: Vec<(&'static str, &'static str)>,
}

impl<R: ?Sized> Step<R> {
    pub fn ours(rule: Arc<R>, does: &'static str) -> Step<R> {
        Step { rule, is_ours: true, does, parts: Vec::new() }
    }
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
        let steps = rules.into_iter().map(|rule| Step { is_ours: false, ..Step::ours(rule, "") }).collect();
        Steps { steps, missing: Vec::new() }
    }

    /// Before all steps so far.
    pub fn first(&mut self, step: Step<R>) {
        self.steps.insert(0, step);
    }

    /// After all steps so far.
    pub fn last(&mut self, step: Step<R>) {
        self.steps.push(step);
    }

    /// Right before the first stock rule of a name.
    pub fn before(&mut self, stock: &'static str, step: Step<R>) {
        if let Some(place) = self.place(stock) {
            self.steps.insert(place, step);
        }
    }

    /// Right after the first stock rule of a name.
    pub fn after(&mut self, stock: &'static str, step: Step<R>) {
        if let Some(place) = self.place(stock) {
            self.steps.insert(place + 1, step);
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
            *step = Step { is_ours: false, ..Step::ours(wrap(step.rule.clone()), does) };
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

/// A step of the analyzer that walks the plan from the leaves up.
pub(super) fn analyze(
    name: &'static str,
    rewrite: RewriteNode,
    does: &'static str,
) -> Step<dyn AnalyzerRule + Send + Sync> {
    Step::ours(Arc::new(AnalyzeNodes { name, rewrites: vec![rewrite] }), does)
}

/// The same with several functions.
pub(super) fn analyze_all(
    name: &'static str,
    does: &'static str,
    parts: &[Part<RewriteNode>],
) -> Step<dyn AnalyzerRule + Send + Sync> {
    let (rewrites, parts) = split(parts);
    let rule: Arc<dyn AnalyzerRule + Send + Sync> = Arc::new(AnalyzeNodes { name, rewrites });
    Step { parts, ..Step::ours(rule, does) }
}

/// A step of the optimizer, which walks the plan in an order; without one the function rewrites whole plans.
pub(super) fn optimize(
    name: &'static str,
    order: impl Into<Option<ApplyOrder>>,
    rewrite: RewriteNode,
    does: &'static str,
) -> Step<dyn OptimizerRule + Send + Sync> {
    Step::ours(Arc::new(OptimizeNodes { name, order: order.into(), rewrites: vec![rewrite] }), does)
}

/// The same with several functions.
pub(super) fn optimize_all(
    name: &'static str,
    order: ApplyOrder,
    does: &'static str,
    parts: &[Part<RewriteNode>],
) -> Step<dyn OptimizerRule + Send + Sync> {
    let (rewrites, parts) = split(parts);
    let rule: Arc<dyn OptimizerRule + Send + Sync> = Arc::new(OptimizeNodes { name, order: Some(order), rewrites });
    Step { parts, ..Step::ours(rule, does) }
}

/// A step of the physical optimizer that walks the plan from the leaves up.
pub(super) fn rewrite_operators(
    name: &'static str,
    rewrite: RewriteOperator,
    does: &'static str,
) -> Step<dyn PhysicalOptimizerRule + Send + Sync> {
    Step::ours(Arc::new(RewriteOperators { name, rewrites: vec![rewrite] }), does)
}

/// The same with several functions.
pub(super) fn rewrite_all_operators(
    name: &'static str,
    does: &'static str,
    parts: &[Part<RewriteOperator>],
) -> Step<dyn PhysicalOptimizerRule + Send + Sync> {
    let (rewrites, parts) = split(parts);
    let rule: Arc<dyn PhysicalOptimizerRule + Send + Sync> = Arc::new(RewriteOperators { name, rewrites });
    Step { parts, ..Step::ours(rule, does) }
}

/// The functions of parts, and their names and sentences.
fn split<F: Copy>(parts: &[Part<F>]) -> (Vec<F>, Vec<(&'static str, &'static str)>) {
    parts.iter().map(|(name, rewrite, does)| (*rewrite, (*name, *does))).unzip()
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
        steps.before("push_down_filter", Step::ours(rule.clone(), "one"));
        steps.before("no_such_rule", Step::ours(rule, "two"));
        let error = steps.finish().unwrap_err();
        assert!(std::error::Error::source(&error).unwrap().to_string().ends_with("no_such_rule"));
    }
}
