//! Kinds of values that add up exactly: how to read, add and write them.

use std::fmt::Debug;
use std::hash::Hash;

use alloy_primitives::aliases::{I512, U512};
use arrow::array::{DurationMicrosecondArray, FixedSizeBinaryArray, IntervalMonthDayNanoArray, PrimitiveArray};
use arrow::buffer::{Buffer, NullBuffer, ScalarBuffer};
use arrow::datatypes::{
    ArrowPrimitiveType, Decimal128Type, Decimal256Type, DurationMicrosecondType, IntervalMonthDayNano,
    IntervalMonthDayNanoType, IntervalUnit, UInt64Type, i256,
};
use quarry_types::uint256::WIDTH;

use crate::prelude::*;

/// The type of partial sums of 256-bit numbers: 512 bits in two's complement.
pub(crate) const SUM_STATE: DataType = DataType::FixedSizeBinary(64);

/// The type of intervals.
pub(crate) const INTERVAL: DataType = DataType::Interval(IntervalUnit::MonthDayNano);

/// The first number of 39 digits.
const DECIMAL128_LIMIT: u128 = 10u128.pow(38);

/// A kind of values that add up exactly. Columns are those of the input or of partial sums.
pub(crate) trait ExactSum: Copy + Send + Sync + Debug + 'static {
    /// The type of running sums.
    type Sum: Copy + Default + Eq + Hash + Send + Sync + Debug;

    /// Reads a row of a column that is not null.
    fn read<'a>(self, column: &'a ArrayRef) -> Box<dyn Fn(usize) -> Self::Sum + 'a>;

    /// Reads a single row of the input, as windows do: kinds may have a faster way than [`ExactSum::read`].
    fn read_one(self, column: &ArrayRef, row: usize) -> Self::Sum {
        self.read(column)(row)
    }

    /// `None` on overflow.
    fn add(self, sum: Self::Sum, value: Self::Sum) -> Option<Self::Sum>;

    /// Subtracts a value that left a window; `None` on overflow.
    fn subtract(self, sum: Self::Sum, value: Self::Sum) -> Option<Self::Sum>;

    /// The type of partial sums whose result has type `to`.
    fn state_type(self, to: &DataType) -> DataType {
        to.clone()
    }

    /// Sums as a column of the result's type or of [`ExactSum::state_type`]; an error when one does not fit.
    fn write(self, sums: Vec<Self::Sum>, valid: Vec<bool>, to: &DataType) -> Result<ArrayRef>;

    /// One sum as a value of the result's type. Windows call it for each row: kinds may have a faster way.
    fn write_one(self, sum: Self::Sum, to: &DataType) -> Result<ScalarValue> {
        ScalarValue::try_from_array(&self.write(vec![sum], vec![true], to)?, 0)
    }

    /// Adds each row of a column without nulls to the sum of its group. The inner loop of `GROUP BY`: kinds may have a
    /// faster way.
    fn add_to_groups(self, column: &ArrayRef, groups: &[usize], sums: &mut [Self::Sum]) -> Result<()> {
        let value = self.read(column);
        for (row, &group) in groups.iter().enumerate() {
            sums[group] = self.add(sums[group], value(row)).ok_or_else(too_large)?;
        }
        Ok(())
    }
}

pub(super) fn too_large() -> DataFusionError {
    out_of_range("The sum is too large for its type; cast the argument to double, or sum fewer rows.")
}

