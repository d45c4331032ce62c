//! `in (select …)` and `exists (…)` outside of conditions: in the columns of a query, in `case`, in groups and in
//! aggregates. The stock optimizer knows them in `where` only.
//!
//! They become columns of a mark join, which adds to each row whether it has a partner. `in` has a third answer: null, when
//! no row is equal and a null is among what is compared. The join can't tell it, so an aggregate over the same rows
//! does, where null and false are not the same; the stock optimizer forgets it inside of `not` and `or`.

use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, DataFusionError, Result, internal_err};
use datafusion::functions_aggregate::bool_and_or::bool_and_udaf;
use datafusion::logical_expr::expr::{Case, Exists, InSubquery};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::{conjunction, split_conjunction_owned};
use datafusion::logical_expr::{
    BinaryExpr, Expr, ExprSchemable, Filter, LogicalPlan, LogicalPlanBuilder, Operator, Projection, Subquery,
};
use datafusion::optimizer::decorrelate_predicate_subquery::DecorrelatePredicateSubquery;
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};
use datafusion::prelude::{lit, not, when};
use datafusion::scalar::ScalarValue;

/// Runs before the stock rule that turns subqueries of conditions into joins.
#[derive(Debug)]
pub struct SubqueriesAnywhere;

impl OptimizerRule for SubqueriesAnywhere {
    fn name(&self) -> &str {
        "subqueries_anywhere"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::TopDown)
    }

    fn rewrite(&self, plan: LogicalPlan, config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        let operands = operands_with_subqueries(&plan)?;
        if !operands.is_empty() {
            return below(plan, &|part| operands.contains(part), "__operand");
        }
        match plan {
            LogicalPlan::Filter(filter) => condition(filter),
            LogicalPlan::Projection(projection) if projection.expr.iter().any(has_subquery) => {
                columns(projection, config)
            }
            plan @ (LogicalPlan::Aggregate(_) | LogicalPlan::Window(_) | LogicalPlan::Sort(_)) => {
                below(plan, &is_subquery, "__subquery")
            }
            plan => Ok(Transformed::no(plan)),
        }
    }
}

/// Whether a query stands inside an expression.
pub fn contains_subquery(expr: &Expr) -> bool {
    let query = |part: &Expr| {
        let query =
            matches!(part, Expr::ScalarSubquery(_) | Expr::Exists(_) | Expr::InSubquery(_) | Expr::SetComparison(_));
        Ok(query)
    };
    expr.exists(query).unwrap_or(true)
}

fn is_subquery(expr: &Expr) -> bool {
    matches!(expr, Expr::InSubquery(_) | Expr::Exists(_))
}

fn has_subquery(expr: &Expr) -> bool {
    expr.exists(|part| Ok(is_subquery(part))).unwrap_or(false)
}

/// The left sides of `in (select …)` that have such a subquery themselves. They become columns below the step: whether they are
/// null decides about the third answer.
fn operands_with_subqueries(plan: &LogicalPlan) -> Result<Vec<Expr>> {
    let mut operands = Vec::new();
    for expr in plan.expressions() {
        expr.apply(|part| {
            if let Expr::InSubquery(asked) = part
                && has_subquery(&asked.expr)
            {
                operands.push(asked.expr.as_ref().clone());
            }
            Ok(TreeNodeRecursion::Continue)
        })?;
    }
    Ok(operands)
}

