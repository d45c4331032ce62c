//! Queries inside of others that ask for columns of the rows around them: as values, in conditions and `lateral`. The stock
//! rules join those that ask `key = outer` below one aggregate. All others are joined here, after Neumann and Kemper, "Unnesting
//! arbitrary queries" (2015): the query is asked once for each combination of outer values that occurs, the [`Domain`], and its
//! answers are joined to the rows by these values.

mod build;
mod compared;
mod domain;
mod laterals;
mod on;
mod pushed;
mod refused;
mod scopes;
mod sought;
mod stock;

use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, Result};
use datafusion::functions_aggregate::bool_and_or::bool_or_udaf;
use datafusion::functions_aggregate::count::count_udaf;
use datafusion::functions_aggregate::first_last::first_value_udaf;
use datafusion::logical_expr::expr::{Exists, InSubquery};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{Expr, JoinType, LogicalPlan, Subquery, not, when};
use datafusion::optimizer::AnalyzerRule;
use datafusion::prelude::lit;
use datafusion::scalar::ScalarValue;

use self::domain::{Domain, is_correlated, outer_columns};
use crate::sql_extensions::subqueries::below;
use quarry_functions::{only_row, value_of_rows};
use quarry_types::invalid;

/// A plan grows to so many steps at most: each query asked for a domain repeats the rows around it.
const MOST_STEPS: usize = 3_000;

/// Runs when all types are known, and before equal parts of the plan are looked for: a domain repeats what it is taken from.
#[derive(Debug)]
pub struct Correlated;

impl AnalyzerRule for Correlated {
    fn name(&self) -> &str {
        "correlated"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let plan = on::below(compared::as_rows(sought::below(plan)?)?)?;
        if !is_correlated(&plan)? {
            return Ok(plan);
        }
        let mut joins = Joins { made: 0 };
        let joined = plan.transform_up_with_subqueries(|step| joins.step(step))?;
        if !joined.transformed {
            return Ok(joined.data);
        }
        Ok(joined.data.transform_up_with_subqueries(|step| step.recompute_schema().map(Transformed::yes))?.data)
    }
}

