//! `min` and `max` of lists, rows and intervals, which compare them as `<` and ORDER BY do. The built-in accumulators skip nulls in the
//! fields of rows, fail on lists of lists, and compare intervals part by part.

use std::cmp::Ordering;
use std::collections::VecDeque;

use arrow::array::UInt64Array;
use arrow::compute::take;
use datafusion::logical_expr::Accumulator;

use crate::nested_order::comparator;
use crate::prelude::*;

#[derive(Debug)]
pub(super) struct NestedMinMax {
    data_type: DataType,
    /// How a better value compares with a worse one.
    order: Ordering,
    is_sliding: bool,
    /// The best value and its row number, each as a column of one row. In a sliding frame also the best of the rows after it, and so on:
    /// they are the best ones when the rows before have left.
    best: VecDeque<(usize, ArrayRef)>,
    /// How many rows have entered the frame, and how many have left it.
    entered: usize,
    left: usize,
}

impl NestedMinMax {
    pub fn new(data_type: &DataType, order: Ordering, is_sliding: bool) -> NestedMinMax {
        NestedMinMax { data_type: data_type.clone(), order, is_sliding, best: VecDeque::new(), entered: 0, left: 0 }
    }
}

impl Accumulator for NestedMinMax {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let column = &values[0];
        let compare = comparator(column, column)?;
        let worse = self.order.reverse();
        let mut rows: Vec<usize> = Vec::new();
        for row in (0..column.len()).filter(|row| column.is_valid(*row)) {
            while rows.pop_if(|last| compare(row, *last) != worse).is_some() {}
            if self.is_sliding || rows.is_empty() {
                rows.push(row);
            }
        }
        for row in rows {
            let indices = UInt64Array::from(vec![row as u64]);
            let value = take(column, &indices, None)?;
            while let Some((_, last)) = self.best.back()
                && comparator(&value, last)?(0, 0) != worse
            {
                self.best.pop_back();
            }
            if self.is_sliding || self.best.is_empty() {
                self.best.push_back((self.entered + row, value));
            }
        }
        self.entered += column.len();
        Ok(())
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.left += values[0].len();
        while self.best.pop_front_if(|(row, _)| *row < self.left).is_some() {}
        Ok(())
    }

    fn supports_retract_batch(&self) -> bool {
        self.is_sliding
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        match self.best.front() {
            Some((_, value)) => ScalarValue::try_from_array(value, 0),
            None => ScalarValue::try_from(&self.data_type),
        }
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.evaluate()?])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.update_batch(states)
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.best.iter().map(|(_, value)| value.get_array_memory_size()).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use arrow::array::ListArray;

    use super::*;

    fn lists(values: &[Option<&[Option<i32>]>]) -> ArrayRef {
        let items = values.iter().map(|list| list.map(<[Option<i32>]>::to_vec));
        Arc::new(ListArray::from_iter_primitive::<arrow::datatypes::Int32Type, _, _>(items))
    }

    #[test]
    fn a_null_inside_is_more_than_a_value() {
        let column = lists(&[Some(&[Some(3)]), None, Some(&[None]), Some(&[Some(1), None]), Some(&[Some(1)])]);
        for (order, row) in [(Ordering::Less, 4), (Ordering::Greater, 2)] {
            let mut accumulator = NestedMinMax::new(column.data_type(), order, false);
            accumulator.update_batch(&[column.slice(0, 2)]).unwrap();
            accumulator.update_batch(&[column.slice(2, 3)]).unwrap();
            assert_eq!(accumulator.evaluate().unwrap(), ScalarValue::try_from_array(&column, row).unwrap());
        }
    }

    #[test]
    fn rows_that_leave_a_frame_do_not_count() {
        let column = lists(&[Some(&[None]), Some(&[Some(2)]), None, Some(&[Some(1)])]);
        let mut accumulator = NestedMinMax::new(column.data_type(), Ordering::Greater, true);
        accumulator.update_batch(std::slice::from_ref(&column)).unwrap();
        for row in [Some(0), Some(1), Some(3), Some(3), None] {
            let expected = row.map(|row| ScalarValue::try_from_array(&column, row).unwrap());
            let found = accumulator.evaluate().unwrap();
            assert_eq!(Some(found).filter(|value| !value.is_null()), expected);
            accumulator.retract_batch(&[column.slice(0, 1)]).unwrap();
        }
    }
}