/// Values that are summed in 128 bits.
macro_rules! in_128_bits {
    ($(#[$doc:meta] $kind:ident of $column:ty;)*) => {$(
        #[$doc]
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct $kind;

        impl ExactSum for $kind {
            type Sum = i128;

            fn read<'a>(self, column: &'a ArrayRef) -> Box<dyn Fn(usize) -> i128 + 'a> {
                if let Some(values) = column.as_primitive_opt::<$column>() {
                    let values = values.values();
                    return Box::new(move |row| i128::from(values[row]));
                }
                let sums = column.as_primitive::<Decimal128Type>().values();
                Box::new(move |row| sums[row])
            }

            fn read_one(self, column: &ArrayRef, row: usize) -> i128 {
                i128::from(column.as_primitive::<$column>().value(row))
            }

            fn add(self, sum: i128, value: i128) -> Option<i128> {
                sum.checked_add(value)
            }

            fn subtract(self, sum: i128, value: i128) -> Option<i128> {
                sum.checked_sub(value)
            }

            fn write(self, sums: Vec<i128>, valid: Vec<bool>, to: &DataType) -> Result<ArrayRef> {
                write_i128(sums, valid, to)
            }

            fn write_one(self, sum: i128, to: &DataType) -> Result<ScalarValue> {
                match to {
                    DataType::Decimal128(precision, scale) if sum.unsigned_abs() < DECIMAL128_LIMIT => {
                        Ok(ScalarValue::Decimal128(Some(sum), *precision, *scale))
                    }
                    _ => ScalarValue::try_from_array(&write_i128(vec![sum], vec![true], to)?, 0),
                }
            }

            fn add_to_groups(self, column: &ArrayRef, groups: &[usize], sums: &mut [i128]) -> Result<()> {
                match column.as_primitive_opt::<$column>() {
                    Some(values) => add_i128(values.values().iter().map(|value| i128::from(*value)), groups, sums),
                    None => add_i128(column.as_primitive::<Decimal128Type>().values().iter().copied(), groups, sums),
                }
            }
        }
    )*};
}

in_128_bits! {
    /// 64-bit integers; their sums are decimals.
    Int64Values of Int64Type;
    /// Unsigned 64-bit integers; their sums are decimals.
    UInt64Values of UInt64Type;
    /// Decimals of 38 digits.
    Decimal128Values of Decimal128Type;
    /// Differences of times in microseconds.
    DurationValues of DurationMicrosecondType;
}

fn write_i128(sums: Vec<i128>, valid: Vec<bool>, to: &DataType) -> Result<ArrayRef> {
    if let DataType::Duration(_) = to {
        let micros = |(sum, valid): (i128, bool)| valid.then(|| i64::try_from(sum)).transpose();
        let micros = sums.into_iter().zip(valid).map(micros).collect::<Result<DurationMicrosecondArray, _>>();
        return Ok(Arc::new(micros.map_err(|_| too_large())?));
    }
    if sums.iter().any(|sum| sum.unsigned_abs() >= DECIMAL128_LIMIT) {
        return Err(too_large());
    }
    Ok(primitive::<Decimal128Type>(sums, valid, to))
}

fn add_i128(values: impl Iterator<Item = i128>, groups: &[usize], sums: &mut [i128]) -> Result<()> {
    for (value, &group) in values.zip(groups) {
        sums[group] = sums[group].checked_add(value).ok_or_else(too_large)?;
    }
    Ok(())
}

/// Decimals of 76 digits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decimal256Values;

impl ExactSum for Decimal256Values {
    type Sum = i256;

    fn read<'a>(self, column: &'a ArrayRef) -> Box<dyn Fn(usize) -> i256 + 'a> {
        let values = column.as_primitive::<Decimal256Type>().values();
        Box::new(move |row| values[row])
    }

    fn add(self, sum: i256, value: i256) -> Option<i256> {
        sum.checked_add(value)
    }

    fn subtract(self, sum: i256, value: i256) -> Option<i256> {
        sum.checked_sub(value)
    }

    fn write(self, sums: Vec<i256>, valid: Vec<bool>, to: &DataType) -> Result<ArrayRef> {
        let limit = i256::from_i128(10i128.pow(38)).wrapping_mul(i256::from_i128(10i128.pow(38)));
        if sums.iter().any(|sum| *sum >= limit || *sum <= limit.wrapping_neg()) {
            return Err(too_large());
        }
        Ok(primitive::<Decimal256Type>(sums, valid, to))
    }
}