/// In a condition the stock rule does the join. What stands alone between the `and`s it does right, but for `not in` with
/// columns from outside, where it forgets the condition on them, for `case … end not in`, of which it believes that it is
/// never null where no column of it is, and for a value without columns, which is no key of a join. Inside of something else
/// `in` needs its third answer.
fn condition(filter: Filter) -> Result<Transformed<LogicalPlan>> {
    let is_told = |asked: &InSubquery| {
        let known = matches!(*asked.expr, Expr::Column(_))
            || asked.expr.any_column_refs() && !asked.expr.nullable(filter.input.schema()).unwrap_or(true);
        known && asked.subquery.outer_ref_columns.is_empty()
    };
    let stands_alone = |part: &Expr| match part {
        Expr::Exists(_) => true,
        Expr::InSubquery(asked) => !asked.negated || is_told(asked),
        Expr::Not(inner) => match inner.as_ref() {
            Expr::InSubquery(asked) => is_told(asked),
            inner => matches!(inner, Expr::Exists(_)),
        },
        _ => false,
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
        let part = three_answers(part, Asks::Truth, &filter.input)?;
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
    let expr: Vec<Expr> =
        expr.into_iter().map(|expr| Ok(three_answers(expr, Asks::Value, &input)?.data)).collect::<Result<_>>()?;
    // The stock rule joins for conditions: each column is made one, and taken out of it again.
    let (with, without): (Vec<_>, Vec<_>) = expr.into_iter().enumerate().partition(|(_, expr)| has_subquery(expr));
    let (places, with): (Vec<usize>, Vec<Expr>) = with.into_iter().unzip();
    let Some(predicate) = conjunction(with.into_iter().map(|expr| Expr::IsNull(Box::new(expr)))) else {
        return internal_err!("a projection with subqueries has some");
    };
    let asked = LogicalPlan::Filter(Filter::try_new(predicate, input)?);
    // The stock rule also joins the subqueries inside these, so they are rewritten before.
    let nested =
        |query: LogicalPlan| query.transform_down_with_subqueries(|step| SubqueriesAnywhere.rewrite(step, config));
    let asked = asked.map_subqueries(nested)?.data;
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

/// A step whose queries that are `asked` for become columns of a projection below it, under a
/// `name` that nobody writes; the projection is rewritten next.
pub fn below(plan: LogicalPlan, asked: &dyn Fn(&Expr) -> bool, name: &str) -> Result<Transformed<LogicalPlan>> {
    let column = |place: usize| Column::new_unqualified(format!("{name}_{place}"));
    let inputs = plan.inputs();
    let [input] = inputs.as_slice() else { return Ok(Transformed::no(plan)) };
    if !plan.expressions().iter().any(|expr| expr.exists(|part| Ok(asked(part))).unwrap_or(false)) {
        return Ok(Transformed::no(plan));
    }
    let input = (*input).clone();
    let mut columns: Vec<Expr> = input.schema().columns().into_iter().map(Expr::Column).collect();
    let mut found: Vec<Expr> = Vec::new();
    let names = NamePreserver::new(&plan);
    let expressions = plan.expressions().into_iter().map(|expr| {
        let name = names.save(&expr);
        let replaced = expr.transform_down(|part| {
            if !asked(&part) {
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
    let shown: Vec<Expr> = plan.schema().columns().into_iter().map(Expr::Column).collect();
    let answered = plan.with_new_exprs(expressions, vec![input])?;
    // An order and a window show the columns of their rows, the answers too.
    Ok(Transformed::yes(match answered {
        LogicalPlan::Aggregate(_) => answered,
        answered => LogicalPlan::Projection(Projection::try_new(shown, Arc::new(answered))?),
    }))
}

/// Where an expression stands: whether null means the same as false there.
#[derive(Clone, Copy, PartialEq)]
enum Asks {
    /// A condition: only true counts.
    Truth,
    /// A value that somebody sees, or that `not` turns round.
    Value,
}

/// `in` with its third answer, where a null can be met and told from false: null, when no row is equal, and either side
/// has a null.
fn three_answers(expr: Expr, asks: Asks, input: &LogicalPlan) -> Result<Transformed<Expr>> {
    match expr {
        Expr::InSubquery(asked) => third_answer(asked, asks, input),
        Expr::Exists(_) => Ok(Transformed::no(expr)),
        Expr::BinaryExpr(BinaryExpr { op: Operator::And | Operator::Or, .. }) | Expr::Alias(_) => {
            expr.map_children(|part| three_answers(part, asks, input))
        }
        Expr::Case(Case { expr: None, when_then_expr, else_expr }) => {
            let mut changed = false;
            let mut answer = |part: Box<Expr>, asks| {
                let part = three_answers(*part, asks, input)?;
                changed |= part.transformed;
                Ok::<_, DataFusionError>(Box::new(part.data))
            };
            let branches = when_then_expr.into_iter();
            let when_then_expr = branches.map(|(when, then)| Ok((answer(when, Asks::Truth)?, answer(then, asks)?)));
            let when_then_expr = when_then_expr.collect::<Result<Vec<_>>>()?;
            let else_expr = else_expr.map(|part| answer(part, asks)).transpose()?;
            let case = Expr::Case(Case { expr: None, when_then_expr, else_expr });
            Ok(if changed { Transformed::yes(case) } else { Transformed::no(case) })
        }
        expr => expr.map_children(|part| three_answers(part, Asks::Value, input)),
    }
}

/// The answer of one `in`, where its third one can come and makes a difference.
fn third_answer(asked: InSubquery, asks: Asks, input: &LogicalPlan) -> Result<Transformed<Expr>> {
    let InSubquery { expr, subquery, negated } = asked;
    let Transformed { data: subquery, transformed: renamed, .. } = apart(subquery)?;
    let (nulls, outside) = (expr.nullable(input.schema())?, !subquery.outer_ref_columns.is_empty());
    let nulls_below = subquery.subquery.schema().field(0).is_nullable();
    let alike = asks == Asks::Truth && !negated;
    if alike || !(nulls || nulls_below || (negated && outside)) {
        let asked = Expr::InSubquery(InSubquery { expr, subquery, negated });
        return Ok(if renamed { Transformed::yes(asked) } else { Transformed::no(asked) });
    }
    let is_null = expr.as_ref().clone().is_null();
    let unknown = if outside { met(&subquery, is_null)? } else { counted(&subquery, is_null)? };
    let equal = Expr::InSubquery(InSubquery { expr, subquery, negated: false });
    let answer = when(equal, lit(true)).when(unknown, lit(ScalarValue::Boolean(None))).otherwise(lit(false))?;
    Ok(Transformed::yes(if negated { not(answer) } else { answer }))
}

/// A query whose column the stock rule finds once: one without a table, as an aggregate's, has its name in the join too.
fn apart(subquery: Subquery) -> Result<Transformed<Subquery>> {
    let shown = subquery.subquery.head_output_expr()?;
    if !shown.is_some_and(|shown| shown.column_refs().iter().any(|column| column.relation.is_none())) {
        return Ok(Transformed::no(subquery));
    }
    let named = vec![value(&subquery).alias("__compared")];
    let plan = LogicalPlanBuilder::from(Arc::clone(&subquery.subquery)).project(named)?.build()?;
    Ok(Transformed::yes(Subquery { subquery: Arc::new(plan), ..subquery }))
}

/// Whether a row without an equal one can't be told apart: it is null and there are rows, or a row is null. For a subquery
/// with columns from outside, which is asked row by row.
fn met(subquery: &Subquery, is_null: Expr) -> Result<Expr> {
    let exists = |plan: Arc<LogicalPlan>| {
        Expr::Exists(Exists { subquery: Subquery { subquery: plan, ..subquery.clone() }, negated: false })
    };
    let nulls = LogicalPlanBuilder::from(Arc::clone(&subquery.subquery)).filter(value(subquery).is_null())?.build()?;
    Ok(is_null.and(exists(Arc::clone(&subquery.subquery))).or(exists(Arc::new(nulls))))
}

/// The same by one aggregate over all rows, which is null when there are none.
fn counted(subquery: &Subquery, is_null: Expr) -> Result<Expr> {
    let known = LogicalPlanBuilder::from(Arc::clone(&subquery.subquery))
        .aggregate(Vec::<Expr>::new(), vec![bool_and_udaf().call(vec![value(subquery).is_not_null()])])?
        .build()?;
    let known = Expr::ScalarSubquery(Subquery { subquery: Arc::new(known), ..subquery.clone() });
    Ok(known.clone().is_not_null().and(is_null.or(not(known))))
}

/// The column that is compared.
fn value(subquery: &Subquery) -> Expr {
    Expr::Column(Column::from(subquery.subquery.schema().qualified_field(0)))
}
