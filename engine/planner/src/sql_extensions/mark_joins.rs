//! `in (select …)` and `exists (…)` outside of filters: in the columns of a query, in `case`, in groups and in
//! aggregates. The stock optimizer joins them in `where` only.
//!
//! They become columns of a mark join, which adds to each row whether it has a match. `in` may also be null, when
//! no row is equal and a null is compared. The join does not compute that, so an aggregate over the same rows
//! does, where null and false differ; the stock optimizer ignores it inside of `not` and `or`.

use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{Column, DataFusionError, Result, internal_err};
use datafusion::functions_aggregate::bool_and_or::bool_and_udaf;
use datafusion::logical_expr::expr::{Case, Exists, InSubquery};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::{conjunction, split_conjunction, split_conjunction_owned};
use datafusion::logical_expr::{
    BinaryExpr, Expr, ExprSchemable, Filter, LogicalPlan, LogicalPlanBuilder, Operator, Projection, Subquery,
};
use datafusion::optimizer::decorrelate_predicate_subquery::DecorrelatePredicateSubquery;
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};
use datafusion::prelude::{lit, not, when};
use datafusion::scalar::ScalarValue;

use crate::subqueries::all_columns;
use quarry_functions::tree_walk::{PlanWalk, TreeWalk};

/// Runs before the stock rule that joins the subqueries of filters.
#[derive(Debug)]
pub struct MarkJoinSubqueries;

impl OptimizerRule for MarkJoinSubqueries {
    fn name(&self) -> &str {
        "mark_join_subqueries"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::TopDown)
    }

    fn rewrite(&self, plan: LogicalPlan, config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        let operands = operands_with_subqueries(&plan)?;
        if !operands.is_empty() {
            return project_below(plan, &|part| operands.contains(part), "__operand");
        }
        match plan {
            LogicalPlan::Filter(filter) => rewrite_filter(filter),
            LogicalPlan::Projection(projection) if projection.expr.iter().any(has_subquery) => {
                join_projection(projection, config)
            }
            plan @ (LogicalPlan::Aggregate(_) | LogicalPlan::Window(_) | LogicalPlan::Sort(_)) => {
                project_below(plan, &is_subquery, "__subquery")
            }
            plan => Ok(Transformed::no(plan)),
        }
    }
}

fn is_subquery(expr: &Expr) -> bool {
    matches!(expr, Expr::InSubquery(_) | Expr::Exists(_))
}

fn has_subquery(expr: &Expr) -> bool {
    expr.exists(|part| Ok(is_subquery(part))).unwrap_or(false)
}

/// The operands of `in (select …)` that contain such a subquery themselves. They become columns below the node, which may be
/// checked for null.
fn operands_with_subqueries(plan: &LogicalPlan) -> Result<Vec<Expr>> {
    let mut operands = Vec::new();
    for expr in plan.expressions() {
        expr.apply(|part| {
            if let Expr::InSubquery(in_subquery) = part
                && has_subquery(&in_subquery.expr)
            {
                operands.push(in_subquery.expr.as_ref().clone());
            }
            Ok(TreeNodeRecursion::Continue)
        })?;
    }
    Ok(operands)
}

