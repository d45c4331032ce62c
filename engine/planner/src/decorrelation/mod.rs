//! Decorrelates subqueries: scalar ones, `exists`, `in`, and `lateral`. The stock rules join those with `key = outer` below one
//! aggregate. All others are joined here, after Neumann and Kemper, "Unnesting arbitrary queries" (2015): the subquery is
//! evaluated once for each combination of outer values that occurs, the [`Domain`], and its rows are joined to the outer rows by
//! these values.

mod build;
mod domain;
mod grouping_sets;
mod in_operands;
mod join_filters;
mod lateral_joins;
mod outer_references;
mod push_domain;
mod set_comparisons;
mod stock_rules;
mod unsupported;

use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
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
pub use self::set_comparisons::ReplaceSetComparisons;
use crate::sql_extensions::mark_joins::project_below;
use crate::subqueries::{all_columns, subquery_of};
use quarry_functions::tree_walk::{PlanWalk, TreeWalk};
use quarry_functions::{only_row, value_of_rows};
use quarry_types::invalid;

/// Most nodes of a plan: each domain repeats the outer rows.
const MAX_NODES: usize = 3_000;

/// Runs when all types are known, and before common subplans are shared: a domain repeats the outer rows.
#[derive(Debug)]
pub struct DecorrelateSubqueries;

impl AnalyzerRule for DecorrelateSubqueries {
    fn name(&self) -> &str {
        "decorrelate_subqueries"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let plan = join_filters::project_filters(plan)?;
        if !is_correlated(&plan)? {
            return Ok(plan);
        }
        let mut joins = Joins { count: 0 };
        let joined = plan.transform_deep_up(|node| joins.node(node))?;
        if !joined.transformed {
            return Ok(joined.data);
        }
        Ok(joined.data.transform_deep_up(|node| node.recompute_schema().map(Transformed::yes))?.data)
    }
}

