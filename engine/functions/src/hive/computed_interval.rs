//! `interval (x) day`: intervals of computed numbers.

use arrow::array::{DurationNanosecondArray, IntervalYearMonthArray};

use super::cast;
use super::intervals::{MONTHS, TIME, length};
use crate::prelude::*;

/// Takes a number and a unit.
pub(super) fn udf() -> ScalarUDF {
    scalar_udf("hive_interval", 2..=2, interval_field, |arrays, field| {
        let unit = arrays[1].as_string::<i32>();
        let unit = if unit.is_empty() { "" } else { unit.value(0) };
        if field.data_type() == &MONTHS {
            let numbers = cast::to_type(&arrays[0], &DataType::Int64)?;
            let each = if unit == "year" { 12 } else { 1 };
            let months = |count: i64| count.checked_mul(each).and_then(|months| i32::try_from(months).ok());
            let months = numbers.as_primitive::<Int64Type>().iter().map(|count| count.and_then(months));
            return Ok(Arc::new(months.collect::<IntervalYearMonthArray>()));
        }
        let each = length(unit);
        // Doubles have too few digits for the nanoseconds of as many milliseconds as have passed since 1970.
        let nanos: DurationNanosecondArray = if arrays[0].data_type().is_integer() {
            let numbers = cast::to_type(&arrays[0], &DataType::Int64)?;
            numbers.as_primitive::<Int64Type>().iter().map(|count| count?.checked_mul(each)).collect()
        } else {
            let numbers = cast::to_type(&arrays[0], &DataType::Float64)?;
            let nanos = |count: f64| Some(count * each as f64).filter(|nanos| nanos.abs() < 9.2e18);
            let numbers = numbers.as_primitive::<Float64Type>().iter();
            numbers.map(|count| count.and_then(nanos).map(|nanos| nanos as i64)).collect()
        };
        Ok(Arc::new(nanos))
    })
}

fn interval_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let Some(Some(ScalarValue::Utf8(Some(unit)))) = args.scalar_arguments.get(1) else {
        return Err(invalid("An interval needs a unit."));
    };
    let data_type = if ["year", "month"].contains(&unit.as_str()) { MONTHS } else { TIME };
    Ok(Arc::new(Field::new("interval", data_type, true)))
}