/// In a filter the stock rule does the join. It is right for subqueries that are operands of the top `and`, except for `not in` with
/// outer columns, whose condition it drops, for `case … end not in`, which it takes for never null if none of its columns is, and
/// for a value without columns, which is no key of a join. Inside of other expressions `in` may have to be null.
fn rewrite_filter(filter: Filter) -> Result<Transformed<LogicalPlan>> {
    let is_right_negated = |query: &InSubquery| {
        let is_key = matches!(*query.expr, Expr::Column(_))
            || query.expr.any_column_refs() && !query.expr.nullable(filter.input.schema()).unwrap_or(true);
        is_key && query.subquery.outer_ref_columns.is_empty()
    };
    let is_right = |part: &Expr| match part {
        Expr::Exists(_) => true,
        Expr::InSubquery(query) => !query.negated || is_right_negated(query),
        Expr::Not(inner) => match inner.as_ref() {
            Expr::InSubquery(query) => is_right_negated(query),
            inner => matches!(inner, Expr::Exists(_)),
        },
        _ => false,
    };
    if !has_subquery(&filter.predicate) {
        return Ok(Transformed::no(LogicalPlan::Filter(filter)));
    }
    let marks = correlated_marks(&filter.predicate, &is_right)?;
    if marks.len() > 1 {
        return project_below(LogicalPlan::Filter(filter), &|part| marks.contains(part), "__subquery");
    }
    let mut changed = false;
    let mut parts = Vec::new();
    for part in split_conjunction_owned(filter.predicate.clone()) {
        if is_right(&part) {
            parts.push(part);
            continue;
        }
        let part = with_null(part, Context::Condition, &filter.input)?;
        changed |= part.transformed;
        parts.push(part.data);
    }
    match conjunction(parts) {
        Some(predicate) if changed => {
            Ok(Transformed::yes(LogicalPlan::Filter(Filter::try_new(predicate, filter.input)?)))
        }
        _ => Ok(Transformed::no(LogicalPlan::Filter(filter))),
    }
}

/// The subqueries that would become marks in conditions with outer columns. Such conditions move out of their own subquery, where
/// the stock rule gives all marks one name (no upstream issue found as of 2026-12): `where exists (select 1 from t where o.x > 1 and
/// exists (…) or exists (…))`. Columns of a projection keep names of their own.
fn correlated_marks(predicate: &Expr, is_right: &dyn Fn(&Expr) -> bool) -> Result<Vec<Expr>> {
    let mut marks = Vec::new();
    for part in split_conjunction(predicate) {
        if is_right(part) || !part.exists(|expr| Ok(matches!(expr, Expr::OuterReferenceColumn(..))))? {
            continue;
        }
        part.apply(|expr| {
            if is_subquery(expr) && !marks.contains(expr) {
                marks.push(expr.clone());
            }
            Ok(TreeNodeRecursion::Continue)
        })?;
    }
    Ok(marks)
}

/// A projection over mark joins.
fn join_projection(projection: Projection, config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
    let Projection { expr, input, .. } = projection;
    let names: Vec<_> = expr.iter().map(|expr| NamePreserver::new_for_projection().save(expr)).collect();
    let expr: Vec<Expr> =
        expr.into_iter().map(|expr| Ok(with_null(expr, Context::Value, &input)?.data)).collect::<Result<_>>()?;
    // The stock rule joins the subqueries of filters, so each column is made a condition, and taken out of it again.
    let (with, without): (Vec<_>, Vec<_>) = expr.into_iter().enumerate().partition(|(_, expr)| has_subquery(expr));
    let (indices, with): (Vec<usize>, Vec<Expr>) = with.into_iter().unzip();
    let Some(predicate) = conjunction(with.into_iter().map(|expr| Expr::IsNull(Box::new(expr)))) else {
        return internal_err!("a projection with subqueries has some");
    };
    let filter = LogicalPlan::Filter(Filter::try_new(predicate, input)?);
    // The stock rule also joins the subqueries inside these, so they are rewritten before.
    let nested = |query: LogicalPlan| query.transform_deep_down(|node| MarkJoinSubqueries.rewrite(node, config));
    let filter = filter.map_subqueries(nested)?.data;
    let (predicate, joined) = joined(DecorrelatePredicateSubquery::new().rewrite(filter, config)?.data)?;
    let columns = split_conjunction_owned(predicate).into_iter().map(|part| match part {
        Expr::IsNull(expr) => Ok(*expr),
        other => internal_err!("a condition came back as {other}"),
    });
    let columns = columns.collect::<Result<Vec<Expr>>>()?;
    let mut all: Vec<(usize, Expr)> = indices.into_iter().zip(columns).chain(without).collect();
    all.sort_by_key(|(index, _)| *index);
    let expr = all.into_iter().map(|(_, expr)| expr).zip(names).map(|(expr, name)| name.restore(expr)).collect();
    Ok(Transformed::yes(LogicalPlan::Projection(Projection::try_new(expr, joined)?)))
}

