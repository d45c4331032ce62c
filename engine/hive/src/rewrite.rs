//! Changes to a parsed query, so that what Hive means is what the planner reads.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, GroupByExpr, Ident, JoinConstraint, JoinOperator, LimitClause, ObjectName, OrderBy,
    OrderByKind, Query, Select, SelectItem, SelectItemQualifiedWildcardKind, SetExpr, TableAlias, TableAliasColumnDef,
    TableFactor, TableWithJoins, Value, VisitorMut,
};

use super::build::{call, condition, join_all, number, one_row, refuse};
use super::clauses::{
    constant_groups, frame_bounds, free_outer_joins, group_modifiers, grouped_names, keep, named_frame_bounds,
    order_expressions, sample, set_operations, sort_of,
};
use super::{calls, expressions, lists, stars};
use quarry_planner::hive::lateral;
use quarry_planner::sql_extensions::multisets;
use quarry_sql::ast_visitor::visit_mut;
use quarry_sql::growth::Growth;
use quarry_sql::{lambdas, outer_aggregates, windows};
use quarry_types::Error;

/// Rewrites a query in place, or says what of it does not run here. `patterns` says that a column in backquotes is a
/// regular expression.
pub(super) fn query(query: &mut Query, patterns: bool) -> Result<(), Error> {
    quarry_sql::unsupported_clauses::clauses(query)?;
    match visit_mut(query, &mut Rewrite { patterns, growth: Growth::default() }) {
        ControlFlow::Continue(()) => {
            quarry_sql::rename_shadowed(query);
            Ok(())
        }
        ControlFlow::Break(error) => Err(*error),
    }
}

struct Rewrite {
    patterns: bool,
    growth: Growth,
}

