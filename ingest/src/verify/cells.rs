//! Reads values of a record batch by column name and row.

use alloy_primitives::{Address, B256, Bytes, FixedBytes, U256};
use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use arrow::datatypes::{Decimal128Type, Int32Type, Int64Type, TimestampMicrosecondType};

/// An unreadable value; the text names the column.
pub(super) type Unreadable = String;

/// A row of a batch with the types of its table. Required values are not null.
#[derive(Clone, Copy)]
pub(super) struct Cells<'a> {
    pub(super) batch: &'a RecordBatch,
    pub(super) row: usize,
}

impl<'a> Cells<'a> {
    fn column(self, name: &str) -> Result<Option<&'a ArrayRef>, Unreadable> {
        let column = self.batch.column_by_name(name).ok_or_else(|| format!("there is no column {name}"))?;
        Ok(column.is_valid(self.row).then_some(column))
    }

    pub(super) fn int_opt(self, name: &str) -> Result<Option<u64>, Unreadable> {
        let Some(column) = self.column(name)? else { return Ok(None) };
        let value = column.as_primitive::<Int64Type>().value(self.row);
        u64::try_from(value).map(Some).map_err(|_| format!("{name} is negative"))
    }

    pub(super) fn int(self, name: &str) -> Result<u64, Unreadable> {
        needed(self.int_opt(name)?, name)
    }

    pub(super) fn int32(self, name: &str) -> Result<i32, Unreadable> {
        let column = self.column(name)?;
        needed(column.map(|column| column.as_primitive::<Int32Type>().value(self.row)), name)
    }

    /// Seconds since 1970.
    pub(super) fn seconds(self, name: &str) -> Result<u64, Unreadable> {
        let column = self.column(name)?;
        let micros = column.map(|column| column.as_primitive::<TimestampMicrosecondType>().value(self.row));
        u64::try_from(needed(micros, name)? / 1_000_000).map_err(|_| format!("{name} is before 1970"))
    }

    pub(super) fn wei_opt(self, name: &str) -> Result<Option<u128>, Unreadable> {
        let Some(column) = self.column(name)? else { return Ok(None) };
        let value = column.as_primitive::<Decimal128Type>().value(self.row);
        u128::try_from(value).map(Some).map_err(|_| format!("{name} is negative"))
    }

    pub(super) fn wei(self, name: &str) -> Result<u128, Unreadable> {
        needed(self.wei_opt(name)?, name)
    }

    pub(super) fn hash_opt(self, name: &str) -> Result<Option<B256>, Unreadable> {
        self.fixed(name)
    }

    pub(super) fn hash(self, name: &str) -> Result<B256, Unreadable> {
        needed(self.fixed(name)?, name)
    }

    pub(super) fn uint256(self, name: &str) -> Result<U256, Unreadable> {
        self.hash(name).map(Into::into)
    }

    pub(super) fn address_opt(self, name: &str) -> Result<Option<Address>, Unreadable> {
        Ok(self.fixed(name)?.map(Address))
    }

    pub(super) fn address(self, name: &str) -> Result<Address, Unreadable> {
        needed(self.address_opt(name)?, name)
    }

    fn fixed<const N: usize>(self, name: &str) -> Result<Option<FixedBytes<N>>, Unreadable> {
        let Some(column) = self.column(name)? else { return Ok(None) };
        let bytes = column.as_fixed_size_binary().value(self.row);
        FixedBytes::try_from(bytes).map(Some).map_err(|_| format!("{name} has {} bytes", bytes.len()))
    }

    pub(super) fn bytes_opt(self, name: &str) -> Result<Option<Bytes>, Unreadable> {
        let column = self.column(name)?;
        Ok(column.map(|column| Bytes::copy_from_slice(column.as_binary::<i32>().value(self.row))))
    }

    pub(super) fn bytes(self, name: &str) -> Result<Bytes, Unreadable> {
        needed(self.bytes_opt(name)?, name)
    }

    pub(super) fn text_opt(self, name: &str) -> Result<Option<&'a str>, Unreadable> {
        let column = self.column(name)?;
        Ok(column.map(|column| column.as_string_view().value(self.row)))
    }

    /// The items of a list.
    pub(super) fn list_opt(self, name: &str) -> Result<Option<ArrayRef>, Unreadable> {
        let column = self.column(name)?;
        Ok(column.map(|column| column.as_list::<i32>().value(self.row)))
    }
}

fn needed<T>(value: Option<T>, name: &str) -> Result<T, Unreadable> {
    value.ok_or_else(|| format!("{name} is null"))
}
