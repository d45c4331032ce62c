//! Times with fewer digits behind their seconds: `cast(time as timestamp(3))`.

use super::values::{beyond, check_time, in_micros, integers, micros, times_of};
use crate::prelude::*;

/// The call of such casts: of a time and a number of digits from 0 to 6.
pub const ROUND_TIME: &str = "round_time";

pub(super) fn udf() -> ScalarUDF {
    let time_field = |args: &ReturnFieldArgs<'_>| {
        let time = args.arg_fields[0].data_type();
        check_time(ROUND_TIME, time)?;
        returns(in_micros(time))(args)
    };
    scalar_udf(ROUND_TIME, 2..=2, time_field, |args, to| {
        let digits = integers(&args[1])?;
        let rows = micros(&args[0])?.into_iter().zip(&digits).map(|(time, digits)| time.zip(digits));
        let rounded = rows.map(|row| row.map(|(time, digits)| round(time, digits)).transpose());
        Ok(times_of(rounded.collect::<Result<_>>()?, to.data_type()))
    })
}

/// The nearest time with so many digits behind its seconds, the later one of two.
fn round(time: i64, digits: i64) -> Result<i64> {
    let unit = 10_i64.pow(6 - u32::try_from(digits.clamp(0, 6)).unwrap_or_default());
    let up = time.checked_add(unit / 2).ok_or_else(beyond)?;
    Ok(up - up.rem_euclid(unit))
}
