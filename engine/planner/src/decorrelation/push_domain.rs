//! Pushes the domain into a correlated subquery: the plan returns its rows for all combinations of outer values at once, with the
//! columns of the domain behind its own.

use datafusion::common::{Column, DFSchema, NullEquality, Result};
use datafusion::functions_aggregate::count::count_udaf;
use datafusion::functions_window::row_number::row_number_udwf;
use datafusion::logical_expr::builder::unnest_with_options;
use datafusion::logical_expr::expr::{AggregateFunction, Sort as Order, WindowFunction};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::{conjunction, merge_schema};
use datafusion::logical_expr::{
    Aggregate, Distinct, Expr, ExprFunctionExt, ExprSchemable, FetchType, Filter, Join, JoinType, Limit, LogicalPlan,
    LogicalPlanBuilder, Operator, SkipType, Sort, SubqueryAlias, Union, Values, Window, WindowFunctionDefinition,
    binary_expr,
};
use datafusion::prelude::lit;

use super::domain::Domain;
use super::{build, grouping_sets};
use crate::sql_extensions::lateral_rows;
use crate::subqueries::{all_columns, contains_subquery, refers_outside};

/// Names of the columns of row numbers, of whether a row exists, and of the number of rows of a group.
const NUMBER: &str = "__domain_number";
const EXISTS: &str = "__domain_exists";
const COUNT: &str = "__domain_count";

/// `None` for plans with nodes into which it can't be pushed.
pub(super) fn push_domain(plan: &LogicalPlan, domain: &Domain) -> Result<Option<LogicalPlan>> {
    if !refers_outside(plan)? {
        let rows = build::join(plan.clone(), domain.plan.clone(), JoinType::Inner, Vec::new())?;
        return Ok(Some(rows));
    }
    match plan {
        LogicalPlan::Projection(projection) => {
            let Some(rows) = push_domain(&projection.input, domain)? else { return Ok(None) };
            let names = NamePreserver::new_for_projection();
            // The inputs of a union have unqualified columns, and filters above refer to them so.
            let columns = projection.expr.iter().zip(projection.schema.iter()).map(|(expr, (table, field))| {
                let column = replaced(expr, domain, &names, projection.input.schema())?;
                Ok(match column.qualified_name() == (table.cloned(), field.name().clone()) {
                    true => column,
                    false => column.alias_qualified(table.cloned(), field.name()),
                })
            });
            with_keys(rows, columns.collect::<Result<_>>()?, domain)
        }
        LogicalPlan::Filter(Filter { predicate, input, .. }) => {
            let Some(rows) = push_domain(input, domain)? else { return Ok(None) };
            let condition = domain.replace_outer(predicate.clone(), input.schema())?;
            build::filter(rows, condition).map(Some)
        }
        LogicalPlan::SubqueryAlias(SubqueryAlias { input, alias, .. }) => {
            let Some(rows) = push_domain(input, domain)? else { return Ok(None) };
            let columns = input.schema().iter().map(|(table, field)| {
                let column = Expr::Column(Column::from((table, field)));
                column.alias_qualified(Some(alias.clone()), field.name())
            });
            with_keys(rows, columns.collect(), domain)
        }
        LogicalPlan::Aggregate(aggregate) if aggregate.group_expr.is_empty() => {
            global_aggregate(plan, aggregate, domain)
        }
        LogicalPlan::Aggregate(aggregate) => groups(plan, aggregate, domain),
        LogicalPlan::Distinct(Distinct::All(input)) => {
            let rows = push_domain(input, domain)?;
            rows.map(|rows| LogicalPlanBuilder::from(rows).distinct()?.build()).transpose()
        }
        // Only limits and aggregates use an order, and look for it themselves.
        LogicalPlan::Sort(Sort { input, fetch: None, .. }) => push_domain(input, domain),
        LogicalPlan::Limit(limit) => limited(limit, domain),
        LogicalPlan::Window(window) => windows(plan, window, domain),
        LogicalPlan::Join(join) => join_rows(plan, join, domain),
        LogicalPlan::Union(union) => union_rows(plan, union, domain),
        LogicalPlan::Values(values) => values_rows(values, domain),
        // A lateral subquery without a left side: `FROM UNNEST(t.list)`, with a list of the outer rows.
        LogicalPlan::Subquery(query) => push_domain(&query.subquery, domain),
        LogicalPlan::Unnest(unnest) => {
            let Some(rows) = push_domain(&unnest.input, domain)? else { return Ok(None) };
            let rows = unnest_with_options(rows, unnest.exec_columns.clone(), unnest.options.clone())?;
            with_keys(rows, all_columns(plan.schema()), domain)
        }
        _ => Ok(None),
    }
}

