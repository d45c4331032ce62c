//! Windows over frames that end at their own row or above it, computed batch by batch and column by column. The supported ones are
//! in `column.rs`.

mod column;
mod lag;

use std::fmt;
use std::sync::Arc;

use arrow::array::ArrayRef;
use arrow::compute::{concat, partition};
use arrow::record_batch::RecordBatch;
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{Result, ScalarValue, internal_err};
use datafusion::execution::TaskContext;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::windows::BoundedWindowAggExec;
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, InputOrderMode, PlanProperties,
    ReplaceChildrenOptions, SendableRecordBatchStream,
};
use futures::StreamExt;

use column::Column;

/// Uses the operator here where it can compute all windows.
pub(crate) fn use_sliding_windows(plan: Arc<dyn ExecutionPlan>) -> Result<Transformed<Arc<dyn ExecutionPlan>>> {
    Ok(match SlidingWindowExec::try_new(&plan) {
        Some(windows) => Transformed::yes(Arc::new(windows)),
        None => Transformed::no(plan),
    })
}

/// Adds the columns of windows to the batches of its input, whose rows come partition by partition and in order.
#[derive(Debug)]
pub(crate) struct SlidingWindowExec {
    /// The operator that it replaces, which has its properties.
    pub stock: Arc<dyn ExecutionPlan>,
}

impl SlidingWindowExec {
    pub fn try_new(plan: &Arc<dyn ExecutionPlan>) -> Option<SlidingWindowExec> {
        let windows = plan.downcast_ref::<BoundedWindowAggExec>()?;
        let is_sorted = windows.input_order_mode == InputOrderMode::Sorted;
        let mut exprs = windows.window_expr().iter();
        let is_supported = is_sorted && exprs.all(|window| Column::try_new(window, windows.input()).is_some());
        is_supported.then(|| SlidingWindowExec { stock: Arc::clone(plan) })
    }
}

impl DisplayAs for SlidingWindowExec {
    fn fmt_as(&self, format: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SlidingWindowExec: ")?;
        self.stock.fmt_as(format, f)
    }
}

impl ExecutionPlan for SlidingWindowExec {
    fn name(&self) -> &str {
        "SlidingWindowExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.stock.properties()
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        self.stock.maintains_input_order()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        self.stock.children()
    }

    fn apply_expressions(
        &self,
        visit: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        self.stock.apply_expressions(visit)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        options: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(Arc::new(SlidingWindowExec { stock: Arc::clone(&self.stock).replace_children(children, options)? }))
    }

    fn with_new_children(self: Arc<Self>, children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
    }

    fn execute(&self, part: usize, tasks: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let Some(windows) = self.stock.downcast_ref::<BoundedWindowAggExec>() else {
            return internal_err!("SlidingWindowExec replaces a BoundedWindowAggExec");
        };
        let columns =
            windows.window_expr().iter().filter_map(|window| Column::try_new(window, windows.input())).collect();
        let keys = windows.window_expr()[0].partition_by().to_vec();
        let mut state = State { columns, keys, last: None };
        let (input, schema) = (windows.input().execute(part, tasks)?, self.schema());
        let batches = {
            let schema = Arc::clone(&schema);
            input.map(move |batch| {
                let batch = batch?;
                let answers = state.next(&batch)?;
                let columns = batch.columns().iter().cloned().chain(answers).collect();
                Ok(RecordBatch::try_new(Arc::clone(&schema), columns)?)
            })
        };
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, batches)))
    }
}

/// The windows while they are computed.
struct State {
    columns: Vec<Column>,
    /// The partition keys.
    keys: Vec<Arc<dyn PhysicalExpr>>,
    /// The keys of the last row.
    last: Option<Vec<ScalarValue>>,
}

impl State {
    fn next(&mut self, batch: &RecordBatch) -> Result<Vec<ArrayRef>> {
        let evaluate = |expr: &Arc<dyn PhysicalExpr>| expr.evaluate(batch)?.into_array(batch.num_rows());
        let arguments = self.columns.iter().map(|column| evaluate(&column.argument)).collect::<Result<Vec<_>>>()?;
        if self.keys.is_empty() || batch.num_rows() == 0 {
            return self
                .columns
                .iter_mut()
                .zip(&arguments)
                .map(|(column, values)| column.moving.next(values))
                .collect();
        }
        let keys = self.keys.iter().map(evaluate).collect::<Result<Vec<_>>>()?;
        let key = |row| keys.iter().map(|key| ScalarValue::try_from_array(key, row)).collect::<Result<Vec<_>>>();
        let is_same_partition = self.last.replace(key(batch.num_rows() - 1)?) == Some(key(0)?);
        let partitions = partition(&keys)?.ranges();
        let compute = |(column, values): (&mut Column, &ArrayRef)| {
            let parts = partitions.iter().enumerate().map(|(index, rows)| {
                if index > 0 || !is_same_partition {
                    column.moving.restart();
                }
                column.moving.next(&values.slice(rows.start, rows.len()))
            });
            let parts = parts.collect::<Result<Vec<_>>>()?;
            Ok(concat(&parts.iter().map(|part| part.as_ref()).collect::<Vec<_>>())?)
        };
        self.columns.iter_mut().zip(&arguments).map(compute).collect()
    }
}

