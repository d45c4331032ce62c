//! `INTERSECT ALL` and `EXCEPT ALL`: a row comes as often as both sides have it, or as often as one side has it more.
//!
//! The stock plan only asks whether the other side has such a row at all. Here the copies of each row are numbered, and
//! numbered rows are intersected and subtracted as rows that come once. The statement is changed before it is planned;
//! what stands for such an operation is an UNPIVOT under a name nobody writes, which the planner here turns into a plan.

use datafusion::common::{Column, Result, internal_err, plan_err};
use datafusion::functions_window::expr_fn::row_number;
use datafusion::logical_expr::planner::{PlannedRelation, RelationPlanner, RelationPlannerContext, RelationPlanning};
use datafusion::logical_expr::{Expr, ExprFunctionExt, LogicalPlan, LogicalPlanBuilder, col};
use datafusion::sql::sqlparser::ast::{
    Expr as SqlExpr, Ident, Join, JoinConstraint, JoinOperator, NullInclusion, Query, SetExpr, SetOperator,
    SetQuantifier, TableFactor, TableWithJoins, Value, Values,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::Parser;

/// Name of the UNPIVOT that stands for such an operation.
const MARK: &str = "__multiset";
/// Name of the column that counts the copies of a row.
const COPY: &str = "__copy";

/// Changes such operations in the body of a query; queries inside are queries of their own.
pub fn rewrite(query: &mut Query) {
    body(&mut query.body);
}

fn body(expr: &mut SetExpr) {
    let SetExpr::SetOperation { op, set_quantifier, left, right } = expr else { return };
    body(left);
    body(right);
    let subtract = match op {
        SetOperator::Intersect => false,
        SetOperator::Except | SetOperator::Minus => true,
        SetOperator::Union => return,
    };
    if *set_quantifier != SetQuantifier::All {
        return;
    }
    let Some(mut everything) = select_everything() else { return };
    let nothing = || Box::new(SetExpr::Values(Values { explicit_row: false, value_keyword: false, rows: Vec::new() }));
    let (left, right) = (std::mem::replace(left, nothing()), std::mem::replace(right, nothing()));
    let mut sides = [left, right].into_iter().filter_map(|side| {
        let mut subquery = select_everything()?;
        subquery.body = side;
        Some(TableFactor::Derived { lateral: false, subquery: Box::new(subquery), alias: None, sample: None })
    });
    let (Some(relation), Some(other)) = (sides.next(), sides.next()) else { return };
    let join_operator = JoinOperator::CrossJoin(JoinConstraint::None);
    let both = TableWithJoins { relation, joins: vec![Join { relation: other, global: false, join_operator }] };
    let operation = TableFactor::Unpivot {
        table: Box::new(TableFactor::NestedJoin { table_with_joins: Box::new(both), alias: None }),
        value: SqlExpr::Value(Value::Null.into()),
        name: Ident::new(MARK),
        columns: Vec::new(),
        null_inclusion: subtract.then_some(NullInclusion::ExcludeNulls),
        alias: None,
    };
    if let SetExpr::Select(select) = everything.body.as_mut() {
        select.from = vec![TableWithJoins { relation: operation, joins: Vec::new() }];
    }
    *expr = *everything.body;
}

fn select_everything() -> Option<Query> {
    let parsed = Parser::new(&GenericDialect {}).try_with_sql("select *").and_then(|mut parser| parser.parse_query());
    parsed.ok().map(|query| *query)
}

/// Plans what [`rewrite`] wrote.
#[derive(Debug)]
pub struct Multisets;

impl RelationPlanner for Multisets {
    fn plan_relation(
        &self,
        relation: TableFactor,
        context: &mut dyn RelationPlannerContext,
    ) -> Result<RelationPlanning> {
        match relation {
            TableFactor::Unpivot { table, name, null_inclusion, .. } if name.value == MARK => {
                let TableFactor::NestedJoin { table_with_joins, .. } = *table else {
                    return internal_err!("a multiset has two sides");
                };
                let TableWithJoins { relation, joins } = *table_with_joins;
                let mut plans = Vec::new();
                for side in std::iter::once(relation).chain(joins.into_iter().map(|join| join.relation)) {
                    plans.push(context.plan(side)?);
                }
                let (Some(right), Some(left)) = (plans.pop(), plans.pop()) else {
                    return internal_err!("a multiset has two sides");
                };
                let subtract = null_inclusion.is_some();
                if left.schema().fields().len() != right.schema().fields().len() {
                    let word = if subtract { "EXCEPT" } else { "INTERSECT" };
                    return plan_err!("{word} queries have different number of columns");
                }
                let kept = match subtract {
                    true => LogicalPlanBuilder::except(numbered(left)?, numbered(right)?, false)?,
                    false => LogicalPlanBuilder::intersect(numbered(left)?, numbered(right)?, false)?,
                };
                let mut columns: Vec<Expr> = kept.schema().columns().into_iter().map(Expr::Column).collect();
                columns.pop();
                let plan = LogicalPlanBuilder::from(kept).project(columns)?.build()?;
                Ok(RelationPlanning::Planned(Box::new(PlannedRelation::new(plan, None))))
            }
            other => Ok(RelationPlanning::Original(Box::new(other))),
        }
    }
}

/// The rows with a last column that says which copy each one is.
fn numbered(plan: LogicalPlan) -> Result<LogicalPlan> {
    let columns: Vec<Expr> = plan.schema().columns().into_iter().map(Expr::Column).collect();
    let number = row_number().partition_by(columns.clone()).build()?;
    let copy = col(Column::from_name(number.schema_name().to_string())).alias(COPY);
    let numbered = LogicalPlanBuilder::window_plan(plan, [number])?;
    LogicalPlanBuilder::from(numbered).project(columns.into_iter().chain([copy]))?.build()
}
