//! An interval so many times, or a part of it: `interval '1' day * 2.5`, `interval '1' month / 2`. What is no whole month or day
//! goes into days of which a month has 30, and into hours, as in PostgreSQL.

use std::sync::{Arc, LazyLock};

use arrow::array::{Array, ArrayRef, AsArray, IntervalMonthDayNanoArray};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{
    DataType, Field, FieldRef, Float64Type, Int64Type, IntervalMonthDayNano, IntervalMonthDayNanoType, IntervalUnit,
};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use crate::simple::Simple;
use quarry_types::{invalid, out_of_range};

const DAYS_OF_MONTH: f64 = 30.0;
const NANOSECONDS_OF_DAY: f64 = 86_400_000_000_000.0;
/// Times have microseconds.
const SMALLEST: f64 = 1_000.0;
const LENGTH: DataType = DataType::Interval(IntervalUnit::MonthDayNano);

static TIMES: LazyLock<Arc<ScalarUDF>> =
    LazyLock::new(|| Arc::new(Simple::udf("interval_times", 2..=2, None, scaled, |args, _| each(args, times))));
static PART: LazyLock<Arc<ScalarUDF>> =
    LazyLock::new(|| Arc::new(Simple::udf("interval_part", 2..=2, None, scaled, |args, _| each(args, part))));

/// An interval and a number; planned in for `*`, people do not call it.
pub fn interval_times() -> Arc<ScalarUDF> {
    TIMES.clone()
}

/// The same for `/`.
pub fn interval_part() -> Arc<ScalarUDF> {
    PART.clone()
}

fn scaled(args: &ReturnFieldArgs) -> Result<FieldRef> {
    match [0, 1].map(|index| args.arg_fields[index].data_type()) {
        [DataType::Interval(_) | DataType::Duration(_), by] if by.is_numeric() || by.is_null() => {
            Ok(Arc::new(Field::new("interval", LENGTH, true)))
        }
        _ => Err(invalid("An interval is multiplied with a number, and divided by one.")),
    }
}

/// By how much: numbers without a fraction are exact.
#[derive(Clone, Copy)]
enum By {
    Whole(i64),
    Fraction(f64),
}

fn each(args: &[ArrayRef], scale: fn(IntervalMonthDayNano, By) -> Result<IntervalMonthDayNano>) -> Result<ArrayRef> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let intervals = cast_with_options(&args[0], &LENGTH, &options)?;
    let by: Vec<Option<By>> = match args[1].data_type() {
        whole if whole.is_integer() => {
            let numbers = cast_with_options(&args[1], &DataType::Int64, &options)?;
            numbers.as_primitive::<Int64Type>().iter().map(|number| number.map(By::Whole)).collect()
        }
        _ => {
            let numbers = cast_with_options(&args[1], &DataType::Float64, &options)?;
            numbers.as_primitive::<Float64Type>().iter().map(|number| number.map(By::Fraction)).collect()
        }
    };
    let rows = intervals.as_primitive::<IntervalMonthDayNanoType>().iter().zip(by);
    // The difference of two times has no days of its own, and is told in days.
    let difference = matches!(args[0].data_type(), DataType::Duration(_));
    let scaled = rows.map(|(interval, by)| {
        let scaled = |(interval, by)| scale(interval, by).map(|of| if difference { in_days(of) } else { of });
        interval.zip(by).map(scaled).transpose()
    });
    Ok(Arc::new(scaled.collect::<Result<IntervalMonthDayNanoArray>>()?))
}

fn in_days(interval: IntervalMonthDayNano) -> IntervalMonthDayNano {
    const DAY: i64 = 86_400_000_000_000;
    let days = (interval.nanoseconds / DAY) as i32;
    IntervalMonthDayNano { months: interval.months, days, nanoseconds: interval.nanoseconds % DAY }
}

fn times(interval: IntervalMonthDayNano, by: By) -> Result<IntervalMonthDayNano> {
    let count = match by {
        By::Whole(count) => count,
        By::Fraction(factor) => return spread(interval, |amount| amount * factor),
    };
    let small = |amount: i32| i64::from(amount).checked_mul(count).and_then(|amount| i32::try_from(amount).ok());
    let parts = (small(interval.months), small(interval.days), interval.nanoseconds.checked_mul(count));
    let (Some(months), Some(days), Some(nanoseconds)) = parts else { return Err(beyond()) };
    Ok(IntervalMonthDayNano { months, days, nanoseconds })
}

fn part(interval: IntervalMonthDayNano, by: By) -> Result<IntervalMonthDayNano> {
    let divisor = match by {
        By::Whole(count) => count as f64,
        By::Fraction(factor) => factor,
    };
    if divisor == 0.0 {
        return Err(invalid("An interval is divided by zero."));
    }
    spread(interval, |amount| amount / divisor)
}

/// Each part scaled, its fraction in the next smaller one.
fn spread(interval: IntervalMonthDayNano, scale: impl Fn(f64) -> f64) -> Result<IntervalMonthDayNano> {
    let months = scale(interval.months.into());
    let days = scale(interval.days.into()) + months.fract() * DAYS_OF_MONTH;
    let nanoseconds = scale(interval.nanoseconds as f64) + days.fract() * NANOSECONDS_OF_DAY;
    let nanoseconds = (nanoseconds / SMALLEST).round() * SMALLEST;
    let fits = |amount: f64, most: f64| amount.is_finite() && amount.abs() < most;
    if !fits(months, f64::from(i32::MAX)) || !fits(days, f64::from(i32::MAX)) || !fits(nanoseconds, i64::MAX as f64) {
        return Err(beyond());
    }
    Ok(IntervalMonthDayNano { months: months as i32, days: days as i32, nanoseconds: nanoseconds as i64 })
}

fn beyond() -> datafusion::common::DataFusionError {
    out_of_range("The interval is too long.")
}
