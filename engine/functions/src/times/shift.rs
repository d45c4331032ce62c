//! `date_add(unit, number, time)`, `date_sub(time, days)`, `last_day_of_month(time)`.

use std::sync::Arc;

use arrow::array::{ArrayRef, Date32Array};
use arrow::datatypes::{DataType, Field, FieldRef};
use chrono::{Datelike, Months};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::unit::Unit;
use super::{DAY, beyond, day_of, in_micros, micros, time_needed, times_of, whole};
use crate::simple::{Doc, Simple};
use quarry_types::invalid;

const ADD_DOC: Doc = Doc {
    signature: "date_add(unit, number, time)",
    text: "A time moved by a number of units; date_add(time, days) moves by days.",
    example: "select date_add('month', 1, date '2024-01-31')",
};
const SUB_DOC: Doc = Doc {
    signature: "date_sub(time, days)",
    text: "A time moved back by days.",
    example: "select date_sub(date '2024-03-01', 1)",
};
const LAST_DOC: Doc = Doc {
    signature: "last_day_of_month(time)",
    text: "The last day of the month that a time lies in.",
    example: "select last_day_of_month(date '2024-02-10')",
};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        Simple::udf("date_add", 2..=3, Some(ADD_DOC), shifted, |args, to| match args {
            [unit, count, time] => shift(time, Unit::parse_all(unit)?, whole(count)?, to),
            [time, count] => shift(time, vec![Some(Unit::Micros(DAY)); time.len()], whole(count)?, to),
            _ => Err(invalid("date_add takes a unit, a number and a time.")),
        }),
        Simple::udf("date_sub", 2..=2, Some(SUB_DOC), shifted, |args, to| {
            let back = whole(&args[1])?.into_iter().map(|days| days.and_then(i64::checked_neg)).collect();
            shift(&args[0], vec![Some(Unit::Micros(DAY)); args[0].len()], back, to)
        }),
        Simple::udf(
            "last_day_of_month",
            1..=1,
            Some(LAST_DOC),
            |args| {
                time_needed("last_day_of_month", args.arg_fields[0].data_type())?;
                Ok(Arc::new(Field::new("day", DataType::Date32, true)))
            },
            |args, _| last_days(&args[0]),
        )
        .with_aliases(["last_day"]),
    ]
}

/// Days stay days when whole days are added; everything else is a time.
fn shifted(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let three = args.arg_fields.len() == 3;
    let time = args.arg_fields[if three { 2 } else { 0 }].data_type();
    time_needed("date_add", time)?;
    let count = args.arg_fields[1].data_type();
    if !count.is_numeric() && !count.is_null() {
        return Err(invalid("date_add takes a unit, a number and a time, as date_add('day', 7, block_timestamp)."));
    }
    let days = !three || Unit::literal(args.scalar_arguments[0]).is_some_and(Unit::keeps_days);
    let data_type = match time {
        DataType::Date32 | DataType::Date64 if days => DataType::Date32,
        time => in_micros(time),
    };
    Ok(Arc::new(Field::new("time", data_type, true)))
}

fn shift(time: &ArrayRef, units: Vec<Option<Unit>>, counts: Vec<Option<i64>>, to: &FieldRef) -> Result<ArrayRef> {
    let rows = micros(time)?.into_iter().zip(units).zip(counts);
    let moved = rows.map(|row| match row {
        ((Some(time), Some(unit)), Some(count)) => unit.shift(time, count).map(Some),
        _ => Ok(None),
    });
    let moved: Vec<Option<i64>> = moved.collect::<Result<_>>()?;
    match to.data_type() {
        to @ DataType::Timestamp(..) => Ok(times_of(moved.into(), to)),
        _ => Ok(Arc::new(
            moved.into_iter().map(|time| time.map(|time| time.div_euclid(DAY) as i32)).collect::<Date32Array>(),
        )),
    }
}

fn last_days(array: &ArrayRef) -> Result<ArrayRef> {
    let last = |time: i64| {
        let day = day_of(time)?;
        let next = day.with_day(1).and_then(|first| first.checked_add_months(Months::new(1)));
        let last = next.and_then(|next| next.pred_opt()).ok_or_else(beyond)?;
        Ok(time.div_euclid(DAY) as i32 + last.signed_duration_since(day).num_days() as i32)
    };
    let days = micros(array)?.into_iter().map(|time| time.map(last).transpose());
    Ok(Arc::new(days.collect::<Result<Date32Array>>()?))
}
