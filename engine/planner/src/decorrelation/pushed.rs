//! A query asked for all combinations of a domain at once: its columns, and behind them those of the domain.

use datafusion::common::{Column, DFSchema, NullEquality, Result};
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
use super::{build, is_correlated};
use crate::sql_extensions::laterals;
use crate::sql_extensions::subqueries::contains_subquery;
use crate::workarounds::sole_rows::limits_nothing;

/// What the places of rows and their being there are called.
const PLACE: &str = "__place_around";
const THERE: &str = "__there_around";

/// `None` for steps that can't be asked so.
pub(super) fn pushed(plan: &LogicalPlan, domain: &Domain) -> Result<Option<LogicalPlan>> {
    if !is_correlated(plan)? {
        let rows = build::join(plan.clone(), domain.plan.clone(), JoinType::Inner, Vec::new())?;
        return Ok(Some(rows));
    }
    match plan {
        LogicalPlan::Projection(projection) => {
            let Some(rows) = pushed(&projection.input, domain)? else { return Ok(None) };
            let names = NamePreserver::new_for_projection();
            // The part of a union shows its columns without their tables: a condition above looks for them so.
            let columns = projection.expr.iter().zip(projection.schema.iter()).map(|(expr, (table, field))| {
                let column = inside(expr, domain, &names, projection.input.schema())?;
                Ok(match column.qualified_name() == (table.cloned(), field.name().clone()) {
                    true => column,
                    false => column.alias_qualified(table.cloned(), field.name()),
                })
            });
            shown(rows, columns.collect::<Result<_>>()?, domain)
        }
        LogicalPlan::Filter(Filter { predicate, input, .. }) => {
            let Some(rows) = pushed(input, domain)? else { return Ok(None) };
            let condition = domain.inside(predicate.clone(), input.schema())?;
            build::filter(rows, condition).map(Some)
        }
        LogicalPlan::SubqueryAlias(SubqueryAlias { input, alias, .. }) => {
            let Some(rows) = pushed(input, domain)? else { return Ok(None) };
            let columns = input.schema().iter().map(|(table, field)| {
                let column = Expr::Column(Column::from((table, field)));
                column.alias_qualified(Some(alias.clone()), field.name())
            });
            shown(rows, columns.collect(), domain)
        }
        LogicalPlan::Aggregate(aggregate) if aggregate.group_expr.is_empty() => total(plan, aggregate, domain),
        LogicalPlan::Aggregate(aggregate) => groups(plan, aggregate, domain),
        LogicalPlan::Distinct(Distinct::All(input)) => {
            let rows = pushed(input, domain)?;
            rows.map(|rows| LogicalPlanBuilder::from(rows).distinct()?.build()).transpose()
        }
        // Only a limit asks for an order, and what gathers rows takes it along.
        LogicalPlan::Sort(Sort { input, fetch: None, .. }) => pushed(input, domain),
        LogicalPlan::Limit(limit) => first(limit, domain),
        LogicalPlan::Window(window) => windows(plan, window, domain),
        LogicalPlan::Join(join) => joined(plan, join, domain),
        LogicalPlan::Union(union) => united(plan, union, domain),
        LogicalPlan::Values(values) => listed(values, domain),
        // A lateral query without rows before it: `FROM UNNEST(t.list)`, over a list of the rows around.
        LogicalPlan::Subquery(query) => pushed(&query.subquery, domain),
        LogicalPlan::Unnest(unnest) => {
            let Some(rows) = pushed(&unnest.input, domain)? else { return Ok(None) };
            let rows = unnest_with_options(rows, unnest.exec_columns.clone(), unnest.options.clone())?;
            shown(rows, columns(plan), domain)
        }
        _ => Ok(None),
    }
}

fn columns(plan: &LogicalPlan) -> Vec<Expr> {
    plan.schema().columns().into_iter().map(Expr::Column).collect()
}

