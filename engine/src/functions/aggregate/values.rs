//! Values that are told apart by a hash set: how to take them from a column and to make a column of them again.

use std::hash::Hash;

use arrow::array::{ArrayRef, AsArray};
use arrow::datatypes::DataType;
use arrow::row::{RowConverter, SortField};
use datafusion::common::Result;

use crate::functions::bytes::fixed;

/// A kind of values.
pub(in crate::functions) trait Values: Send + Sync + 'static {
    type Value: Hash + Eq + Clone + Send + Sync;

    /// Hands each row that is not null to `each`, with its number.
    fn read(&self, array: &ArrayRef, each: &mut dyn FnMut(usize, Self::Value)) -> Result<()>;

    /// A column of the values.
    fn write(&self, values: Vec<Self::Value>) -> Result<ArrayRef>;

    /// Bytes a value takes beside its own size.
    fn outside(&self, value: &Self::Value) -> usize;
}

/// Values of a fixed width: addresses and hashes.
#[derive(Debug)]
pub(in crate::functions) struct Bytes<const WIDTH: usize>;

impl<const WIDTH: usize> Values for Bytes<WIDTH> {
    type Value = [u8; WIDTH];

    fn read(&self, array: &ArrayRef, each: &mut dyn FnMut(usize, [u8; WIDTH])) -> Result<()> {
        let Some(array) = array.as_fixed_size_binary_opt() else { return Ok(()) };
        for (row, bytes) in array.iter().enumerate() {
            if let Some(value) = bytes.and_then(|bytes| bytes.try_into().ok()) {
                each(row, value);
            }
        }
        Ok(())
    }

    fn write(&self, values: Vec<[u8; WIDTH]>) -> Result<ArrayRef> {
        fixed(WIDTH as i32, values.into_iter().map(|value| Some(value.to_vec())))
    }

    fn outside(&self, _: &[u8; WIDTH]) -> usize {
        0
    }
}

/// Values of any other type, in Arrow's row form.
#[derive(Debug)]
pub(in crate::functions) struct Rows {
    converter: RowConverter,
    data_type: DataType,
}

impl Rows {
    pub fn new(data_type: &DataType) -> Result<Rows> {
        let converter = RowConverter::new(vec![SortField::new(data_type.clone())])?;
        Ok(Rows { converter, data_type: data_type.clone() })
    }
}

impl Values for Rows {
    type Value = Box<[u8]>;

    fn read(&self, array: &ArrayRef, each: &mut dyn FnMut(usize, Box<[u8]>)) -> Result<()> {
        if array.data_type() != &self.data_type {
            return Ok(());
        }
        let rows = self.converter.convert_columns(std::slice::from_ref(array))?;
        for (index, row) in rows.iter().enumerate() {
            if array.is_valid(index) {
                each(index, row.as_ref().into());
            }
        }
        Ok(())
    }

    fn write(&self, values: Vec<Box<[u8]>>) -> Result<ArrayRef> {
        let parser = self.converter.parser();
        let mut columns = self.converter.convert_rows(values.iter().map(|value| parser.parse(value)))?;
        columns.pop().ok_or_else(|| datafusion::common::DataFusionError::Internal("a row without a column".to_string()))
    }

    fn outside(&self, value: &Box<[u8]>) -> usize {
        value.len() + 16
    }
}
