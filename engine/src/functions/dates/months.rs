//! `months_between(later, earlier)`: months with a fraction, as Snowflake and Hive count them.

use std::sync::Arc;

use arrow::array::Float64Array;
use arrow::datatypes::{DataType, Field};
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::{is_time, micros};
use crate::functions::hive::months_between;
use crate::functions::simple::{Doc, Simple, invalid};

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
    vec![between]
}
