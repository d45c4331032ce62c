//! The rows of a batch grouped by columns, and the sums of a column for each group.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use alloy_primitives::U256;
use alloy_primitives::aliases::{I512, U512};
use alloy_primitives::map::DefaultHashBuilder;
use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{DataType, Decimal128Type, Decimal256Type, Field, Float64Type, Int32Type, Int64Type};
use arrow::row::{RowConverter, SortField};

use quarry_types::uint256::{Number, is_number, is_stored};
use quarry_types::{Error, ErrorCode, Result};

/// The group of each row.
pub(super) struct Groups {
    of_row: Vec<usize>,
    /// The first row of each group.
    pub first: Vec<usize>,
}

impl Groups {
    /// Groups `rows` rows by the values of these columns; null is a value like any other.
    pub fn new(keys: &[ArrayRef], rows: usize) -> Result<Groups> {
        let failed =
            |error| Error::new(ErrorCode::InvalidQuery, "rows can't be grouped by these columns").because(error);
        if keys.is_empty() {
            return Err(Error::new(ErrorCode::InvalidQuery, "rows must be grouped by at least one column"));
        }
        let fields = keys.iter().map(|key| SortField::new(key.data_type().clone())).collect();
        let converter = RowConverter::new(fields).map_err(failed)?;
        let encoded = converter.convert_columns(keys).map_err(failed)?;
        let mut known = HashMap::with_hasher(DefaultHashBuilder::default());
        let mut groups = Groups { of_row: Vec::with_capacity(rows), first: Vec::new() };
        for (row, key) in encoded.iter().enumerate() {
            let group = match known.entry(key) {
                Entry::Occupied(group) => *group.get(),
                Entry::Vacant(free) => {
                    groups.first.push(row);
                    *free.insert(groups.first.len() - 1)
                }
            };
            groups.of_row.push(group);
        }
        Ok(groups)
    }

    /// Number of rows of each group.
    pub fn counts(&self) -> Vec<i64> {
        let mut counts = vec![0; self.first.len()];
        self.of_row.iter().for_each(|group| counts[*group] += 1);
        counts
    }
}

/// The sum of each group; a null adds nothing. Whole numbers are exact: a batch of 2²⁵⁵ numbers of 256 bits fits 512.
pub(super) enum Sums {
    Whole(Vec<I512>),
    Double(Vec<f64>),
}

impl Sums {
    /// Adds up a column of [`super::columns::Columns`].
    pub fn new(groups: &Groups, array: &ArrayRef, field: &Field) -> Result<Sums> {
        Ok(match array.data_type() {
            DataType::Int32 => small(groups, array, |row| array.as_primitive::<Int32Type>().value(row).into()),
            DataType::Int64 => small(groups, array, |row| array.as_primitive::<Int64Type>().value(row).into()),
            DataType::Float64 => {
                let doubles = array.as_primitive::<Float64Type>();
                let mut sums = vec![0.0; groups.first.len()];
                each(groups, array, |group, row| sums[group] += doubles.value(row));
                Sums::Double(sums)
            }
            DataType::Decimal128(_, 0) => {
                let numbers = array.as_primitive::<Decimal128Type>();
                large(groups, array, |row| signed(numbers.value(row)))
            }
            DataType::Decimal256(_, 0) => {
                let numbers = array.as_primitive::<Decimal256Type>();
                large(groups, array, |row| {
                    let number = Number::from(numbers.value(row));
                    whole(number.is_negative(), number.magnitude())
                })
            }
            number if is_number(number) => large(groups, array, |row| {
                let number = Number::decode(array.as_fixed_size_binary().value(row));
                whole(number.is_negative(), number.magnitude())
            }),
            DataType::FixedSizeBinary(_) if is_stored(field) => {
                large(groups, array, |row| whole(false, U256::from_be_slice(array.as_fixed_size_binary().value(row))))
            }
            _ => {
                let message = format!("{} has no integers or doubles to sum", field.name());
                return Err(Error::new(ErrorCode::InvalidQuery, message));
            }
        })
    }
}

fn each(groups: &Groups, array: &ArrayRef, mut add: impl FnMut(usize, usize)) {
    for (row, group) in groups.of_row.iter().enumerate() {
        if array.is_valid(row) {
            add(*group, row);
        }
    }
}

/// Numbers of at most 64 bits: a batch of them fits 128.
fn small(groups: &Groups, array: &ArrayRef, number: impl Fn(usize) -> i128) -> Sums {
    let mut sums = vec![0; groups.first.len()];
    each(groups, array, |group, row| sums[group] += number(row));
    Sums::Whole(sums.into_iter().map(signed).collect())
}

fn large(groups: &Groups, array: &ArrayRef, number: impl Fn(usize) -> I512) -> Sums {
    let mut sums = vec![I512::ZERO; groups.first.len()];
    each(groups, array, |group, row| sums[group] = sums[group].wrapping_add(number(row)));
    Sums::Whole(sums)
}

fn signed(number: i128) -> I512 {
    whole(number < 0, U256::from(number.unsigned_abs()))
}

fn whole(negative: bool, magnitude: U256) -> I512 {
    let number = I512::from_raw(U512::from(magnitude));
    if negative { -number } else { number }
}