/// An error for a plan that repeats rows which repeat rows, and so on.
fn bounded(plan: LogicalPlan) -> Result<LogicalPlan> {
    let mut steps = 0;
    plan.apply_with_subqueries(|_| {
        steps += 1;
        Ok(if steps > MOST_STEPS { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    })?;
    if steps <= MOST_STEPS {
        return Ok(plan);
    }
    Err(invalid(
        "Queries that ask for columns of the rows around them stand in one another too often; join them instead.",
    ))
}

/// The joins that were made so far.
struct Joins {
    made: usize,
}

impl Joins {
    /// A step with joins in the place of those of its queries that the stock rules don't join.
    fn step(&mut self, step: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
        match step {
            LogicalPlan::Join(join) => self.lateral(join),
            LogicalPlan::Projection(_) | LogicalPlan::Filter(_) => self.values(step),
            LogicalPlan::Aggregate(_) | LogicalPlan::Window(_) | LogicalPlan::Sort(_) => {
                let [input] = step.inputs()[..] else { return Ok(Transformed::no(step)) };
                let input = input.clone();
                let asks = |expr: &Expr| {
                    let asked = match expr {
                        Expr::ScalarSubquery(asked) => asked,
                        Expr::Exists(Exists { subquery, .. }) | Expr::InSubquery(InSubquery { subquery, .. }) => {
                            subquery
                        }
                        _ => return false,
                    };
                    outer_columns(&asked.subquery, input.schema()).is_ok_and(|columns| !columns.is_empty())
                };
                let values = below(step, &asks, "__asked")?;
                if !values.transformed {
                    return Ok(values);
                }
                // The projection with the queries is below the step, which may have one above that hides them.
                let joined = match values.data {
                    step @ LogicalPlan::Aggregate(_) => step.map_children(|input| self.step(input))?,
                    shown => shown.map_children(|step| step.map_children(|input| self.step(input)))?,
                };
                Ok(Transformed::yes(joined.data))
            }
            other => Ok(Transformed::no(other)),
        }
    }

    /// The answers of a query whose own queries ask for columns of the domain now.
    fn further_inside(&mut self, answers: LogicalPlan) -> Result<LogicalPlan> {
        if !is_correlated(&answers)? {
            return Ok(answers);
        }
        Ok(answers.transform_up_with_subqueries(|step| self.step(step))?.data)
    }

    /// The columns or the condition of a step over its rows joined with what its queries answer.
    fn values(&mut self, step: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
        let [input] = step.inputs()[..] else { return Ok(Transformed::no(step)) };
        let mut around = Around { input: input.clone(), rows: input.clone(), step: &step, joins: self };
        let names = NamePreserver::new(&step);
        let mut changed = false;
        let expressions = step.expressions().into_iter().map(|expr| {
            let name = names.save(&expr);
            let answered = around.answered(expr)?;
            changed |= answered.transformed;
            Ok(name.restore(answered.data))
        });
        let expressions = expressions.collect::<Result<Vec<_>>>()?;
        if !changed {
            return Ok(Transformed::no(step));
        }
        let rows = around.rows;
        let columns: Vec<Expr> = step.schema().columns().into_iter().map(Expr::Column).collect();
        let joined = step.with_new_exprs(expressions, vec![rows])?;
        Ok(Transformed::yes(match joined {
            // A condition shows all columns of its rows.
            LogicalPlan::Filter(_) => build::project(joined, columns)?,
            joined => joined,
        }))
    }
}

/// A step whose queries are joined to its rows, one after another.
struct Around<'a> {
    /// The rows as they were.
    input: LogicalPlan,
    /// The rows with the answers so far.
    rows: LogicalPlan,
    step: &'a LogicalPlan,
    joins: &'a mut Joins,
}

impl Around<'_> {
    /// An expression with columns in the place of its queries.
    fn answered(&mut self, expr: Expr) -> Result<Transformed<Expr>> {
        expr.transform_down(|part| {
            let answer = match &part {
                Expr::ScalarSubquery(asked) if self.refers_to_input(asked)? => self.value(&part, asked)?,
                Expr::Exists(exists) if self.refers_to_input(&exists.subquery)? => self.exists(&part, exists)?,
                Expr::InSubquery(asked) if self.refers_to_input(&asked.subquery)? => self.is_in(&part, asked)?,
                _ => None,
            };
            Ok(match answer {
                Some(answer) => Transformed::new(answer, true, TreeNodeRecursion::Jump),
                None => Transformed::no(part),
            })
        })
    }

    /// Whether a query asks for columns of these rows.
    fn refers_to_input(&self, asked: &Subquery) -> Result<bool> {
        Ok(!outer_columns(&asked.subquery, self.input.schema())?.is_empty())
    }

    fn value(&mut self, expr: &Expr, asked: &Subquery) -> Result<Option<Expr>> {
        if stock::joins_value(self.step, expr, asked)? {
            return Ok(None);
        }
        if stock::is_single(&asked.subquery) {
            return self.joined(&asked.subquery);
        }
        // Only when it is joined shows whether there is one row for each.
        let counted = counted(&asked.subquery)?;
        let counted = Subquery { subquery: Arc::new(counted), ..asked.clone() };
        let by_stock = Expr::ScalarSubquery(counted.clone());
        let value = match stock::joins_value(self.step, &by_stock, &counted)? {
            true => Some(by_stock),
            false => self.joined(&counted.subquery)?,
        };
        Ok(value.map(|value| only_row().call(vec![value])))
    }

    /// `exists`, which is the number of rows above zero.
    fn exists(&mut self, expr: &Expr, exists: &Exists) -> Result<Option<Expr>> {
        if stock::joins_condition(self.step, expr, &exists.subquery)? {
            return Ok(None);
        }
        if let Some(bare) = stock::bare(self.step, exists)? {
            return Ok(Some(Expr::Exists(bare)));
        }
        let count = count_udaf().call(vec![lit(1)]).alias("rows");
        let rows = build::aggregate(exists.subquery.subquery.as_ref().clone(), Vec::new(), vec![count])?;
        let rows = self.joined(&rows)?;
        Ok(rows.map(|rows| if exists.negated { rows.eq(lit(0_i64)) } else { rows.gt(lit(0_i64)) }))
    }

    /// `in`, which is null where no row is equal and a null was compared.
    fn is_in(&mut self, expr: &Expr, asked: &InSubquery) -> Result<Option<Expr>> {
        if stock::joins_condition(self.step, expr, &asked.subquery)? {
            return Ok(None);
        }
        let rows = asked.subquery.subquery.as_ref();
        let Some(sought) = domain::from_inside(asked.expr.as_ref().clone(), self.input.schema())? else {
            return Ok(None);
        };
        let value = Expr::Column(Column::from(rows.schema().qualified_field(0)));
        let equal = value.eq(sought);
        let count = |expr: Expr| count_udaf().call(vec![expr]);
        let column = |name: &str| Expr::Column(Column::new_unqualified(name));
        let compared = build::project(rows.clone(), vec![equal.alias("equal")])?;
        let counts = vec![
            bool_or_udaf().call(vec![column("equal")]).alias("found"),
            count(lit(1)).alias("rows"),
            count(column("equal")).alias("known"),
        ];
        let counted = build::aggregate(compared, Vec::new(), counts)?;
        let answer = when(column("found"), lit(true))
            .when(column("rows").gt(column("known")), lit(ScalarValue::Boolean(None)))
            .otherwise(lit(false))?;
        let found = build::project(counted, vec![answer.alias("found")])?;
        let found = self.joined(&found)?;
        Ok(found.map(|found| if asked.negated { not(found) } else { found }))
    }

    /// The column in which the only row of a query stands beside the rows; `None` where it can't be asked for all at once.
    fn joined(&mut self, asked: &LogicalPlan) -> Result<Option<Expr>> {
        let Some(domain) = Domain::of(&self.input, asked, self.joins.made)? else {
            return refused::around(&self.input);
        };
        let Some(answers) = pushed::pushed(asked, &domain)? else { return refused::inside(asked) };
        let name = format!("__answer_{}", self.joins.made);
        self.joins.made += 1;
        let answers = self.joins.further_inside(answers)?;
        let value = Expr::Column(Column::from(asked.schema().qualified_field(0))).alias(&name);
        let columns: Vec<Expr> = std::iter::once(value).chain(domain.keys()).collect();
        let answers = build::project(answers, columns)?;
        self.rows = bounded(build::join(self.rows.clone(), answers, JoinType::Left, domain.matches())?)?;
        Ok(Some(Expr::Column(Column::new_unqualified(name))))
    }
}

/// One row of a query with the number of its rows.
fn counted(rows: &LogicalPlan) -> Result<LogicalPlan> {
    let (table, field) = rows.schema().qualified_field(0);
    let value = Expr::Column(Column::from((table, field)));
    let column = |name: &str| Expr::Column(Column::new_unqualified(name));
    let first = first_value_udaf().call(vec![value]).alias("value");
    let count = count_udaf().call(vec![lit(1)]).alias("rows");
    let counted = build::aggregate(rows.clone(), Vec::new(), vec![first, count])?;
    let both = value_of_rows().call(vec![column("value"), column("rows")]);
    build::project(counted, vec![both.alias(field.name())])
}
