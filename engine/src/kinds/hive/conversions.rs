//! Two passes over the plan: lists compared as Hive compares, and no conversion of a text that could fail.

use arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::{Cast, InList};
use datafusion::logical_expr::expr_rewriter::{FunctionRewrite, NamePreserver};
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan, cast};
use datafusion::optimizer::AnalyzerRule;

use super::operators::comparable;
use crate::functions::bytes::is_text;
use crate::functions::hive::{cast as hive, types};

/// `x in (…)` with one type for all.
#[derive(Debug)]
pub(super) struct Lists;

impl FunctionRewrite for Lists {
    fn name(&self) -> &str {
        "hive_lists"
    }

    fn rewrite(&self, expr: Expr, schema: &DFSchema, _: &ConfigOptions) -> Result<Transformed<Expr>> {
        let Expr::InList(InList { expr, list, negated }) = expr else { return Ok(Transformed::no(expr)) };
        let types: Result<Vec<DataType>> = list.iter().map(|item| item.get_type(schema)).collect();
        let (Ok(own), Ok(types)) = (expr.get_type(schema), types) else {
            return Ok(Transformed::no(Expr::InList(InList { expr, list, negated })));
        };
        let other = types.iter().find(|data_type| !data_type.is_null() && is_text(data_type) != is_text(&own));
        let Some(other) = other else { return Ok(Transformed::no(Expr::InList(InList { expr, list, negated }))) };
        // One of another kind decides for all: numbers and texts meet as doubles.
        let (expr, _) = comparable(*expr, &own, cast(datafusion::logical_expr::lit(""), other.clone()), other);
        let items = list.into_iter().zip(&types).map(|(item, data_type)| {
            let against = if is_text(&own) { other.clone() } else { own.clone() };
            match is_text(data_type) {
                true => comparable(datafusion::logical_expr::lit(0), &against, item, data_type).1,
                false if against.is_numeric() => cast(item, DataType::Float64),
                false => item,
            }
        });
        let list = items.collect();
        Ok(Transformed::yes(Expr::InList(InList { expr: Box::new(expr), list, negated })))
    }
}

/// Puts Hive's casts, which answer null, in the place of those that would fail.
#[derive(Debug)]
pub(super) struct SafeCasts;

impl AnalyzerRule for SafeCasts {
    fn name(&self) -> &str {
        "hive_casts"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        plan.transform_up_with_subqueries(|plan| {
            let mut schema = merge_schema(&plan.inputs());
            if let LogicalPlan::TableScan(scan) = &plan {
                let table = DFSchema::try_from_qualified_schema(scan.table_name.clone(), &scan.source.schema())?;
                schema.merge(&table);
            }
            let names = NamePreserver::new(&plan);
            plan.map_expressions(|expr| {
                let name = names.save(&expr);
                let rewritten = expr.transform_up(|expr| Ok(safe(expr, &schema)))?;
                Ok(rewritten.update_data(|expr| name.restore(expr)))
            })
        })
        .map(|done| done.data)
    }
}

fn safe(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    let Expr::Cast(Cast { expr: inner, field }) = expr else { return Transformed::no(expr) };
    let to = field.data_type();
    let from_text = inner.get_type(schema).is_ok_and(|from| is_text(&from));
    let convertible = to.is_numeric() || to.is_temporal() || *to == DataType::Boolean;
    let known = types::field("cast", &types::name(to)).filter(|_| from_text && convertible);
    match known {
        Some(known) => {
            let converted = hive::call(*inner, &types::name(to));
            // A timestamp of another unit is one step further.
            Transformed::yes(if known.data_type() == to { converted } else { cast(converted, to.clone()) })
        }
        None => Transformed::no(Expr::Cast(Cast { expr: inner, field })),
    }
}
