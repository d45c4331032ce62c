//! FROM: joins, samples, LATERAL VIEW, and what can't be read.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, FunctionArguments, GroupByExpr, Ident, JoinConstraint, JoinOperator, LimitClause, ObjectName,
    Select, SelectItem, SelectItemQualifiedWildcardKind, TableAlias, TableAliasColumnDef, TableFactor,
    TableSampleBucket, TableSampleKind, TableSampleQuantity, TableSampleUnit, TableWithJoins, Value,
};

use super::counts;
use super::step::Walk;
use crate::ast::{Rewritten, alias, binary, boolean, call, join_all, last_part, number, refuse, relation, select_all};
use quarry_planner::hive::lateral_views::{is_generator, join_generator, nest_generators};

pub(super) fn complete_select_joins(select: &mut Select) {
    select.from.iter_mut().for_each(complete_joins);
}

pub(super) fn complete_nested_joins(table: &mut TableFactor) {
    if let TableFactor::NestedJoin { table_with_joins, .. } = table {
        complete_joins(table_with_joins);
        // A lateral table function that is the last table stays: the planner plans this join for it.
        if let Some(last) = table_with_joins.joins.pop() {
            **table_with_joins = nest_generators((**table_with_joins).clone());
            table_with_joins.joins.push(last);
        }
    }
}

/// An outer join without a condition joins every row with every other one, and keeps the rows of one side if the other side is
/// empty.
fn complete_joins(from: &mut TableWithJoins) {
    for join in &mut from.joins {
        if let JoinOperator::Left(constraint)
        | JoinOperator::LeftOuter(constraint)
        | JoinOperator::Right(constraint)
        | JoinOperator::RightOuter(constraint)
        | JoinOperator::FullOuter(constraint) = &mut join.join_operator
            && *constraint == JoinConstraint::None
        {
            *constraint = JoinConstraint::On(boolean(true));
        }
    }
}

pub(super) fn drop_default_schema(ObjectName(parts): &mut ObjectName) {
    let is_default = |part: &Ident| part.value.eq_ignore_ascii_case("default");
    if parts.len() == 2 && parts[0].as_ident().is_some_and(is_default) {
        parts.remove(0);
    }
}

pub(super) fn name_outer_columns(table: &mut TableFactor) {
    if let TableFactor::Derived { subquery, .. } = table {
        quarry_sql::name_outer_columns(subquery);
    }
}

pub(super) fn refuse_table(table: &mut TableFactor) -> Rewritten {
    match table {
        TableFactor::Table { sample: Some(_), .. } | TableFactor::Derived { sample: Some(_), .. } => {
            refuse("TABLESAMPLE supports only (n ROWS) and (BUCKET x OUT OF y ON …).")
        }
        TableFactor::Table { args: Some(_), .. } | TableFactor::TableFunction { .. } => {
            refuse("FROM supports only tables and subqueries.")
        }
        _ => Rewritten::Continue(()),
    }
}

/// `t TABLESAMPLE (5 ROWS)` is the first five rows of t; `t TABLESAMPLE (BUCKET 1 OUT OF 4 ON x)` those whose hash modulo 4
/// is 0.
pub(super) fn rewrite_sample(table: &mut TableFactor) {
    let TableFactor::Table { name, alias, sample, .. } = table else { return };
    let Some(TableSampleKind::BeforeTableAlias(taken) | TableSampleKind::AfterTableAlias(taken)) = &*sample else {
        return;
    };
    let (mut limit, mut condition) = (None, None);
    match (&taken.quantity, &taken.bucket) {
        (Some(TableSampleQuantity { value, unit: Some(TableSampleUnit::Rows), .. }), _) => {
            let mut rows = value.clone();
            counts::mark(&mut rows);
            limit = Some(LimitClause::LimitOffset { limit: Some(rows), offset: None, limit_by: Vec::new() });
        }
        (_, Some(TableSampleBucket { bucket, total, on: Some(on) })) => {
            condition = Some(is_in_bucket(on, &bucket.value, &total.value));
        }
        _ => return,
    }
    let own = alias.take().or_else(|| last_part(name).cloned().map(self::alias));
    *sample = None;
    alias.clone_from(&own);
    let mut query = select_all(table.clone(), condition);
    query.limit_clause = limit;
    *table = TableFactor::Derived { lateral: false, subquery: Box::new(query), alias: own, sample: None };
}