/// The rows with these columns and those of the domain.
fn with_keys(rows: LogicalPlan, mut columns: Vec<Expr>, domain: &Domain) -> Result<Option<LogicalPlan>> {
    columns.extend(domain.keys());
    build::project(rows, columns).map(Some)
}

/// An expression with columns of the domain in place of outer columns, under its own name.
fn replaced(expr: &Expr, domain: &Domain, names: &NamePreserver, schema: &DFSchema) -> Result<Expr> {
    let name = names.save(expr);
    Ok(name.restore(domain.replace_outer(expr.clone(), schema)?))
}

fn groups(plan: &LogicalPlan, aggregate: &Aggregate, domain: &Domain) -> Result<Option<LogicalPlan>> {
    let has_empty_set = grouping_sets::has_empty_set(aggregate);
    let rows = if has_empty_set { rows_or_none(aggregate, domain)? } else { push_domain(&aggregate.input, domain)? };
    let Some(rows) = rows else { return Ok(None) };
    let exists = Expr::Column(Column::new_unqualified(EXISTS));
    let exists = has_empty_set.then_some(&exists);
    let Some(mut aggregates) = aggregates(plan, aggregate, domain, exists)? else { return Ok(None) };
    aggregates.extend(exists.map(|exists| count_udaf().call(vec![exists.clone()]).alias(COUNT)));
    let mut keys = domain.keys();
    let names = NamePreserver::new(plan);
    for key in &aggregate.group_expr {
        keys.push(grouping_sets::map_keys(key, |key| replaced(key, domain, &names, aggregate.input.schema()))?);
    }
    let mut groups = build::aggregate(rows, keys, aggregates)?;
    if has_empty_set {
        let count = Expr::Column(Column::new_unqualified(COUNT));
        groups = grouping_sets::drop_empty_groups(groups, aggregate, count)?;
    }
    with_keys(groups, grouping_sets::restore_grouping_id(all_columns(plan.schema()), aggregate), domain)
}

/// One row for each combination, also for those without rows.
fn global_aggregate(plan: &LogicalPlan, aggregate: &Aggregate, domain: &Domain) -> Result<Option<LogicalPlan>> {
    let Some(rows) = rows_or_none(aggregate, domain)? else { return Ok(None) };
    let exists = Expr::Column(Column::new_unqualified(EXISTS));
    let Some(aggregates) = aggregates(plan, aggregate, domain, Some(&exists))? else { return Ok(None) };
    with_keys(build::aggregate(rows, domain.keys(), aggregates)?, all_columns(plan.schema()), domain)
}

/// The input of an aggregate. Combinations without rows get one that does not exist, which is not aggregated.
fn rows_or_none(aggregate: &Aggregate, domain: &Domain) -> Result<Option<LogicalPlan>> {
    let (mut columns_below, condition, rows) = match uncorrelated_filter(&aggregate.input)? {
        Some((condition, rows)) => {
            (all_columns(rows.schema()), vec![domain.replace_outer(condition, rows.schema())?], rows.clone())
        }
        None => {
            let Some(rows) = push_domain(&aggregate.input, domain)? else { return Ok(None) };
            let (keys, equal) = domain.renamed_keys();
            (all_columns(aggregate.input.schema()).into_iter().chain(keys).collect(), equal, rows)
        }
    };
    columns_below.push(lit(true).alias(EXISTS));
    let rows = build::project(rows, columns_below)?;
    build::join(domain.plan.clone(), rows, JoinType::Left, condition).map(Some)
}

/// The filter above an uncorrelated plan, which may be that of a join, and the plan.
fn uncorrelated_filter(rows: &LogicalPlan) -> Result<Option<(Expr, &LogicalPlan)>> {
    let LogicalPlan::Filter(Filter { predicate, input, .. }) = rows else { return Ok(None) };
    Ok((!contains_subquery(predicate) && !refers_outside(input)?).then(|| (predicate.clone(), input.as_ref())))
}