impl VisitorMut for Rewrite {
    type Break = Box<Error>;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<Box<Error>> {
        if !query.locks.is_empty() {
            return refuse("FOR UPDATE is not HiveQL.");
        }
        if let SetExpr::Select(select) = query.body.as_mut() {
            windows::write_out(select, query.order_by.as_mut(), &mut self.growth)?;
        }
        set_operations(&mut query.body);
        multisets::rewrite(query);
        order_expressions(query);
        if let SetExpr::Select(select) = query.body.as_mut() {
            let sorted = sort_of(select);
            if query.order_by.is_none() && !sorted.is_empty() {
                query.order_by = Some(OrderBy { kind: OrderByKind::Expressions(sorted), interpolate: None });
            }
        }
        if let Some(OrderBy { kind: OrderByKind::Expressions(list), .. }) = &mut query.order_by {
            list.iter_mut().for_each(|order| keep(&mut order.expr));
        }
        match &mut query.limit_clause {
            Some(LimitClause::LimitOffset { limit, offset, .. }) => {
                limit.iter_mut().for_each(keep);
                offset.iter_mut().for_each(|offset| keep(&mut offset.value));
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => [offset, limit].into_iter().for_each(keep),
            None => {}
        }
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, query: &mut Query) -> ControlFlow<Box<Error>> {
        if let SetExpr::Values(values) = query.body.as_mut() {
            lists::rows(values);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<Box<Error>> {
        if select.into.is_some() || select.top.is_some() || !select.connect_by.is_empty() {
            return refuse("This form of SELECT is not HiveQL.");
        }
        windows::write_out(select, None, &mut self.growth)?;
        outer_aggregates::ask_around(select);
        select.distribute_by.clear();
        select.from.iter_mut().for_each(free_outer_joins);
        sort_of(select);
        lateral_views(select);
        generator_in_columns(select);
        if select.projection.iter().any(lateral::is_generator) {
            return refuse(
                "What makes rows, as explode, stands once behind SELECT, beside columns with names, or in LATERAL VIEW.",
            );
        }
        constant_groups(select);
        grouped_names(select);
        if self.patterns {
            stars::mark_patterns(select);
        }
        name_columns(select);
        for item in &mut select.projection {
            if let SelectItem::ExprWithAlias { expr, .. } = item
                && let Err(error) = calls::small_number(expr)
            {
                return ControlFlow::Break(error);
            }
        }
        let written = match group_modifiers(select) {
            Ok(written) => written,
            Err(error) => return ControlFlow::Break(error),
        };
        if let GroupByExpr::Expressions(groups, _) = &mut select.group_by {
            groups.iter_mut().for_each(keep);
        }
        grouping_id(select, &written);
        named_frame_bounds(select, true);
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, select: &mut Select) -> ControlFlow<Box<Error>> {
        named_frame_bounds(select, false);
        conditions(select);
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, table: &mut TableFactor) -> ControlFlow<Box<Error>> {
        sample(table);
        if let TableFactor::Derived { subquery, .. } = table {
            quarry_sql::name_outer(subquery);
        }
        match table {
            TableFactor::NestedJoin { table_with_joins, .. } => {
                free_outer_joins(table_with_joins);
                ControlFlow::Continue(())
            }
            TableFactor::Table { sample: Some(_), .. } | TableFactor::Derived { sample: Some(_), .. } => {
                refuse("TABLESAMPLE runs here with (n ROWS) and (BUCKET x OUT OF y ON …).")
            }
            TableFactor::Table { args: Some(_), .. } | TableFactor::TableFunction { .. } => {
                refuse("Only tables and queries stand in FROM.")
            }
            _ => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_relation(&mut self, ObjectName(parts): &mut ObjectName) -> ControlFlow<Box<Error>> {
        // What Hive calls the default database is where names without one are found.
        let default = |part: &str| part.eq_ignore_ascii_case("default");
        if parts.len() == 2 && parts[0].as_ident().is_some_and(|part| default(&part.value)) {
            parts.remove(0);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<Box<Error>> {
        if let Err(error) = lambdas::prepare(expr, true) {
            return ControlFlow::Break(error);
        }
        match expr {
            // The words of an interval are no value of their own.
            Expr::Interval(interval) => keep(&mut interval.value),
            Expr::Function(function) => frame_bounds(function, true),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<Box<Error>> {
        let place = quarry_sql::error_location::place(expr);
        expressions::rewrite(expr, &mut self.growth)?;
        quarry_sql::error_location::keep(expr, place);
        ControlFlow::Continue(())
    }
}

/// What WHERE, HAVING and ON ask is a condition.
fn conditions(select: &mut Select) {
    select.selection.iter_mut().chain(&mut select.having).for_each(condition);
    for join in select.from.iter_mut().flat_map(|table| &mut table.joins) {
        if let JoinOperator::Join(JoinConstraint::On(on))
        | JoinOperator::Inner(JoinConstraint::On(on))
        | JoinOperator::Left(JoinConstraint::On(on))
        | JoinOperator::LeftOuter(JoinConstraint::On(on))
        | JoinOperator::Right(JoinConstraint::On(on))
        | JoinOperator::RightOuter(JoinConstraint::On(on))
        | JoinOperator::FullOuter(JoinConstraint::On(on)) = &mut join.join_operator
        {
            condition(on);
        }
    }
}

/// `SELECT id, explode(x) AS (a, b) FROM t` is a LATERAL VIEW whose columns stand where the call stood.
fn generator_in_columns(select: &mut Select) {
    let mut makers = select.projection.iter_mut().filter(|item| lateral::is_generator(item));
    let (Some(item), None) = (makers.next(), makers.next()) else { return };
    let (expr, names) = match item {
        SelectItem::UnnamedExpr(expr) => (expr.clone(), Vec::new()),
        SelectItem::ExprWithAlias { expr, alias } => (expr.clone(), vec![alias.clone()]),
        SelectItem::ExprWithAliases { expr, aliases } => (expr.clone(), aliases.clone()),
        _ => return,
    };
    let all = |item: &SelectItem| matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..));
    let grouped = !matches!(&select.group_by, GroupByExpr::Expressions(groups, _) if groups.is_empty());
    if grouped || select.projection.iter().any(all) {
        return;
    }
    let view = Ident::new("__made");
    let columns = names.into_iter().map(|name| TableAliasColumnDef { name, data_type: None }).collect();
    let alias = TableAlias { explicit: true, name: view.clone(), columns, at: None };
    if select.from.is_empty() {
        select.from.push(TableWithJoins { relation: one_row(), joins: Vec::new() });
    }
    let table = join_all(std::mem::take(&mut select.from));
    let made = lateral::relation(table, expr, false, alias);
    select.from = vec![TableWithJoins { relation: made, joins: Vec::new() }];
    for item in select.projection.iter_mut().filter(|item| lateral::is_generator(item)) {
        let all = SelectItemQualifiedWildcardKind::ObjectName(ObjectName::from(vec![view.clone()]));
        *item = SelectItem::QualifiedWildcard(all, Default::default());
    }
}

fn lateral_views(select: &mut Select) {
    for view in std::mem::take(&mut select.lateral_views) {
        if select.from.is_empty() {
            select.from.push(TableWithJoins { relation: one_row(), joins: Vec::new() });
        }
        let table = join_all(std::mem::take(&mut select.from));
        let name = view.lateral_view_name.0.last().and_then(|part| part.as_ident()).cloned();
        let columns = view.lateral_col_alias.into_iter().map(|name| TableAliasColumnDef { name, data_type: None });
        let alias = TableAlias {
            explicit: true,
            name: name.unwrap_or_else(|| Ident::new("__made")),
            columns: columns.collect(),
            at: None,
        };
        let relation = lateral::relation(table, view.lateral_view, view.outer, alias);
        select.from = vec![TableWithJoins { relation, joins: Vec::new() }];
    }
}

/// Columns without a name are called `_c0`, `_c1` by their place; a name that comes again gets a number.
fn name_columns(select: &mut Select) {
    let mut seen = std::collections::HashSet::new();
    let again: Vec<bool> = select.projection.iter().map(|item| stars::holds(select, item)).collect();
    for (index, item) in select.projection.iter_mut().enumerate() {
        let name = match item {
            SelectItem::UnnamedExpr(Expr::Identifier(name)) => name.value.to_lowercase(),
            SelectItem::UnnamedExpr(Expr::CompoundIdentifier(names)) => {
                let Some(last) = names.last() else { continue };
                last.value.to_lowercase()
            }
            SelectItem::UnnamedExpr(expr) if stars::pattern_of(expr).is_some() => continue,
            SelectItem::UnnamedExpr(expr) => {
                let alias = Ident::new(format!("_c{index}"));
                *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias };
                continue;
            }
            SelectItem::ExprWithAlias { alias, .. } => alias.value.to_lowercase(),
            _ => continue,
        };
        if !again[index] && seen.insert(name.clone()) {
            continue;
        }
        let alias = Ident::new(format!("{name}_{index}"));
        match item {
            SelectItem::UnnamedExpr(expr) => *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias },
            SelectItem::ExprWithAlias { alias: old, .. } => *old = alias,
            _ => {}
        }
    }
}

/// Groups that one `grouping(…)` takes: each has a bit of an int.
const MOST_GROUPED: usize = 31;

/// `grouping__id` is `grouping(…)` of all groups, in the order in which GROUP BY has them, whatever that of the sets is.
fn grouping_id(select: &mut Select, written: &[Expr]) {
    let GroupByExpr::Expressions(groups, _) = &select.group_by else { return };
    let mut plain = Vec::new();
    for group in groups {
        match group {
            Expr::GroupingSets(sets) | Expr::Cube(sets) | Expr::Rollup(sets) => plain.extend(sets.concat()),
            other => plain.push(other.clone()),
        }
    }
    let mut unique: Vec<Expr> = Vec::new();
    for group in plain {
        if !unique.contains(&group) {
            unique.push(group);
        }
    }
    let shown = |group: &Expr| group.to_string().to_lowercase();
    let places: Vec<String> = written.iter().map(shown).collect();
    // Without sets, and as a group itself, it is a column of what is read.
    let in_sets = groups.iter().any(|group| matches!(group, Expr::GroupingSets(_) | Expr::Cube(_) | Expr::Rollup(_)));
    if !in_sets || unique.iter().any(is_grouping_id) {
        return;
    }
    unique.sort_by_key(|group| places.iter().position(|place| *place == shown(group)).unwrap_or(usize::MAX));
    let plain =
        written.iter().filter(|group| !matches!(group, Expr::GroupingSets(_) | Expr::Cube(_) | Expr::Rollup(_)));
    let missing: Vec<String> =
        plain.map(shown).filter(|place| !unique.iter().any(|one| shown(one) == *place)).collect();
    without_groups(select, &missing);
    // Each group has a bit; one that no set names has none of its rows.
    let listed = if missing.is_empty() { unique.as_slice() } else { written };
    let bit = |(at, group): (usize, &Expr)| {
        let weight = number(&(1_u64 << (listed.len() - 1 - at).min(62)).to_string());
        if missing.contains(&shown(group)) {
            return weight;
        }
        let grouped = call("grouping", vec![group.clone()]);
        Expr::BinaryOp { left: Box::new(grouped), op: BinaryOperator::Multiply, right: Box::new(weight) }
    };
    let sum = |left, right| Expr::BinaryOp { left: Box::new(left), op: BinaryOperator::Plus, right: Box::new(right) };
    let id = match missing.is_empty() && unique.len() <= MOST_GROUPED {
        true => call("grouping", unique),
        false => Expr::Nested(Box::new(listed.iter().enumerate().map(bit).reduce(sum).unwrap_or_else(|| number("0")))),
    };
    let mut replace = GroupingId { call: id };
    for item in &mut select.projection {
        if let SelectItem::UnnamedExpr(expr @ Expr::Identifier(_)) = item
            && is_grouping_id(expr)
        {
            *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias: Ident::new("grouping__id") };
        }
        // The visitor never breaks off.
        let _ = visit_mut(item, &mut replace);
    }
    if let Some(having) = &mut select.having {
        let _ = visit_mut(having, &mut replace);
    }
}

/// A column that is grouped by, but named by none of the sets, is null wherever it is shown.
fn without_groups(select: &mut Select, missing: &[String]) {
    for item in &mut select.projection {
        let (expr, alias) = match item {
            SelectItem::UnnamedExpr(expr) => (&*expr, None),
            SelectItem::ExprWithAlias { expr, alias } => (&*expr, Some(alias.clone())),
            _ => continue,
        };
        let name = match expr {
            Expr::Identifier(name) => Some(name.clone()),
            Expr::CompoundIdentifier(parts) => parts.last().cloned(),
            _ => None,
        };
        if missing.contains(&expr.to_string().to_lowercase())
            && let Some(alias) = alias.or(name)
        {
            *item = SelectItem::ExprWithAlias { expr: Expr::Value(Value::Null.into()), alias };
        }
    }
}

struct GroupingId {
    call: Expr,
}

impl VisitorMut for GroupingId {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if is_grouping_id(expr) {
            *expr = self.call.clone();
        }
        ControlFlow::Continue(())
    }
}

fn is_grouping_id(expr: &Expr) -> bool {
    matches!(expr, Expr::Identifier(name) if name.value.eq_ignore_ascii_case("grouping__id"))
}
