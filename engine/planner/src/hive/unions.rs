//! What values of several types are side by side, in the parts of a UNION and in the branches of a CASE, where the planner means
//! something else than Hive: a text and a day, a time or an interval are texts (the planner would read the text as a day, and
//! null where it is none), a decimal and a float are floats (a double shows digits that neither has).

use std::sync::Arc;

use arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, DFSchema, Result};
use datafusion::logical_expr::expr::{Case, ScalarFunction};
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan, LogicalPlanBuilder, Union, cast};
use datafusion::optimizer::AnalyzerRule;

use quarry_functions::hive::cast::call as hive_cast;
use quarry_functions::hive::intervals::is_interval;
use quarry_types::byte_columns::is_text;

/// Looks at the parts of each UNION before their types are made the same.
#[derive(Debug)]
pub struct UnionsOfTexts;

impl AnalyzerRule for UnionsOfTexts {
    fn name(&self) -> &str {
        "hive_unions"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        plan.transform_up_with_subqueries(|plan| match plan {
            LogicalPlan::Union(union) => parts(union),
            other => Ok(Transformed::no(other)),
        })
        .map(|done| done.data)
    }
}

fn is_moment(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Date32 | DataType::Date64 | DataType::Timestamp(..)) || is_interval(data_type)
}

/// How values of some types are converted in a column of several types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coercion {
    Same,
    MomentsAsTexts,
    DecimalsAsFloats,
}

impl Coercion {
    fn of<'a>(types: impl Iterator<Item = &'a DataType> + Clone) -> Coercion {
        let any = |is: fn(&DataType) -> bool| types.clone().any(is);
        if any(is_text) {
            return if any(is_moment) { Coercion::MomentsAsTexts } else { Coercion::Same };
        }
        let floats =
            any(|data_type| *data_type == DataType::Float32) && !any(|data_type| *data_type == DataType::Float64);
        if floats && any(DataType::is_decimal) { Coercion::DecimalsAsFloats } else { Coercion::Same }
    }

    /// A value of a type as what it is there; `None` when it stays.
    fn converted(self, value: &Expr, data_type: &DataType) -> Option<Expr> {
        match self {
            Coercion::MomentsAsTexts if is_moment(data_type) => Some(hive_cast(value.clone(), "string")),
            Coercion::DecimalsAsFloats if data_type.is_decimal() => Some(cast(value.clone(), DataType::Float32)),
            _ => None,
        }
    }
}

fn parts(union: Union) -> Result<Transformed<LogicalPlan>> {
    let width = union.schema.fields().len();
    let types =
        |at: usize| union.inputs.iter().filter_map(move |part| part.schema().fields().get(at)).map(|f| f.data_type());
    let coercions: Vec<Coercion> = (0..width).map(|at| Coercion::of(types(at))).collect();
    if coercions.iter().all(|coercion| *coercion == Coercion::Same) {
        return Ok(Transformed::no(LogicalPlan::Union(union)));
    }
    let part = |part: &Arc<LogicalPlan>| {
        let columns = part.schema().iter().zip(&coercions).map(|((qualifier, field), coercion)| {
            let column = Expr::Column(Column::new(qualifier.cloned(), field.name()));
            match coercion.converted(&column, field.data_type()) {
                Some(converted) => converted.alias_qualified(qualifier.cloned(), field.name()),
                None => column,
            }
        });
        let columns: Vec<Expr> = columns.collect();
        LogicalPlanBuilder::from(part.as_ref().clone()).project(columns)?.build().map(Arc::new)
    };
    let parts = union.inputs.iter().map(part).collect::<Result<Vec<_>>>()?;
    Ok(Transformed::yes(LogicalPlan::Union(Union::try_new_with_loose_types(parts)?)))
}

/// The values of `coalesce` as what they are together.
pub fn chosen(mut call: ScalarFunction, schema: &DFSchema) -> Transformed<Expr> {
    let types: Vec<DataType> = call.args.iter().map(|arg| arg.get_type(schema).unwrap_or(DataType::Null)).collect();
    let coercion = Coercion::of(types.iter());
    let mut changed = false;
    for (arg, data_type) in call.args.iter_mut().zip(&types) {
        if let Some(converted) = coercion.converted(arg, data_type) {
            *arg = converted;
            changed = true;
        }
    }
    Transformed::new_transformed(Expr::ScalarFunction(call), changed)
}

/// The branches of a CASE as what they are together.
pub fn branches(mut case: Case, schema: &DFSchema) -> Transformed<Expr> {
    let of = |expr: &Expr| expr.get_type(schema).unwrap_or(DataType::Null);
    let mut types: Vec<DataType> = case.when_then_expr.iter().map(|(_, then)| of(then)).collect();
    types.extend(case.else_expr.as_deref().map(of));
    let coercion = Coercion::of(types.iter());
    if coercion == Coercion::Same {
        return Transformed::no(Expr::Case(case));
    }
    let answers = case.when_then_expr.iter_mut().map(|(_, then)| then).chain(&mut case.else_expr);
    for (answer, data_type) in answers.zip(&types) {
        if let Some(converted) = coercion.converted(answer, data_type) {
            **answer = converted;
        }
    }
    Transformed::yes(Expr::Case(case))
}
