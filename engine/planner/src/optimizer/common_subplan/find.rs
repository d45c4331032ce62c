//! Finding the equal parts of a plan and putting scans in their places.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, Result};
use datafusion::datasource::provider_as_source;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder};

use super::narrow;
use super::table::{Repeated, column_name};

/// A plan of more steps is left as it is: comparing its parts would take longer than it may save.
const MAX_STEPS: usize = 5_000;

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

/// Whether the plan is small enough to look at, and has two places worth sharing.
fn may_repeat(plan: &LogicalPlan) -> Result<bool> {
    let (mut steps, mut candidates, mut recursive) = (0, 0, false);
    plan.apply_with_subqueries(|step| {
        steps += 1;
        candidates += usize::from(makes_few(step) || narrow::is_scan(step));
        recursive |= matches!(step, LogicalPlan::RecursiveQuery(_));
        Ok(if steps > MAX_STEPS || recursive { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    })?;
    Ok(steps <= MAX_STEPS && candidates > 1 && !recursive)
}

/// Steps that usually make far fewer rows than they read: keeping these is cheaper than making them again.
fn makes_few(step: &LogicalPlan) -> bool {
    matches!(step, LogicalPlan::Aggregate(_) | LogicalPlan::Distinct(_) | LogicalPlan::Limit(_))
}

/// The part with most steps that occurs at least twice.
fn largest_repeated<'a>(plans: impl Iterator<Item = &'a LogicalPlan>) -> Result<Option<LogicalPlan>> {
    let mut seen: HashMap<LogicalPlan, usize> = HashMap::new();
    for plan in plans {
        count(plan, Above::default(), &mut seen)?;
    }
    let mut largest: Option<(usize, LogicalPlan)> = None;
    for (part, times) in seen {
        if times > 1
            && let Some(steps) = steps_if_shareable(&part)?
            && largest.as_ref().is_none_or(|(most, _)| steps > *most)
        {
            largest = Some((steps, part));
        }
    }
    Ok(largest.map(|(_, part)| part))
}

/// What lies above a part and lets its place read less than all of it.
#[derive(Debug, Clone, Copy, Default)]
struct Above {
    /// A filter right above, which the optimizer moves into the part.
    filter: bool,
    /// A filter or limit that may reach down to the part's scan, also through joins.
    less: bool,
}

impl Above {
    /// What lies above the inputs of `step`, which has this above itself.
    fn inputs_of(self, step: &LogicalPlan) -> Above {
        match step {
            LogicalPlan::Filter(_) => Above { filter: true, less: true },
            LogicalPlan::Projection(_) | LogicalPlan::SubqueryAlias(_) => self,
            LogicalPlan::Limit(_) => Above { filter: false, less: true },
            LogicalPlan::Join(join) => {
                Above { filter: false, less: self.less || join.filter.as_ref().is_some_and(bounds) }
            }
            LogicalPlan::Union(_) | LogicalPlan::Sort(_) => Above { filter: false, ..self },
            _ => Above::default(),
        }
    }
}

/// Whether a join's condition compares something with a value, and so more than the two sides with each other.
fn bounds(condition: &Expr) -> bool {
    condition.exists(|part| Ok(matches!(part, Expr::Literal(..)))).unwrap_or(true)
}

/// Counts the parts of a plan, but not in places that may read a fraction of what the shared one would.
fn count(plan: &LogicalPlan, above: Above, seen: &mut HashMap<LogicalPlan, usize>) -> Result<()> {
    if makes_few(plan) && !above.filter || !above.less && narrow::is_scan(plan) {
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

/// Steps of a part, unless each place has a meaning of its own (columns from outside, chance) or it reads no table.
fn steps_if_shareable(part: &LogicalPlan) -> Result<Option<usize>> {
    let (mut steps, mut reads, mut own) = (0, false, false);
    part.apply_with_subqueries(|step| {
        steps += 1;
        reads |= matches!(step, LogicalPlan::TableScan(_));
        own |= step.contains_outer_reference() || step.expressions().iter().any(Expr::is_volatile);
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok((reads && !own).then_some(steps))
}

fn replace(plan: LogicalPlan, part: &LogicalPlan, scan: &LogicalPlan) -> Result<LogicalPlan> {
    let replaced = plan.transform_down_with_subqueries(|step| {
        Ok(if step == *part {
            Transformed::new(scan.clone(), true, TreeNodeRecursion::Jump)
        } else {
            Transformed::no(step)
        })
    })?;
    Ok(replaced.data)
}

/// A scan of the table that looks like the part: the same columns under the same qualified names.
fn scan(table: &Arc<Repeated>, part: &LogicalPlan) -> Result<LogicalPlan> {
    let name = table.name();
    let columns = part.schema().iter().enumerate().map(|(index, (qualifier, field))| {
        let column = Column::new(Some(name.clone()), column_name(index));
        Expr::Column(column).alias_qualified(qualifier.cloned(), field.name())
    });
    let columns: Vec<Expr> = columns.collect();
    LogicalPlanBuilder::scan(name.clone(), provider_as_source(Arc::clone(table) as _), None)?.project(columns)?.build()
}

/// The part with the table's names for its columns: a join's columns can have one name.
fn named(part: LogicalPlan) -> Result<LogicalPlan> {
    let columns = part.schema().iter().enumerate().map(|(index, column)| {
        let column = Expr::Column(Column::from(column));
        column.alias(column_name(index))
    });
    let columns: Vec<Expr> = columns.collect();
    LogicalPlanBuilder::from(part).project(columns)?.build()
}