/// The filter that the stock rule made: its predicate and its input.
fn joined(plan: LogicalPlan) -> Result<(Expr, Arc<LogicalPlan>)> {
    match plan {
        LogicalPlan::Filter(filter) => Ok((filter.predicate, filter.input)),
        // The stock rule drops the columns of the joins above the filter.
        LogicalPlan::Projection(projection) => joined(Arc::unwrap_or_clone(projection.input)),
        other => internal_err!("a condition became {}", other.display()),
    }
}

/// Replaces the expressions of a node for which `is_meant` holds by columns of a projection below it, called after a
/// `name` that no query uses; the projection is rewritten next.
pub fn project_below(
    plan: LogicalPlan,
    is_meant: &dyn Fn(&Expr) -> bool,
    name: &str,
) -> Result<Transformed<LogicalPlan>> {
    let column = |index: usize| Column::new_unqualified(format!("{name}_{index}"));
    let inputs = plan.inputs();
    let [input] = inputs.as_slice() else { return Ok(Transformed::no(plan)) };
    if !plan.expressions().iter().any(|expr| expr.exists(|part| Ok(is_meant(part))).unwrap_or(false)) {
        return Ok(Transformed::no(plan));
    }
    let input = (*input).clone();
    let mut columns = all_columns(input.schema());
    let mut found: Vec<Expr> = Vec::new();
    let names = NamePreserver::new(&plan);
    let expressions = plan.expressions().into_iter().map(|expr| {
        let name = names.save(&expr);
        let replaced = expr.transform_down(|part| {
            if !is_meant(&part) {
                return Ok(Transformed::no(part));
            }
            let index = found.iter().position(|known| *known == part).unwrap_or_else(|| {
                found.push(part);
                found.len() - 1
            });
            Ok(Transformed::new(Expr::Column(column(index)), true, TreeNodeRecursion::Jump))
        })?;
        Ok(name.restore(replaced.data))
    });
    let expressions = expressions.collect::<Result<Vec<Expr>>>()?;
    columns.extend(found.into_iter().enumerate().map(|(index, expr)| expr.alias(column(index).name)));
    let input = LogicalPlanBuilder::from(input).project(columns)?.build()?;
    let output = all_columns(plan.schema());
    let node = plan.with_new_exprs(expressions, vec![input])?;
    // The output of sorts and windows has all columns of their input.
    Ok(Transformed::yes(match node {
        LogicalPlan::Aggregate(_) => node,
        node => LogicalPlan::Projection(Projection::try_new(output, Arc::new(node))?),
    }))
}

/// Whether null is the same as false for an expression.
#[derive(Clone, Copy, PartialEq)]
enum Context {
    /// It is: the expression is a condition.
    Condition,
    /// It is not: the expression is an output, or an operand of `not` and the like.
    Value,
}

/// An expression whose `in` are null if no row is equal and either side has a null, where that can be and differs from false.
fn with_null(expr: Expr, context: Context, input: &LogicalPlan) -> Result<Transformed<Expr>> {
    match expr {
        Expr::InSubquery(query) => in_with_null(query, context, input),
        Expr::Exists(_) => Ok(Transformed::no(expr)),
        Expr::BinaryExpr(BinaryExpr { op: Operator::And | Operator::Or, .. }) | Expr::Alias(_) => {
            expr.map_children(|part| with_null(part, context, input))
        }
        Expr::Case(Case { expr: None, when_then_expr, else_expr }) => {
            let mut changed = false;
            let mut rewrite = |part: Box<Expr>, context| {
                let part = with_null(*part, context, input)?;
                changed |= part.transformed;
                Ok::<_, DataFusionError>(Box::new(part.data))
            };
            let branches = when_then_expr.into_iter();
            let when_then_expr =
                branches.map(|(when, then)| Ok((rewrite(when, Context::Condition)?, rewrite(then, context)?)));
            let when_then_expr = when_then_expr.collect::<Result<Vec<_>>>()?;
            let else_expr = else_expr.map(|part| rewrite(part, context)).transpose()?;
            let case = Expr::Case(Case { expr: None, when_then_expr, else_expr });
            Ok(if changed { Transformed::yes(case) } else { Transformed::no(case) })
        }
        expr => expr.map_children(|part| with_null(part, Context::Value, input)),
    }
}

