//! Lengths of time, as differences of times are: summed in 128 bits of microseconds.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, DurationMicrosecondArray};
use arrow::datatypes::{DataType, DurationMicrosecondType};
use datafusion::common::Result;

use super::number::{Kind, too_large};

#[derive(Debug, Clone, Copy)]
pub(in crate::functions) struct Length;

impl Kind for Length {
    type Sum = i128;

    fn read<'a>(self, array: &'a ArrayRef, _: bool) -> Box<dyn Fn(usize) -> i128 + 'a> {
        let values = array.as_primitive::<DurationMicrosecondType>().values();
        Box::new(move |row| values[row].into())
    }

    fn add(self, sum: i128, value: i128) -> Option<i128> {
        sum.checked_add(value)
    }

    fn subtract(self, sum: i128, value: i128) -> Option<i128> {
        sum.checked_sub(value)
    }

    fn write(self, sums: Vec<i128>, valid: Vec<bool>, _: &DataType) -> Result<ArrayRef> {
        let all = sums.into_iter().zip(valid);
        let micros = all.map(|(sum, valid)| valid.then(|| i64::try_from(sum)).transpose().map_err(|_| too_large()));
        Ok(Arc::new(micros.collect::<Result<DurationMicrosecondArray>>()?))
    }
}
