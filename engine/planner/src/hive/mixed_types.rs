//! Values of several types in the inputs of a UNION and in the branches of a CASE, where the planner coerces them in another
//! way than Hive: a text and a day, a time or an interval are texts (the planner would read the text as a day, and
//! null where it is none), a decimal and a float are floats (a double shows digits that neither has).

use std::sync::Arc;

use arrow::datatypes::DataType;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, DFSchema, Result};
use datafusion::logical_expr::expr::{Case, ScalarFunction};
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan, LogicalPlanBuilder, Union, cast};

use quarry_functions::hive::cast::call as hive_cast;
use quarry_functions::hive::intervals::is_interval;
use quarry_types::byte_columns::is_text;

/// Runs before the inputs of unions get the same types.
pub(crate) fn coerce_unions(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    match plan {
        LogicalPlan::Union(union) => coerce_union(union),
        other => Ok(Transformed::no(other)),
    }
}

fn is_time(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Date32 | DataType::Date64 | DataType::Timestamp(..)) || is_interval(data_type)
}

/// How values are converted in a column of several types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coercion {
    Same,
    TimesAsTexts,
    DecimalsAsFloats,
}

impl Coercion {
    fn of<'a>(types: impl Iterator<Item = &'a DataType> + Clone) -> Coercion {
        let any = |is: fn(&DataType) -> bool| types.clone().any(is);
        if any(is_text) {
            return if any(is_time) { Coercion::TimesAsTexts } else { Coercion::Same };
        }
        let floats =
            any(|data_type| *data_type == DataType::Float32) && !any(|data_type| *data_type == DataType::Float64);
        if floats && any(DataType::is_decimal) { Coercion::DecimalsAsFloats } else { Coercion::Same }
    }

    /// The converted value; `None` where it stays.
    fn convert(self, value: &Expr, data_type: &DataType) -> Option<Expr> {
        match self {
            Coercion::TimesAsTexts if is_time(data_type) => Some(hive_cast(value.clone(), "string")),
            Coercion::DecimalsAsFloats if data_type.is_decimal() => Some(cast(value.clone(), DataType::Float32)),
            _ => None,
        }
    }
}

fn coerce_union(union: Union) -> Result<Transformed<LogicalPlan>> {
    let width = union.schema.fields().len();
    let types = |index: usize| {
        union.inputs.iter().filter_map(move |input| input.schema().fields().get(index)).map(|field| field.data_type())
    };
    let coercions: Vec<Coercion> = (0..width).map(|index| Coercion::of(types(index))).collect();
    if coercions.iter().all(|coercion| *coercion == Coercion::Same) {
        return Ok(Transformed::no(LogicalPlan::Union(union)));
    }
    let coerce = |input: &Arc<LogicalPlan>| {
        let columns = input.schema().iter().zip(&coercions).map(|((qualifier, field), coercion)| {
            let column = Expr::Column(Column::new(qualifier.cloned(), field.name()));
            match coercion.convert(&column, field.data_type()) {
                Some(converted) => converted.alias_qualified(qualifier.cloned(), field.name()),
                None => column,
            }
        });
        let columns: Vec<Expr> = columns.collect();
        LogicalPlanBuilder::from(input.as_ref().clone()).project(columns)?.build().map(Arc::new)
    };
    let inputs = union.inputs.iter().map(coerce).collect::<Result<Vec<_>>>()?;
    Ok(Transformed::yes(LogicalPlan::Union(Union::try_new_with_loose_types(inputs)?)))
}

/// Coerces the arguments of `coalesce`.
pub fn coerce_coalesce(mut call: ScalarFunction, schema: &DFSchema) -> Transformed<Expr> {
    let is_changed = coerce(call.args.iter_mut().collect(), schema);
    Transformed::new_transformed(Expr::ScalarFunction(call), is_changed)
}

/// Coerces the results of a CASE.
pub fn coerce_case(mut case: Case, schema: &DFSchema) -> Transformed<Expr> {
    let results = case.when_then_expr.iter_mut().map(|(_, then)| then).chain(&mut case.else_expr);
    let is_changed = coerce(results.map(AsMut::as_mut).collect(), schema);
    Transformed::new_transformed(Expr::Case(case), is_changed)
}

/// Coerces values in place; whether one of them changed.
fn coerce(values: Vec<&mut Expr>, schema: &DFSchema) -> bool {
    let types: Vec<DataType> = values.iter().map(|value| value.get_type(schema).unwrap_or(DataType::Null)).collect();
    let coercion = Coercion::of(types.iter());
    let mut is_changed = false;
    for (value, data_type) in values.into_iter().zip(&types) {
        if let Some(converted) = coercion.convert(value, data_type) {
            *value = converted;
            is_changed = true;
        }
    }
    is_changed
}
