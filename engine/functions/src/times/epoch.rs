//! `epoch(time)`: seconds since 1970, whole; what DuckDB calls it.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int64Array};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Int64Type, TimeUnit};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use crate::simple::{Doc, Simple};
use quarry_types::invalid;

const DOC: Doc = Doc {
    signature: "epoch(timestamp)",
    text: "Seconds since 1970-01-01 00:00:00 UTC, rounded down.",
    example: "select epoch(timestamp) from blocks limit 1",
};

pub(super) fn udf() -> ScalarUDF {
    Simple::udf(
        "epoch",
        1..=1,
        Some(DOC),
        |args| match args.arg_fields[0].data_type() {
            DataType::Timestamp(..) | DataType::Date32 | DataType::Null => {
                Ok(Arc::new(Field::new("epoch", DataType::Int64, true)))
            }
            _ => Err(invalid("epoch takes a timestamp or a date.")),
        },
        |args, _| epoch(&args[0]),
    )
}

fn epoch(array: &ArrayRef) -> Result<ArrayRef> {
    let zone = match array.data_type() {
        DataType::Timestamp(_, zone) => zone.clone(),
        _ => None,
    };
    let times = cast(array, &DataType::Timestamp(TimeUnit::Microsecond, zone))?;
    let micros = cast(&times, &DataType::Int64)?;
    let micros = micros.as_primitive::<Int64Type>();
    let seconds: Int64Array = micros.unary(|micros| micros.div_euclid(1_000_000));
    Ok(Arc::new(seconds))
}
