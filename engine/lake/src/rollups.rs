//! Computes the sums by day of the transactions of a range while they are staged.

use std::sync::Arc;

use alloy_primitives::Address;
use alloy_primitives::map::AddressMap;
use arrow::array::{
    Array, ArrayRef, AsArray, Decimal128Array, FixedSizeBinaryArray, Int64Array, PrimitiveArray, RecordBatch,
    TimestampMicrosecondArray,
};
use arrow::datatypes::{ArrowPrimitiveType, Decimal128Type, Int64Type, TimestampMicrosecondType};

use super::tables::Table;
use super::tables::column::WEI_PRECISION;
use quarry_types::{Error, Result};

const DAY: i64 = 24 * 3600 * 1_000_000;

/// Sums by day. Transactions come in block order, so only one day is open at a time.
#[derive(Debug, Default)]
pub struct Rollups {
    day: Option<Day>,
}

#[derive(Debug)]
struct Day {
    /// Microseconds UTC.
    start: i64,
    first_block: i64,
    /// Transactions sent and received.
    addresses: AddressMap<(i64, i64)>,
    sums: Sums,
}

#[derive(Debug)]
struct Sums {
    transactions: i64,
    failures: i64,
    creations: i64,
    gas_used: i64,
    /// `None` after an overflow of the column.
    value: Option<i128>,
    fees: Option<i128>,
}

/// The columns of transactions that the sums need.
struct Columns<'a> {
    block: &'a Int64Array,
    time: &'a TimestampMicrosecondArray,
    from: &'a FixedSizeBinaryArray,
    to: &'a FixedSizeBinaryArray,
    value: &'a Decimal128Array,
    status: &'a Int64Array,
    gas_used: &'a Int64Array,
    gas_price: &'a Decimal128Array,
}

impl<'a> Columns<'a> {
    fn new(batch: &'a RecordBatch) -> Result<Columns<'a>> {
        Ok(Columns {
            block: numbers::<Int64Type>(batch, "block_number")?,
            time: numbers::<TimestampMicrosecondType>(batch, "block_timestamp")?,
            from: bytes(batch, "from_address")?,
            to: bytes(batch, "to_address")?,
            value: numbers::<Decimal128Type>(batch, "value")?,
            status: numbers::<Int64Type>(batch, "receipt_status")?,
            gas_used: numbers::<Int64Type>(batch, "receipt_gas_used")?,
            gas_price: numbers::<Decimal128Type>(batch, "receipt_effective_gas_price")?,
        })
    }
}

impl Rollups {
    /// Adds transactions and returns the rows of the days that ended before them.
    pub fn add(&mut self, batch: &RecordBatch) -> Result<Vec<(Table, RecordBatch)>> {
        let columns = Columns::new(batch)?;
        let mut done = Vec::new();
        for row in 0..batch.num_rows() {
            let start = columns.time.value(row).div_euclid(DAY) * DAY;
            if self.day.as_ref().is_some_and(|day| day.start != start) {
                done.extend(self.finish()?);
            }
            let day = self.day.get_or_insert_with(|| Day {
                start,
                first_block: columns.block.value(row),
                addresses: AddressMap::default(),
                sums: Sums { transactions: 0, failures: 0, creations: 0, gas_used: 0, value: Some(0), fees: Some(0) },
            });
            day.add(&columns, row)?;
        }
        Ok(done)
    }

