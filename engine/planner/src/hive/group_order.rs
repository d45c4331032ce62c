//! Groups come in the order of their keys: among rows that are equal for `ORDER BY`, and under a `LIMIT` without
//! order. Any order would be right, but a reducer of Hive returns its groups in this one, and it is the same in every run.

use std::sync::Arc;

use arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::{Distinct, Expr, FetchType, Limit, LogicalPlan, Sort, SortExpr};

use super::MAX_ORDERED_ROWS;
use crate::optimizer::unused_joins::key_count;

pub(crate) fn sort_groups(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    match plan {
        LogicalPlan::Sort(mut sort) => {
            let more = sort_keys(group_keys(&sort.input), &sort.expr);
            let is_changed = !more.is_empty();
            sort.expr.extend(more);
            Ok(Transformed::new_transformed(LogicalPlan::Sort(sort), is_changed))
        }
        LogicalPlan::Limit(limit) => {
            let expr = sort_keys(group_keys(&limit.input), &[]);
            let is_small =
                matches!(limit.get_fetch_type()?, FetchType::Literal(Some(fetch)) if fetch <= MAX_ORDERED_ROWS);
            if expr.is_empty() || !is_small {
                return Ok(Transformed::no(LogicalPlan::Limit(limit)));
            }
            let input = Arc::new(LogicalPlan::Sort(Sort { expr, input: limit.input, fetch: None }));
            Ok(Transformed::yes(LogicalPlan::Limit(Limit { input, ..limit })))
        }
        other => Ok(Transformed::no(other)),
    }
}

/// Ascending, null first, without the keys that rows are sorted by already.
fn sort_keys(keys: Vec<Expr>, before: &[SortExpr]) -> Vec<SortExpr> {
    keys.into_iter().filter(|key| before.iter().all(|sort| sort.expr != *key)).map(|key| key.sort(true, true)).collect()
}

/// The columns of a plan that are keys of its groups.
fn group_keys(plan: &LogicalPlan) -> Vec<Expr> {
    let columns = || plan.schema().columns().into_iter().map(Expr::Column);
    let is_key: Vec<bool> = match plan {
        LogicalPlan::Aggregate(aggregate) if !matches!(aggregate.group_expr.as_slice(), [Expr::GroupingSet(_)]) => {
            let groups = key_count(aggregate);
            columns().enumerate().map(|(index, _)| index < groups).collect()
        }
        LogicalPlan::Distinct(Distinct::All(_)) => columns().map(|_| true).collect(),
        LogicalPlan::Filter(filter) => return group_keys(&filter.input),
        LogicalPlan::Projection(projection) => {
            let below = group_keys(&projection.input);
            projection.expr.iter().map(|expr| below.contains(&expr.clone().unalias_nested().data)).collect()
        }
        LogicalPlan::SubqueryAlias(alias) => {
            let below = group_keys(&alias.input);
            alias.input.schema().columns().into_iter().map(|column| below.contains(&Expr::Column(column))).collect()
        }
        _ => return Vec::new(),
    };
    let fields = plan.schema().fields().iter();
    let is_simple = |data_type: &DataType| !data_type.is_nested() && !data_type.is_null();
    let keys = columns().zip(fields).zip(is_key).filter(|((_, field), is_key)| *is_key && is_simple(field.data_type()));
    keys.map(|((column, _), _)| column).collect()
}