/// Whether a value is in a bucket, counted from 1: by its hash without the sign.
fn is_in_bucket(on: &Expr, bucket: &Value, total: &Value) -> Expr {
    let value = |value: &Value| Expr::Value(value.clone().into());
    let hash = call("murmur_hash", vec![on.clone()]);
    let positive = binary(hash, BinaryOperator::BitwiseAnd, number("2147483647"));
    let remainder = binary(positive, BinaryOperator::Modulo, value(total));
    binary(binary(remainder, BinaryOperator::Plus, number("1")), BinaryOperator::Eq, value(bucket))
}

/// `t LATERAL VIEW explode(x) v AS y` is `t CROSS JOIN LATERAL explode(x) AS v (y)`.
pub(super) fn rewrite_lateral_views(select: &mut Select, _: &mut Walk) -> Rewritten {
    select.from = std::mem::take(&mut select.from).into_iter().map(nest_generators).collect();
    for view in std::mem::take(&mut select.lateral_views) {
        if !matches!(&view.lateral_view, Expr::Function(call) if matches!(call.args, FunctionArguments::List(_))) {
            return refuse("LATERAL VIEW expects a function that returns rows.");
        }
        let name = last_part(&view.lateral_view_name).cloned();
        let alias = with_columns(name, view.lateral_col_alias);
        let table = join_all(std::mem::take(&mut select.from));
        select.from = vec![relation(join_generator(table, view.lateral_view, view.outer, alias))];
    }
    Rewritten::Continue(())
}

fn with_columns(name: Option<Ident>, columns: Vec<Ident>) -> TableAlias {
    let columns = columns.into_iter().map(|name| TableAliasColumnDef { name, data_type: None }).collect();
    TableAlias { columns, ..alias(name.unwrap_or_else(|| Ident::new("__made"))) }
}

/// `SELECT id, explode(x) AS (a, b) FROM t` is a LATERAL VIEW whose columns take the place of the call.
pub(super) fn rewrite_generator(select: &mut Select, _: &mut Walk) -> Rewritten {
    let mut generators = select.projection.iter().filter(|item| is_generator(item));
    let Some(generator) = generators.next() else { return Rewritten::Continue(()) };
    let is_star = |item: &SelectItem| matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..));
    let is_alone = generators.next().is_none() && !select.projection.iter().any(is_star);
    let is_grouped = !matches!(&select.group_by, GroupByExpr::Expressions(groups, _) if groups.is_empty());
    let (expr, names) = match generator {
        SelectItem::UnnamedExpr(expr) if is_alone && !is_grouped => (expr.clone(), Vec::new()),
        SelectItem::ExprWithAlias { expr, alias } if is_alone && !is_grouped => (expr.clone(), vec![alias.clone()]),
        SelectItem::ExprWithAliases { expr, aliases } if is_alone && !is_grouped => (expr.clone(), aliases.clone()),
        _ => {
            return refuse(
                "A function that returns rows, such as explode, is allowed once in SELECT, next to named columns, or \
                 in LATERAL VIEW.",
            );
        }
    };
    let table = join_all(std::mem::take(&mut select.from));
    let view = with_columns(None, names);
    let columns = SelectItemQualifiedWildcardKind::ObjectName(ObjectName::from(vec![view.name.clone()]));
    select.from = vec![relation(join_generator(table, expr, false, view))];
    for item in select.projection.iter_mut().filter(|item| is_generator(item)) {
        *item = SelectItem::QualifiedWildcard(columns.clone(), Default::default());
    }
    Rewritten::Continue(())
}
