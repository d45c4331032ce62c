//! Outer columns have the same type inside a subquery as outside. The SQL planner notes their type when it plans the
//! subquery; a union may get another type in the analyzer, and comparing them fails: `select a from (select 1 as a union
//! all select 2.5) s where exists (select 1 from t where t.x = s.a)`. No upstream issue found as of 2026-11.

use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, ExprSchema, Result};
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{Expr, Join, LogicalPlan, Subquery};
use datafusion::optimizer::AnalyzerRule;
use datafusion::optimizer::analyzer::type_coercion::TypeCoercion;

use crate::sql_extensions::lateral_rows;
use crate::subqueries::map_subquery;
use quarry_functions::tree_walk::{PlanWalk, TreeWalk};

/// Runs after type coercion, and coerces again where the type of an outer column changed.
#[derive(Debug)]
pub struct RetypeOuterReferences;

impl AnalyzerRule for RetypeOuterReferences {
    fn name(&self) -> &str {
        "retype_outer_references"
    }

    fn analyze(&self, plan: LogicalPlan, config: &ConfigOptions) -> Result<LogicalPlan> {
        let retyped = plan.transform_deep_down(|plan| {
            let plan = match plan {
                LogicalPlan::Join(join) if lateral_rows::query(&join.right).is_some() => return retype_lateral(join),
                other => other,
            };
            let schema = merge_schema(&plan.inputs());
            plan.map_exprs(|expr| {
                expr.transform_up(|part| map_subquery(part, |query| with_outer_types(query, &schema)))
            })
        })?;
        if !retyped.transformed {
            return Ok(retyped.data);
        }
        let plan = retyped.data.transform_deep_up(|plan| plan.recompute_schema().map(Transformed::yes))?;
        TypeCoercion::new().analyze(plan.data, config)
    }
}

/// A join whose right side is a lateral subquery.
fn retype_lateral(join: Join) -> Result<Transformed<LogicalPlan>> {
    let Some(query) = lateral_rows::query(&join.right) else { return Ok(Transformed::no(LogicalPlan::Join(join))) };
    let query = with_outer_types(query.clone(), join.left.schema())?;
    if !query.transformed {
        return Ok(Transformed::no(LogicalPlan::Join(join)));
    }
    let right = Arc::new(lateral_rows::with_query(&join.right, query.data)?);
    Ok(Transformed::yes(LogicalPlan::Join(Join { right, ..join })))
}

fn with_outer_types(query: Subquery, schema: &DFSchema) -> Result<Transformed<Subquery>> {
    let retyped = |expr: Expr| {
        expr.transform_up(|part| {
            Ok(match part {
                Expr::OuterReferenceColumn(field, column) => match schema.field_from_column(&column) {
                    Ok(now) if now.data_type() != field.data_type() => {
                        Transformed::yes(Expr::OuterReferenceColumn(Arc::clone(now), column))
                    }
                    _ => Transformed::no(Expr::OuterReferenceColumn(field, column)),
                },
                other => Transformed::no(other),
            })
        })
    };
    if !query.outer_ref_columns.iter().any(|column| retyped(column.clone()).is_ok_and(|column| column.transformed)) {
        return Ok(Transformed::no(query));
    }
    let columns = query.outer_ref_columns.into_iter().map(|column| retyped(column).map(|column| column.data));
    let outer_ref_columns = columns.collect::<Result<Vec<_>>>()?;
    let plan = Arc::unwrap_or_clone(query.subquery);
    let plan = plan.transform_deep_up(|plan| plan.map_exprs(retyped))?.data;
    Ok(Transformed::yes(Subquery { subquery: Arc::new(plan), outer_ref_columns, spans: query.spans }))
}

#[cfg(test)]
mod tests {
    use crate::workarounds::stock::rows;

    #[tokio::test]
    async fn the_stock_planner_still_keeps_the_first_type_of_an_outer_column() {
        let query = "select a from (select 1 as a union all select 2.5) s \
            where exists (select 1 from (values (1)) u(x) where u.x = s.a)";
        assert_ne!(rows(1, &[query]).await, ["1.0"], "DataFusion is right now: `RetypeOuterReferences` can go");
    }
}
