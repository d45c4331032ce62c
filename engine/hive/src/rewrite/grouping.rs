//! GROUP BY: its constants and names, `ROLLUP`, `CUBE` and `GROUPING SETS`, and `grouping__id`.

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, GroupByExpr, GroupByWithModifier, Ident, Query, Select, SelectItem, Visitor,
};

use super::counts;
use super::step::Walk;
use crate::ast::{Rewritten, call, nested, null, number, operation, refuse, text, whole_number};
use crate::tokens::words;
use quarry_sql::syntax::visitor::{visit, visit_expressions_mut};

/// Groups that one `grouping(…)` takes: each has a bit of an int.
const MAX_GROUPING: usize = 31;

/// Aggregates that a number in GROUP BY may point at.
const AGGREGATES: &[&str] = words![
    avg collect_list collect_set corr count covar_pop covar_samp max min percentile percentile_approx stddev_pop
    stddev_samp sum var_pop var_samp variance
];

/// The column of the SELECT that a number in GROUP BY means, counted from 1.
fn column_at<'a>(projection: &'a [SelectItem], group: &Expr) -> Option<&'a Expr> {
    match projection.get(whole_number(group)?.checked_sub(1)?)? {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr),
        _ => None,
    }
}

/// `GROUP BY ()` makes one group of all rows. A number in GROUP BY is the position of a column; where that aggregates, it is a
/// constant.
pub(super) fn rewrite_constants(select: &mut Select) {
    let Select { group_by: GroupByExpr::Expressions(groups, _), projection, .. } = select else { return };
    let is_empty = |group: &Expr| matches!(group, Expr::Tuple(list) if list.is_empty());
    if !groups.is_empty() && groups.iter().all(is_empty) {
        *groups = vec![Expr::GroupingSets(vec![Vec::new()])];
        return;
    }
    groups.retain(|group| !is_empty(group));
    for group in groups {
        if column_at(projection, group).is_some_and(has_aggregate) {
            *group = call("hive_cast", vec![group.clone(), text("int")]);
        }
    }
}

/// Whether an expression has an aggregate without OVER, outside of subqueries.
fn has_aggregate(expr: &Expr) -> bool {
    visit(expr, &mut FindAggregate { depth: 0 }).is_break()
}

struct FindAggregate {
    /// How many subqueries are open.
    depth: usize,
}

impl Visitor for FindAggregate {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.depth += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.depth -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Function(function)
                if self.depth == 0
                    && function.over.is_none()
                    && AGGREGATES.contains(&function.name.to_string().to_lowercase().as_str()) =>
            {
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        }
    }
}

/// A column without its table is the one of that name in GROUP BY, where several tables have it.
pub(super) fn qualify_columns(select: &mut Select) {
    let GroupByExpr::Expressions(groups, _) = &select.group_by else { return };
    let known: Vec<(String, Expr)> = groups
        .iter()
        .filter_map(|group| match group {
            Expr::CompoundIdentifier(parts) => Some((parts.last()?.value.to_lowercase(), group.clone())),
            _ => None,
        })
        .collect();
    let group_of = |name: &Ident| {
        let mut groups = known.iter().filter(|(known, _)| *known == name.value.to_lowercase()).map(|(_, group)| group);
        let first = groups.next()?;
        groups.all(|other| other == first).then(|| first.clone())
    };
    for item in &mut select.projection {
        match item {
            SelectItem::UnnamedExpr(Expr::Identifier(name)) => {
                if let Some(expr) = group_of(name) {
                    *item = SelectItem::ExprWithAlias { expr, alias: name.clone() };
                }
            }
            SelectItem::ExprWithAlias { expr, .. } => {
                if let Expr::Identifier(name) = expr
                    && let Some(group) = group_of(name)
                {
                    *expr = group;
                }
            }
            _ => {}
        }
    }
}

/// `GROUP BY a, b WITH ROLLUP`, `WITH CUBE` and `GROUPING SETS (…)` after the list, which the planner would ignore, and
/// `grouping__id`.
pub(super) fn rewrite_sets(select: &mut Select, _: &mut Walk) -> Rewritten {
    let Select { group_by: GroupByExpr::Expressions(groups, modifiers), projection, .. } = &mut *select else {
        return Rewritten::Continue(());
    };
    let modifier = modifiers.pop();
    if !modifiers.is_empty() {
        return refuse("GROUP BY can have only one of ROLLUP, CUBE and GROUPING SETS.");
    }
    if modifier.is_some() {
        for group in groups.iter_mut() {
            if let Some(column) = column_at(projection, group) {
                *group = column.clone();
            }
        }
    }
    let written = groups.clone();
    let each = |groups: &mut Vec<Expr>| std::mem::take(groups).into_iter().map(|group| vec![group]).collect();
    match modifier {
        Some(GroupByWithModifier::Rollup) => *groups = vec![Expr::Rollup(each(groups))],
        Some(GroupByWithModifier::Cube) => *groups = vec![Expr::Cube(each(groups))],
        Some(GroupByWithModifier::GroupingSets(sets)) => *groups = vec![sets],
        Some(GroupByWithModifier::Totals) => return refuse("WITH TOTALS is not supported in HiveQL."),
        None => {}
    }
    groups.iter_mut().for_each(drop_equal_sets);
    groups.iter_mut().for_each(counts::mark);
    rewrite_grouping_id(select, &written);
    Rewritten::Continue(())
}