/// The rows with these columns and those of the domain.
fn shown(rows: LogicalPlan, mut columns: Vec<Expr>, domain: &Domain) -> Result<Option<LogicalPlan>> {
    columns.extend(domain.keys());
    build::project(rows, columns).map(Some)
}

/// An expression of a step, under the name it had.
fn inside(expr: &Expr, domain: &Domain, names: &NamePreserver, own: &DFSchema) -> Result<Expr> {
    let name = names.save(expr);
    Ok(name.restore(domain.inside(expr.clone(), own)?))
}

fn all_inside(plan: &LogicalPlan, exprs: &[Expr], domain: &Domain) -> Result<Vec<Expr>> {
    let names = NamePreserver::new(plan);
    let own = merge_schema(&plan.inputs());
    exprs.iter().map(|expr| inside(expr, domain, &names, &own)).collect()
}

fn groups(plan: &LogicalPlan, aggregate: &Aggregate, domain: &Domain) -> Result<Option<LogicalPlan>> {
    if aggregate.group_expr.iter().any(|key| matches!(key, Expr::GroupingSet(_))) {
        return Ok(None);
    }
    let Some(rows) = pushed(&aggregate.input, domain)? else { return Ok(None) };
    let mut keys = all_inside(plan, &aggregate.group_expr, domain)?;
    keys.extend(domain.keys());
    let Some(gathered) = gathered(plan, aggregate, domain, None)? else { return Ok(None) };
    let rows = build::aggregate(rows, keys, gathered)?;
    shown(rows, columns(plan), domain)
}

/// One row for each combination, also for those without rows: they have one that is not there and is not counted.
fn total(plan: &LogicalPlan, aggregate: &Aggregate, domain: &Domain) -> Result<Option<LogicalPlan>> {
    let there = lit(true).alias(THERE);
    let (mut columns_below, condition, rows) = match free_condition(&aggregate.input)? {
        Some((condition, rows)) => (columns(rows), vec![domain.inside(condition, rows.schema())?], rows.clone()),
        None => {
            let Some(rows) = pushed(&aggregate.input, domain)? else { return Ok(None) };
            let (twins, equal) = domain.twins();
            (columns(&aggregate.input).into_iter().chain(twins).collect(), equal, rows)
        }
    };
    columns_below.push(there);
    let rows = build::project(rows, columns_below)?;
    let rows = build::join(domain.plan.clone(), rows, JoinType::Left, condition)?;
    let there = Expr::Column(Column::new_unqualified(THERE));
    let Some(gathered) = gathered(plan, aggregate, domain, Some(&there))? else { return Ok(None) };
    shown(build::aggregate(rows, domain.keys(), gathered)?, columns(plan), domain)
}

/// Rows that don't ask below a condition that does: the condition may be that of a join.
fn free_condition(rows: &LogicalPlan) -> Result<Option<(Expr, &LogicalPlan)>> {
    let LogicalPlan::Filter(Filter { predicate, input, .. }) = rows else { return Ok(None) };
    Ok((!contains_subquery(predicate) && !is_correlated(input)?).then(|| (predicate.clone(), input.as_ref())))
}

/// The aggregates of a step over rows that are `there`. Those that gather take the order that the rows had.
fn gathered(
    plan: &LogicalPlan,
    aggregate: &Aggregate,
    domain: &Domain,
    there: Option<&Expr>,
) -> Result<Option<Vec<Expr>>> {
    let order = order_of(&aggregate.input);
    let gather = |mut function: AggregateFunction| {
        if let Some(there) = there {
            let filter = function.params.filter.map(|filter| there.clone().and(*filter));
            function.params.filter = Some(Box::new(filter.unwrap_or_else(|| there.clone())));
        }
        let ordered = matches!(function.func.name(), "array_agg" | "string_agg" | "first_value" | "last_value");
        if ordered && function.params.order_by.is_empty() && !function.params.distinct {
            function.params.order_by = order.clone();
        }
        Expr::AggregateFunction(function)
    };
    let names = NamePreserver::new(plan);
    let mut gathered = Vec::new();
    for expr in &aggregate.aggr_expr {
        let name = names.save(expr);
        let Expr::AggregateFunction(function) = domain.inside(expr.clone(), aggregate.input.schema())?.unalias() else {
            return Ok(None);
        };
        gathered.push(name.restore(gather(function)));
    }
    Ok(Some(gathered))
}

