//! `in (select …)` and `exists (…)` outside of conditions: in the columns of a query, in `case`, in groups and in
//! aggregates. The stock optimizer knows them in `where` only.
//!
//! They become columns of a mark join, which adds to each row whether it has a partner. `in` has a third answer: null, when
//! no row is equal and a null is among what is compared. The join can't tell it, so it is told apart by counts; the stock
//! optimizer forgets it inside of `or` too.

use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, Result, internal_err};
use datafusion::functions_aggregate::count::count_udaf;
use datafusion::logical_expr::expr::InSubquery;
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::{conjunction, split_conjunction_owned};
use datafusion::logical_expr::{Expr, ExprSchemable, Filter, LogicalPlan, LogicalPlanBuilder, Projection, Subquery};
use datafusion::optimizer::decorrelate_predicate_subquery::DecorrelatePredicateSubquery;
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};
use datafusion::prelude::{lit, not, when};
use datafusion::scalar::ScalarValue;

/// Runs before the stock rule that turns subqueries of conditions into joins.
#[derive(Debug)]
pub(super) struct SubqueriesAnywhere;

impl OptimizerRule for SubqueriesAnywhere {
    fn name(&self) -> &str {
        "subqueries_anywhere"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::TopDown)
    }

    fn rewrite(&self, plan: LogicalPlan, config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        match plan {
            LogicalPlan::Filter(filter) => condition(filter),
            LogicalPlan::Projection(projection) if projection.expr.iter().any(has_subquery) => {
                columns(projection, config)
            }
            plan @ (LogicalPlan::Aggregate(_) | LogicalPlan::Window(_) | LogicalPlan::Sort(_)) => below(plan, config),
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

/// In a condition the stock rule does the join. What stands alone between the `and`s it does right; inside of something
/// else `in` needs its third answer.
fn condition(filter: Filter) -> Result<Transformed<LogicalPlan>> {
    let stands_alone = |part: &Expr| match part {
        Expr::Not(inner) => is_subquery(inner),
        part => is_subquery(part),
    };
    if !has_subquery(&filter.predicate) {
        return Ok(Transformed::no(LogicalPlan::Filter(filter)));
    }
    let mut changed = false;
    let mut parts = Vec::new();
    for part in split_conjunction_owned(filter.predicate.clone()) {
        if stands_alone(&part) {
            parts.push(part);
            continue;
        }
        let part = three_answers(part, &filter.input)?;
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

/// The columns of a projection over mark joins.
fn columns(projection: Projection, config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
    let Projection { expr, input, .. } = projection;
    let names: Vec<_> = expr.iter().map(|expr| NamePreserver::new_for_projection().save(expr)).collect();
    let expr: Vec<Expr> = expr.into_iter().map(|expr| Ok(three_answers(expr, &input)?.data)).collect::<Result<_>>()?;
    // The stock rule joins for conditions: each column is made one, and taken out of it again.
    let (with, without): (Vec<_>, Vec<_>) = expr.into_iter().enumerate().partition(|(_, expr)| has_subquery(expr));
    let (places, with): (Vec<usize>, Vec<Expr>) = with.into_iter().unzip();
    let Some(predicate) = conjunction(with.into_iter().map(|expr| Expr::IsNull(Box::new(expr)))) else {
        return internal_err!("a projection with subqueries has some");
    };
    let asked = LogicalPlan::Filter(Filter::try_new(predicate, input)?);
    let (predicate, joined) = joined(DecorrelatePredicateSubquery::new().rewrite(asked, config)?.data)?;
    let answered = split_conjunction_owned(predicate).into_iter().map(|part| match part {
        Expr::IsNull(expr) => Ok(*expr),
        other => internal_err!("a condition came back as {other}"),
    });
    let answered = answered.collect::<Result<Vec<Expr>>>()?;
    let mut all: Vec<(usize, Expr)> = places.into_iter().zip(answered).chain(without).collect();
    all.sort_by_key(|(place, _)| *place);
    let expr = all.into_iter().map(|(_, expr)| expr).zip(names).map(|(expr, name)| name.restore(expr)).collect();
    Ok(Transformed::yes(LogicalPlan::Projection(Projection::try_new(expr, joined)?)))
}

/// What the stock rule made of a condition: it, and what it is asked of.
fn joined(plan: LogicalPlan) -> Result<(Expr, Arc<LogicalPlan>)> {
    match plan {
        LogicalPlan::Filter(filter) => Ok((filter.predicate, filter.input)),
        // The columns of the joins are taken away above.
        LogicalPlan::Projection(projection) => joined(Arc::unwrap_or_clone(projection.input)),
        other => internal_err!("a condition became {}", other.display()),
    }
}

/// Elsewhere the subqueries become columns of a projection below, which is rewritten next.
fn below(plan: LogicalPlan, _: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
    let inputs = plan.inputs();
    let [input] = inputs.as_slice() else { return Ok(Transformed::no(plan)) };
    if !plan.expressions().iter().any(has_subquery) {
        return Ok(Transformed::no(plan));
    }
    let input = (*input).clone();
    let mut columns: Vec<Expr> = input.schema().columns().into_iter().map(Expr::Column).collect();
    let mut found: Vec<Expr> = Vec::new();
    let names = NamePreserver::new(&plan);
    let expressions = plan.expressions().into_iter().map(|expr| {
        let name = names.save(&expr);
        let replaced = expr.transform_down(|part| {
            if !is_subquery(&part) {
                return Ok(Transformed::no(part));
            }
            let place = found.iter().position(|known| *known == part).unwrap_or_else(|| {
                found.push(part);
                found.len() - 1
            });
            Ok(Transformed::new(Expr::Column(column(place)), true, TreeNodeRecursion::Jump))
        })?;
        Ok(name.restore(replaced.data))
    });
    let expressions = expressions.collect::<Result<Vec<Expr>>>()?;
    columns.extend(found.into_iter().enumerate().map(|(place, expr)| expr.alias(column(place).name)));
    let input = LogicalPlanBuilder::from(input).project(columns)?.build()?;
    Ok(Transformed::yes(plan.with_new_exprs(expressions, vec![input])?))
}

/// The column of a subquery's answer; the name is one that nobody writes.
fn column(place: usize) -> Column {
    Column::new_unqualified(format!("__subquery_{place}"))
}

/// `in` with its third answer, where a null can be met: null, when no row is equal, and either side has a null.
fn three_answers(expr: Expr, input: &LogicalPlan) -> Result<Transformed<Expr>> {
    let schema = input.schema();
    expr.transform_down(|part| {
        let Expr::InSubquery(InSubquery { expr, subquery, negated }) = part else { return Ok(Transformed::no(part)) };
        let compared = subquery.subquery.schema().columns().into_iter().next();
        let Some(compared) = compared.filter(|_| !has_subquery(&expr)) else {
            return Ok(Transformed::no(Expr::InSubquery(InSubquery { expr, subquery, negated })));
        };
        let nulls_below = subquery.subquery.schema().field(0).is_nullable();
        if !nulls_below && !expr.nullable(schema)? {
            return Ok(Transformed::new(
                Expr::InSubquery(InSubquery { expr, subquery, negated }),
                false,
                TreeNodeRecursion::Jump,
            ));
        }
        let rows = count(&subquery, lit(1))?;
        let values = count(&subquery, Expr::Column(compared))?;
        let unknown = expr.as_ref().clone().is_null().or(values.lt(rows.clone()));
        let equal = Expr::InSubquery(InSubquery { expr, subquery, negated: false });
        let answer = when(equal, lit(true))
            .when(rows.eq(lit(0_i64)), lit(false))
            .when(unknown, lit(ScalarValue::Boolean(None)))
            .otherwise(lit(false))?;
        let answer = if negated { not(answer) } else { answer };
        Ok(Transformed::new(answer, true, TreeNodeRecursion::Jump))
    })
}

/// How many values a subquery has, as a subquery of its own.
fn count(subquery: &Subquery, counted: Expr) -> Result<Expr> {
    let counts = LogicalPlanBuilder::from(Arc::clone(&subquery.subquery))
        .aggregate(Vec::<Expr>::new(), vec![count_udaf().call(vec![counted])])?
        .build()?;
    Ok(Expr::ScalarSubquery(Subquery { subquery: Arc::new(counts), ..subquery.clone() }))
}
