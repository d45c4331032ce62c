//! Clauses of a query that are written in another way here.

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Function, GroupByExpr, GroupByWithModifier, Ident, JoinConstraint, JoinOperator, LimitClause,
    NamedWindowDefinition, NamedWindowExpr, ObjectName, OrderByExpr, OrderByOptions, Query, Select, SelectItem,
    SetExpr, SetOperator, SetQuantifier, TableAlias, TableFactor, TableSampleBucket, TableSampleKind,
    TableSampleQuantity, TableSampleUnit, TableWithJoins, Value, Values, Visitor, WindowFrameBound, WindowSpec,
    WindowType,
};

use super::build;
use quarry_sql::ast_visitor::visit;
use quarry_types::Error;

/// A whole number stays as it is written: it is a place or a count and no value.
pub(super) fn keep(expr: &mut Expr) {
    if let Expr::Value(value) = expr
        && let Value::Number(digits, kept) = &mut value.value
        && digits.bytes().all(|byte| byte.is_ascii_digit())
    {
        *kept = true;
    }
}

/// Marks the numbers in the frame of a window as counts, or takes the mark away for the planner.
pub(super) fn frame_bounds(function: &mut Function, kept: bool) {
    if let Some(WindowType::WindowSpec(spec)) = &mut function.over {
        bounds(spec, kept);
    }
}

/// The same for the windows that a SELECT names.
pub(super) fn named_frame_bounds(select: &mut Select, kept: bool) {
    for NamedWindowDefinition(_, window) in &mut select.named_window {
        if let NamedWindowExpr::WindowSpec(spec) = window {
            bounds(spec, kept);
        }
    }
}

fn bounds(spec: &mut WindowSpec, kept: bool) {
    let Some(frame) = &mut spec.window_frame else { return };
    for bound in std::iter::once(&mut frame.start_bound).chain(&mut frame.end_bound) {
        if let WindowFrameBound::Preceding(Some(rows)) | WindowFrameBound::Following(Some(rows)) = bound
            && let Expr::Value(value) = rows.as_mut()
            && let Value::Number(_, mark) = &mut value.value
        {
            *mark = kept;
        }
    }
}

/// `t TABLESAMPLE (5 ROWS)` is the first five rows of t; `t TABLESAMPLE (BUCKET 1 OUT OF 4 ON x)` those whose hash leaves 0
/// when it is divided by 4.
pub(super) fn sample(table: &mut TableFactor) {
    let TableFactor::Table { name, alias, sample: taken @ Some(_), .. } = table else { return };
    let (Some(TableSampleKind::BeforeTableAlias(sample)) | Some(TableSampleKind::AfterTableAlias(sample))) = &taken
    else {
        return;
    };
    let (mut limit, mut condition) = (None, None);
    match (&sample.quantity, &sample.bucket) {
        (Some(TableSampleQuantity { value, unit: Some(TableSampleUnit::Rows), .. }), _) => {
            let mut rows = value.clone();
            keep(&mut rows);
            limit = Some(LimitClause::LimitOffset { limit: Some(rows), offset: None, limit_by: Vec::new() });
        }
        (_, Some(TableSampleBucket { bucket, total, on: Some(on) })) => {
            condition = Some(in_bucket(on, &bucket.value, &total.value));
        }
        _ => return,
    }
    let own = name.0.last().and_then(|part| part.as_ident()).cloned();
    let named = own.map(|name| TableAlias { explicit: true, name, columns: Vec::new(), at: None });
    let named = alias.take().or(named);
    *taken = None;
    alias.clone_from(&named);
    let mut rows = build::select_everything();
    rows.from = vec![TableWithJoins { relation: table.clone(), joins: Vec::new() }];
    rows.selection = condition;
    let mut subquery = quarry_sql::query(SetExpr::Select(Box::new(rows)));
    subquery.limit_clause = limit;
    *table = TableFactor::Derived { lateral: false, subquery: Box::new(subquery), alias: named, sample: None };
}

/// Whether the hash of a value, without its sign, leaves the number of a bucket, counted from 1, among so many.
fn in_bucket(on: &Expr, bucket: &Value, total: &Value) -> Expr {
    let value = |value: &Value| Expr::Value(value.clone().into());
    let both = |left: Expr, op, right: Expr| {
        Expr::Nested(Box::new(Expr::BinaryOp { left: Box::new(left), op, right: Box::new(right) }))
    };
    let hash = build::call("murmur_hash", vec![on.clone()]);
    let positive = both(hash, BinaryOperator::BitwiseAnd, build::number("2147483647"));
    let rest = both(positive, BinaryOperator::Modulo, value(total));
    both(both(rest, BinaryOperator::Plus, build::number("1")), BinaryOperator::Eq, value(bucket))
}

