//! Aggregates that can't take a row out again, in a frame that slides: the rows of the frame are kept, and each answer
//! is made of all of them.

use std::collections::VecDeque;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef};
use arrow::compute::concat;
use arrow::datatypes::{FieldRef, Schema};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::function::AccumulatorArgs;
use datafusion::logical_expr::{Accumulator, AggregateUDF};
use datafusion::physical_expr::{PhysicalExpr, PhysicalSortExpr};

use super::moments;
use super::sliding::{InFrame, Slides};
use quarry_types::{ErrorCode, refuse};

/// Most rows of a frame. Every row of the result looks at all of them.
const MOST: usize = 20_000;

/// What answers for a stock aggregate in a frame that slides: statistics that lose nothing, the aggregate itself where
/// it can take rows out again, else one that looks at the whole frame for each row.
pub(crate) fn sliding(stock: &Arc<AggregateUDF>, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
    if !args.is_distinct
        && let Some(statistic) = moments::sliding(stock.name())
    {
        return Ok(statistic);
    }
    let made = Made::of(stock, &args);
    let own = stock.create_sliding_accumulator(args)?;
    // What takes rows out of `bit_xor` forgets that nothing but nulls is left.
    match own.supports_retract_batch() && stock.name() != "bit_xor" {
        true => Ok(own),
        false => Ok(Recomputed::in_frame(made)),
    }
}

/// The same for an aggregate of ours that takes no rows out.
pub(crate) fn recomputed(own: &Arc<AggregateUDF>, args: &AccumulatorArgs) -> Box<dyn Accumulator> {
    Recomputed::in_frame(Made::of(own, args))
}

/// An aggregate and all that it is made with.
#[derive(Debug, Clone)]
pub(crate) struct Made {
    stock: Arc<AggregateUDF>,
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

impl Made {
    pub fn of(stock: &Arc<AggregateUDF>, args: &AccumulatorArgs) -> Made {
        Made {
            stock: stock.clone(),
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
        self.stock.accumulator(AccumulatorArgs {
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
    made: Made,
    /// The rows in the order in which they came, some at a time.
    rows: VecDeque<Vec<ArrayRef>>,
    /// How many of the first ones have left.
    left: usize,
    count: usize,
}

impl Recomputed {
    fn in_frame(made: Made) -> Box<dyn Accumulator> {
        Box::new(InFrame(Recomputed { made, rows: VecDeque::new(), left: 0, count: 0 }))
    }

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

impl Slides for Recomputed {
    fn enter(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.count += values[0].len();
        if self.count > MOST {
            let message =
                format!("{} over more than {MOST} rows of a frame that slides is not done.", self.made.stock.name());
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
        let mut all = self.made.accumulator()?;
        if !frame.is_empty() {
            all.update_batch(&frame)?;
        }
        all.evaluate()
    }

    fn held(&self) -> usize {
        self.rows.iter().flatten().map(|column| column.get_array_memory_size()).sum()
    }
}
