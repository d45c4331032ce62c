//! Optimizer step: a left join none of whose right columns is asked for goes, when no row of the left side can meet more
//! than one of the right: it neither adds nor takes rows. `select count(*) from dex.trades` joins no tokens and no prices.

use std::collections::HashSet;

use arrow::datatypes::DataType;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, DFSchema, Result};
use datafusion::datasource::source_as_provider;
use datafusion::logical_expr::utils::split_conjunction;
use datafusion::logical_expr::{
    BinaryExpr, Expr, FetchType, Join, JoinType, LogicalPlan, Operator, TableScan, WindowFunctionDefinition,
};
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};
use datafusion::scalar::ScalarValue;

use crate::optimizer::common_subplan;
use crate::sql_extensions::subqueries::contains_subquery;
use quarry_functions::uint256::table::of_files;
use quarry_lake::tables::Table;

/// Runs when the stock rules have taken away the columns that nobody asks for.
#[derive(Debug)]
pub struct UnusedJoins;

impl OptimizerRule for UnusedJoins {
    fn name(&self) -> &str {
        "unused_joins"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::TopDown)
    }

    fn rewrite(&self, plan: LogicalPlan, _: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        let (LogicalPlan::Projection(_) | LogicalPlan::Aggregate(_)) = &plan else { return Ok(Transformed::no(plan)) };
        let exprs = plan.expressions();
        let mut needed = HashSet::new();
        if !add_columns(&exprs, &mut needed) {
            return Ok(Transformed::no(plan));
        }
        match without(plan.inputs()[0], needed)? {
            Some(input) => Ok(Transformed::yes(plan.with_new_exprs(exprs, vec![input])?)),
            None => Ok(Transformed::no(plan)),
        }
    }
}

/// Adds the columns that expressions name; false when a query in them may name others.
fn add_columns<'a>(exprs: impl IntoIterator<Item = &'a Expr>, needed: &mut HashSet<Column>) -> bool {
    exprs.into_iter().all(|expr| {
        needed.extend(expr.column_refs().into_iter().cloned());
        !contains_subquery(expr)
    })
}

/// A plan without the joins of which nothing is needed; `None` where there is none.
fn without(plan: &LogicalPlan, mut needed: HashSet<Column>) -> Result<Option<LogicalPlan>> {
    match plan {
        LogicalPlan::Join(join) if join.join_type == JoinType::Left && is_unused(join, &needed) => {
            Ok(Some(without(&join.left, needed)?.unwrap_or_else(|| join.left.as_ref().clone())))
        }
        LogicalPlan::Join(join) => {
            let exprs = plan.expressions();
            if !add_columns(&exprs, &mut needed) {
                return Ok(None);
            }
            let (left, right) = (without(&join.left, needed.clone())?, without(&join.right, needed)?);
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
            let input = without(&filter.input, needed)?;
            input.map(|input| plan.with_new_exprs(plan.expressions(), vec![input])).transpose()
        }
        _ => Ok(None),
    }
}

/// Whether nothing is needed of the right side, and each row of the left meets at most one of it.
fn is_unused(join: &Join, needed: &HashSet<Column>) -> bool {
    let right = join.right.schema();
    if needed.iter().any(|column| right.has_column(column)) {
        return false;
    }
    let keys = join.on.iter().filter_map(|(_, of_right)| place(of_right, right)).collect();
    is_unique_on(&join.right, &keys, &HashSet::new())
}

/// Which column of a schema an expression is.
pub(super) fn place(expr: &Expr, schema: &DFSchema) -> Option<usize> {
    match expr {
        Expr::Column(column) => schema.maybe_index_of_column(column),
        Expr::Alias(alias) => place(&alias.expr, schema),
        // A count that became `bigint`: different ones stay different.
        Expr::Cast(cast) if *cast.field.data_type() == DataType::Int64 => {
            place(&cast.expr, schema).filter(|index| *schema.field(*index).data_type() == DataType::UInt64)
        }
        _ => None,
    }
}