/// An outer join without a condition joins everything with everything, and leaves nobody out when one side is empty.
pub(super) fn free_outer_joins(from: &mut TableWithJoins) {
    for join in &mut from.joins {
        if let JoinOperator::Left(held)
        | JoinOperator::LeftOuter(held)
        | JoinOperator::Right(held)
        | JoinOperator::RightOuter(held)
        | JoinOperator::FullOuter(held) = &mut join.join_operator
            && *held == JoinConstraint::None
        {
            *held = JoinConstraint::On(Expr::Value(Value::Boolean(true).into()));
        }
    }
}

/// Common table expressions after those that they read: Hive lets them stand in any order.
pub(super) fn order_expressions(query: &mut Query) {
    let Some(with) = &mut query.with else { return };
    let mut left = std::mem::take(&mut with.cte_tables);
    while !left.is_empty() {
        let names: Vec<String> = left.iter().map(|cte| cte.alias.name.value.to_lowercase()).collect();
        let free = left.iter().position(|cte| {
            let own = cte.alias.name.value.to_lowercase();
            !tables_read(&cte.query).iter().any(|read| *read != own && names.contains(read))
        });
        // Those that read each other stay as they are: the planner says what is wrong.
        with.cte_tables.push(left.remove(free.unwrap_or(0)));
    }
}

/// The names of the tables that a query reads, in lower case.
pub(super) fn tables_read(query: &Query) -> Vec<String> {
    let mut reads = Reads(Vec::new());
    // The visitor never breaks off.
    let _ = visit(query, &mut reads);
    reads.0
}

struct Reads(Vec<String>);

impl Visitor for Reads {
    type Break = ();

    fn pre_visit_relation(&mut self, relation: &ObjectName) -> ControlFlow<()> {
        let parts = relation.0.iter().filter_map(|part| part.as_ident()).map(|part| part.value.to_lowercase());
        self.0.push(parts.collect::<Vec<_>>().join("."));
        ControlFlow::Continue(())
    }
}

/// `MINUS` is `EXCEPT`, and what stands without parentheses goes from left to right: none of these words binds tighter.
pub(super) fn set_operations(body: &mut SetExpr) {
    if !matches!(body, SetExpr::SetOperation { .. }) {
        return;
    }
    let nothing = SetExpr::Values(Values { explicit_row: false, value_keyword: false, rows: Vec::new() });
    let (mut parts, mut words) = (Vec::new(), Vec::new());
    flatten(std::mem::replace(body, nothing), &mut parts, &mut words);
    let mut parts = parts.into_iter();
    let Some(mut whole) = parts.next() else { return };
    for ((op, set_quantifier), right) in words.into_iter().zip(parts) {
        let op = if op == SetOperator::Minus { SetOperator::Except } else { op };
        whole = SetExpr::SetOperation { op, set_quantifier, left: Box::new(whole), right: Box::new(right) };
    }
    *body = whole;
}

/// The parts of a chain of UNION and the like, and the words between them, as they stand in the text.
fn flatten(body: SetExpr, parts: &mut Vec<SetExpr>, words: &mut Vec<(SetOperator, SetQuantifier)>) {
    match body {
        SetExpr::SetOperation { op, set_quantifier, left, right } => {
            flatten(*left, parts, words);
            words.push((op, set_quantifier));
            flatten(*right, parts, words);
        }
        part => parts.push(part),
    }
}

/// Takes `SORT BY` and `CLUSTER BY` out of a SELECT. With one reducer they are an order of everything.
pub(super) fn sort_of(select: &mut Select) -> Vec<OrderByExpr> {
    let cluster = std::mem::take(&mut select.cluster_by);
    let columns = cluster.into_iter().flat_map(|expr| match expr {
        Expr::Tuple(list) => list,
        Expr::Nested(inner) => vec![*inner],
        other => vec![other],
    });
    let ascending = |expr| OrderByExpr { expr, options: OrderByOptions::default(), with_fill: None };
    let mut sorted = std::mem::take(&mut select.sort_by);
    sorted.extend(columns.map(ascending));
    sorted
}

