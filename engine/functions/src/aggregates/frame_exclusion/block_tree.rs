//! Aggregates of any run of rows of a partition, from the states of blocks of rows, of blocks of such blocks, and so on. A run is
//! merged from few of them, and from the rows at its ends.

use std::ops::Range;

use datafusion::logical_expr::Accumulator;

use crate::aggregates::sliding::recomputed::AggregateCall;
use crate::prelude::*;

/// How many rows, or blocks, are one block.
const WIDTH: usize = 32;

#[derive(Debug)]
pub(super) struct BlockTree {
    call: AggregateCall,
    /// The rows, and above them the states of their blocks, level by level.
    levels: Vec<Vec<ArrayRef>>,
}

impl BlockTree {
    pub fn new(call: AggregateCall, rows: Vec<ArrayRef>) -> Result<BlockTree> {
        let mut tree = BlockTree { call, levels: vec![rows] };
        loop {
            let top = tree.levels.len() - 1;
            let count = tree.levels[top][0].len();
            if count <= WIDTH {
                return Ok(tree);
            }
            let states = (0..count).step_by(WIDTH).map(|from| {
                let mut block = tree.call.accumulator()?;
                tree.add_directly(block.as_mut(), top, from..count.min(from + WIDTH))?;
                block.state()
            });
            let above = columns(&states.collect::<Result<Vec<_>>>()?)?;
            tree.levels.push(above);
        }
    }

    /// The aggregate of runs of rows, in their order.
    pub fn aggregate(&self, runs: &[Range<usize>]) -> Result<ScalarValue> {
        let mut aggregate = self.call.accumulator()?;
        for run in runs {
            self.add(aggregate.as_mut(), 0, run.clone())?;
        }
        aggregate.evaluate()
    }

    /// Adds a run of a level: its ends from there, and the blocks between them from the level above.
    fn add(&self, aggregate: &mut dyn Accumulator, level: usize, run: Range<usize>) -> Result<()> {
        let within = run.start.div_ceil(WIDTH)..run.end / WIDTH;
        if level + 1 == self.levels.len() || within.is_empty() {
            return self.add_directly(aggregate, level, run);
        }
        self.add_directly(aggregate, level, run.start..within.start * WIDTH)?;
        self.add(aggregate, level + 1, within.clone())?;
        self.add_directly(aggregate, level, within.end * WIDTH..run.end)
    }

    fn add_directly(&self, aggregate: &mut dyn Accumulator, level: usize, run: Range<usize>) -> Result<()> {
        if run.is_empty() {
            return Ok(());
        }
        let part: Vec<ArrayRef> = self.levels[level].iter().map(|column| column.slice(run.start, run.len())).collect();
        if level == 0 { aggregate.update_batch(&part) } else { aggregate.merge_batch(&part) }
    }
}

/// States, one a row, as columns.
fn columns(states: &[Vec<ScalarValue>]) -> Result<Vec<ArrayRef>> {
    let width = states.first().map_or(0, Vec::len);
    (0..width).map(|place| ScalarValue::iter_to_array(states.iter().map(|state| state[place].clone()))).collect()
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::Schema;
    use datafusion::functions_aggregate::array_agg::array_agg_udaf;
    use datafusion::logical_expr::function::AccumulatorArgs;
    use datafusion::physical_expr::expressions::Column;

    use super::*;

    #[test]
    fn runs_have_all_their_rows_in_order() {
        let count = WIDTH * WIDTH + 5;
        let field: FieldRef = Arc::new(Field::new("n", DataType::Int64, true));
        let function = array_agg_udaf();
        let call = AggregateCall::new(
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
        let tree = BlockTree::new(call, vec![rows]).unwrap();
        assert_eq!(tree.levels.len(), 3, "rows, blocks, and blocks of blocks");
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
            let answer = tree.aggregate(&runs).unwrap().to_array().unwrap();
            let items = answer.as_list::<i32>().value(0);
            let expected: Vec<i64> = runs.iter().cloned().flatten().map(|row| row as i64).collect();
            assert_eq!(items.as_primitive::<Int64Type>().values(), expected.as_slice(), "{runs:?}");
        }
        assert!(tree.aggregate(&[]).unwrap().is_null());
    }
}