/// An error for a plan with too many nodes.
fn limit_size(plan: LogicalPlan) -> Result<LogicalPlan> {
    let mut nodes = 0;
    plan.apply_deep(|_| {
        nodes += 1;
        Ok(if nodes > MAX_NODES { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    })?;
    if nodes <= MAX_NODES {
        return Ok(plan);
    }
    Err(invalid("Correlated subqueries are nested too deeply; use joins instead."))
}

/// The joins that were made so far.
struct Joins {
    count: usize,
}

impl Joins {
    /// Replaces the subqueries of a node that the stock rules don't join by joins.
    fn node(&mut self, node: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
        match node {
            LogicalPlan::Join(join) => self.decorrelate_lateral(join),
            LogicalPlan::Projection(_) | LogicalPlan::Filter(_) => self.expressions(node),
            LogicalPlan::Aggregate(_) | LogicalPlan::Window(_) | LogicalPlan::Sort(_) => {
                let [input] = node.inputs()[..] else { return Ok(Transformed::no(node)) };
                let input = input.clone();
                let is_correlated = |expr: &Expr| {
                    let query = subquery_of(expr).filter(|_| !matches!(expr, Expr::SetComparison(_)));
                    query.is_some_and(|query| {
                        outer_columns(&query.subquery, input.schema()).is_ok_and(|columns| !columns.is_empty())
                    })
                };
                let projected = project_below(node, &is_correlated, "__correlated")?;
                if !projected.transformed {
                    return Ok(projected);
                }
                // The projection with the subqueries is below the node, which may have another projection above.
                let joined = match projected.data {
                    node @ LogicalPlan::Aggregate(_) => node.map_children(|input| self.node(input))?,
                    above => above.map_children(|node| node.map_children(|input| self.node(input)))?,
                };
                Ok(Transformed::yes(joined.data))
            }
            other => Ok(Transformed::no(other)),
        }
    }

    /// Decorrelates the subqueries of a subquery, which may refer to columns of the domain now.
    fn decorrelate_inner(&mut self, rows: LogicalPlan) -> Result<LogicalPlan> {
        if !is_correlated(&rows)? {
            return Ok(rows);
        }
        Ok(rows.transform_deep_up(|node| self.node(node))?.data)
    }

    /// A projection or filter over its input joined with the rows of its subqueries.
    fn expressions(&mut self, node: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
        let [input] = node.inputs()[..] else { return Ok(Transformed::no(node)) };
        let mut outer = OuterRows { input: input.clone(), rows: input.clone(), node: &node, joins: self };
        let names = NamePreserver::new(&node);
        let mut is_changed = false;
        let expressions = node.expressions().into_iter().map(|expr| {
            let name = names.save(&expr);
            let expr = outer.replace_subqueries(expr)?;
            is_changed |= expr.transformed;
            Ok(name.restore(expr.data))
        });
        let expressions = expressions.collect::<Result<Vec<_>>>()?;
        if !is_changed {
            return Ok(Transformed::no(node));
        }
        let rows = outer.rows;
        let columns = all_columns(node.schema());
        let joined = node.with_new_exprs(expressions, vec![rows])?;
        Ok(Transformed::yes(match joined {
            // The output of a filter has all columns of its input.
            LogicalPlan::Filter(_) => build::project(joined, columns)?,
            joined => joined,
        }))
    }
}

/// The input of a node, to which the subqueries of the node are joined one after another.
struct OuterRows<'a> {
    /// The input without joins.
    input: LogicalPlan,
    /// The input with the joins so far.
    rows: LogicalPlan,
    node: &'a LogicalPlan,
    joins: &'a mut Joins,
}

impl OuterRows<'_> {
    /// Replaces the subqueries of an expression by columns.
    fn replace_subqueries(&mut self, expr: Expr) -> Result<Transformed<Expr>> {
        expr.transform_down(|part| {
            let column = match &part {
                Expr::ScalarSubquery(query) if self.refers_to_input(query)? => self.scalar(&part, query)?,
                Expr::Exists(exists) if self.refers_to_input(&exists.subquery)? => self.exists(&part, exists)?,
                Expr::InSubquery(query) if self.refers_to_input(&query.subquery)? => self.in_subquery(&part, query)?,
                _ => None,
            };
            Ok(match column {
                Some(column) => Transformed::new(column, true, TreeNodeRecursion::Jump),
                None => Transformed::no(part),
            })
        })
    }

    /// Whether a subquery refers to columns of the input.
    fn refers_to_input(&self, query: &Subquery) -> Result<bool> {
        Ok(!outer_columns(&query.subquery, self.input.schema())?.is_empty())
    }

    fn scalar(&mut self, expr: &Expr, query: &Subquery) -> Result<Option<Expr>> {
        if stock_rules::join_scalar(self.node, expr, query)? {
            return Ok(None);
        }
        if stock_rules::is_single(&query.subquery) {
            return self.join(&query.subquery);
        }
        // The joined rows show whether there is at most one for each outer row.
        let counted = Subquery { subquery: Arc::new(with_count(&query.subquery)?), ..query.clone() };
        let scalar = Expr::ScalarSubquery(counted.clone());
        let value = match stock_rules::join_scalar(self.node, &scalar, &counted)? {
            true => Some(scalar),
            false => self.join(&counted.subquery)?,
        };
        Ok(value.map(|value| only_row().call(vec![value])))
    }

    /// `exists`, which is the number of rows above zero.
    fn exists(&mut self, expr: &Expr, exists: &Exists) -> Result<Option<Expr>> {
        if stock_rules::join_predicate(self.node, expr, &exists.subquery)? {
            return Ok(None);
        }
        if let Some(exists) = stock_rules::simplify_exists(self.node, exists)? {
            return Ok(Some(Expr::Exists(exists)));
        }
        let count = count_udaf().call(vec![lit(1)]).alias("rows");
        let rows = build::aggregate(exists.subquery.subquery.as_ref().clone(), Vec::new(), vec![count])?;
        let rows = self.join(&rows)?;
        Ok(rows.map(|rows| if exists.negated { rows.eq(lit(0_i64)) } else { rows.gt(lit(0_i64)) }))
    }

    /// `in`, which is null where no row is equal and a null is compared.
    fn in_subquery(&mut self, expr: &Expr, query: &InSubquery) -> Result<Option<Expr>> {
        if stock_rules::join_predicate(self.node, expr, &query.subquery)? {
            return Ok(None);
        }
        let rows = query.subquery.subquery.as_ref();
        let Some(operand) = domain::as_outer_expr(query.expr.as_ref().clone(), self.input.schema())? else {
            return Ok(None);
        };
        let value = Expr::Column(Column::from(rows.schema().qualified_field(0)));
        let equal = value.eq(operand);
        let count = |expr: Expr| count_udaf().call(vec![expr]);
        let column = |name: &str| Expr::Column(Column::new_unqualified(name));
        let compared = build::project(rows.clone(), vec![equal.alias("equal")])?;
        let counts = vec![
            bool_or_udaf().call(vec![column("equal")]).alias("found"),
            count(lit(1)).alias("rows"),
            count(column("equal")).alias("known"),
        ];
        let counted = build::aggregate(compared, Vec::new(), counts)?;
        let result = when(column("found"), lit(true))
            .when(column("rows").gt(column("known")), lit(ScalarValue::Boolean(None)))
            .otherwise(lit(false))?;
        let found = build::project(counted, vec![result.alias("found")])?;
        let found = self.join(&found)?;
        Ok(found.map(|found| if query.negated { not(found) } else { found }))
    }

    /// Joins a subquery of one row, and returns its column; `None` where it can't be decorrelated.
    fn join(&mut self, query: &LogicalPlan) -> Result<Option<Expr>> {
        let Some(domain) = Domain::of(&self.input, query, self.joins.count)? else {
            return unsupported::volatile_rows(&self.input);
        };
        let Some(rows) = push_domain::push_domain(query, &domain)? else { return unsupported::clause_of(query) };
        let name = format!("__subquery_value_{}", self.joins.count);
        self.joins.count += 1;
        let rows = self.joins.decorrelate_inner(rows)?;
        let value = Expr::Column(Column::from(query.schema().qualified_field(0))).alias(&name);
        let columns: Vec<Expr> = std::iter::once(value).chain(domain.keys()).collect();
        let rows = build::project(rows, columns)?;
        self.rows = limit_size(build::join(self.rows.clone(), rows, JoinType::Left, domain.matches())?)?;
        Ok(Some(Expr::Column(Column::new_unqualified(name))))
    }
}

/// The first row of a subquery with the number of its rows.
fn with_count(rows: &LogicalPlan) -> Result<LogicalPlan> {
    let (table, field) = rows.schema().qualified_field(0);
    let value = Expr::Column(Column::from((table, field)));
    let column = |name: &str| Expr::Column(Column::new_unqualified(name));
    let first = first_value_udaf().call(vec![value]).alias("value");
    let count = count_udaf().call(vec![lit(1)]).alias("rows");
    let counted = build::aggregate(rows.clone(), Vec::new(), vec![first, count])?;
    let both = value_of_rows().call(vec![column("value"), column("rows")]);
    build::project(counted, vec![both.alias(field.name())])
}
