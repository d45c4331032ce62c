//! Rules made of functions that rewrite one node of a plan. The functions of a rule share one walk over the plan: on each
//! node they run one after another.

use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TransformedResult};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{AnalyzerRule, OptimizerConfig, OptimizerRule};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::ExecutionPlan;
use quarry_functions::plan_rewrite::rewrite_node_expressions;
use quarry_functions::tree_walk::{PlanWalk, TreeWalk};

type Rewrite<N> = fn(N) -> Result<Transformed<N>>;

/// Rewrites a node of a logical plan.
pub(crate) type RewriteNode = Rewrite<LogicalPlan>;

/// Rewrites an operator of a physical plan.
pub(crate) type RewriteOperator = Rewrite<Arc<dyn ExecutionPlan>>;

/// A shared rule of the physical optimizer.
pub(crate) type PhysicalRule = Arc<dyn PhysicalOptimizerRule + Send + Sync>;

/// An analyzer rule that walks a plan and its subqueries from the leaves up.
#[derive(Debug)]
pub(crate) struct AnalyzeNodes {
    pub name: &'static str,
    pub rewrites: Vec<RewriteNode>,
}

impl AnalyzerRule for AnalyzeNodes {
    fn name(&self) -> &str {
        self.name
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        plan.transform_deep_up(|node| rewrite_node(&self.rewrites, node)).data()
    }
}

/// An optimizer rule that the optimizer takes through the plan, or that rewrites whole plans where it has no order.
#[derive(Debug)]
pub(crate) struct OptimizeNodes {
    pub name: &'static str,
    pub order: Option<ApplyOrder>,
    pub rewrites: Vec<RewriteNode>,
}

impl OptimizerRule for OptimizeNodes {
    fn name(&self) -> &str {
        self.name
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        self.order
    }

    fn rewrite(&self, plan: LogicalPlan, _: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        rewrite_node(&self.rewrites, plan)
    }
}

/// A physical optimizer rule that walks a plan from the leaves up.
#[derive(Debug)]
pub(crate) struct RewriteOperators {
    pub name: &'static str,
    pub rewrites: Vec<RewriteOperator>,
}

impl PhysicalOptimizerRule for RewriteOperators {
    fn name(&self) -> &str {
        self.name
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        plan.transform_up(|operator| rewrite_node(&self.rewrites, operator)).data()
    }

    fn schema_check(&self) -> bool {
        true
    }
}

type OptimizeWith = fn(&PhysicalRule, Arc<dyn ExecutionPlan>, &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>>;

/// A stock rule of the physical optimizer with a function of ours around it.
#[derive(Debug)]
pub(crate) struct WrappedRule {
    pub stock: PhysicalRule,
    pub optimize: OptimizeWith,
}

impl PhysicalOptimizerRule for WrappedRule {
    fn name(&self) -> &str {
        self.stock.name()
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, config: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        (self.optimize)(&self.stock, plan, config)
    }

    fn schema_check(&self) -> bool {
        self.stock.schema_check()
    }
}

/// A stock rule of the optimizer.
pub(crate) type LogicalRule = Arc<dyn OptimizerRule + Send + Sync>;

/// A stock rule of the optimizer with a function of ours around it, which gets each node that the rule gets.
#[derive(Debug)]
pub(crate) struct WrappedLogicalRule {
    pub stock: LogicalRule,
    pub rewrite: fn(&LogicalRule, LogicalPlan, &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>>,
}

impl OptimizerRule for WrappedLogicalRule {
    fn name(&self) -> &str {
        self.stock.name()
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        self.stock.apply_order()
    }

    fn rewrite(&self, plan: LogicalPlan, config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        (self.rewrite)(&self.stock, plan, config)
    }
}

fn rewrite_node<N>(rewrites: &[Rewrite<N>], node: N) -> Result<Transformed<N>> {
    rewrites.iter().try_fold(Transformed::no(node), |node, rewrite| node.transform_data(rewrite))
}

/// Rewrites the expressions of a node from the leaves up; `rewrite` gets the schema of the node's inputs.
pub(crate) fn rewrite_expressions(
    plan: LogicalPlan,
    rewrite: impl Fn(Expr, &DFSchema) -> Result<Transformed<Expr>>,
) -> Result<Transformed<LogicalPlan>> {
    rewrite_node_expressions(plan, |expr, schema| expr.transform_up(|part| rewrite(part, schema)))
}
