//! Kinds of numbers that add up exactly: how to read them, add them and write them.

use std::hash::Hash;
use std::sync::Arc;

use alloy_primitives::aliases::{I512, U512};
use arrow::array::{ArrayRef, AsArray, FixedSizeBinaryArray, PrimitiveArray};
use arrow::buffer::{Buffer, NullBuffer, ScalarBuffer};
use arrow::datatypes::{ArrowPrimitiveType, DataType, Decimal128Type, Decimal256Type, Int64Type, UInt64Type, i256};
use datafusion::common::{DataFusionError, Result, ScalarValue};

use quarry_types::out_of_range;

/// What one thread hands to another of a sum of 256-bit numbers: 64 bytes in two's complement.
pub(crate) const SUM_STATE: DataType = DataType::FixedSizeBinary(64);

/// A kind of number.
pub(crate) trait Kind: Copy + Send + Sync + std::fmt::Debug + 'static {
    /// What a sum is kept in.
    type Sum: Copy + Default + PartialEq + Eq + Hash + Send + Sync + std::fmt::Debug;

    /// Number of a row of the input, or of a state when `state`.
    fn read<'a>(self, array: &'a ArrayRef, state: bool) -> Box<dyn Fn(usize) -> Self::Sum + 'a>;

    /// Number of one row of the input. A window asks for single rows: kinds may have a faster way than [`Kind::read`].
    fn at(self, array: &ArrayRef, row: usize) -> Self::Sum {
        self.read(array, false)(row)
    }

    fn add(self, sum: Self::Sum, value: Self::Sum) -> Option<Self::Sum>;

    /// Type of an unfinished sum whose result has type `to`.
    fn state(self, to: &DataType) -> DataType {
        to.clone()
    }

    /// Takes a value that left a window out of the sum.
    fn subtract(self, sum: Self::Sum, value: Self::Sum) -> Option<Self::Sum>;

    /// Sums as a column of the result's type or of [`Kind::state`]; an error when one does not fit it.
    fn write(self, sums: Vec<Self::Sum>, valid: Vec<bool>, to: &DataType) -> Result<ArrayRef>;

    /// One sum as a value of the result's type. A window asks for each of its rows: kinds may have a faster one.
    fn one(self, sum: Self::Sum, to: &DataType) -> Result<ScalarValue> {
        ScalarValue::try_from_array(&self.write(vec![sum], vec![true], to)?, 0)
    }

    /// Adds each row to the sum of its group. The inner loop of every `group by`: kinds may have a faster one.
    fn add_all(self, array: &ArrayRef, state: bool, groups: &[usize], sums: &mut [Self::Sum]) -> Result<()> {
        let value = self.read(array, state);
        for (row, &group) in groups.iter().enumerate() {
            sums[group] = self.add(sums[group], value(row)).ok_or_else(too_large)?;
        }
        Ok(())
    }
}

pub(super) fn too_large() -> DataFusionError {
    out_of_range("The sum is too large for its type; sum a cast to double, or fewer rows.")
}

/// 64-bit integers, summed in 128 bits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Whole;

/// The same without a sign.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unsigned;

/// The first number that has 39 digits.
const DECIMAL_LIMIT: u128 = 10u128.pow(38);

/// 38-digit decimals.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decimal;

/// 76-digit decimals.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wide;

/// uint256 and int256, summed in 512 bits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Number;

/// Kinds that differ by the column they read.
macro_rules! whole {
    ($kind:ty, $column:ty) => {
        impl Kind for $kind {
            type Sum = i128;

            fn read<'a>(self, array: &'a ArrayRef, state: bool) -> Box<dyn Fn(usize) -> i128 + 'a> {
                if state {
                    return Decimal.read(array, state);
                }
                let values = array.as_primitive::<$column>().values();
                Box::new(move |row| i128::from(values[row]))
            }

            fn at(self, array: &ArrayRef, row: usize) -> i128 {
                i128::from(array.as_primitive::<$column>().value(row))
            }

            fn add(self, sum: i128, value: i128) -> Option<i128> {
                sum.checked_add(value)
            }

            fn subtract(self, sum: i128, value: i128) -> Option<i128> {
                sum.checked_sub(value)
            }

            fn write(self, sums: Vec<i128>, valid: Vec<bool>, to: &DataType) -> Result<ArrayRef> {
                Decimal.write(sums, valid, to)
            }

            fn one(self, sum: i128, to: &DataType) -> Result<ScalarValue> {
                Decimal.one(sum, to)
            }

            fn add_all(self, array: &ArrayRef, state: bool, groups: &[usize], sums: &mut [i128]) -> Result<()> {
                if state {
                    return Decimal.add_all(array, state, groups, sums);
                }
                let values = array.as_primitive::<$column>().values();
                for (&value, &group) in values.iter().zip(groups) {
                    sums[group] = sums[group].checked_add(i128::from(value)).ok_or_else(too_large)?;
                }
                Ok(())
            }
        }
    };
}
whole!(Whole, Int64Type);
whole!(Unsigned, UInt64Type);

