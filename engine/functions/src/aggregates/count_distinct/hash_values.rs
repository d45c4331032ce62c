//! Values of hash sets: how to read them from a column and to write a column of them again.

use std::hash::{Hash, Hasher};

use arrow::array::FixedSizeBinaryArray;
use arrow::row::{RowConverter, SortField};

use crate::prelude::*;

/// A kind of values.
pub(super) trait HashValues: Send + Sync + 'static {
    type Value: Hash + Eq + Clone + Send + Sync;

    /// Calls `each` with the number and the value of each row that is not null.
    fn read(&self, array: &ArrayRef, each: &mut dyn FnMut(usize, Self::Value)) -> Result<()>;

    /// A column of the values.
    fn write(&self, values: Vec<Self::Value>) -> Result<ArrayRef>;

    /// Heap bytes of a value.
    fn heap_size(&self, value: &Self::Value) -> usize;
}

/// Values of a fixed width: addresses and hashes.
#[derive(Debug)]
pub(super) struct FixedWidth<const WIDTH: usize>;

/// A value of a fixed width. It is hashed and compared by words, which is faster than by calls that take a length.
#[derive(Debug, Clone, Eq)]
pub(super) struct Fixed<const WIDTH: usize>([u8; WIDTH]);

impl<const WIDTH: usize> Fixed<WIDTH> {
    #[inline(always)]
    fn words(&self) -> (&[[u8; 8]], u64) {
        let (words, rest) = self.0.as_chunks::<8>();
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        (words, u64::from_ne_bytes(last))
    }
}

impl<const WIDTH: usize> PartialEq for Fixed<WIDTH> {
    #[inline(always)]
    fn eq(&self, other: &Fixed<WIDTH>) -> bool {
        let ((words, last), (others, other_last)) = (self.words(), other.words());
        let differ = words.iter().zip(others).fold(last ^ other_last, |differ, (word, other)| {
            differ | (u64::from_ne_bytes(*word) ^ u64::from_ne_bytes(*other))
        });
        differ == 0
    }
}

impl<const WIDTH: usize> Hash for Fixed<WIDTH> {
    #[inline(always)]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let (words, last) = self.words();
        for word in words {
            hasher.write_u64(u64::from_ne_bytes(*word));
        }
        if !WIDTH.is_multiple_of(8) {
            hasher.write_u64(last);
        }
    }
}

impl<const WIDTH: usize> HashValues for FixedWidth<WIDTH> {
    type Value = Fixed<WIDTH>;

    fn read(&self, array: &ArrayRef, each: &mut dyn FnMut(usize, Fixed<WIDTH>)) -> Result<()> {
        let Some(array) = array.as_fixed_size_binary_opt() else { return Ok(()) };
        if array.value_length() != WIDTH as i32 {
            return Ok(());
        }
        let (values, _) = array.value_data().as_chunks::<WIDTH>();
        match array.nulls() {
            None => values.iter().enumerate().for_each(|(row, value)| each(row, Fixed(*value))),
            Some(nulls) => nulls.valid_indices().for_each(|row| each(row, Fixed(values[row]))),
        }
        Ok(())
    }

    fn write(&self, values: Vec<Fixed<WIDTH>>) -> Result<ArrayRef> {
        let mut bytes = Vec::with_capacity(values.len() * WIDTH);
        for value in &values {
            bytes.extend_from_slice(&value.0);
        }
        Ok(Arc::new(FixedSizeBinaryArray::try_new(WIDTH as i32, bytes.into(), None)?))
    }

    fn heap_size(&self, _: &Fixed<WIDTH>) -> usize {
        0
    }
}

/// Values of any other type, in Arrow's row format.
#[derive(Debug)]
pub(super) struct Rows {
    converter: RowConverter,
    data_type: DataType,
}

impl Rows {
    pub fn new(data_type: &DataType) -> Result<Rows> {
        let converter = RowConverter::new(vec![SortField::new(data_type.clone())])?;
        Ok(Rows { converter, data_type: data_type.clone() })
    }
}

impl HashValues for Rows {
    type Value = Box<[u8]>;

    fn read(&self, array: &ArrayRef, each: &mut dyn FnMut(usize, Box<[u8]>)) -> Result<()> {
        if array.data_type() != &self.data_type {
            return Ok(());
        }
        let rows = self.converter.convert_columns(std::slice::from_ref(array))?;
        // A column of type Null has no validity buffer, nor has a dictionary with a null in it.
        let nulls = array.logical_nulls();
        for (index, row) in rows.iter().enumerate() {
            if nulls.as_ref().is_none_or(|nulls| nulls.is_valid(index)) {
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

    fn heap_size(&self, value: &Box<[u8]>) -> usize {
        value.len() + 16
    }
}
