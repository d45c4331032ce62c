//! A text and a day, a time or an interval side by side are texts: in the parts of a UNION and in the branches of a CASE.
//! The planner would read the text as a day, and null where it is none.

use std::sync::Arc;

use arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, DFSchema, Result};
use datafusion::logical_expr::expr::Case;
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan, LogicalPlanBuilder, Union};
use datafusion::optimizer::AnalyzerRule;

use crate::functions::bytes::is_text;
use crate::functions::hive::cast::call as hive_cast;
use crate::functions::hive::intervals::is_interval;

/// Looks at the parts of each UNION before their types are made the same.
#[derive(Debug)]
pub(super) struct UnionsOfTexts;

impl AnalyzerRule for UnionsOfTexts {
    fn name(&self) -> &str {
        "hive_unions"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        plan.transform_up_with_subqueries(|plan| match plan {
            LogicalPlan::Union(union) => texts(union),
            other => Ok(Transformed::no(other)),
        })
        .map(|done| done.data)
    }
}

fn is_moment(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Date32 | DataType::Date64 | DataType::Timestamp(..)) || is_interval(data_type)
}

fn meet<'a>(types: impl Iterator<Item = &'a DataType> + Clone) -> bool {
    types.clone().any(is_text) && types.clone().any(is_moment)
}

fn texts(union: Union) -> Result<Transformed<LogicalPlan>> {
    let width = union.schema.fields().len();
    let types =
        |at: usize| union.inputs.iter().filter_map(move |part| part.schema().fields().get(at)).map(|f| f.data_type());
    let mixed: Vec<bool> = (0..width).map(|at| meet(types(at))).collect();
    if !mixed.contains(&true) {
        return Ok(Transformed::no(LogicalPlan::Union(union)));
    }
    let part = |part: &Arc<LogicalPlan>| {
        let columns = part.schema().iter().zip(&mixed).map(|((qualifier, field), mixed)| {
            let column = Expr::Column(Column::new(qualifier.cloned(), field.name()));
            match *mixed && is_moment(field.data_type()) {
                true => hive_cast(column, "string").alias_qualified(qualifier.cloned(), field.name()),
                false => column,
            }
        });
        let columns: Vec<Expr> = columns.collect();
        LogicalPlanBuilder::from(part.as_ref().clone()).project(columns)?.build().map(Arc::new)
    };
    let parts = union.inputs.iter().map(part).collect::<Result<Vec<_>>>()?;
    Ok(Transformed::yes(LogicalPlan::Union(Union::try_new_with_loose_types(parts)?)))
}

/// The branches of a CASE with days and times as texts, when there is a text among them.
pub(super) fn branches(mut case: Case, schema: &DFSchema) -> Transformed<Expr> {
    let of = |expr: &Expr| expr.get_type(schema).unwrap_or(DataType::Null);
    let mut types: Vec<DataType> = case.when_then_expr.iter().map(|(_, then)| of(then)).collect();
    types.extend(case.else_expr.as_deref().map(of));
    if !meet(types.iter()) {
        return Transformed::no(Expr::Case(case));
    }
    let answers = case.when_then_expr.iter_mut().map(|(_, then)| then).chain(&mut case.else_expr);
    for (answer, data_type) in answers.zip(&types) {
        if is_moment(data_type) {
            **answer = hive_cast(answer.as_ref().clone(), "string");
        }
    }
    Transformed::yes(Expr::Case(case))
}
