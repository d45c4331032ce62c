//! `date_add(unit, number, time)`, `date_sub(time, days)`, `last_day_of_month(time)`.

use arrow::array::Date32Array;
use chrono::{Datelike, Months};

use super::unit::Unit;
use super::values::{DAY, beyond, check_time, day_of, in_micros, integers, micros, takes_time, times_of};
use crate::prelude::*;

pub(super) fn udfs() -> [ScalarUDF; 3] {
    [
        doc(
            "date_add(unit, number, time)",
            "A date or timestamp plus a number of units; date_add(time, days) adds days.",
            "select date_add('month', 1, date '2024-01-31')",
        )
        .udf(2..=3, shifted_field, |args, to| match args {
            [unit, count, time] => shift(time, Unit::parse_all(unit)?, &integers(count)?, to),
            [time, count] => shift(time, vec![Some(Unit::Micros(DAY)); time.len()], &integers(count)?, to),
            _ => Err(invalid("date_add expects a unit, a number and a timestamp.")),
        }),
        doc(
            "date_sub(time, days)",
            "A date or timestamp minus a number of days.",
            "select date_sub(date '2024-03-01', 1)",
        )
        .udf(2..=2, shifted_field, |args, to| {
            let back = integers(&args[1])?.iter().map(|days| days.and_then(i64::checked_neg)).collect();
            shift(&args[0], vec![Some(Unit::Micros(DAY)); args[0].len()], &back, to)
        }),
        doc(
            "last_day_of_month(time)",
            "The last day of the month of a date or timestamp.",
            "select last_day_of_month(date '2024-02-10')",
        )
        .aliases(["last_day"])
        .udf(1..=1, takes_time("last_day_of_month", DataType::Date32), |args, _| {
            map_rows::<Date32Array, _, _>(micros(&args[0])?, last_day)
        }),
    ]
}

/// Days stay days when whole days are added; everything else is a time.
fn shifted_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let three = args.arg_fields.len() == 3;
    let time = args.arg_fields[if three { 2 } else { 0 }].data_type();
    check_time("date_add", time)?;
    let count = args.arg_fields[1].data_type();
    if !count.is_numeric() && !count.is_null() {
        return Err(invalid(
            "date_add expects a unit, a number and a timestamp, such as date_add('day', 7, block_timestamp).",
        ));
    }
    let days = !three || Unit::literal(args.scalar_arguments[0]).is_some_and(Unit::keeps_days);
    returns(match time {
        DataType::Date32 | DataType::Date64 if days => DataType::Date32,
        time => in_micros(time),
    })(args)
}

fn shift(time: &ArrayRef, units: Vec<Option<Unit>>, counts: &Int64Array, to: &FieldRef) -> Result<ArrayRef> {
    let rows = micros(time)?.into_iter().zip(units).zip(counts);
    let moved = rows.map(|row| match row {
        ((Some(time), Some(unit)), Some(count)) => unit.shift(time, count).map(Some),
        _ => Ok(None),
    });
    Ok(times_of(moved.collect::<Result<_>>()?, to.data_type()))
}

fn last_day(time: i64) -> Result<i32> {
    let day = day_of(time)?;
    let next = day.with_day(1).and_then(|first| first.checked_add_months(Months::new(1)));
    let last = next.and_then(|next| next.pred_opt()).ok_or_else(beyond)?;
    Ok(time.div_euclid(DAY) as i32 + last.signed_duration_since(day).num_days() as i32)
}