/// Whether no two rows of a plan have the same values in the columns `keys`; those in `ones` are known to be 1.
pub(super) fn is_unique_on(plan: &LogicalPlan, keys: &HashSet<usize>, ones: &HashSet<usize>) -> bool {
    match plan {
        // One row at most.
        LogicalPlan::EmptyRelation(_) => true,
        LogicalPlan::Limit(limit) if matches!(limit.get_fetch_type(), Ok(FetchType::Literal(Some(0 | 1)))) => true,
        LogicalPlan::Limit(limit) => is_unique_on(&limit.input, keys, ones),
        LogicalPlan::Sort(sort) => is_unique_on(&sort.input, keys, ones),
        LogicalPlan::SubqueryAlias(alias) => is_unique_on(&alias.input, keys, ones),
        LogicalPlan::Aggregate(group) => {
            let plain = !group.group_expr.iter().any(|key| matches!(key, Expr::GroupingSet(_)));
            plain && (0..group.group_expr.len()).all(|key| keys.contains(&key))
        }
        LogicalPlan::Projection(step) => {
            let input = step.input.schema();
            let of_input = |columns: &HashSet<usize>| {
                let places = columns.iter().filter_map(|column| place(step.expr.get(*column)?, input));
                places.collect::<HashSet<usize>>()
            };
            is_unique_on(&step.input, &of_input(keys), &of_input(ones))
        }
        LogicalPlan::Filter(filter) => {
            let schema = filter.input.schema();
            let mut ones = ones.clone();
            ones.extend(split_conjunction(&filter.predicate).into_iter().filter_map(|part| is_one(part, schema)));
            is_unique_on(&filter.input, keys, &ones)
        }
        // The first row of each part.
        LogicalPlan::Window(window) => {
            let input = window.input.schema();
            let count = input.fields().len();
            let first = window.window_expr.iter().enumerate().any(|(index, expr)| {
                ones.contains(&(count + index))
                    && numbered_by(expr).is_some_and(|parts| {
                        parts.iter().all(|part| place(part, input).is_some_and(|part| keys.contains(&part)))
                    })
            });
            let before = |columns: &HashSet<usize>| columns.iter().copied().filter(|column| *column < count).collect();
            first || is_unique_on(&window.input, &before(keys), &before(ones))
        }
        LogicalPlan::TableScan(scan) => {
            let whole = |columns: &HashSet<usize>| match &scan.projection {
                Some(projection) => columns.iter().filter_map(|column| projection.get(*column).copied()).collect(),
                None => columns.clone(),
            };
            match common_subplan::definition(scan) {
                Some(part) => is_unique_on(&part, &whole(keys), &whole(ones)),
                None => has_key(scan, &whole(keys)),
            }
        }
        _ => false,
    }
}

/// Whether columns of a table of the chain have those that tell its rows apart among them.
fn has_key(scan: &TableScan, columns: &HashSet<usize>) -> bool {
    let provider = source_as_provider(&scan.source).ok();
    let table = provider.and_then(|provider| quarry_lake::chain_table(of_files(provider.as_ref())));
    let keys: &[&[&str]] = match table {
        Some(Table::Blocks) => &[&["number"], &["hash"]],
        Some(Table::Transactions) => &[&["block_number", "transaction_index"], &["hash"]],
        _ => return false,
    };
    let schema = scan.source.schema();
    let asked = |name: &&str| schema.index_of(name).is_ok_and(|index| columns.contains(&index));
    keys.iter().any(|key| key.iter().all(asked))
}

/// The column that a condition says is 1.
fn is_one(condition: &Expr, schema: &DFSchema) -> Option<usize> {
    let Expr::BinaryExpr(BinaryExpr { left, op: Operator::Eq, right }) = condition else { return None };
    let one =
        |expr: &Expr| matches!(expr, Expr::Literal(ScalarValue::UInt64(Some(1)) | ScalarValue::Int64(Some(1)), _));
    match (one(left), one(right)) {
        (false, true) => place(left, schema),
        (true, false) => place(right, schema),
        _ => None,
    }
}

/// The parts in which `row_number()` counts.
fn numbered_by(expr: &Expr) -> Option<&[Expr]> {
    match expr {
        Expr::Alias(alias) => numbered_by(&alias.expr),
        Expr::WindowFunction(call) => match &call.fun {
            WindowFunctionDefinition::WindowUDF(function) if function.name() == "row_number" => {
                Some(&call.params.partition_by)
            }
            _ => None,
        },
        _ => None,
    }
}
