//! Aggregates of any run of rows of a partition: what is known of each block of rows, of each block of such blocks, and so on.
//! A run is put together from few of them, and from the rows at its ends.

use std::ops::Range;

use arrow::array::{Array, ArrayRef};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::Accumulator;

use crate::aggregates::exact::recomputed::Made;

/// How many rows, or blocks, are one block.
const WIDTH: usize = 32;

#[derive(Debug)]
pub(super) struct Blocks {
    made: Made,
    /// The rows, and above them the states of their blocks, level by level.
    levels: Vec<Vec<ArrayRef>>,
}

impl Blocks {
    pub fn of(made: Made, rows: Vec<ArrayRef>) -> Result<Blocks> {
        let mut blocks = Blocks { made, levels: vec![rows] };
        loop {
            let top = blocks.levels.len() - 1;
            let count = blocks.levels[top][0].len();
            if count <= WIDTH {
                return Ok(blocks);
            }
            let states = (0..count).step_by(WIDTH).map(|from| {
                let mut block = blocks.made.accumulator()?;
                blocks.take(block.as_mut(), top, from..count.min(from + WIDTH))?;
                block.state()
            });
            let above = columns(&states.collect::<Result<Vec<_>>>()?)?;
            blocks.levels.push(above);
        }
    }

    /// The aggregate of runs of rows, in their order.
    pub fn answer(&self, runs: &[Range<usize>]) -> Result<ScalarValue> {
        let mut all = self.made.accumulator()?;
        for run in runs {
            self.add(all.as_mut(), 0, run.clone())?;
        }
        all.evaluate()
    }

    /// Adds a run of what is on a level: its ends from there, and what lies between them from the level above.
    fn add(&self, all: &mut dyn Accumulator, level: usize, run: Range<usize>) -> Result<()> {
        let within = run.start.div_ceil(WIDTH)..run.end / WIDTH;
        if level + 1 == self.levels.len() || within.is_empty() {
            return self.take(all, level, run);
        }
        self.take(all, level, run.start..within.start * WIDTH)?;
        self.add(all, level + 1, within.clone())?;
        self.take(all, level, within.end * WIDTH..run.end)
    }

    fn take(&self, all: &mut dyn Accumulator, level: usize, run: Range<usize>) -> Result<()> {
        if run.is_empty() {
            return Ok(());
        }
        let part: Vec<ArrayRef> = self.levels[level].iter().map(|column| column.slice(run.start, run.len())).collect();
        if level == 0 { all.update_batch(&part) } else { all.merge_batch(&part) }
    }
}

/// States, one a row, as columns.
fn columns(states: &[Vec<ScalarValue>]) -> Result<Vec<ArrayRef>> {
    let width = states.first().map_or(0, Vec::len);
    (0..width).map(|place| ScalarValue::iter_to_array(states.iter().map(|state| state[place].clone()))).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{AsArray, Int64Array};
    use arrow::datatypes::{DataType, Field, FieldRef, Int64Type, Schema};
    use datafusion::functions_aggregate::array_agg::array_agg_udaf;
    use datafusion::logical_expr::function::AccumulatorArgs;
    use datafusion::physical_expr::expressions::Column;

    use super::*;

    #[test]
    fn runs_have_all_their_rows_in_order() {
        let count = WIDTH * WIDTH + 5;
        let field: FieldRef = Arc::new(Field::new("n", DataType::Int64, true));
        let function = array_agg_udaf();
        let made = Made::of(
            &function,
            &AccumulatorArgs {
                return_field: function.return_field(std::slice::from_ref(&field)).unwrap(),
                schema: &Schema::new(vec![field.clone()]),
                ignore_nulls: false,
                order_bys: &[],
                is_reversed: false,
                name: "numbers",
                is_distinct: false,
                exprs: &[Arc::new(Column::new("n", 0))],
                expr_fields: &[field],
            },
        );
        let rows: ArrayRef = Arc::new(Int64Array::from_iter_values(0..count as i64));
        let blocks = Blocks::of(made, vec![rows]).unwrap();
        assert_eq!(blocks.levels.len(), 3, "rows, blocks, and blocks of blocks");
        let runs: [&[(usize, usize)]; 6] = [
            &[(0, count)],
            &[(1, count - 1)],
            &[(31, 33), (40, count)],
            &[(0, 32), (64, 96), (1000, 1001)],
            &[(5, 9)],
            &[(33, 34)],
        ];
        for runs in runs {
            let runs: Vec<Range<usize>> = runs.iter().map(|(from, to)| *from..*to).collect();
            let answer = blocks.answer(&runs).unwrap().to_array().unwrap();
            let items = answer.as_list::<i32>().value(0);
            let wanted: Vec<i64> = runs.iter().cloned().flatten().map(|row| row as i64).collect();
            assert_eq!(items.as_primitive::<Int64Type>().values(), wanted.as_slice(), "{runs:?}");
        }
        assert!(blocks.answer(&[]).unwrap().is_null());
    }
}
