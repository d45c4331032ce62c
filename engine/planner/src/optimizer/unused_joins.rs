//! Drops a left join whose right columns are not used, if no row of the left side can match more than one row of the right side:
//! it neither adds nor drops rows. `select count(*) from dex.trades` joins no tokens and no prices.

use std::collections::HashSet;

use arrow::datatypes::DataType;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, DFSchema, Result};
use datafusion::datasource::source_as_provider;
use datafusion::logical_expr::utils::split_conjunction;
use datafusion::logical_expr::{
    Aggregate, BinaryExpr, Expr, FetchType, Join, JoinType, LogicalPlan, Operator, TableScan, WindowFunctionDefinition,
};
use datafusion::scalar::ScalarValue;

use crate::optimizer::common_subplan;
use crate::subqueries::contains_subquery;
use quarry_functions::uint256::table::stored_table;
use quarry_lake::tables::Table;

/// Runs when the stock rules have dropped unused columns.
pub(crate) fn eliminate_unused_joins(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let (LogicalPlan::Projection(_) | LogicalPlan::Aggregate(_)) = &plan else { return Ok(Transformed::no(plan)) };
    let exprs = plan.expressions();
    let mut needed = HashSet::new();
    if !add_columns(&exprs, &mut needed) {
        return Ok(Transformed::no(plan));
    }
    match without_unused_joins(plan.inputs()[0], needed)? {
        Some(input) => Ok(Transformed::yes(plan.with_new_exprs(exprs, vec![input])?)),
        None => Ok(Transformed::no(plan)),
    }
}

/// Adds the columns that expressions refer to; false if a subquery in them may refer to others.
fn add_columns<'a>(exprs: impl IntoIterator<Item = &'a Expr>, needed: &mut HashSet<Column>) -> bool {
    exprs.into_iter().all(|expr| {
        needed.extend(expr.column_refs().into_iter().cloned());
        !contains_subquery(expr)
    })
}

/// The plan without unused joins; `None` if there are none.
fn without_unused_joins(plan: &LogicalPlan, mut needed: HashSet<Column>) -> Result<Option<LogicalPlan>> {
    match plan {
        LogicalPlan::Join(join) if join.join_type == JoinType::Left && is_unused(join, &needed) => {
            Ok(Some(without_unused_joins(&join.left, needed)?.unwrap_or_else(|| join.left.as_ref().clone())))
        }
        LogicalPlan::Join(join) => {
            let exprs = plan.expressions();
            if !add_columns(&exprs, &mut needed) {
                return Ok(None);
            }
            let (left, right) =
                (without_unused_joins(&join.left, needed.clone())?, without_unused_joins(&join.right, needed)?);
            if left.is_none() && right.is_none() {
                return Ok(None);
            }
            let or = |side: Option<LogicalPlan>, own: &LogicalPlan| side.unwrap_or_else(|| own.clone());
            Ok(Some(plan.with_new_exprs(exprs, vec![or(left, &join.left), or(right, &join.right)])?))
        }
        LogicalPlan::Filter(filter) => {
            if !add_columns([&filter.predicate], &mut needed) {
                return Ok(None);
            }
            let input = without_unused_joins(&filter.input, needed)?;
            input.map(|input| plan.with_new_exprs(plan.expressions(), vec![input])).transpose()
        }
        _ => Ok(None),
    }
}

/// Whether no column of the right side is needed, and each row of the left side matches at most one row.
fn is_unused(join: &Join, needed: &HashSet<Column>) -> bool {
    let right = join.right.schema();
    if needed.iter().any(|column| right.has_column(column)) {
        return false;
    }
    let keys = join.on.iter().filter_map(|(_, key)| column_index(key, right)).collect();
    is_unique_on(&join.right, &keys, &HashSet::new())
}

/// The index of the column of a schema that an expression is.
pub(super) fn column_index(expr: &Expr, schema: &DFSchema) -> Option<usize> {
    match expr {
        Expr::Column(column) => schema.maybe_index_of_column(column),
        Expr::Alias(alias) => column_index(&alias.expr, schema),
        // A count as `bigint`: different counts stay different.
        Expr::Cast(cast) if *cast.field.data_type() == DataType::Int64 => {
            column_index(&cast.expr, schema).filter(|index| *schema.field(*index).data_type() == DataType::UInt64)
        }
        _ => None,
    }
}

/// The number of columns that are keys of groups without grouping sets. A key that is repeated is one column.
pub(crate) fn key_count(groups: &Aggregate) -> usize {
    groups.schema.fields().len() - groups.aggr_expr.len()
}

