//! Our operators and expressions in a form that can be sent to another process of the same build: a name for each, which says
//! all that it holds besides its inputs.

use std::sync::Arc;

use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::ExecutionPlan;

use crate::pass_through::PassThroughExec;
use crate::physical_optimizer::sliding_windows::SlidingWindowExec;
use crate::physical_optimizer::stoppable_expr::Stoppable;
use crate::physical_optimizer::yield_by_time::Yield;
use crate::workarounds::nested_loop_join::ReadOnce;
use crate::workarounds::property_barrier::{Hide, PropertyBarrierExec};

const YIELD: &str = "yield";
const YIELD_SLICES: &str = "yield_slices";
const READ_ONCE: &str = "read_once";
const SLIDING_WINDOWS: &str = "sliding_windows";
const STOPPABLE: &str = "stoppable";

/// The name of one of our operators, and the plan to build it over: its input, or for windows the operator that it replaces.
/// `None` if it is another operator, or one that only works in this process.
pub fn operator_name(plan: &dyn ExecutionPlan) -> Option<(&'static str, &Arc<dyn ExecutionPlan>)> {
    if let Some(operator) = plan.downcast_ref::<PassThroughExec<Yield>>() {
        return Some((if operator.behavior.sliced { YIELD_SLICES } else { YIELD }, &operator.input));
    }
    if let Some(operator) = plan.downcast_ref::<PassThroughExec<ReadOnce>>() {
        return Some((READ_ONCE, &operator.input));
    }
    if let Some(barrier) = plan.downcast_ref::<PropertyBarrierExec>() {
        return Some((barrier.behavior.name(), &barrier.input));
    }
    plan.downcast_ref::<SlidingWindowExec>().map(|windows| (SLIDING_WINDOWS, &windows.stock))
}

/// The operator of a name that [`operator_name`] gave.
pub fn operator_over(name: &str, input: Arc<dyn ExecutionPlan>) -> Option<Arc<dyn ExecutionPlan>> {
    Some(match name {
        YIELD => PassThroughExec::above(input, Yield { sliced: false }),
        YIELD_SLICES => PassThroughExec::above(input, Yield { sliced: true }),
        READ_ONCE => PassThroughExec::above(input, ReadOnce::default()),
        SLIDING_WINDOWS => Arc::new(SlidingWindowExec::try_new(&input)?),
        _ => PassThroughExec::above(input, Hide::by_name(name)?),
    })
}

/// The name of one of our expressions, whose children say the rest.
pub fn expression_name(expr: &dyn PhysicalExpr) -> Option<&'static str> {
    expr.is::<Stoppable>().then_some(STOPPABLE)
}

/// The expression of a name that [`expression_name`] gave.
pub fn expression_over(name: &str, children: &[Arc<dyn PhysicalExpr>]) -> Option<Arc<dyn PhysicalExpr>> {
    match (name, children) {
        (STOPPABLE, [inner]) => Some(Stoppable::around(Arc::clone(inner))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::Schema;
    use datafusion::physical_expr::expressions::lit;
    use datafusion::physical_plan::empty::EmptyExec;

    use super::*;

    #[test]
    fn operators_are_rebuilt_by_name() {
        let input = || -> Arc<dyn ExecutionPlan> { Arc::new(EmptyExec::new(Arc::new(Schema::empty()))) };
        let names = [YIELD, YIELD_SLICES, READ_ONCE].into_iter().chain(Hide::ALL.map(|hide| hide.name()));
        for name in names {
            let operator = operator_over(name, input()).expect(name);
            let (again, below) = operator_name(operator.as_ref()).expect(name);
            assert_eq!((again, below.name()), (name, "EmptyExec"));
        }
        assert!(operator_over(SLIDING_WINDOWS, input()).is_none(), "no windows to replace");
        assert!(operator_over("unknown", input()).is_none());
        let condition = expression_over(STOPPABLE, &[lit(true)]).unwrap();
        assert_eq!(expression_name(condition.as_ref()), Some(STOPPABLE));
    }
}
