//! Builds the record batch of a table from rows, one line for each column in schema order. Numbers are checked against
//! the range of their column.

use std::sync::Arc;

use alloy_primitives::{Address, B256, U256};
use arrow::array::{
    Array, ArrayRef, BinaryBuilder, BooleanArray, Decimal128Array, FixedSizeBinaryArray, Int32Array, Int64Array,
    RecordBatch, StringViewBuilder, TimestampMicrosecondArray,
};
use arrow::buffer::{Buffer, NullBuffer};
use arrow::datatypes::{DataType, SchemaRef};
use quarry_lake::tables::Table;
use quarry_lake::tables::column::WEI_PRECISION;
use quarry_types::{Error, ErrorCode, Result};

use crate::chain::BlockData;

const MICROSECONDS: i64 = 1_000_000;

/// A row that knows its block.
pub(crate) trait Row {
    fn block(&self) -> &BlockData;
}

/// The columns of a table built so far. `finish` returns the first error.
pub(crate) struct Columns<'a, R> {
    table: Table,
    schema: SchemaRef,
    rows: &'a [R],
    arrays: Vec<ArrayRef>,
    error: Option<Error>,
}

impl<'a, R: Row> Columns<'a, R> {
    pub(crate) fn of(table: Table, rows: &'a [R]) -> Columns<'a, R> {
        let schema = table.schema();
        let arrays = Vec::with_capacity(schema.fields().len());
        Columns { table, schema, rows, arrays, error: None }
    }

    /// Builds the batch; an internal error if the columns are not those of the table.
    pub(crate) fn finish(self) -> Result<RecordBatch> {
        match self.error {
            Some(error) => Err(error),
            None => RecordBatch::try_new(self.schema, self.arrays).map_err(Error::internal),
        }
    }

    /// Adds an array as the next column.
    pub(crate) fn array(mut self, name: &str, array: ArrayRef) -> Self {
        let expected = self.schema.fields().get(self.arrays.len()).map(|field| field.name().as_str());
        if expected != Some(name) {
            let message = format!("column {name} of {} where {expected:?} belongs", self.table.name());
            self.error.get_or_insert_with(|| Error::internal(message));
        }
        self.arrays.push(array);
        self
    }

    /// Time, number and hash of the block, which nearly every table has.
    pub(crate) fn block(self) -> Self {
        self.time("block_timestamp")
            .int("block_number", |row| row.block().header.number)
            .hash("block_hash", |row| row.block().hash)
    }

    /// Block time in microseconds.
    pub(crate) fn time(mut self, name: &str) -> Self {
        let rows = self.rows;
        let mut values = Vec::with_capacity(rows.len());
        for row in rows {
            let seconds = row.block().header.timestamp;
            match i64::try_from(seconds).ok().and_then(|seconds| seconds.checked_mul(MICROSECONDS)) {
                Some(micros) => values.push(micros),
                None => {
                    self.refuse(name, row, &seconds);
                    values.push(0);
                }
            }
        }
        self.array(name, Arc::new(TimestampMicrosecondArray::from(values).with_timezone("UTC")))
    }

    pub(crate) fn int(mut self, name: &str, value: impl Fn(&'a R) -> u64) -> Self {
        let rows = self.rows;
        let mut values = Vec::with_capacity(rows.len());
        for row in rows {
            values.push(self.fit_int(name, row, value(row)));
        }
        self.array(name, Arc::new(Int64Array::from(values)))
    }

    pub(crate) fn int_opt(mut self, name: &str, value: impl Fn(&'a R) -> Option<u64>) -> Self {
        let rows = self.rows;
        let mut values = Vec::with_capacity(rows.len());
        for row in rows {
            values.push(value(row).map(|number| self.fit_int(name, row, number)));
        }
        self.array(name, Arc::new(Int64Array::from(values)))
    }

    pub(crate) fn int32(self, name: &str, value: impl Fn(&'a R) -> i32) -> Self {
        let array = Int32Array::from_iter_values(self.rows.iter().map(value));
        self.array(name, Arc::new(array))
    }

    pub(crate) fn int32_opt(self, name: &str, value: impl Fn(&'a R) -> Option<i32>) -> Self {
        let array = Int32Array::from_iter(self.rows.iter().map(value));
        self.array(name, Arc::new(array))
    }

    pub(crate) fn bool(self, name: &str, value: impl Fn(&'a R) -> bool) -> Self {
        let values: Vec<bool> = self.rows.iter().map(value).collect();
        self.array(name, Arc::new(BooleanArray::from(values)))
    }

    pub(crate) fn wei(self, name: &str, value: impl Fn(&'a R) -> U256) -> Self {
        self.wei_opt(name, |row| Some(value(row)))
    }

    pub(crate) fn wei_opt(mut self, name: &str, value: impl Fn(&'a R) -> Option<U256>) -> Self {
        let rows = self.rows;
        let mut values = Vec::with_capacity(rows.len());
        for row in rows {
            let amount = value(row);
            let fitting = amount.and_then(as_decimal);
            if let (Some(amount), None) = (amount, fitting) {
                self.refuse(name, row, &amount);
            }
            values.push(fitting);
        }
        self.array(name, decimals(values))
    }

    /// The decimal column of a uint256 column: null above 38 digits.
    pub(crate) fn decimal_if_it_fits(self, name: &str, value: impl Fn(&'a R) -> Option<U256>) -> Self {
        let values = self.rows.iter().map(|row| value(row).and_then(as_decimal)).collect();
        self.array(name, decimals(values))
    }

    pub(crate) fn hash(self, name: &str, value: impl Fn(&'a R) -> B256) -> Self {
        let array = fixed(self.rows.iter().map(|row| Some(value(row).0)));
        self.array(name, array)
    }

    pub(crate) fn hash_opt(self, name: &str, value: impl Fn(&'a R) -> Option<B256>) -> Self {
        let array = fixed(self.rows.iter().map(|row| value(row).map(|hash| hash.0)));
        self.array(name, array)
    }

    pub(crate) fn address(self, name: &str, value: impl Fn(&'a R) -> Address) -> Self {
        let array = fixed(self.rows.iter().map(|row| Some(value(row).0.0)));
        self.array(name, array)
    }

    pub(crate) fn address_opt(self, name: &str, value: impl Fn(&'a R) -> Option<Address>) -> Self {
        let array = fixed(self.rows.iter().map(|row| value(row).map(|address| address.0.0)));
        self.array(name, array)
    }

    pub(crate) fn uint256(self, name: &str, value: impl Fn(&'a R) -> U256) -> Self {
        let array = fixed(self.rows.iter().map(|row| Some(value(row).to_be_bytes::<32>())));
        self.array(name, array)
    }

    pub(crate) fn uint256_opt(self, name: &str, value: impl Fn(&'a R) -> Option<U256>) -> Self {
        let array = fixed(self.rows.iter().map(|row| value(row).map(|number| number.to_be_bytes::<32>())));
        self.array(name, array)
    }

    pub(crate) fn text(self, name: &str, value: impl Fn(&'a R) -> &'a str) -> Self {
        self.text_opt(name, |row| Some(value(row)))
    }

    pub(crate) fn text_opt(self, name: &str, value: impl Fn(&'a R) -> Option<&'a str>) -> Self {
        let mut builder = StringViewBuilder::with_capacity(self.rows.len());
        for row in self.rows {
            builder.append_option(value(row));
        }
        self.array(name, Arc::new(builder.finish()))
    }

    pub(crate) fn bytes(self, name: &str, value: impl Fn(&'a R) -> &'a [u8]) -> Self {
        self.bytes_opt(name, |row| Some(value(row)))
    }

    pub(crate) fn bytes_opt(mut self, name: &str, value: impl Fn(&'a R) -> Option<&'a [u8]>) -> Self {
        let total: usize = self.rows.iter().filter_map(&value).map(<[u8]>::len).sum();
        // An Arrow array addresses 2 GiB.
        if i32::try_from(total).is_err() {
            let message = format!("{}.{name}: over 2 GiB in one batch of blocks; take fewer blocks", self.table.name());
            self.error.get_or_insert_with(|| Error::new(ErrorCode::Source, message));
            return self;
        }
        let mut builder = BinaryBuilder::with_capacity(self.rows.len(), total);
        for row in self.rows {
            builder.append_option(value(row));
        }
        self.array(name, Arc::new(builder.finish()))
    }

    fn fit_int(&mut self, name: &str, row: &R, value: u64) -> i64 {
        i64::try_from(value).unwrap_or_else(|_| {
            self.refuse(name, row, &value);
            0
        })
    }

    fn refuse(&mut self, name: &str, row: &R, value: &dyn std::fmt::Display) {
        let number = row.block().header.number;
        let message = format!("block {number}: {value} does not fit the column {}.{name}", self.table.name());
        self.error.get_or_insert_with(|| Error::new(ErrorCode::Source, message));
    }
}

/// The number if it fits a decimal of 38 digits.
fn as_decimal(value: U256) -> Option<i128> {
    const LIMIT: u128 = 10u128.pow(WEI_PRECISION as u32);
    match u128::try_from(value) {
        // Below the limit it is far below i128::MAX.
        Ok(number) if number < LIMIT => Some(number as i128),
        _ => None,
    }
}

fn decimals(values: Vec<Option<i128>>) -> ArrayRef {
    let array = Decimal128Array::from(values).with_data_type(DataType::Decimal128(WEI_PRECISION, 0));
    Arc::new(array)
}

/// An array of fixed-size binary values.
pub(super) fn fixed<const N: usize>(values: impl ExactSizeIterator<Item = Option<[u8; N]>>) -> ArrayRef {
    let mut bytes = Vec::with_capacity(values.len() * N);
    let mut valid = Vec::with_capacity(values.len());
    for value in values {
        bytes.extend_from_slice(&value.unwrap_or([0; N]));
        valid.push(value.is_some());
    }
    let nulls = Some(NullBuffer::from(valid)).filter(|nulls| nulls.null_count() > 0);
    let array = FixedSizeBinaryArray::new(N as i32, Buffer::from_vec(bytes), nulls);
    debug_assert!(array.len() * N == array.value_data().len());
    Arc::new(array)
}
