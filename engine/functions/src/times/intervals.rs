//! Arithmetic and comparisons of intervals: `interval '1' day * 2.5`, `interval '1' month / 2`. A fraction of a month goes into days
//! of which a month has 30, and a fraction of a day into hours, as in PostgreSQL.

use arrow::array::IntervalMonthDayNanoArray;
use arrow::datatypes::{IntervalMonthDayNano, IntervalMonthDayNanoType, IntervalUnit};

use super::values::is_length;
use crate::interval_lengths::{DAYS_OF_MONTH, NANOSECONDS, NANOSECONDS_OF_DAY, interval_lengths};
use crate::prelude::*;

/// Times have microseconds.
const NANOSECONDS_OF_MICRO: f64 = 1_000.0;
const INTERVAL: DataType = DataType::Interval(IntervalUnit::MonthDayNano);

/// An interval in nanoseconds, by which intervals are compared.
pub fn interval_length() -> Arc<ScalarUDF> {
    shared!(scalar_udf(
        "interval_length",
        1..=1,
        takes([is_length], "interval_length expects an interval.", NANOSECONDS),
        |args, _| Ok(Arc::new(interval_lengths(&args[0])?)),
    ))
}

/// `interval * number`.
pub fn interval_times() -> Arc<ScalarUDF> {
    shared!(scaled_udf(undocumented("interval_times"), times))
}

/// `interval / number`.
pub fn interval_part() -> Arc<ScalarUDF> {
    shared!(scaled_udf(undocumented("interval_part").fails_on(FailsOn::Divisor), part))
}

fn scaled_udf(
    definition: Definition,
    scale: fn(IntervalMonthDayNano, By) -> Result<IntervalMonthDayNano>,
) -> ScalarUDF {
    let returns = |args: &ReturnFieldArgs<'_>| match [0, 1].map(|index| args.arg_fields[index].data_type()) {
        [interval, by] if is_length(interval) && (by.is_numeric() || by.is_null()) => returns(INTERVAL)(args),
        _ => Err(invalid("An interval can be multiplied or divided only by a number.")),
    };
    definition.udf(2..=2, returns, move |args, _| scaled(args, scale))
}

/// By how much: numbers without a fraction are exact.
#[derive(Clone, Copy)]
enum By {
    Whole(i64),
    Fraction(f64),
}

fn scaled(args: &[ArrayRef], scale: fn(IntervalMonthDayNano, By) -> Result<IntervalMonthDayNano>) -> Result<ArrayRef> {
    let intervals = strict_cast(&args[0], &INTERVAL)?;
    let by: Vec<Option<By>> = match args[1].data_type().is_integer() {
        true => int64s(&args[1])?.iter().map(|number| number.map(By::Whole)).collect(),
        false => float64s(&args[1])?.iter().map(|number| number.map(By::Fraction)).collect(),
    };
    // The difference of two times has no days of its own, and is shown in days.
    let is_difference = matches!(args[0].data_type(), DataType::Duration(_));
    let intervals = intervals.as_primitive::<IntervalMonthDayNanoType>();
    zip_rows::<IntervalMonthDayNanoArray, _, _, _>(intervals, by, |interval, by| {
        let scaled = scale(interval, by)?;
        Ok(if is_difference { in_days(scaled) } else { scaled })
    })
}

fn in_days(interval: IntervalMonthDayNano) -> IntervalMonthDayNano {
    let days = (interval.nanoseconds / NANOSECONDS_OF_DAY) as i32;
    IntervalMonthDayNano { months: interval.months, days, nanoseconds: interval.nanoseconds % NANOSECONDS_OF_DAY }
}

fn times(interval: IntervalMonthDayNano, by: By) -> Result<IntervalMonthDayNano> {
    let count = match by {
        By::Whole(count) => count,
        By::Fraction(factor) => return spread(interval, |amount| amount * factor),
    };
    let small = |amount: i32| i64::from(amount).checked_mul(count).and_then(|amount| i32::try_from(amount).ok());
    let fields = (small(interval.months), small(interval.days), interval.nanoseconds.checked_mul(count));
    let (Some(months), Some(days), Some(nanoseconds)) = fields else { return Err(too_long()) };
    Ok(IntervalMonthDayNano { months, days, nanoseconds })
}

fn part(interval: IntervalMonthDayNano, by: By) -> Result<IntervalMonthDayNano> {
    let divisor = match by {
        By::Whole(count) => count as f64,
        By::Fraction(factor) => factor,
    };
    if divisor == 0.0 {
        return Err(invalid("An interval can't be divided by zero."));
    }
    spread(interval, |amount| amount / divisor)
}

/// Each field scaled, its fraction carried to the next smaller one.
fn spread(interval: IntervalMonthDayNano, scale: impl Fn(f64) -> f64) -> Result<IntervalMonthDayNano> {
    let months = scale(interval.months.into());
    let days = scale(interval.days.into()) + months.fract() * f64::from(DAYS_OF_MONTH);
    let nanoseconds = scale(interval.nanoseconds as f64) + days.fract() * NANOSECONDS_OF_DAY as f64;
    let nanoseconds = (nanoseconds / NANOSECONDS_OF_MICRO).round() * NANOSECONDS_OF_MICRO;
    let fits = |amount: f64, most: f64| amount.is_finite() && amount.abs() < most;
    if !fits(months, f64::from(i32::MAX)) || !fits(days, f64::from(i32::MAX)) || !fits(nanoseconds, i64::MAX as f64) {
        return Err(too_long());
    }
    Ok(IntervalMonthDayNano { months: months as i32, days: days as i32, nanoseconds: nanoseconds as i64 })
}

fn too_long() -> DataFusionError {
    out_of_range("The interval is too long.")
}