impl Kind for Decimal {
    type Sum = i128;

    fn read<'a>(self, array: &'a ArrayRef, _: bool) -> Box<dyn Fn(usize) -> i128 + 'a> {
        let values = array.as_primitive::<Decimal128Type>().values();
        Box::new(move |row| values[row])
    }

    fn at(self, array: &ArrayRef, row: usize) -> i128 {
        array.as_primitive::<Decimal128Type>().value(row)
    }

    fn add(self, sum: i128, value: i128) -> Option<i128> {
        sum.checked_add(value)
    }

    fn subtract(self, sum: i128, value: i128) -> Option<i128> {
        sum.checked_sub(value)
    }

    fn write(self, sums: Vec<i128>, valid: Vec<bool>, to: &DataType) -> Result<ArrayRef> {
        if sums.iter().any(|sum| sum.unsigned_abs() >= DECIMAL_LIMIT) {
            return Err(too_large());
        }
        Ok(primitive::<Decimal128Type>(sums, valid, to))
    }

    fn one(self, sum: i128, to: &DataType) -> Result<ScalarValue> {
        match to {
            DataType::Decimal128(precision, scale) if sum.unsigned_abs() < DECIMAL_LIMIT => {
                Ok(ScalarValue::Decimal128(Some(sum), *precision, *scale))
            }
            _ => Err(too_large()),
        }
    }

    fn add_all(self, array: &ArrayRef, _: bool, groups: &[usize], sums: &mut [i128]) -> Result<()> {
        let values = array.as_primitive::<Decimal128Type>().values();
        for (&value, &group) in values.iter().zip(groups) {
            sums[group] = sums[group].checked_add(value).ok_or_else(too_large)?;
        }
        Ok(())
    }
}

impl Kind for Wide {
    type Sum = i256;

    fn read<'a>(self, array: &'a ArrayRef, _: bool) -> Box<dyn Fn(usize) -> i256 + 'a> {
        let values = array.as_primitive::<Decimal256Type>().values();
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

impl Kind for Number {
    type Sum = I512;

    fn read<'a>(self, array: &'a ArrayRef, state: bool) -> Box<dyn Fn(usize) -> I512 + 'a> {
        let values = array.as_fixed_size_binary();
        // A null row holds bytes too; they are never added.
        if state {
            return Box::new(move |row| I512::from_raw(U512::try_from_be_slice(values.value(row)).unwrap_or_default()));
        }
        Box::new(move |row| quarry_types::uint256::Number::decode(values.value(row)).widen())
    }

    fn add(self, sum: I512, value: I512) -> Option<I512> {
        sum.checked_add(value)
    }

    fn state(self, _: &DataType) -> DataType {
        SUM_STATE
    }

    fn subtract(self, sum: I512, value: I512) -> Option<I512> {
        sum.checked_sub(value)
    }

    fn write(self, sums: Vec<I512>, valid: Vec<bool>, to: &DataType) -> Result<ArrayRef> {
        // What one thread hands to another may be beyond 256 bits for a while.
        if to == &SUM_STATE {
            let bytes: Vec<u8> = sums.iter().flat_map(|sum| sum.into_raw().to_be_bytes::<64>()).collect();
            return Ok(Arc::new(FixedSizeBinaryArray::try_new(64, Buffer::from_vec(bytes), nulls(valid))?));
        }
        let mut bytes = Vec::with_capacity(sums.len() * quarry_types::uint256::WIDTH as usize);
        for sum in sums {
            bytes.extend_from_slice(&quarry_types::uint256::Number::narrow(sum).ok_or_else(too_large)?.encode());
        }
        Ok(Arc::new(FixedSizeBinaryArray::try_new(
            quarry_types::uint256::WIDTH,
            Buffer::from_vec(bytes),
            nulls(valid),
        )?))
    }
}

fn primitive<T: ArrowPrimitiveType>(values: Vec<T::Native>, valid: Vec<bool>, to: &DataType) -> ArrayRef {
    let array = PrimitiveArray::<T>::new(ScalarBuffer::from(values), nulls(valid)).with_data_type(to.clone());
    Arc::new(array)
}

fn nulls(valid: Vec<bool>) -> Option<NullBuffer> {
    Some(NullBuffer::from(valid)).filter(|nulls| nulls.null_count() > 0)
}
