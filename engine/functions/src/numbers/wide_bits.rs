//! Operations on the bits of 256-bit numbers, and of decimals without a fraction: those below zero are in two's complement, as in
//! contracts.

use alloy_primitives::U256;
use arrow::array::ArrayRef;
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::ReturnFieldArgs;

use crate::uint256::{self};
use quarry_types::out_of_range;
use quarry_types::uint256::{Number, is_number, is_signed};

/// How many bits there are.
pub(super) const BITS: u64 = 256;

/// What an operation makes of such numbers; `None` where there is none, or something that is no whole number.
pub(super) fn field(args: &ReturnFieldArgs) -> Option<FieldRef> {
    let whole = |from: &DataType| {
        is_number(from) || from.is_integer() || from.is_null() || from.is_decimal() && uint256::scale(from) == 0
    };
    let wide = |field: &FieldRef| is_number(field.data_type()) || field.data_type().is_decimal();
    let fields = args.arg_fields;
    let known = fields.iter().any(wide) && fields.iter().all(|field| whole(field.data_type()));
    // Decimals alone may be below zero.
    let signed =
        fields.iter().any(|field| is_signed(field)) || !fields.iter().any(|field| is_number(field.data_type()));
    known.then(|| quarry_types::uint256::field("number", signed))
}

/// An operation on each number.
pub(super) fn each(number: &ArrayRef, to: &Field, work: fn(U256) -> U256) -> Result<ArrayRef> {
    let numbers = uint256::read(number)?.into_iter();
    let rows = numbers.map(|number| number.map(|number| number_of(work(bits(number)?), to)).transpose());
    uint256::write(rows.collect::<Result<_>>()?)
}

/// An operation on two numbers a row.
pub(super) fn pairs(args: &[ArrayRef], to: &Field, work: fn(U256, U256) -> U256) -> Result<ArrayRef> {
    let pairs = uint256::read(&args[0])?.into_iter().zip(uint256::read(&args[1])?);
    let rows = pairs.map(|(left, right)| match (left, right) {
        (Some(left), Some(right)) => number_of(work(bits(left)?, bits(right)?), to).map(Some),
        _ => Ok(None),
    });
    uint256::write(rows.collect::<Result<_>>()?)
}

pub(super) fn left_shift(number: U256, by: U256) -> U256 {
    if by < U256::from(BITS) { number << by.to::<usize>() } else { U256::ZERO }
}

pub(super) fn right_shift(number: U256, by: U256) -> U256 {
    if by < U256::from(BITS) { number >> by.to::<usize>() } else { U256::ZERO }
}

/// `bitwise_arithmetic_shift_right`: a number below zero stays below it.
pub(super) fn shifted_with_sign(args: &[ArrayRef], to: &Field) -> Result<ArrayRef> {
    match is_signed(to) {
        // The bits of what is below zero are turned, moved and turned back.
        true => pairs(args, to, |number, by| match number.bit(255) {
            true => !right_shift(!number, by),
            false => right_shift(number, by),
        }),
        false => pairs(args, to, right_shift),
    }
}

fn bits(number: Number) -> Result<U256> {
    let bits = if number.is_negative() { number.to_twos_complement() } else { Some(number.magnitude()) };
    bits.ok_or_else(|| out_of_range("A number below -2^255 has no 256 bits."))
}

fn number_of(bits: U256, to: &Field) -> Result<Number> {
    Ok(match is_signed(to) {
        true => Number::from_twos_complement(&bits.to_be_bytes::<32>()),
        false => Number::new(false, bits),
    })
}
