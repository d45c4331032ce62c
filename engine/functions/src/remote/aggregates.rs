//! Aggregates.

use datafusion::common::internal_err;
use datafusion::functions_aggregate::array_agg::array_agg_udaf;
use datafusion::functions_aggregate::first_last::{first_value_udaf, last_value_udaf};
use datafusion::logical_expr::AggregateUDF;

use crate::aggregates::semi_join_summary::{aggregate_for_summary, summary_of_aggregate};
use crate::prelude::*;

/// What an aggregate is made of.
#[derive(Debug, Clone)]
pub enum AggregateState {
    /// A built-in aggregate for which the planner decided whether its rows come in its order.
    Ordered { base: Arc<AggregateUDF>, in_order: bool },
    /// A summary of groups for semi joins, such as `pareto_frontier < >=`.
    Summarize { summary: String },
}

/// What an aggregate is made of; `None` if it is not made for one query.
pub fn aggregate_state(function: &AggregateUDF) -> Option<AggregateState> {
    if let Some(summary) = summary_of_aggregate(function) {
        return Some(AggregateState::Summarize { summary });
    }
    // Of the built-in aggregates, the planner makes only these again for the order of their rows. They have no getter for it, but
    // only aggregates with the same order are equal.
    let bases = [array_agg_udaf(), first_value_udaf(), last_value_udaf()];
    let base = bases.into_iter().find(|base| base.name() == function.name())?;
    let in_order = [true, false]
        .into_iter()
        .find(|in_order| ordered(&base, *in_order).is_ok_and(|candidate| candidate == *function))?;
    Some(AggregateState::Ordered { base, in_order })
}

/// The aggregate that is made of this.
///
/// # Errors
///
/// An aggregate does not depend on the order of its rows, or there is no such summary.
pub fn aggregate_from(state: AggregateState) -> Result<Arc<AggregateUDF>> {
    match state {
        AggregateState::Ordered { base, in_order } => ordered(&base, in_order).map(Arc::new),
        AggregateState::Summarize { summary } => match aggregate_for_summary(&summary) {
            Some(function) => Ok(Arc::new(function)),
            None => internal_err!("no aggregate makes the summary {summary}"),
        },
    }
}

fn ordered(base: &AggregateUDF, in_order: bool) -> Result<AggregateUDF> {
    match base.clone().with_beneficial_ordering(in_order)? {
        Some(function) => Ok(function),
        None => internal_err!("{} does not depend on the order of its rows", base.name()),
    }
}

#[cfg(test)]
mod tests {
    use datafusion::functions_aggregate::nth_value::nth_value_udaf;
    use datafusion::logical_expr::{Operator, lit};

    use super::*;

    #[test]
    fn aggregates_come_back_as_they_were() {
        let mut functions = Vec::new();
        for base in [array_agg_udaf(), first_value_udaf(), last_value_udaf()] {
            functions.extend([true, false].map(|in_order| Arc::new(ordered(&base, in_order).unwrap())));
        }
        let summary = crate::pareto_frontier([lit(1), lit(2)], [Operator::Lt, Operator::GtEq]);
        let best = crate::best_and_second_best(lit(1), lit(2), Operator::Gt);
        functions.extend([summary, best].map(|call| match call {
            Expr::AggregateFunction(call) => call.func,
            other => panic!("{other} calls no aggregate"),
        }));
        for function in functions {
            let again = aggregate_from(aggregate_state(&function).unwrap()).unwrap();
            assert_eq!(again, function);
        }
    }

    #[test]
    fn the_order_of_an_aggregate_is_found() {
        for expected in [true, false] {
            let function = ordered(&first_value_udaf(), expected).unwrap();
            let state = aggregate_state(&function).unwrap();
            assert!(matches!(state, AggregateState::Ordered { in_order, .. } if in_order == expected));
        }
    }

    #[test]
    fn other_aggregates_are_not_made_of_data() {
        assert!(aggregate_state(&crate::count_distinct()).is_none());
        assert!(aggregate_state(&nth_value_udaf()).is_none());
        assert!(aggregate_from(AggregateState::Ordered { base: nth_value_udaf(), in_order: true }).is_err());
    }
}