/// The same for one `in`.
fn in_with_null(query: InSubquery, context: Context, input: &LogicalPlan) -> Result<Transformed<Expr>> {
    let InSubquery { expr, subquery, negated } = query;
    let Transformed { data: subquery, transformed: is_renamed, .. } = rename_unqualified(subquery)?;
    let (is_nullable, is_correlated) = (expr.nullable(input.schema())?, !subquery.outer_ref_columns.is_empty());
    let has_nulls = subquery.subquery.schema().field(0).is_nullable();
    let null_is_false = context == Context::Condition && !negated;
    if null_is_false || !(is_nullable || has_nulls || (negated && is_correlated)) {
        let query = Expr::InSubquery(InSubquery { expr, subquery, negated });
        return Ok(Transformed::new_transformed(query, is_renamed));
    }
    let is_null = expr.as_ref().clone().is_null();
    let unknown = match is_correlated {
        true => is_unknown_correlated(&subquery, is_null)?,
        false => is_unknown(&subquery, is_null)?,
    };
    let equal = Expr::InSubquery(InSubquery { expr, subquery, negated: false });
    let result = when(equal, lit(true)).when(unknown, lit(ScalarValue::Boolean(None))).otherwise(lit(false))?;
    Ok(Transformed::yes(if negated { not(result) } else { result }))
}

/// Renames the column of a subquery that has no qualifier, as that of an aggregate: in the join its name may be ambiguous.
fn rename_unqualified(subquery: Subquery) -> Result<Transformed<Subquery>> {
    let output = subquery.subquery.head_output_expr()?;
    if !output.is_some_and(|output| output.column_refs().iter().any(|column| column.relation.is_none())) {
        return Ok(Transformed::no(subquery));
    }
    let named = vec![value(&subquery).alias("__compared")];
    let plan = LogicalPlanBuilder::from(Arc::clone(&subquery.subquery)).project(named)?.build()?;
    Ok(Transformed::yes(Subquery { subquery: Arc::new(plan), ..subquery }))
}

/// Whether `in` is null if no row is equal: the operand is null and there are rows, or a row is null. For correlated subqueries,
/// row by row.
fn is_unknown_correlated(subquery: &Subquery, is_null: Expr) -> Result<Expr> {
    let exists = |plan: Arc<LogicalPlan>| {
        Expr::Exists(Exists { subquery: Subquery { subquery: plan, ..subquery.clone() }, negated: false })
    };
    let nulls = LogicalPlanBuilder::from(Arc::clone(&subquery.subquery)).filter(value(subquery).is_null())?.build()?;
    Ok(is_null.and(exists(Arc::clone(&subquery.subquery))).or(exists(Arc::new(nulls))))
}

/// The same by one aggregate over all rows, which is null if there are none.
fn is_unknown(subquery: &Subquery, is_null: Expr) -> Result<Expr> {
    let all_known = LogicalPlanBuilder::from(Arc::clone(&subquery.subquery))
        .aggregate(Vec::<Expr>::new(), vec![bool_and_udaf().call(vec![value(subquery).is_not_null()])])?
        .build()?;
    let all_known = Expr::ScalarSubquery(Subquery { subquery: Arc::new(all_known), ..subquery.clone() });
    Ok(all_known.clone().is_not_null().and(is_null.or(not(all_known))))
}

/// The column that is compared.
fn value(subquery: &Subquery) -> Expr {
    Expr::Column(Column::from(subquery.subquery.schema().qualified_field(0)))
}