/// `GROUP BY a, b WITH ROLLUP` (or `WITH CUBE`, or `GROUPING SETS (…)` behind the list) as the planner knows it: it would
/// leave the words out without a sign. Tells the groups in the order in which they are written.
pub(super) fn group_modifiers(select: &mut Select) -> Result<Vec<Expr>, Box<Error>> {
    let GroupByExpr::Expressions(groups, modifiers) = &mut select.group_by else { return Ok(Vec::new()) };
    let Some(modifier) = modifiers.pop() else {
        groups.iter_mut().for_each(each_set_once);
        return Ok(groups.clone());
    };
    if !modifiers.is_empty() {
        return Err(build::invalid("One of ROLLUP, CUBE and GROUPING SETS stands behind GROUP BY."));
    }
    for group in groups.iter_mut() {
        let column = place(group).and_then(|place| select.projection.get(place.checked_sub(1)?));
        if let Some(SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) = column {
            *group = expr.clone();
        }
    }
    let written = groups.clone();
    let each = |groups: &mut Vec<Expr>| std::mem::take(groups).into_iter().map(|group| vec![group]).collect();
    *groups = match modifier {
        GroupByWithModifier::Rollup => vec![Expr::Rollup(each(groups))],
        GroupByWithModifier::Cube => vec![Expr::Cube(each(groups))],
        GroupByWithModifier::GroupingSets(sets) => vec![sets],
        GroupByWithModifier::Totals => return Err(build::invalid("WITH TOTALS is not HiveQL.")),
    };
    groups.iter_mut().for_each(each_set_once);
    Ok(written)
}

/// Sets of the same groups are one in Hive, whatever their order: each is answered once.
fn each_set_once(group: &mut Expr) {
    let Expr::GroupingSets(sets) = group else { return };
    let mut seen = HashSet::new();
    sets.retain(|set| {
        let groups: BTreeSet<String> = set.iter().map(|group| group.to_string().to_lowercase()).collect();
        seen.insert(groups)
    });
}

/// `GROUP BY ()` makes one group of everything. A number in GROUP BY is the place of a column; where that counts or adds up
/// groups itself, it is a value like any other, and the same in all rows.
pub(super) fn constant_groups(select: &mut Select) {
    let Select { group_by: GroupByExpr::Expressions(groups, _), projection, .. } = select else { return };
    let is_empty = |group: &Expr| matches!(group, Expr::Tuple(list) if list.is_empty());
    if !groups.is_empty() && groups.iter().all(is_empty) {
        *groups = vec![Expr::GroupingSets(vec![Vec::new()])];
        return;
    }
    groups.retain(|group| !is_empty(group));
    for group in groups {
        let column = place(group).and_then(|place| projection.get(place.checked_sub(1)?));
        if let Some(SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) = column
            && is_aggregate(expr)
        {
            *group = build::call("hive_cast", vec![group.clone(), build::text("int")]);
        }
    }
}

/// Aggregates that a number in GROUP BY may point at.
const AGGREGATES: [&str; 17] = [
    "avg",
    "collect_list",
    "collect_set",
    "corr",
    "count",
    "covar_pop",
    "covar_samp",
    "max",
    "min",
    "percentile",
    "percentile_approx",
    "stddev_pop",
    "stddev_samp",
    "sum",
    "var_pop",
    "var_samp",
    "variance",
];

/// Whether an expression has an aggregate that is no window, outside of queries inside it.
fn is_aggregate(expr: &Expr) -> bool {
    let mut aggregates = Aggregates { queries: 0 };
    visit(expr, &mut aggregates).is_break()
}

struct Aggregates {
    queries: usize,
}

impl Visitor for Aggregates {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.queries += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.queries -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Function(function) if self.queries == 0 && function.over.is_none() => {
                match AGGREGATES.contains(&function.name.to_string().to_lowercase().as_str()) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            }
            _ => ControlFlow::Continue(()),
        }
    }
}

/// A column that is named without its table is the one of that name in GROUP BY, when several tables have it.
pub(super) fn grouped_names(select: &mut Select) {
    let GroupByExpr::Expressions(groups, _) = &select.group_by else { return };
    let mut known: Vec<(String, Expr)> = Vec::new();
    for group in groups {
        let Expr::CompoundIdentifier(parts) = group else { continue };
        let Some(last) = parts.last() else { continue };
        known.push((last.value.to_lowercase(), group.clone()));
    }
    let means = |name: &Ident| {
        let mut found = known.iter().filter(|(known, _)| *known == name.value.to_lowercase()).map(|(_, group)| group);
        let first = found.next()?;
        found.all(|other| other == first).then(|| first.clone())
    };
    for item in &mut select.projection {
        match item {
            SelectItem::UnnamedExpr(Expr::Identifier(name)) => {
                if let Some(expr) = means(name) {
                    *item = SelectItem::ExprWithAlias { expr, alias: name.clone() };
                }
            }
            SelectItem::ExprWithAlias { expr, .. } => {
                if let Expr::Identifier(name) = expr
                    && let Some(group) = means(name)
                {
                    *expr = group;
                }
            }
            _ => {}
        }
    }
}

/// The column of the SELECT that a number in GROUP BY means, counted from 1.
fn place(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::Number(digits, _) => digits.parse().ok(),
            _ => None,
        },
        _ => None,
    }
}