/// Sets of the same groups are one in Hive, in any order.
fn drop_equal_sets(group: &mut Expr) {
    let Expr::GroupingSets(sets) = group else { return };
    let mut seen = HashSet::new();
    sets.retain(|set| seen.insert(set.iter().map(lower_text).collect::<BTreeSet<String>>()));
}

fn lower_text(expr: &Expr) -> String {
    expr.to_string().to_lowercase()
}

fn is_sets(group: &Expr) -> bool {
    matches!(group, Expr::GroupingSets(_) | Expr::Cube(_) | Expr::Rollup(_))
}

/// `grouping__id` is `grouping(…)` of all groups, in the order of GROUP BY. `written` are the groups without the sets.
fn rewrite_grouping_id(select: &mut Select, written: &[Expr]) {
    let GroupByExpr::Expressions(groups, _) = &select.group_by else { return };
    let mut unique: Vec<Expr> = Vec::new();
    for group in groups {
        let members = match group {
            Expr::GroupingSets(sets) | Expr::Cube(sets) | Expr::Rollup(sets) => sets.concat(),
            other => vec![other.clone()],
        };
        for member in members {
            if !unique.contains(&member) {
                unique.push(member);
            }
        }
    }
    // Without sets, and as a group itself, it is a column of the tables.
    if !groups.iter().any(is_sets) || unique.iter().any(is_grouping_id) {
        return;
    }
    let places: Vec<String> = written.iter().map(lower_text).collect();
    unique.sort_by_key(|group| places.iter().position(|place| *place == lower_text(group)).unwrap_or(usize::MAX));
    let missing: Vec<String> = written
        .iter()
        .filter(|group| !is_sets(group))
        .map(lower_text)
        .filter(|place| !unique.iter().any(|group| lower_text(group) == *place))
        .collect();
    replace_missing_groups(select, &missing);
    // Each group has a bit; a group that no set names is set in none of the rows.
    let listed = if missing.is_empty() { unique.as_slice() } else { written };
    let bit = |(at, group): (usize, &Expr)| {
        let weight = number(&(1_u64 << (listed.len() - 1 - at).min(62)).to_string());
        match missing.contains(&lower_text(group)) {
            true => weight,
            false => operation(call("grouping", vec![group.clone()]), BinaryOperator::Multiply, weight),
        }
    };
    let sum = |left, right| operation(left, BinaryOperator::Plus, right);
    let id = match missing.is_empty() && unique.len() <= MAX_GROUPING {
        true => call("grouping", unique),
        false => nested(listed.iter().enumerate().map(bit).reduce(sum).unwrap_or_else(|| number("0"))),
    };
    let replace = |expr: &mut Expr| {
        if is_grouping_id(expr) {
            *expr = id.clone();
        }
        ControlFlow::<()>::Continue(())
    };
    for item in &mut select.projection {
        if let SelectItem::UnnamedExpr(expr @ Expr::Identifier(_)) = item
            && is_grouping_id(expr)
        {
            *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias: Ident::new("grouping__id") };
        }
        let _ = visit_expressions_mut(item, replace);
    }
    let _ = visit_expressions_mut(&mut select.having, replace);
}

/// A column that is grouped by, but in none of the sets, is null in the SELECT list.
fn replace_missing_groups(select: &mut Select, missing: &[String]) {
    for item in &mut select.projection {
        let (expr, alias) = match &*item {
            SelectItem::UnnamedExpr(expr @ Expr::Identifier(name)) => (expr, Some(name)),
            SelectItem::UnnamedExpr(expr @ Expr::CompoundIdentifier(parts)) => (expr, parts.last()),
            SelectItem::ExprWithAlias { expr, alias } => (expr, Some(alias)),
            _ => continue,
        };
        if let Some(alias) = alias.cloned().filter(|_| missing.contains(&lower_text(expr))) {
            *item = SelectItem::ExprWithAlias { expr: null(), alias };
        }
    }
}

fn is_grouping_id(expr: &Expr) -> bool {
    matches!(expr, Expr::Identifier(name) if name.value.eq_ignore_ascii_case("grouping__id"))
}