/// The order in which rows come, as far as their columns and no outer ones tell it.
fn order_of(rows: &LogicalPlan) -> Vec<Order> {
    let (input, shown) = match rows {
        LogicalPlan::Sort(Sort { expr, .. }) if !expr.iter().any(|order| order.expr.contains_outer()) => {
            return expr.clone();
        }
        LogicalPlan::Projection(projection) => (projection.input.as_ref(), projection.expr.clone()),
        LogicalPlan::SubqueryAlias(SubqueryAlias { input, .. }) => (input.as_ref(), columns(input)),
        _ => return Vec::new(),
    };
    let columns = columns(rows);
    let named = |order: &Order| {
        let at = shown.iter().position(|shown| shown.clone().unalias() == order.expr)?;
        Some(order.with_expr(columns[at].clone()))
    };
    order_of(input).iter().map_while(named).collect()
}

/// The first rows for each combination.
fn first(limit: &Limit, domain: &Domain) -> Result<Option<LogicalPlan>> {
    let (SkipType::Literal(skip), FetchType::Literal(fetch)) = (limit.get_skip_type()?, limit.get_fetch_type()?) else {
        return Ok(None);
    };
    if skip == 0 && (fetch.is_none() || limits_nothing(limit)) {
        return pushed(&limit.input, domain);
    }
    let (shown_columns, sorted) = match limit.input.as_ref() {
        LogicalPlan::Projection(projection) if matches!(projection.input.as_ref(), LogicalPlan::Sort(_)) => {
            (&projection.expr, projection.input.as_ref())
        }
        other => (&columns(other), other),
    };
    let (order, rows) = match sorted {
        LogicalPlan::Sort(Sort { expr, input, fetch: None }) => (expr.as_slice(), input.as_ref()),
        other => (&[][..], other),
    };
    let Some(below) = pushed(rows, domain)? else { return Ok(None) };
    let order = order.iter().map(|order| Ok(order.with_expr(domain.inside(order.expr.clone(), rows.schema())?)));
    let order = order.collect::<Result<Vec<_>>>()?;
    let place = WindowFunction::new(WindowFunctionDefinition::WindowUDF(row_number_udwf()), Vec::new());
    let place = Expr::WindowFunction(Box::new(place)).partition_by(domain.keys()).order_by(order).build()?.alias(PLACE);
    let number = |count: usize| lit(u64::try_from(count).unwrap_or(u64::MAX));
    let place_column = || Expr::Column(Column::new_unqualified(PLACE));
    let later = (skip > 0).then(|| place_column().gt(number(skip)));
    let soon = fetch.map(|fetch| place_column().lt_eq(number(skip.saturating_add(fetch))));
    let condition = conjunction(later.into_iter().chain(soon)).unwrap_or_else(|| lit(true));
    let rows = build::filter(build::window(below, vec![place])?, condition)?;
    let names = NamePreserver::new_for_projection();
    let columns = shown_columns.iter().map(|expr| inside(expr, domain, &names, sorted.schema()));
    shown(rows, columns.collect::<Result<_>>()?, domain)
}

fn windows(plan: &LogicalPlan, window: &Window, domain: &Domain) -> Result<Option<LogicalPlan>> {
    let Some(rows) = pushed(&window.input, domain)? else { return Ok(None) };
    let names = NamePreserver::new(plan);
    let mut functions = Vec::new();
    for expr in &window.window_expr {
        let name = names.save(expr);
        let Expr::WindowFunction(mut function) = domain.inside(expr.clone(), window.input.schema())?.unalias() else {
            return Ok(None);
        };
        function.params.partition_by.extend(domain.keys());
        functions.push(name.restore(Expr::WindowFunction(function)));
    }
    let rows = build::window(rows, functions)?;
    shown(rows, columns(plan), domain)
}

