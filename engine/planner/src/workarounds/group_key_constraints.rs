//! Hides that groups are unique by their keys while sorts are planned and when they run. A projection above groups passes the constraint
//! on by the indices of its own columns instead of those of its input (`EquivalenceProperties::project`): over `select s, k
//! from (select k, sum(v) as s from t group by k)` it takes `s` for the key, and rows in order of `s` then count as rows in
//! order of every column behind it. No upstream issue found as of 2026-11.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::physical_plan::aggregates::{AggregateExec, AggregateOutputMode};
use datafusion::physical_plan::execution_plan::replace_children_if_necessary;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};

use super::property_barrier::{Hide, PropertyBarrierExec};

/// Hides the keys of finished groups.
pub(crate) fn hide_group_keys(plan: Arc<dyn ExecutionPlan>) -> Result<Transformed<Arc<dyn ExecutionPlan>>> {
    let mode = plan.downcast_ref::<AggregateExec>().map(|groups| groups.mode().output_mode());
    Ok(match mode {
        Some(AggregateOutputMode::Final) => Transformed::yes(PropertyBarrierExec::above(plan, Hide::Keys)),
        _ => Transformed::no(plan),
    })
}

/// Hides keys from sorts: when it runs, a sort checks once more whether its input is in order already.
pub(crate) fn hide_group_keys_from_sorts(plan: Arc<dyn ExecutionPlan>) -> Result<Transformed<Arc<dyn ExecutionPlan>>> {
    let Some(sort) = plan.downcast_ref::<SortExec>() else { return Ok(Transformed::no(plan)) };
    if sort.input().equivalence_properties().constraints().is_empty() {
        return Ok(Transformed::no(plan));
    }
    let input = PropertyBarrierExec::above(Arc::clone(sort.input()), Hide::Keys);
    replace_children_if_necessary(plan, vec![input]).map(Transformed::yes)
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::{DataType, Field, Schema};
    use datafusion::common::{Constraint, Constraints};
    use datafusion::physical_expr::EquivalenceProperties;
    use datafusion::physical_expr::expressions::Column;
    use datafusion::physical_expr::projection::ProjectionMapping;

    use super::*;

    #[test]
    fn a_stock_projection_still_passes_keys_on_by_the_places_of_its_own_columns() {
        let schema = |names: [&str; 2]| {
            Arc::new(Schema::new(names.map(|name| Field::new(name, DataType::Int64, false)).to_vec()))
        };
        let (input, output) = (schema(["k", "s"]), schema(["s", "k"]));
        let key = Constraints::new_unverified(vec![Constraint::PrimaryKey(vec![0])]);
        let groups = EquivalenceProperties::new(Arc::clone(&input)).with_constraints(key);
        let columns = [("s", 1), ("k", 0)];
        let columns = columns.map(|(name, place)| (Arc::new(Column::new(name, place)) as _, name.to_string()));
        let mapping = ProjectionMapping::try_new(columns, &input).unwrap();
        let projected = groups.project(&mapping, output);
        let right = Constraints::new_unverified(vec![Constraint::PrimaryKey(vec![1])]);
        assert_ne!(projected.constraints(), &right, "DataFusion is right now: the key of groups need not be hidden");
    }
}