/// The aggregates of a node, over the rows that exist. Those that depend on the order of rows get an order.
fn aggregates(
    plan: &LogicalPlan,
    aggregate: &Aggregate,
    domain: &Domain,
    exists: Option<&Expr>,
) -> Result<Option<Vec<Expr>>> {
    let order = order_of(&aggregate.input);
    let rewrite = |mut function: AggregateFunction| {
        if let Some(exists) = exists {
            let filter = function.params.filter.map(|filter| exists.clone().and(*filter));
            function.params.filter = Some(Box::new(filter.unwrap_or_else(|| exists.clone())));
        }
        let is_ordered = matches!(function.func.name(), "array_agg" | "string_agg" | "first_value" | "last_value");
        if is_ordered && function.params.order_by.is_empty() && !function.params.distinct {
            function.params.order_by = order.clone();
        }
        Expr::AggregateFunction(function)
    };
    let names = NamePreserver::new(plan);
    let mut aggregates = Vec::new();
    for expr in &aggregate.aggr_expr {
        let name = names.save(expr);
        let Expr::AggregateFunction(function) = domain.replace_outer(expr.clone(), aggregate.input.schema())?.unalias()
        else {
            return Ok(None);
        };
        aggregates.push(name.restore(rewrite(function)));
    }
    Ok(Some(aggregates))
}

/// The order of rows, as far as it is one of their own columns.
fn order_of(rows: &LogicalPlan) -> Vec<Order> {
    let (input, exprs) = match rows {
        LogicalPlan::Sort(Sort { expr, .. }) if !expr.iter().any(|order| order.expr.contains_outer()) => {
            return expr.clone();
        }
        LogicalPlan::Projection(projection) => (projection.input.as_ref(), projection.expr.clone()),
        LogicalPlan::SubqueryAlias(SubqueryAlias { input, .. }) => (input.as_ref(), all_columns(input.schema())),
        _ => return Vec::new(),
    };
    let columns = all_columns(rows.schema());
    let named = |order: &Order| {
        let index = exprs.iter().position(|expr| expr.clone().unalias() == order.expr)?;
        Some(order.with_expr(columns[index].clone()))
    };
    order_of(input).iter().map_while(named).collect()
}

/// The first rows for each combination.
fn limited(limit: &Limit, domain: &Domain) -> Result<Option<LogicalPlan>> {
    let (SkipType::Literal(skip), FetchType::Literal(fetch)) = (limit.get_skip_type()?, limit.get_fetch_type()?) else {
        return Ok(None);
    };
    if skip == 0 && fetch.is_none() {
        return push_domain(&limit.input, domain);
    }
    let (output, sorted) = match limit.input.as_ref() {
        LogicalPlan::Projection(projection) if matches!(projection.input.as_ref(), LogicalPlan::Sort(_)) => {
            (&projection.expr, projection.input.as_ref())
        }
        other => (&all_columns(other.schema()), other),
    };
    let (order, rows) = match sorted {
        LogicalPlan::Sort(Sort { expr, input, fetch: None }) => (expr.as_slice(), input.as_ref()),
        other => (&[][..], other),
    };
    let Some(below) = push_domain(rows, domain)? else { return Ok(None) };
    let order = order.iter().map(|order| Ok(order.with_expr(domain.replace_outer(order.expr.clone(), rows.schema())?)));
    let order = order.collect::<Result<Vec<_>>>()?;
    let row_number = WindowFunction::new(WindowFunctionDefinition::WindowUDF(row_number_udwf()), Vec::new());
    let row_number =
        Expr::WindowFunction(Box::new(row_number)).partition_by(domain.keys()).order_by(order).build()?.alias(NUMBER);
    let literal = |count: usize| lit(u64::try_from(count).unwrap_or(u64::MAX));
    let number = || Expr::Column(Column::new_unqualified(NUMBER));
    let above = (skip > 0).then(|| number().gt(literal(skip)));
    let below_or_equal = fetch.map(|fetch| number().lt_eq(literal(skip.saturating_add(fetch))));
    let condition = conjunction(above.into_iter().chain(below_or_equal)).unwrap_or_else(|| lit(true));
    let rows = build::filter(build::window(below, vec![row_number])?, condition)?;
    let names = NamePreserver::new_for_projection();
    let columns = output.iter().map(|expr| replaced(expr, domain, &names, sorted.schema()));
    with_keys(rows, columns.collect::<Result<_>>()?, domain)
}

fn windows(plan: &LogicalPlan, window: &Window, domain: &Domain) -> Result<Option<LogicalPlan>> {
    let Some(rows) = push_domain(&window.input, domain)? else { return Ok(None) };
    let names = NamePreserver::new(plan);
    let mut functions = Vec::new();
    for expr in &window.window_expr {
        let name = names.save(expr);
        let Expr::WindowFunction(mut function) = domain.replace_outer(expr.clone(), window.input.schema())?.unalias()
        else {
            return Ok(None);
        };
        function.params.partition_by.extend(domain.keys());
        functions.push(name.restore(Expr::WindowFunction(function)));
    }
    let rows = build::window(rows, functions)?;
    with_keys(rows, all_columns(plan.schema()), domain)
}

