//! Operations on the bits of whole numbers, of 256 bits too: those below zero are in two's complement, as in contracts.

use alloy_primitives::U256;
use quarry_types::uint256::is_signed;

use crate::prelude::*;
use crate::uint256;

const WIDE_BITS: u64 = 256;

macro_rules! of_two {
    ($name:literal, $text:literal, $narrow:expr, $wide:expr) => {
        doc(concat!($name, "(number, number)"), $text, concat!("select ", $name, "(6, 3)")).udf(
            2..=2,
            |args| bits_field(args, TWO_NUMBERS),
            |args, to| of_pairs(args, to, $narrow, $wide),
        )
    };
}

/// The error of functions that have an operator for other numbers.
pub(super) const TWO_NUMBERS: fn(&DataType) -> DataFusionError =
    |_| invalid("Expected two integers here; use % for other numbers.");
const WHOLE_NUMBER: fn(&DataType) -> DataFusionError =
    |other| invalid(format!("Expected an integer here, got {}.", type_name(other, false)));

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        of_two!("bitwise_and", "The bitwise AND of two integers.", |a, b| a & b, |a, b| a & b),
        of_two!("bitwise_or", "The bitwise OR of two integers.", |a, b| a | b, |a, b| a | b),
        of_two!("bitwise_xor", "The bitwise XOR of two integers.", |a, b| a ^ b, |a, b| a ^ b),
        of_two!(
            "bitwise_left_shift",
            "An integer shifted left by a number of bits.",
            |a, b| if (0..64).contains(&b) { a << b } else { 0 },
            |a, b| if b < U256::from(WIDE_BITS) { a << b.to::<usize>() } else { U256::ZERO }
        ),
        of_two!(
            "bitwise_right_shift",
            "An integer shifted right by a number of bits, filled with zeros.",
            |a, b| if (0..64).contains(&b) { (a as u64 >> b) as i64 } else { 0 },
            right_shift
        ),
        doc(
            "bitwise_arithmetic_shift_right(number, bits)",
            "An integer shifted right by a number of bits, filled with its sign bit.",
            "select bitwise_arithmetic_shift_right(-8, 1)",
        )
        .aliases(["bitwise_right_shift_arithmetic"])
        .udf(
            2..=2,
            |args| bits_field(args, WHOLE_NUMBER),
            |args, to| {
                let narrow = |number: i64, by: i64| match by {
                    0..64 => number >> by,
                    _ => {
                        if number < 0 {
                            -1
                        } else {
                            0
                        }
                    }
                };
                // The bits of a negative number are inverted, shifted and inverted again.
                let wide: fn(U256, U256) -> U256 = match is_signed(to) {
                    true => {
                        |number, by| if number.bit(255) { !right_shift(!number, by) } else { right_shift(number, by) }
                    }
                    false => right_shift,
                };
                of_pairs(args, to, narrow, wide)
            },
        ),
        doc("bitwise_not(number)", "The bitwise NOT of an integer.", "select bitwise_not(19)").udf(
            1..=1,
            |args| bits_field(args, WHOLE_NUMBER),
            |args, to| match is_number(to.data_type()) {
                true => {
                    let rows = uint256::read(&args[0])?.into_iter();
                    let turned = rows.map(|row| row.map(|number| number_of(!bits_of(number)?, to)).transpose());
                    uint256::write(turned.collect::<Result<_>>()?)
                }
                false => Ok(Arc::new(int64s(&args[0])?.unary::<_, Int64Type>(|number| !number))),
            },
        ),
        doc(
            "bit_count(number, bits)",
            "The number of bits set in an integer represented in the given number of bits, 64 at most.",
            "select bit_count(7, 64)",
        )
        .udf(
            2..=2,
            |args| whole_field(args, WHOLE_NUMBER),
            |args, _| zip_rows::<Int64Array, _, _, _>(&int64s(&args[0])?, &int64s(&args[1])?, count),
        ),
    ]
}

/// A 256-bit number where an argument is one, or a decimal without a fraction; else a 64-bit number.
fn bits_field(args: &ReturnFieldArgs, otherwise: fn(&DataType) -> DataFusionError) -> Result<FieldRef> {
    let fields = args.arg_fields;
    let is_whole = |from: &DataType| {
        is_number(from) || from.is_integer() || from.is_null() || from.is_decimal() && uint256::scale(from) == 0
    };
    let is_wide = |field: &FieldRef| is_number(field.data_type()) || field.data_type().is_decimal();
    if !fields.iter().any(is_wide) || !fields.iter().all(|field| is_whole(field.data_type())) {
        return whole_field(args, otherwise);
    }
    // Decimals alone may be below zero.
    let signed =
        fields.iter().any(|field| is_signed(field)) || !fields.iter().any(|field| is_number(field.data_type()));
    Ok(quarry_types::uint256::field("number", signed))
}

/// A 64-bit number, where all arguments are whole numbers.
pub(super) fn whole_field(args: &ReturnFieldArgs, otherwise: fn(&DataType) -> DataFusionError) -> Result<FieldRef> {
    let mut types = args.arg_fields.iter().map(|field| field.data_type());
    match types.find(|from| !from.is_integer() && !from.is_null()) {
        None => returns(DataType::Int64)(args),
        Some(other) => Err(otherwise(other)),
    }
}

/// An operation on two numbers a row.
fn of_pairs(
    args: &[ArrayRef],
    to: &Field,
    narrow: fn(i64, i64) -> i64,
    wide: fn(U256, U256) -> U256,
) -> Result<ArrayRef> {
    if !is_number(to.data_type()) {
        let apply = |left, right| Ok(narrow(left, right));
        return zip_rows::<Int64Array, _, _, _>(&int64s(&args[0])?, &int64s(&args[1])?, apply);
    }
    let pairs = uint256::read(&args[0])?.into_iter().zip(uint256::read(&args[1])?);
    let apply = |(left, right)| number_of(wide(bits_of(left)?, bits_of(right)?), to);
    uint256::write(pairs.map(|(left, right)| left.zip(right).map(apply).transpose()).collect::<Result<_>>()?)
}

fn right_shift(number: U256, by: U256) -> U256 {
    if by < U256::from(WIDE_BITS) { number >> by.to::<usize>() } else { U256::ZERO }
}

fn bits_of(number: Number) -> Result<U256> {
    let bits = if number.is_negative() { number.to_twos_complement() } else { Some(number.magnitude()) };
    bits.ok_or_else(|| out_of_range("A number below -2^255 does not fit in 256 bits."))
}

fn number_of(bits: U256, to: &Field) -> Result<Number> {
    Ok(match is_signed(to) {
        true => Number::from_twos_complement(&bits.to_be_bytes::<32>()),
        false => Number::new(false, bits),
    })
}

fn count(number: i64, bits: i64) -> Result<i64> {
    if !(2..=64).contains(&bits) {
        return Err(invalid("The number of bits must be from 2 to 64."));
    }
    let unused = (64 - bits) as u32;
    if (number << unused) >> unused != number {
        return Err(out_of_range(format!("{number} does not fit in {bits} bits.")));
    }
    Ok((((number << unused) as u64).count_ones()).into())
}
