//! Times with fewer digits behind their seconds: `cast(time as timestamp(3))`.

use std::sync::Arc;

use arrow::datatypes::Field;
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use super::{beyond, in_micros, micros, time_needed, times_of, whole};
use crate::simple::Simple;

/// Of a time and a number of digits from 0 to 6; it stands behind such casts, people do not call it.
pub const ROUND_TIME: &str = "round_time";

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![Simple::udf(
        ROUND_TIME,
        2..=2,
        None,
        |args| {
            let time = args.arg_fields[0].data_type();
            time_needed(ROUND_TIME, time)?;
            Ok(Arc::new(Field::new("time", in_micros(time), true)))
        },
        |args, to| {
            let rows = micros(&args[0])?.into_iter().zip(whole(&args[1])?);
            let rounded = rows.map(|row| match row {
                (Some(time), Some(digits)) => round(time, digits).map(Some),
                _ => Ok(None),
            });
            Ok(times_of(rounded.collect::<Result<_>>()?, to.data_type()))
        },
    )]
}

/// The next time with so many digits behind its seconds, the later one of two that are as near.
fn round(time: i64, digits: i64) -> Result<i64> {
    let unit = 10_i64.pow(6 - u32::try_from(digits.clamp(0, 6)).unwrap_or_default());
    let up = time.checked_add(unit / 2).ok_or_else(beyond)?;
    Ok(up - up.rem_euclid(unit))
}
