//! Aggregates over sliding frames that can't retract rows: the rows of the frame are kept, and each answer is computed from all
//! of them.

use std::collections::VecDeque;

use arrow::compute::concat;
use arrow::datatypes::Schema;
use datafusion::logical_expr::function::AccumulatorArgs;
use datafusion::logical_expr::{Accumulator, AggregateUDF};
use datafusion::physical_expr::{PhysicalExpr, PhysicalSortExpr};

use super::moments::sliding_statistic;
use super::{SlidingAccumulator, SlidingAggregate};
use crate::prelude::*;

/// Most rows of a frame: each answer reads all of them.
const MAX_ROWS: usize = 20_000;

/// The accumulator of a built-in aggregate over a sliding frame: one of [`sliding_statistic`], or its own if it can retract rows,
/// or one that is recomputed for each row.
pub(crate) fn sliding(builtin: &Arc<AggregateUDF>, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
    if !args.is_distinct
        && let Some(statistic) = sliding_statistic(builtin.name())
    {
        return Ok(statistic);
    }
    let fallback = recomputed(builtin, &args);
    let own = builtin.create_sliding_accumulator(args)?;
    // When only nulls remain, `bit_xor` answers 0 instead of null after retracting the values.
    Ok(if own.supports_retract_batch() && builtin.name() != "bit_xor" { own } else { fallback })
}

/// An accumulator that is recomputed for each row.
pub(crate) fn recomputed(function: &Arc<AggregateUDF>, args: &AccumulatorArgs) -> Box<dyn Accumulator> {
    let call = AggregateCall::new(function, args);
    Box::new(SlidingAccumulator(Recomputed { call, rows: VecDeque::new(), left: 0, count: 0 }))
}

/// An aggregate with the arguments of its accumulators.
#[derive(Debug, Clone)]
pub(crate) struct AggregateCall {
    function: Arc<AggregateUDF>,
    name: String,
    return_field: FieldRef,
    schema: Schema,
    ignore_nulls: bool,
    order_bys: Vec<PhysicalSortExpr>,
    is_reversed: bool,
    is_distinct: bool,
    exprs: Vec<Arc<dyn PhysicalExpr>>,
    expr_fields: Vec<FieldRef>,
}

impl AggregateCall {
    pub fn new(function: &Arc<AggregateUDF>, args: &AccumulatorArgs) -> AggregateCall {
        AggregateCall {
            function: function.clone(),
            name: args.name.to_string(),
            return_field: args.return_field.clone(),
            schema: args.schema.clone(),
            ignore_nulls: args.ignore_nulls,
            order_bys: args.order_bys.to_vec(),
            is_reversed: args.is_reversed,
            is_distinct: args.is_distinct,
            exprs: args.exprs.to_vec(),
            expr_fields: args.expr_fields.to_vec(),
        }
    }

    pub fn accumulator(&self) -> Result<Box<dyn Accumulator>> {
        self.function.accumulator(AccumulatorArgs {
            name: &self.name,
            return_field: self.return_field.clone(),
            schema: &self.schema,
            ignore_nulls: self.ignore_nulls,
            order_bys: &self.order_bys,
            is_reversed: self.is_reversed,
            is_distinct: self.is_distinct,
            exprs: &self.exprs,
            expr_fields: &self.expr_fields,
        })
    }
}

#[derive(Debug)]
struct Recomputed {
    call: AggregateCall,
    /// The rows in the order in which they entered, batch by batch.
    rows: VecDeque<Vec<ArrayRef>>,
    /// How many of the first rows have left.
    left: usize,
    count: usize,
}

impl Recomputed {
    /// The rows of the frame in one piece.
    fn frame(&mut self) -> Result<Vec<ArrayRef>> {
        if self.rows.len() > 1 {
            let columns = self.rows[0].len();
            let column = |index: usize| {
                let parts: Vec<&dyn Array> = self.rows.iter().map(|part| part[index].as_ref()).collect();
                Ok(concat(&parts)?)
            };
            let whole = (0..columns).map(column).collect::<Result<Vec<ArrayRef>>>()?;
            self.rows = VecDeque::from([whole]);
        }
        let Some(first) = self.rows.front_mut() else { return Ok(Vec::new()) };
        first.iter_mut().for_each(|column| *column = column.slice(self.left, self.count));
        self.left = 0;
        Ok(first.clone())
    }
}

impl SlidingAggregate for Recomputed {
    fn enter(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.count += values[0].len();
        if self.count > MAX_ROWS {
            let message =
                format!("{} supports at most {MAX_ROWS} rows in a sliding window frame.", self.call.function.name());
            return Err(refuse(ErrorCode::TooComplex, message));
        }
        self.rows.push_back(values.to_vec());
        Ok(())
    }

    fn leave(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.count -= values[0].len();
        self.left += values[0].len();
        while let Some(first) = self.rows.front().map(|first| first[0].len()).filter(|rows| *rows <= self.left) {
            self.rows.pop_front();
            self.left -= first;
        }
        Ok(())
    }

    fn answer(&mut self) -> Result<ScalarValue> {
        let frame = self.frame()?;
        let mut all = self.call.accumulator()?;
        if !frame.is_empty() {
            all.update_batch(&frame)?;
        }
        all.evaluate()
    }

    fn size(&self) -> usize {
        self.rows.iter().flatten().map(|column| column.get_array_memory_size()).sum()
    }
}