/// Whether no two rows of a plan have the same values in the columns `keys`; those in `ones` are known to be 1.
pub(crate) fn is_unique_on(plan: &LogicalPlan, keys: &HashSet<usize>, ones: &HashSet<usize>) -> bool {
    match plan {
        // At most one row.
        LogicalPlan::EmptyRelation(_) => true,
        LogicalPlan::Limit(limit) if matches!(limit.get_fetch_type(), Ok(FetchType::Literal(Some(0 | 1)))) => true,
        LogicalPlan::Limit(limit) => is_unique_on(&limit.input, keys, ones),
        LogicalPlan::Sort(sort) => is_unique_on(&sort.input, keys, ones),
        LogicalPlan::SubqueryAlias(alias) => is_unique_on(&alias.input, keys, ones),
        LogicalPlan::Aggregate(group) => {
            let is_plain = !group.group_expr.iter().any(|key| matches!(key, Expr::GroupingSet(_)));
            is_plain && (0..key_count(group)).all(|key| keys.contains(&key))
        }
        LogicalPlan::Projection(step) => {
            let input = step.input.schema();
            let input_columns = |columns: &HashSet<usize>| {
                let indices = columns.iter().filter_map(|column| column_index(step.expr.get(*column)?, input));
                indices.collect::<HashSet<usize>>()
            };
            is_unique_on(&step.input, &input_columns(keys), &input_columns(ones))
        }
        LogicalPlan::Filter(filter) => {
            let schema = filter.input.schema();
            let mut ones = ones.clone();
            ones.extend(split_conjunction(&filter.predicate).into_iter().filter_map(|part| is_one(part, schema)));
            is_unique_on(&filter.input, keys, &ones)
        }
        // The first row of each partition.
        LogicalPlan::Window(window) => {
            let input = window.input.schema();
            let count = input.fields().len();
            let is_first_row = window.window_expr.iter().enumerate().any(|(index, expr)| {
                ones.contains(&(count + index))
                    && row_number_partition(expr).is_some_and(|partition| {
                        partition.iter().all(|key| column_index(key, input).is_some_and(|key| keys.contains(&key)))
                    })
            });
            let before = |columns: &HashSet<usize>| columns.iter().copied().filter(|column| *column < count).collect();
            is_first_row || is_unique_on(&window.input, &before(keys), &before(ones))
        }
        LogicalPlan::TableScan(scan) => {
            let table_columns = |columns: &HashSet<usize>| match &scan.projection {
                Some(projection) => columns.iter().filter_map(|column| projection.get(*column).copied()).collect(),
                None => columns.clone(),
            };
            match common_subplan::definition(scan) {
                Some(part) => is_unique_on(&part, &table_columns(keys), &table_columns(ones)),
                None => has_key(scan, &table_columns(keys)),
            }
        }
        _ => false,
    }
}

/// Whether columns of a table of the chain contain a key of the table.
fn has_key(scan: &TableScan, columns: &HashSet<usize>) -> bool {
    let provider = source_as_provider(&scan.source).ok();
    let table = provider.and_then(|provider| quarry_lake::chain_table(stored_table(provider.as_ref())));
    let keys: &[&[&str]] = match table {
        Some(Table::Blocks) => &[&["number"], &["hash"]],
        Some(Table::Transactions) => &[&["block_number", "transaction_index"], &["hash"]],
        _ => return false,
    };
    let schema = scan.source.schema();
    let is_among = |name: &&str| schema.index_of(name).is_ok_and(|index| columns.contains(&index));
    keys.iter().any(|key| key.iter().all(is_among))
}

/// The column that a condition compares with 1.
fn is_one(condition: &Expr, schema: &DFSchema) -> Option<usize> {
    let Expr::BinaryExpr(BinaryExpr { left, op: Operator::Eq, right }) = condition else { return None };
    let one =
        |expr: &Expr| matches!(expr, Expr::Literal(ScalarValue::UInt64(Some(1)) | ScalarValue::Int64(Some(1)), _));
    match (one(left), one(right)) {
        (false, true) => column_index(left, schema),
        (true, false) => column_index(right, schema),
        _ => None,
    }
}

/// The partition keys of `row_number()`.
fn row_number_partition(expr: &Expr) -> Option<&[Expr]> {
    match expr {
        Expr::Alias(alias) => row_number_partition(&alias.expr),
        Expr::WindowFunction(call) => match &call.fun {
            WindowFunctionDefinition::WindowUDF(function) if function.name() == "row_number" => {
                Some(&call.params.partition_by)
            }
            _ => None,
        },
        _ => None,
    }
}
