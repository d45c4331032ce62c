//! The length of an interval in nanoseconds: what intervals are compared by.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, Decimal128Array};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, IntervalMonthDayNanoType, IntervalUnit};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use crate::simple::Simple;
use quarry_types::invalid;

/// A month counts 30 days, as in PostgreSQL.
const DAYS_OF_MONTH: i128 = 30;
const NANOSECONDS_OF_DAY: i128 = 86_400_000_000_000;
/// Enough digits for the longest interval: 2^31 months.
const LENGTH: DataType = DataType::Decimal128(38, 0);

/// Planned in where intervals are compared; people do not call it.
pub fn interval_length() -> ScalarUDF {
    Simple::udf(
        "interval_length",
        1..=1,
        None,
        |args| match args.arg_fields[0].data_type() {
            DataType::Interval(_) | DataType::Duration(_) | DataType::Null => {
                Ok(Arc::new(Field::new("interval_length", LENGTH, true)))
            }
            _ => Err(invalid("interval_length takes an interval.")),
        },
        |args, _| length(&args[0]),
    )
}

fn length(array: &ArrayRef) -> Result<ArrayRef> {
    let intervals = cast(array, &DataType::Interval(IntervalUnit::MonthDayNano))?;
    let lengths: Decimal128Array = intervals.as_primitive::<IntervalMonthDayNanoType>().unary(|interval| {
        let days = i128::from(interval.months) * DAYS_OF_MONTH + i128::from(interval.days);
        days * NANOSECONDS_OF_DAY + i128::from(interval.nanoseconds)
    });
    Ok(Arc::new(lengths.with_data_type(LENGTH)))
}
