//! What several workarounds use: an operator that hides some properties of its input, from which the stock rules would draw
//! wrong conclusions.

use std::sync::Arc;

use datafusion::common::stats::{ColumnStatistics, Precision, Statistics};
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Constraints, Result};
use datafusion::physical_expr::utils::collect_columns;
use datafusion::physical_expr::{
    EquivalenceProperties, LexOrdering, OrderingRequirements, PhysicalExpr, PhysicalSortExpr,
};
use datafusion::physical_plan::filter_pushdown::FilterDescription;
use datafusion::physical_plan::windows::{BoundedWindowAggExec, WindowAggExec};
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties, Partitioning, PlanProperties, WindowExpr};

use crate::pass_through::{PassThrough, PassThroughExec};

/// Hides a property of its input.
pub(crate) type PropertyBarrierExec = PassThroughExec<Hide>;

/// What is hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hide {
    /// Everything: rules don't see what is below.
    Plan,
    /// Nothing. Rules that only go through certain operators stop here.
    Nothing,
    /// That operators above require an order: a sort for it stays above.
    OrderRequirements,
    /// The statistics of the columns, the smallest and largest values among them.
    Bounds,
    /// By which columns rows are unique.
    Keys,
    /// How rows are sorted.
    Order,
    /// That they are sorted by the windows that the input computes.
    WindowOrder,
    /// How rows are sorted, and which columns are constant or equal to others.
    Values,
    /// All but how many rows there may be.
    Everything,
}

impl Hide {
    pub const ALL: [Hide; 9] = [
        Hide::Plan,
        Hide::Nothing,
        Hide::OrderRequirements,
        Hide::Bounds,
        Hide::Keys,
        Hide::Order,
        Hide::WindowOrder,
        Hide::Values,
        Hide::Everything,
    ];

    /// A name by which another process builds the same barrier.
    pub fn name(self) -> &'static str {
        match self {
            Hide::Plan => "hide_plan",
            Hide::Nothing => "hide_nothing",
            Hide::OrderRequirements => "hide_order_requirements",
            Hide::Bounds => "hide_bounds",
            Hide::Keys => "hide_keys",
            Hide::Order => "hide_order",
            Hide::WindowOrder => "hide_window_order",
            Hide::Values => "hide_values",
            Hide::Everything => "hide_everything",
        }
    }

    pub fn by_name(name: &str) -> Option<Hide> {
        Hide::ALL.into_iter().find(|hide| hide.name() == name)
    }
}

impl PassThrough for Hide {
    const NAME: &'static str = "PropertyBarrierExec";

    fn renew(&self) -> Hide {
        *self
    }

    fn properties(&self, input: &Arc<dyn ExecutionPlan>) -> Arc<PlanProperties> {
        let properties = Arc::clone(input.properties());
        let without_values = || EquivalenceProperties::new(input.schema());
        Arc::new(match self {
            Hide::Plan | Hide::Nothing | Hide::OrderRequirements | Hide::Bounds => return properties,
            Hide::Keys => properties.as_ref().clone().with_constraints(Constraints::default()),
            Hide::Order => {
                let mut values = input.equivalence_properties().clone();
                values.clear_orderings();
                properties.as_ref().clone().with_eq_properties(values)
            }
            Hide::WindowOrder => properties.as_ref().clone().with_eq_properties(without_window_orders(input)),
            Hide::Values => properties.as_ref().clone().with_eq_properties(without_values()),
            Hide::Everything => PlanProperties::new(
                without_values(),
                Partitioning::UnknownPartitioning(input.output_partitioning().partition_count()),
                input.pipeline_behavior(),
                input.boundedness(),
            ),
        })
    }

    fn shows_input(&self) -> bool {
        *self != Hide::Plan
    }

    // No operator above can require an order that is hidden.
    fn maintains_order(&self) -> bool {
        matches!(self, Hide::Nothing | Hide::Bounds | Hide::Keys)
    }

    // The sort below stays, although its order is not kept for those above.
    fn required_order(&self, input: &Arc<dyn ExecutionPlan>) -> Option<OrderingRequirements> {
        let order = input.output_ordering().filter(|_| *self == Hide::OrderRequirements);
        order.map(|order| OrderingRequirements::from(order.clone()))
    }

    fn statistics(&self, input: &Arc<Statistics>) -> Arc<Statistics> {
        let num_rows = match self {
            Hide::Nothing | Hide::OrderRequirements | Hide::Keys | Hide::Order | Hide::WindowOrder | Hide::Values => {
                return Arc::clone(input);
            }
            Hide::Plan | Hide::Bounds => input.num_rows,
            Hide::Everything => input.num_rows.to_inexact(),
        };
        let column_statistics = vec![ColumnStatistics::new_unknown(); input.column_statistics.len()];
        Arc::new(Statistics { num_rows, total_byte_size: Precision::Absent, column_statistics })
    }

    // Dynamic filters of joins above go on to the scans below.
    fn pushdown(
        &self,
        filters: Vec<Arc<dyn PhysicalExpr>>,
        inputs: &[&Arc<dyn ExecutionPlan>],
    ) -> Result<FilterDescription> {
        match self {
            Hide::Nothing | Hide::OrderRequirements | Hide::Bounds | Hide::Order | Hide::WindowOrder | Hide::Values => {
                FilterDescription::from_children(filters, inputs)
            }
            Hide::Plan | Hide::Keys | Hide::Everything => Ok(FilterDescription::all_unsupported(&filters, inputs)),
        }
    }
}

/// The windows of an operator, whose answers are its last columns.
pub(super) fn window_exprs(plan: &Arc<dyn ExecutionPlan>) -> &[Arc<dyn WindowExpr>] {
    if let Some(windows) = plan.downcast_ref::<BoundedWindowAggExec>() {
        return windows.window_expr();
    }
    plan.downcast_ref::<WindowAggExec>().map_or(&[], WindowAggExec::window_expr)
}

/// What is known of the rows of windows, without the orders by the answers of the windows.
fn without_window_orders(windows: &Arc<dyn ExecutionPlan>) -> EquivalenceProperties {
    let first_answer = windows.schema().fields().len() - window_exprs(windows).len();
    let is_answer = |sort: &PhysicalSortExpr| collect_columns(&sort.expr).iter().any(|it| it.index() >= first_answer);
    let mut values = windows.equivalence_properties().clone();
    let orders: Vec<LexOrdering> =
        values.oeq_class().iter().filter(|order| !order.iter().any(is_answer)).cloned().collect();
    values.clear_orderings();
    values.add_orderings(orders);
    values
}

/// Takes out the barriers that only `EnsureRequirements` needs: they would hide what is below them from other rules.
pub(crate) fn remove_barriers(plan: Arc<dyn ExecutionPlan>) -> Result<Transformed<Arc<dyn ExecutionPlan>>> {
    Ok(match plan.downcast_ref::<PropertyBarrierExec>() {
        Some(barrier) if matches!(barrier.behavior, Hide::Keys | Hide::OrderRequirements) => {
            Transformed::yes(Arc::clone(&barrier.input))
        }
        _ => Transformed::no(plan),
    })
}
