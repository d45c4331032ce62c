//! `interval (x) day`: intervals of numbers that are computed.

use std::sync::Arc;

use arrow::array::{Array, AsArray, DurationNanosecondArray, IntervalYearMonthArray};
use arrow::datatypes::{DataType, Field, FieldRef, Float64Type, Int64Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::cast;
use super::intervals::{MONTHS, TIME, length};
use crate::simple::Simple;
use quarry_types::invalid;

/// `interval (x) day`: so many of a unit.
pub(super) fn udf() -> ScalarUDF {
    Simple::udf("hive_interval", 2..=2, None, returns, |arrays, field| {
        let unit = arrays[1].as_string::<i32>();
        let unit = if unit.is_empty() { "" } else { unit.value(0) };
        if field.data_type() == &MONTHS {
            let numbers = cast::to_type(&arrays[0], &DataType::Int64)?;
            let each = if unit == "year" { 12 } else { 1 };
            let months = |count: i64| count.checked_mul(each).and_then(|months| i32::try_from(months).ok());
            let found = numbers.as_primitive::<Int64Type>().iter().map(|count| count.and_then(months));
            return Ok(Arc::new(found.collect::<IntervalYearMonthArray>()));
        }
        let each = length(unit);
        // A double has too few digits for the nanoseconds of so many milliseconds as have passed since 1970.
        if arrays[0].data_type().is_integer() {
            let numbers = cast::to_type(&arrays[0], &DataType::Int64)?;
            let found = numbers.as_primitive::<Int64Type>().iter().map(|count| count?.checked_mul(each));
            return Ok(Arc::new(found.collect::<DurationNanosecondArray>()));
        }
        let numbers = cast::to_type(&arrays[0], &DataType::Float64)?;
        let each = each as f64;
        let nanos = |count: f64| Some(count * each).filter(|nanos| nanos.abs() < 9.2e18).map(|nanos| nanos as i64);
        let found = numbers.as_primitive::<Float64Type>().iter().map(|count| count.and_then(nanos));
        Ok(Arc::new(found.collect::<DurationNanosecondArray>()))
    })
}

fn returns(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let Some(Some(ScalarValue::Utf8(Some(unit)))) = args.scalar_arguments.get(1) else {
        return Err(invalid("An interval needs a unit."));
    };
    let data_type = if ["year", "month"].contains(&unit.as_str()) { MONTHS } else { TIME };
    Ok(Arc::new(Field::new("interval", data_type, true)))
}