#[cfg(test)]
mod tests {
    use arrow::util::pretty::pretty_format_batches;
    use datafusion::execution::SessionStateBuilder;
    use datafusion::prelude::{SessionConfig, SessionContext};

    use super::*;
    use crate::node_rules::RewriteOperators;

    /// Small batches, so that frames and partitions go on from one to the next.
    fn context(sliding: bool) -> SessionContext {
        let config = SessionConfig::new().with_batch_size(3).with_target_partitions(2);
        let builder = SessionStateBuilder::new().with_config(config).with_default_features();
        let rule = RewriteOperators { name: "use_sliding_windows", rewrites: vec![use_sliding_windows] };
        let mut state = match sliding {
            true => builder.with_physical_optimizer_rule(Arc::new(rule)).build(),
            false => builder.build(),
        };
        quarry_functions::register(&mut state).unwrap();
        SessionContext::new_with_state(state)
    }

    /// The rows of a query with windows, and whether the operator computed them.
    async fn answer(context: &SessionContext, windows: &str) -> (String, bool) {
        let query = format!(
            "with numbers as (
               select i, nullif(i % 5, 2) as n, i * i % 7 as m, case when i < 8 then 'a' when i < 9 then 'b' end as k
               from (select unnest(range(0, 25)) as i)
             )
             select i, k, {windows} from numbers window w as (partition by k order by i) order by k, i"
        );
        let plan = context.sql(&query).await.unwrap().create_physical_plan().await.unwrap();
        let shown = datafusion::physical_plan::displayable(plan.as_ref()).indent(false).to_string();
        let batches = datafusion::physical_plan::collect(plan, context.task_ctx()).await.unwrap();
        (pretty_format_batches(&batches).unwrap().to_string(), shown.contains("SlidingWindowExec"))
    }

    #[tokio::test]
    async fn the_operator_answers_as_the_stock_one() {
        let (ours, stock) = (context(true), context(false));
        for (windows, moves) in [
            ("sum(n) over (order by i rows between 3 preceding and current row)", true),
            (
                "avg(n) over (order by i rows between 30 preceding and 2 preceding), sum(m) over (order by i rows 1 preceding)",
                true,
            ),
            (
                "sum(n) over (partition by k order by i rows 4 preceding), avg(m) over (partition by k order by i rows 2 preceding)",
                true,
            ),
            ("sum(cast(n as decimal(60, 2))) over (order by i rows 2 preceding)", true),
            ("sum(n) filter (where i % 3 = 0) over (order by i rows 3 preceding)", false),
            ("sum(n) over (order by i rows 3 preceding), count(*) over (order by i rows 3 preceding)", false),
            ("sum(n) over (order by i rows between 1 preceding and 1 following)", false),
            ("sum(n) over (order by i range between 3 preceding and current row)", false),
            ("sum(n * 1e0) over (order by i rows 3 preceding)", false),
            ("sum(n) over (order by i rows between unbounded preceding and current row)", true),
            ("avg(n) over (partition by k order by i rows unbounded preceding)", true),
            ("sum(n) over (order by i rows between unbounded preceding and 1 preceding)", true),
            ("sum(n) over (order by i)", false),
            ("lag(n) over (order by i), lag(m, 4, -1) over (order by i)", true),
            ("lag(n, 2, 9) over (partition by k order by i), lag(i, 0) over (partition by k order by i)", true),
            ("lag(k, 30, 'none') over (order by i), row_number() over (order by i)", true),
            ("row_number() over (partition by k order by i), lag(n) over (partition by k order by i)", true),
            ("lag(n, -2, 5) over (order by i)", false),
            ("lag(n, 2) ignore nulls over (order by i)", false),
            ("lead(n, 2) over (order by i)", false),
            ("rank() over (order by m)", false),
        ] {
            let ((ours, moved), (stock, _)) = (answer(&ours, windows).await, answer(&stock, windows).await);
            assert_eq!(ours, stock, "{windows}");
            assert_eq!(moved, moves, "{windows}");
        }
    }
}