/// The domain is pushed into the side whose rows a join preserves, and into the other one too if that is correlated.
fn join_rows(plan: &LogicalPlan, join: &Join, domain: &Domain) -> Result<Option<LogicalPlan>> {
    let preserves_right = match join.join_type {
        JoinType::Inner => {
            !refers_outside(&join.left)? && refers_outside(&join.right)? && lateral_rows::query(&join.right).is_none()
        }
        JoinType::Left | JoinType::LeftSemi | JoinType::LeftAnti | JoinType::LeftMark => false,
        JoinType::Right | JoinType::RightSemi | JoinType::RightAnti | JoinType::RightMark => true,
        JoinType::Full => return Ok(None),
    };
    // In INTERSECT and EXCEPT null equals null.
    let equal = match join.null_equality {
        NullEquality::NullEqualsNull => Operator::IsNotDistinctFrom,
        NullEquality::NullEqualsNothing => Operator::Eq,
    };
    let on = join.on.iter().map(|(left, right)| binary_expr(left.clone(), equal, right.clone()));
    let both = merge_schema(&plan.inputs());
    let conditions = on.chain(join.filter.clone()).map(|condition| domain.replace_outer(condition, &both));
    let mut conditions = conditions.collect::<Result<Vec<_>>>()?;
    let mut other = |side: &LogicalPlan| -> Result<Option<LogicalPlan>> {
        if let Some(query) = lateral_rows::query(side) {
            return lateral_rows::with_query(side, domain.replace_outer_in(query.clone(), join.left.schema())?)
                .map(Some);
        }
        if !refers_outside(side)? {
            return Ok(Some(side.clone()));
        }
        let Some(rows) = push_domain(side, domain)? else { return Ok(None) };
        let (keys, equal) = domain.renamed_keys();
        conditions.extend(equal);
        build::project(rows, all_columns(side.schema()).into_iter().chain(keys).collect()).map(Some)
    };
    let (left, right) = match preserves_right {
        false => (push_domain(&join.left, domain)?, other(&join.right)?),
        true => (other(&join.left)?, push_domain(&join.right, domain)?),
    };
    let (Some(left), Some(right)) = (left, right) else { return Ok(None) };
    let rows = build::join(left, right, join.join_type, conditions)?;
    with_keys(rows, all_columns(plan.schema()), domain)
}

/// The rows of VALUES, each for all combinations.
fn values_rows(values: &Values, domain: &Domain) -> Result<Option<LogicalPlan>> {
    let (none, known) = (DFSchema::empty(), domain.plan.schema());
    let mut all: Option<LogicalPlanBuilder> = None;
    for row in &values.values {
        let columns = row.iter().zip(values.schema.fields()).map(|(value, field)| {
            let value = domain.replace_outer(value.clone(), &none)?;
            Ok(value.cast_to(field.data_type(), known.as_ref())?.alias(field.name()))
        });
        let Some(rows) = with_keys(domain.plan.clone(), columns.collect::<Result<_>>()?, domain)? else {
            return Ok(None);
        };
        all = Some(match all {
            None => LogicalPlanBuilder::from(rows),
            Some(all) => all.union(rows)?,
        });
    }
    all.map(LogicalPlanBuilder::build).transpose()
}

fn union_rows(plan: &LogicalPlan, union: &Union, domain: &Domain) -> Result<Option<LogicalPlan>> {
    let mut all: Option<LogicalPlanBuilder> = None;
    for input in &union.inputs {
        let Some(rows) = push_domain(input, domain)? else { return Ok(None) };
        // A union matches columns by position; its names are those of its first input.
        let named = input.schema().columns().into_iter().zip(plan.schema().iter());
        let named = named.map(|(column, (_, field))| match column.relation.is_none() && column.name == *field.name() {
            true => Expr::Column(column),
            false => Expr::Column(column).alias(field.name()),
        });
        let Some(rows) = with_keys(rows, named.collect(), domain)? else { return Ok(None) };
        all = Some(match all {
            None => LogicalPlanBuilder::from(rows),
            Some(all) => all.union(rows)?,
        });
    }
    let Some(all) = all else { return Ok(None) };
    let named = plan.schema().iter().map(|(table, field)| {
        let column = Expr::Column(Column::new_unqualified(field.name()));
        if table.is_none() { column } else { column.alias_qualified(table.cloned(), field.name()) }
    });
    with_keys(all.build()?, named.collect(), domain)
}
