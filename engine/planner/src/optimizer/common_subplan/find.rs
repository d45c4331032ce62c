//! Finds the equal subplans of a plan and replaces them by scans.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{Column, Result};
use datafusion::datasource::provider_as_source;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder};

use super::narrow_scans;
use super::table::{Repeated, column_name};
use quarry_functions::tree_walk::{PlanWalk, TreeWalk};

/// A plan with more nodes is left as it is: comparing its subplans would take longer than it may save.
const MAX_NODES: usize = 5_000;

/// The plan with every repeated part replaced by scans of one table.
pub(super) fn share(plan: LogicalPlan) -> Result<LogicalPlan> {
    if !may_repeat(&plan)? {
        return Ok(plan);
    }
    let mut plan = plan;
    let mut parts: Vec<(Arc<Repeated>, LogicalPlan)> = Vec::new();
    // The largest first: what occurs only inside it then occurs once.
    while let Some(part) = largest_repeated(std::iter::once(&plan).chain(parts.iter().map(|(_, part)| part)))? {
        let table = Arc::new(Repeated::new(parts.len(), &part));
        let scan = scan(&table, &part)?;
        plan = replace(plan, &part, &scan)?;
        parts = parts
            .into_iter()
            .map(|(table, definition)| Ok((table, replace(definition, &part, &scan)?)))
            .collect::<Result<_>>()?;
        parts.push((table, part));
    }
    for (table, part) in parts {
        table.define(named(part)?);
    }
    Ok(plan)
}

/// Whether the plan is small enough, and has two subplans worth sharing.
fn may_repeat(plan: &LogicalPlan) -> Result<bool> {
    let (mut nodes, mut candidates, mut is_recursive) = (0, 0, false);
    plan.apply_deep(|node| {
        nodes += 1;
        candidates += usize::from(makes_few(node) || narrow_scans::is_scan(node));
        is_recursive |= matches!(node, LogicalPlan::RecursiveQuery(_));
        Ok(if nodes > MAX_NODES || is_recursive { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    })?;
    Ok(nodes <= MAX_NODES && candidates > 1 && !is_recursive)
}

/// Nodes that usually return far fewer rows than they read: keeping these is cheaper than computing them again.
fn makes_few(node: &LogicalPlan) -> bool {
    matches!(node, LogicalPlan::Aggregate(_) | LogicalPlan::Distinct(_) | LogicalPlan::Limit(_))
}

/// The part with most nodes that occurs at least twice.
fn largest_repeated<'a>(plans: impl Iterator<Item = &'a LogicalPlan>) -> Result<Option<LogicalPlan>> {
    let mut seen: HashMap<LogicalPlan, usize> = HashMap::new();
    for plan in plans {
        count(plan, Above::default(), &mut seen)?;
    }
    let mut largest: Option<(usize, LogicalPlan)> = None;
    for (part, times) in seen {
        if times > 1
            && let Some(nodes) = nodes_if_shareable(&part)?
            && largest.as_ref().is_none_or(|(most, _)| nodes > *most)
        {
            largest = Some((nodes, part));
        }
    }
    Ok(largest.map(|(_, part)| part))
}

/// What is above a subplan, and makes this reference read less than the whole.
#[derive(Debug, Clone, Copy, Default)]
struct Above {
    /// A filter right above, which the optimizer pushes into the subplan.
    filter: bool,
    /// A filter or limit that may be pushed down to the scan, also through joins.
    less: bool,
}

impl Above {
    /// What is above the inputs of `node`, which has this above itself.
    fn inputs_of(self, node: &LogicalPlan) -> Above {
        match node {
            LogicalPlan::Filter(_) => Above { filter: true, less: true },
            LogicalPlan::Projection(_) | LogicalPlan::SubqueryAlias(_) => self,
            LogicalPlan::Limit(_) => Above { filter: false, less: true },
            LogicalPlan::Join(join) => {
                Above { filter: false, less: self.less || join.filter.as_ref().is_some_and(has_literal) }
            }
            LogicalPlan::Union(_) | LogicalPlan::Sort(_) => Above { filter: false, ..self },
            _ => Above::default(),
        }
    }
}

/// Whether a join filter has a literal, and so compares more than the two sides with each other.
fn has_literal(condition: &Expr) -> bool {
    condition.exists(|part| Ok(matches!(part, Expr::Literal(..)))).unwrap_or(true)
}

/// Counts the subplans of a plan, but not references that may read a fraction of the shared one.
fn count(plan: &LogicalPlan, above: Above, seen: &mut HashMap<LogicalPlan, usize>) -> Result<()> {
    if makes_few(plan) && !above.filter || !above.less && narrow_scans::is_scan(plan) {
        *seen.entry(plan.clone()).or_default() += 1;
    }
    for input in plan.inputs() {
        count(input, above.inputs_of(plan), seen)?;
    }
    plan.apply_subqueries(|subquery| {
        // The walk starts at the subquery's wrapper and would go on below it.
        count(subquery, Above::default(), seen)?;
        Ok(TreeNodeRecursion::Jump)
    })?;
    Ok(())
}

/// The number of nodes of a subplan, unless it is correlated or volatile or reads no table.
fn nodes_if_shareable(part: &LogicalPlan) -> Result<Option<usize>> {
    let (mut nodes, mut reads_table, mut is_variable) = (0, false, false);
    part.apply_deep(|node| {
        nodes += 1;
        reads_table |= matches!(node, LogicalPlan::TableScan(_));
        is_variable |= node.contains_outer_reference() || node.expressions().iter().any(Expr::is_volatile);
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok((reads_table && !is_variable).then_some(nodes))
}

fn replace(plan: LogicalPlan, part: &LogicalPlan, scan: &LogicalPlan) -> Result<LogicalPlan> {
    let replaced = plan.transform_deep_down(|node| {
        Ok(if node == *part {
            Transformed::new(scan.clone(), true, TreeNodeRecursion::Jump)
        } else {
            Transformed::no(node)
        })
    })?;
    Ok(replaced.data)
}

/// A scan of the table with the schema of the subplan.
fn scan(table: &Arc<Repeated>, part: &LogicalPlan) -> Result<LogicalPlan> {
    let name = table.name();
    let columns = part.schema().iter().enumerate().map(|(index, (qualifier, field))| {
        let column = Column::new(Some(name.clone()), column_name(index));
        Expr::Column(column).alias_qualified(qualifier.cloned(), field.name())
    });
    let columns: Vec<Expr> = columns.collect();
    LogicalPlanBuilder::scan(name.clone(), provider_as_source(Arc::clone(table) as _), None)?.project(columns)?.build()
}

/// The subplan with the table's names for its columns: columns of a join may have the same name.
fn named(part: LogicalPlan) -> Result<LogicalPlan> {
    let columns = part.schema().iter().enumerate().map(|(index, column)| {
        let column = Expr::Column(Column::from(column));
        column.alias(column_name(index))
    });
    let columns: Vec<Expr> = columns.collect();
    LogicalPlanBuilder::from(part).project(columns)?.build()
}
