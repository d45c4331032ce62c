//! Refuses to send a plan that would not arrive whole. What the stock protobuf drops differs from version to version
//! (<https://github.com/apache/datafusion/issues/24695>, <https://github.com/apache/datafusion/issues/22363>), so no list of
//! known losses is enough: each plan is decoded again before it is sent, and compared.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode, TreeNodeRecursion};
use datafusion::execution::TaskContext;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::Literal;
use datafusion::physical_expr_common::physical_expr::snapshot_physical_expr;
use datafusion::physical_plan::display::DisplayableExecutionPlan;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};

use super::context::unsupported;
use super::plans::Wire;
use super::subqueries;

impl Wire {
    /// Encodes a plan that arrives whole.
    ///
    /// # Errors
    ///
    /// As [`Wire::encode`], or the decoded plan differs.
    pub fn encode_checked(&self, plan: &Arc<dyn ExecutionPlan>, tasks: &TaskContext) -> Result<Vec<u8>> {
        let bytes = self.encode(plan)?;
        let decoded = self.decode(&bytes, tasks)?;
        if let Some(difference) = difference(plan, &decoded)? {
            return Err(unsupported(difference));
        }
        // Functions are encoded by their identity, and scans by what they read, so equal bytes say that these are the same.
        if self.encode(&decoded)? != bytes {
            return Err(unsupported("the decoded plan has other bytes"));
        }
        Ok(bytes)
    }
}

/// How two plans differ, or `None` if they are alike node by node.
fn difference(sent: &Arc<dyn ExecutionPlan>, arrived: &Arc<dyn ExecutionPlan>) -> Result<Option<String>> {
    let name = sent.name();
    let differs = |what: &str| Ok(Some(format!("{name}: another {what}")));
    if name != arrived.name() {
        return differs("operator");
    }
    if sent.schema() != arrived.schema() {
        return differs("schema");
    }
    // Unknown partitionings are never equal.
    if sent.output_partitioning().to_string() != arrived.output_partitioning().to_string() {
        return differs("partitioning");
    }
    if one_line(sent) != one_line(arrived) {
        return differs("description");
    }
    if !are_alike(&expressions(sent)?, &expressions(arrived)?) {
        return differs("expression");
    }
    let (inputs, arrived) = (sent.children(), arrived.children());
    if inputs.len() != arrived.len() {
        return differs("number of inputs");
    }
    for (input, arrived) in inputs.into_iter().zip(arrived) {
        if let Some(difference) = difference(input, arrived)? {
            return Ok(Some(difference));
        }
    }
    Ok(None)
}

/// The description of a node.
pub(crate) fn one_line(plan: &Arc<dyn ExecutionPlan>) -> String {
    DisplayableExecutionPlan::new(plan.as_ref()).one_line().to_string()
}

/// The expressions of a node. Filters that fill while the query runs are what they are now, and subqueries are their values:
/// copies of either are never equal.
fn expressions(plan: &Arc<dyn ExecutionPlan>) -> Result<Vec<Arc<dyn PhysicalExpr>>> {
    let mut expressions = Vec::new();
    plan.apply_expressions(&mut |expr| {
        let values = snapshot_physical_expr(Arc::clone(expr))?.transform_up(|expr| {
            Ok(match subqueries::value(&expr)? {
                Some(value) => Transformed::yes(Arc::new(Literal::new(value))),
                None => Transformed::no(expr),
            })
        });
        expressions.push(values.data()?);
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(expressions)
}

/// Whether expressions are equal, with the metadata of literals, the fields of calls and the options of casts. Functions are equal
/// by name only.
fn are_alike(sent: &[Arc<dyn PhysicalExpr>], arrived: &[Arc<dyn PhysicalExpr>]) -> bool {
    sent.iter().map(AsRef::as_ref).eq(arrived.iter().map(AsRef::as_ref))
}
