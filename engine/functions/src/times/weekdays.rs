//! `next_day(date, day of the week)` and `previous_day(…)`, as Snowflake and Spark write them.

use std::sync::Arc;

use arrow::array::{ArrayRef, Date32Array};
use arrow::datatypes::{DataType, Field};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::{DAY, beyond, day_of, is_time, micros};
use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::{is_text, text_of};
use quarry_types::invalid;

const NEXT_DOC: Doc = Doc {
    signature: "next_day(time, day of the week)",
    text: "The first such day after a date: next_day(d, 'monday'), or as short as 'mo'.",
    example: "select next_day(date '2024-03-01', 'monday')",
};
const PREVIOUS_DOC: Doc = Doc {
    signature: "previous_day(time, day of the week)",
    text: "The last such day before a date: previous_day(d, 'monday'), or as short as 'mo'.",
    example: "select previous_day(date '2024-03-01', 'monday')",
};

/// By the letters that tell them apart, from Monday.
const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        Simple::udf("next_day", 2..=2, Some(NEXT_DOC), returns, |args, _| {
            moved(args, |now, wanted| 7 - (now - wanted).rem_euclid(7))
        }),
        Simple::udf("previous_day", 2..=2, Some(PREVIOUS_DOC), returns, |args, _| {
            moved(args, |now, wanted| (wanted - now).rem_euclid(7) - 7)
        }),
    ]
}

fn returns(args: &ReturnFieldArgs) -> Result<Arc<Field>> {
    let (time, name) = (args.arg_fields[0].data_type(), args.arg_fields[1].data_type());
    match is_time(time) && (is_text(name) || name.is_null()) {
        true => Ok(Arc::new(Field::new("day", DataType::Date32, true))),
        false => Err(invalid("A date and a day of the week are needed here, as in next_day(block_date, 'monday').")),
    }
}

/// Each day moved by the days that lie between its place in the week and another, both from Monday.
fn moved(args: &[ArrayRef], by: fn(i32, i32) -> i32) -> Result<ArrayRef> {
    let rows = micros(&args[0])?.into_iter().zip(text_of(&args[1])?);
    let days = rows.map(|(time, name)| {
        let Some((time, name)) = time.zip(name) else { return Ok(None) };
        // 1970 began on a Thursday.
        let day = i32::try_from(time.div_euclid(DAY)).map_err(|_| beyond())?;
        let now = (day + 3).rem_euclid(7);
        let moved = i64::from(day + by(now, place(name)?));
        day_of(moved * DAY).map(|_| Some(moved as i32))
    });
    Ok(Arc::new(days.collect::<Result<Date32Array>>()?))
}

fn place(name: &str) -> Result<i32> {
    let short = name.trim().to_lowercase();
    let found = DAYS.iter().position(|day| short.len() > 1 && day.starts_with(&short));
    found.map(|place| place as i32).ok_or_else(|| {
        let shown: String = name.chars().take(20).collect();
        invalid(format!("'{shown}' is no day of the week such as monday, mon or mo."))
    })
}