/// uint256 and int256, summed in 512 bits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Uint256Values;

impl ExactSum for Uint256Values {
    type Sum = I512;

    fn read<'a>(self, column: &'a ArrayRef) -> Box<dyn Fn(usize) -> I512 + 'a> {
        let values = column.as_fixed_size_binary();
        // A null row holds bytes too; they are never added.
        match *column.data_type() == SUM_STATE {
            true => Box::new(move |row| I512::from_raw(U512::try_from_be_slice(values.value(row)).unwrap_or_default())),
            false => Box::new(move |row| Number::decode(values.value(row)).widen()),
        }
    }

    fn add(self, sum: I512, value: I512) -> Option<I512> {
        sum.checked_add(value)
    }

    fn subtract(self, sum: I512, value: I512) -> Option<I512> {
        sum.checked_sub(value)
    }

    fn state_type(self, _: &DataType) -> DataType {
        SUM_STATE
    }

    fn write(self, sums: Vec<I512>, valid: Vec<bool>, to: &DataType) -> Result<ArrayRef> {
        // A partial sum may temporarily exceed 256 bits.
        let (width, bytes) = if to == &SUM_STATE {
            (64, sums.iter().flat_map(|sum| sum.into_raw().to_be_bytes::<64>()).collect())
        } else {
            let mut bytes = Vec::with_capacity(sums.len() * WIDTH as usize);
            for sum in sums {
                bytes.extend_from_slice(&Number::narrow(sum).ok_or_else(too_large)?.encode());
            }
            (WIDTH, bytes)
        };
        Ok(Arc::new(FixedSizeBinaryArray::try_new(width, Buffer::from_vec::<u8>(bytes), nulls(valid))?))
    }
}

/// Intervals; months, days and nanoseconds are summed separately.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IntervalValues;

/// Months, days and nanoseconds.
pub(super) type IntervalSum = [i128; 3];

/// A sum as an interval; `None` on overflow.
pub(super) fn to_interval([months, days, nanoseconds]: IntervalSum) -> Option<IntervalMonthDayNano> {
    let (months, days) = (i32::try_from(months).ok()?, i32::try_from(days).ok()?);
    Some(IntervalMonthDayNano { months, days, nanoseconds: i64::try_from(nanoseconds).ok()? })
}

impl ExactSum for IntervalValues {
    type Sum = IntervalSum;

    fn read<'a>(self, column: &'a ArrayRef) -> Box<dyn Fn(usize) -> IntervalSum + 'a> {
        let values = column.as_primitive::<IntervalMonthDayNanoType>().values();
        Box::new(move |row| [values[row].months.into(), values[row].days.into(), values[row].nanoseconds.into()])
    }

    fn add(self, sum: IntervalSum, value: IntervalSum) -> Option<IntervalSum> {
        Some([0, 1, 2].map(|part| sum[part] + value[part]))
    }

    fn subtract(self, sum: IntervalSum, value: IntervalSum) -> Option<IntervalSum> {
        Some([0, 1, 2].map(|part| sum[part] - value[part]))
    }

    fn write(self, sums: Vec<IntervalSum>, valid: Vec<bool>, _: &DataType) -> Result<ArrayRef> {
        let interval =
            |(sum, valid): (IntervalSum, bool)| valid.then(|| to_interval(sum).ok_or_else(too_large)).transpose();
        Ok(Arc::new(sums.into_iter().zip(valid).map(interval).collect::<Result<IntervalMonthDayNanoArray>>()?))
    }
}

fn primitive<T: ArrowPrimitiveType>(values: Vec<T::Native>, valid: Vec<bool>, to: &DataType) -> ArrayRef {
    Arc::new(PrimitiveArray::<T>::new(ScalarBuffer::from(values), nulls(valid)).with_data_type(to.clone()))
}

fn nulls(valid: Vec<bool>) -> Option<NullBuffer> {
    Some(NullBuffer::from(valid)).filter(|nulls| nulls.null_count() > 0)
}
