//! The number types of exact medians and percentiles: decimals and 256-bit numbers.

use std::fmt::Debug;

use arrow::array::{Decimal128Array, Decimal256Array, FixedSizeBinaryArray};
use arrow::datatypes::{Decimal128Type, Decimal256Type, i256};
use quarry_types::uint256::WIDTH;

use crate::prelude::*;

/// A 256-bit number as its bytes in a column, which compare as the numbers do.
pub(super) type Number256 = [u8; WIDTH as usize];

pub(super) trait OrderedNumber: Copy + Ord + Debug + Send + Sync + 'static {
    /// Reads a row that is not null.
    fn read(column: &ArrayRef, row: usize) -> Self;

    /// Numbers as a column of a type.
    fn write(numbers: Vec<Self>, data_type: &DataType) -> Result<ArrayRef>;
}

/// Decimals of 38 digits, and whole numbers of 64 bits.
impl OrderedNumber for i128 {
    fn read(column: &ArrayRef, row: usize) -> i128 {
        match column.as_primitive_opt::<Int64Type>() {
            Some(numbers) => numbers.value(row).into(),
            None => column.as_primitive::<Decimal128Type>().value(row),
        }
    }

    fn write(numbers: Vec<i128>, data_type: &DataType) -> Result<ArrayRef> {
        Ok(Arc::new(Decimal128Array::from(numbers).with_data_type(data_type.clone())))
    }
}

impl OrderedNumber for i256 {
    fn read(column: &ArrayRef, row: usize) -> i256 {
        column.as_primitive::<Decimal256Type>().value(row)
    }

    fn write(numbers: Vec<i256>, data_type: &DataType) -> Result<ArrayRef> {
        Ok(Arc::new(Decimal256Array::from(numbers).with_data_type(data_type.clone())))
    }
}

impl OrderedNumber for Number256 {
    fn read(column: &ArrayRef, row: usize) -> Number256 {
        column.as_fixed_size_binary().value(row).try_into().unwrap_or([0; WIDTH as usize])
    }

    fn write(numbers: Vec<Number256>, _: &DataType) -> Result<ArrayRef> {
        let rows = numbers.iter().map(|number| Some(number.as_slice()));
        Ok(Arc::new(FixedSizeBinaryArray::try_from_sparse_iter_with_size(rows, WIDTH)?))
    }
}
