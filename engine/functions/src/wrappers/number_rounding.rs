//! `abs` and rounding of 256-bit numbers. The results are 256-bit numbers too, with more digits than a decimal has.

use alloy_primitives::U256;
use quarry_types::uint256::is_unsigned;

use super::adapt::{self, Coercion};
use super::overload::{When, overloaded};
use crate::prelude::*;
use crate::uint256;

/// What a function does with a 256-bit number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// Drops the sign.
    Abs,
    /// Nothing, since the number is whole.
    Whole,
    /// Rounds to a number of digits before the point, halves away from zero.
    Round,
    /// Replaces a number of digits before the point by zeros.
    Truncate,
}

/// A built-in function, for 256-bit numbers too.
pub(crate) fn of_numbers(builtin: &Arc<ScalarUDF>, aliases: &[&str], rounding: Rounding) -> ScalarUDF {
    let of_number = scalar_udf(
        builtin.name().to_string(),
        1..=2,
        |args| Ok(quarry_types::uint256::field("number", !is_unsigned(&args.arg_fields[0]))),
        move |args, _| {
            let numbers = uint256::read(&args[0])?;
            let places = match args.get(1) {
                Some(places) => int64s(places)?,
                None => Int64Array::from(vec![0; numbers.len()]),
            };
            let rows = numbers.into_iter().zip(&places).map(|(number, places)| number.zip(places));
            let rounded = rows.map(|row| row.map(|(number, places)| round(rounding, number, places)).transpose());
            uint256::write(rounded.collect::<Result<_>>()?)
        },
    );
    let with_places = matches!(rounding, Rounding::Round | Rounding::Truncate);
    overloaded(adapt::adapted(builtin, Coercion::Decimals, aliases), When::Number { with_places }, Arc::new(of_number))
}

fn round(rounding: Rounding, number: Number, places: i64) -> Result<Number> {
    let digits = u32::try_from(places.min(0).unsigned_abs()).ok();
    let unit = digits.and_then(|digits| U256::from(10).checked_pow(U256::from(digits)));
    let size = match (rounding, unit) {
        (Rounding::Abs, _) => return Ok(Number::new(false, number.magnitude())),
        (Rounding::Whole, _) => return Ok(number),
        // Of more digits than there are, zeros are left.
        (_, None) => U256::ZERO,
        (_, Some(unit)) => {
            let rest = number.magnitude() % unit;
            let truncated = number.magnitude() - rest;
            match rounding == Rounding::Round && rest >= unit - rest {
                true => truncated
                    .checked_add(unit)
                    .ok_or_else(|| out_of_range("Rounding makes the number larger than 2^256 - 1."))?,
                false => truncated,
            }
        }
    };
    Ok(Number::new(number.is_negative(), size))
}
