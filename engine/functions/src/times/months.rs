//! `months_between(later, earlier)`: months with a fraction, as Snowflake and Hive count them; `age(later, earlier)`: years,
//! months, days and time, as PostgreSQL does.

use std::sync::Arc;

use arrow::array::{Float64Array, IntervalMonthDayNanoArray};
use arrow::datatypes::{DataType, Field, IntervalMonthDayNano, IntervalUnit};
use chrono::Datelike;
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::{DAY, day_of, is_time, micros};
use crate::hive_values::calendar::months_between;
use crate::simple::{Doc, Simple};
use quarry_types::invalid;

const AGE_DOC: Doc = Doc {
    signature: "age(later, earlier)",
    text: "The length of time from one time to another in whole months, days and the rest, negative backwards, as PostgreSQL counts it.",
    example: "select age(timestamp '2024-03-31 12:00:00', timestamp '2024-02-29')",
};
const DOC: Doc = Doc {
    signature: "months_between(later, earlier)",
    text: "Months between two times: whole where their days of the month agree or both are the last, else with the rest by 31 days.",
    example: "select months_between(date '2024-03-31', date '2024-02-29')",
};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    let returns = |args: &ReturnFieldArgs<'_>| match args.arg_fields.iter().all(|field| is_time(field.data_type())) {
        true => Ok(Arc::new(Field::new("months", DataType::Float64, true))),
        false => Err(invalid("months_between takes two dates or timestamps.")),
    };
    let between = Simple::udf("months_between", 2..=2, Some(DOC), returns, |args, _| {
        // Beyond the year 2262 there are too many nanoseconds.
        let nanos = |micros: Option<i64>| micros.and_then(|micros| micros.checked_mul(1000));
        let rows = micros(&args[0])?.into_iter().zip(micros(&args[1])?);
        let months = rows.map(|(later, earlier)| Some(months_between(nanos(later)?, nanos(earlier)?)));
        Ok(Arc::new(months.collect::<Float64Array>()))
    });
    let returns = |args: &ReturnFieldArgs<'_>| match args.arg_fields.iter().all(|field| is_time(field.data_type())) {
        true => Ok(Arc::new(Field::new("age", DataType::Interval(IntervalUnit::MonthDayNano), true))),
        false => Err(invalid("age takes two dates or timestamps.")),
    };
    let age = Simple::udf("age", 2..=2, Some(AGE_DOC), returns, |args, _| {
        let rows = micros(&args[0])?.into_iter().zip(micros(&args[1])?);
        let ages =
            rows.map(|(later, earlier)| later.zip(earlier).map(|(later, earlier)| age(later, earlier)).transpose());
        Ok(Arc::new(ages.collect::<Result<IntervalMonthDayNanoArray>>()?))
    });
    vec![between, age]
}

/// Years, months and days are those of the calendar; days that are missing are those of the month of the earlier time.
fn age(later: i64, earlier: i64) -> Result<IntervalMonthDayNano> {
    let sign = if later < earlier { -1 } else { 1 };
    let (first, last) = (later.min(earlier), later.max(earlier));
    let (from, to) = (day_of(first)?, day_of(last)?);
    let mut time = last.rem_euclid(DAY) - first.rem_euclid(DAY);
    let mut days = to.day().cast_signed() - from.day().cast_signed();
    let mut months = (to.year() - from.year()) * 12 + to.month().cast_signed() - from.month().cast_signed();
    if time < 0 {
        time += DAY;
        days -= 1;
    }
    if days < 0 {
        days += i32::from(from.num_days_in_month());
        months -= 1;
    }
    Ok(IntervalMonthDayNano::new(sign * months, sign * days, i64::from(sign) * time * 1000))
}
