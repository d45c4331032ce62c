//! Grouping sets of a correlated subquery: each gets the columns of the domain as its first keys.

use arrow::datatypes::DataType;
use datafusion::common::{Column, Result};
use datafusion::logical_expr::{Aggregate, Expr, GroupingSet, LogicalPlan, Operator, binary_expr, cast};
use datafusion::prelude::lit;

use super::build;

/// Whether one of the sets is empty: it has a row where there are no rows.
pub(super) fn has_empty_set(aggregate: &Aggregate) -> bool {
    aggregate.group_expr.iter().any(|key| match key {
        Expr::GroupingSet(GroupingSet::GroupingSets(sets)) => sets.iter().any(Vec::is_empty),
        Expr::GroupingSet(GroupingSet::Rollup(_) | GroupingSet::Cube(_)) => true,
        _ => false,
    })
}

/// Rewrites a key, or the keys in its sets.
pub(super) fn map_keys(key: &Expr, rewrite: impl Fn(&Expr) -> Result<Expr>) -> Result<Expr> {
    let all = |keys: &Vec<Expr>| keys.iter().map(&rewrite).collect::<Result<Vec<_>>>();
    Ok(Expr::GroupingSet(match key {
        Expr::GroupingSet(GroupingSet::Rollup(keys)) => GroupingSet::Rollup(all(keys)?),
        Expr::GroupingSet(GroupingSet::Cube(keys)) => GroupingSet::Cube(all(keys)?),
        Expr::GroupingSet(GroupingSet::GroupingSets(sets)) => {
            GroupingSet::GroupingSets(sets.iter().map(all).collect::<Result<_>>()?)
        }
        key => return rewrite(key),
    }))
}

/// Drops the groups without rows, but for those of empty sets; `count` is the number of their rows.
pub(super) fn drop_empty_groups(groups: LogicalPlan, aggregate: &Aggregate, count: Expr) -> Result<LogicalPlan> {
    let left_out = key_bits(aggregate);
    if left_out == 0 {
        return Ok(groups);
    }
    build::filter(groups, count.gt(lit(0_i64)).or(bits_of_keys(aggregate).eq(lit(left_out))))
}

/// The columns of the aggregate as they were before the sets got more keys: its grouping id has a bit for each key, the last key in
/// the lowest one.
pub(super) fn restore_grouping_id(columns: Vec<Expr>, aggregate: &Aggregate) -> Vec<Expr> {
    let fields = aggregate.schema.fields().iter();
    let columns = columns.into_iter().zip(fields).map(|(column, field)| match field.name().as_str() {
        Aggregate::INTERNAL_GROUPING_ID => cast(bits_of_keys(aggregate), field.data_type().clone()).alias(field.name()),
        _ => column,
    });
    columns.collect()
}

/// The bits of the grouping id that stand for the keys of the aggregate.
fn bits_of_keys(aggregate: &Aggregate) -> Expr {
    let id = Expr::Column(Column::new_unqualified(Aggregate::INTERNAL_GROUPING_ID));
    binary_expr(cast(id, DataType::UInt64), Operator::BitwiseAnd, lit(key_bits(aggregate)))
}

/// A bit for each key.
fn key_bits(aggregate: &Aggregate) -> u64 {
    let keys = aggregate.schema.fields().len() - aggregate.aggr_expr.len() - 1;
    1_u64.checked_shl(keys as u32).map_or(u64::MAX, |bit| bit - 1)
}
