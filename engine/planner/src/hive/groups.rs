//! Groups come in the order of their keys: among rows that `ORDER BY` takes for the same, and under a `LIMIT` without any
//! order. Any order would do, but a reducer hands its groups out in this one, and it is the same in every run.

use std::sync::Arc;

use arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::expr::Alias;
use datafusion::logical_expr::{Distinct, Expr, FetchType, Limit, LogicalPlan, Sort, SortExpr};
use datafusion::optimizer::AnalyzerRule;

/// With a larger limit nobody looks at which rows they are.
const MOST: usize = 10_000;

#[derive(Debug)]
pub struct GroupsInOrder;

impl AnalyzerRule for GroupsInOrder {
    fn name(&self) -> &str {
        "hive_groups"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        plan.transform_up_with_subqueries(|plan| match plan {
            LogicalPlan::Sort(mut sort) => {
                let rest = ordered(keys(&sort.input), &sort.expr);
                let changed = !rest.is_empty();
                sort.expr.extend(rest);
                Ok(Transformed::new_transformed(LogicalPlan::Sort(sort), changed))
            }
            LogicalPlan::Limit(limit) => {
                let expr = ordered(keys(&limit.input), &[]);
                let few = matches!(limit.get_fetch_type()?, FetchType::Literal(Some(fetch)) if fetch <= MOST);
                if expr.is_empty() || !few {
                    return Ok(Transformed::no(LogicalPlan::Limit(limit)));
                }
                let input = Arc::new(LogicalPlan::Sort(Sort { expr, input: limit.input, fetch: None }));
                Ok(Transformed::yes(LogicalPlan::Limit(Limit { input, ..limit })))
            }
            other => Ok(Transformed::no(other)),
        })
        .map(|done| done.data)
    }
}

/// Ascending, null first, without those that rows are ordered by already.
fn ordered(keys: Vec<Expr>, before: &[SortExpr]) -> Vec<SortExpr> {
    keys.into_iter().filter(|key| before.iter().all(|held| held.expr != *key)).map(|key| key.sort(true, true)).collect()
}

/// The columns of a plan that are keys of its groups.
fn keys(plan: &LogicalPlan) -> Vec<Expr> {
    let columns = || plan.schema().columns().into_iter().map(Expr::Column);
    let taken: Vec<bool> = match plan {
        LogicalPlan::Aggregate(aggregate) if !matches!(aggregate.group_expr.as_slice(), [Expr::GroupingSet(_)]) => {
            let groups = aggregate.group_expr.len();
            columns().enumerate().map(|(at, _)| at < groups).collect()
        }
        LogicalPlan::Distinct(Distinct::All(_)) => columns().map(|_| true).collect(),
        LogicalPlan::Filter(filter) => return keys(&filter.input),
        LogicalPlan::Projection(projection) => {
            let below = keys(&projection.input);
            projection.expr.iter().map(|expr| below.contains(unnamed(expr))).collect()
        }
        LogicalPlan::SubqueryAlias(alias) => {
            let below = keys(&alias.input);
            alias.input.schema().columns().into_iter().map(|column| below.contains(&Expr::Column(column))).collect()
        }
        _ => return Vec::new(),
    };
    let fields = plan.schema().fields().iter();
    let simple = |data_type: &DataType| !data_type.is_nested() && !data_type.is_null();
    let keys = columns().zip(fields).zip(taken).filter(|((_, field), taken)| *taken && simple(field.data_type()));
    keys.map(|((column, _), _)| column).collect()
}

fn unnamed(expr: &Expr) -> &Expr {
    match expr {
        Expr::Alias(Alias { expr, .. }) => unnamed(expr),
        other => other,
    }
}