/// A join is asked on the side whose rows it keeps, and on the other one too where that asks.
fn joined(plan: &LogicalPlan, join: &Join, domain: &Domain) -> Result<Option<LogicalPlan>> {
    let keeps_right = match join.join_type {
        JoinType::Inner => {
            !is_correlated(&join.left)? && is_correlated(&join.right)? && laterals::query(&join.right).is_none()
        }
        JoinType::Left | JoinType::LeftSemi | JoinType::LeftAnti | JoinType::LeftMark => false,
        JoinType::Right | JoinType::RightSemi | JoinType::RightAnti | JoinType::RightMark => true,
        JoinType::Full => return Ok(None),
    };
    // INTERSECT and EXCEPT take nulls for the same.
    let equal = match join.null_equality {
        NullEquality::NullEqualsNull => Operator::IsNotDistinctFrom,
        NullEquality::NullEqualsNothing => Operator::Eq,
    };
    let on = join.on.iter().map(|(left, right)| binary_expr(left.clone(), equal, right.clone()));
    let both = merge_schema(&plan.inputs());
    let conditions = on.chain(join.filter.clone()).map(|condition| domain.inside(condition, &both));
    let mut conditions = conditions.collect::<Result<Vec<_>>>()?;
    let mut other = |side: &LogicalPlan| -> Result<Option<LogicalPlan>> {
        if let Some(query) = laterals::query(side) {
            return laterals::with_query(side, domain.query_inside(query.clone(), join.left.schema())?).map(Some);
        }
        if !is_correlated(side)? {
            return Ok(Some(side.clone()));
        }
        let Some(rows) = pushed(side, domain)? else { return Ok(None) };
        let (twins, equal) = domain.twins();
        conditions.extend(equal);
        build::project(rows, columns(side).into_iter().chain(twins).collect()).map(Some)
    };
    let (left, right) = match keeps_right {
        false => (pushed(&join.left, domain)?, other(&join.right)?),
        true => (other(&join.left)?, pushed(&join.right, domain)?),
    };
    let (Some(left), Some(right)) = (left, right) else { return Ok(None) };
    let rows = build::join(left, right, join.join_type, conditions)?;
    shown(rows, columns(plan), domain)
}

/// The rows of VALUES, each for all combinations.
fn listed(values: &Values, domain: &Domain) -> Result<Option<LogicalPlan>> {
    let (none, known) = (DFSchema::empty(), domain.plan.schema());
    let mut all: Option<LogicalPlanBuilder> = None;
    for row in &values.values {
        let columns = row.iter().zip(values.schema.fields()).map(|(value, field)| {
            let value = domain.inside(value.clone(), &none)?;
            Ok(value.cast_to(field.data_type(), known.as_ref())?.alias(field.name()))
        });
        let Some(rows) = shown(domain.plan.clone(), columns.collect::<Result<_>>()?, domain)? else { return Ok(None) };
        all = Some(match all {
            None => LogicalPlanBuilder::from(rows),
            Some(all) => all.union(rows)?,
        });
    }
    all.map(LogicalPlanBuilder::build).transpose()
}

fn united(plan: &LogicalPlan, union: &Union, domain: &Domain) -> Result<Option<LogicalPlan>> {
    let mut all: Option<LogicalPlanBuilder> = None;
    for input in &union.inputs {
        let Some(rows) = pushed(input, domain)? else { return Ok(None) };
        // The columns of a union are by their places; its names are those of the first.
        let named = input.schema().columns().into_iter().zip(plan.schema().iter());
        let named = named.map(|(column, (_, field))| match column.relation.is_none() && column.name == *field.name() {
            true => Expr::Column(column),
            false => Expr::Column(column).alias(field.name()),
        });
        let Some(rows) = shown(rows, named.collect(), domain)? else { return Ok(None) };
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
    shown(all.build()?, named.collect(), domain)
}