    /// The rows of the last day.
    pub fn finish(&mut self) -> Result<Vec<(Table, RecordBatch)>> {
        let Some(day) = self.day.take() else { return Ok(Vec::new()) };
        let sums = day.sums_row()?;
        Ok(vec![(Table::AddressDays, day.address_rows()?), (Table::Days, sums)])
    }
}

impl Day {
    fn add(&mut self, columns: &Columns<'_>, row: usize) -> Result<()> {
        let address = |bytes: &[u8]| Address::try_from(bytes).map_err(Error::internal);
        self.addresses.entry(address(columns.from.value(row))?).or_default().0 += 1;
        let sums = &mut self.sums;
        if columns.to.is_valid(row) {
            self.addresses.entry(address(columns.to.value(row))?).or_default().1 += 1;
        } else {
            sums.creations += 1;
        }
        sums.transactions += 1;
        sums.failures += i64::from(columns.status.is_valid(row) && columns.status.value(row) == 0);
        sums.value = add(sums.value, Some(columns.value.value(row)));
        if columns.gas_used.is_valid(row) {
            let used = columns.gas_used.value(row);
            sums.gas_used =
                sums.gas_used.checked_add(used).ok_or_else(|| Error::internal("the gas of a day overflows"))?;
            if columns.gas_price.is_valid(row) {
                sums.fees = add(sums.fees, i128::from(used).checked_mul(columns.gas_price.value(row)));
            }
        }
        Ok(())
    }

    fn sums_row(&self) -> Result<RecordBatch> {
        let Sums { transactions, failures, creations, gas_used, value, fees } = self.sums;
        let number = |value: i64| Arc::new(Int64Array::from(vec![value])) as ArrayRef;
        let columns = vec![
            times(self.start, 1),
            number(transactions),
            number(failures),
            number(creations),
            number(gas_used),
            wei(value)?,
            wei(fees)?,
            number(self.first_block),
            number(self.addresses.len() as i64),
            number(self.addresses.values().filter(|(sent, _)| *sent > 0).count() as i64),
            number(self.addresses.values().filter(|(_, received)| *received > 0).count() as i64),
        ];
        RecordBatch::try_new(Table::Days.schema(), columns).map_err(Error::internal)
    }

    fn address_rows(self) -> Result<RecordBatch> {
        let mut rows: Vec<(Address, (i64, i64))> = self.addresses.into_iter().collect();
        rows.sort_unstable();
        let addresses = FixedSizeBinaryArray::try_from_iter(rows.iter().map(|(address, _)| address.0));
        let columns: Vec<ArrayRef> = vec![
            times(self.start, rows.len()),
            Arc::new(addresses?),
            Arc::new(Int64Array::from_iter_values(rows.iter().map(|(_, (sent, _))| *sent))),
            Arc::new(Int64Array::from_iter_values(rows.iter().map(|(_, (_, received))| *received))),
            Arc::new(Int64Array::from_iter_values(rows.iter().map(|_| self.first_block))),
        ];
        RecordBatch::try_new(Table::AddressDays.schema(), columns).map_err(Error::internal)
    }
}

fn times(start: i64, count: usize) -> ArrayRef {
    Arc::new(TimestampMicrosecondArray::from_value(start, count).with_timezone("UTC"))
}

fn wei(value: Option<i128>) -> Result<ArrayRef> {
    let number = Decimal128Array::from(vec![value]).with_precision_and_scale(WEI_PRECISION, 0);
    Ok(Arc::new(number?))
}

fn add(sum: Option<i128>, value: Option<i128>) -> Option<i128> {
    sum?.checked_add(value?).filter(|sum| sum.unsigned_abs() < 10u128.pow(u32::from(WEI_PRECISION)))
}

fn numbers<'a, T: ArrowPrimitiveType>(batch: &'a RecordBatch, name: &str) -> Result<&'a PrimitiveArray<T>> {
    let column = batch.column_by_name(name).and_then(|column| column.as_primitive_opt::<T>());
    column.ok_or_else(|| Error::internal(format!("transactions.{name} is missing")))
}

fn bytes<'a>(batch: &'a RecordBatch, name: &str) -> Result<&'a FixedSizeBinaryArray> {
    let column = batch.column_by_name(name).and_then(|column| column.as_fixed_size_binary_opt());
    column.ok_or_else(|| Error::internal(format!("transactions.{name} is missing")))
}
