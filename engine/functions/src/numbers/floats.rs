//! What is special about doubles: infinity, and what is no number.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, BooleanArray, Float64Array};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field, FieldRef, Float64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use crate::simple::{Doc, Simple};
use quarry_types::invalid;
use quarry_types::type_names::type_name;
use quarry_types::uint256::is_number;

const INFINITY_DOC: Doc =
    Doc { signature: "infinity()", text: "The double above all numbers.", example: "select -infinity()" };
const E_DOC: Doc = Doc { signature: "e()", text: "The base of the natural logarithm.", example: "select e()" };
const NAN_DOC: Doc =
    Doc { signature: "nan()", text: "The double that is not a number.", example: "select is_nan(nan())" };
const FINITE_DOC: Doc = Doc {
    signature: "is_finite(number)",
    text: "Whether a double is a number, and not infinite.",
    example: "select is_finite(-infinity())",
};
const INFINITE_DOC: Doc = Doc {
    signature: "is_infinite(number)",
    text: "Whether a double is infinite.",
    example: "select is_infinite(infinity())",
};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    let double = |_: &ReturnFieldArgs<'_>| Ok(Arc::new(Field::new("double", DataType::Float64, false)));
    vec![
        Simple::udf("infinity", 0..=0, Some(INFINITY_DOC), double, |_, _| {
            Ok(Arc::new(Float64Array::from(vec![f64::INFINITY])))
        }),
        Simple::udf("e", 0..=0, Some(E_DOC), double, |_, _| {
            Ok(Arc::new(Float64Array::from(vec![std::f64::consts::E])))
        }),
        Simple::udf("nan", 0..=0, Some(NAN_DOC), double, |_, _| Ok(Arc::new(Float64Array::from(vec![f64::NAN])))),
        Simple::udf("is_finite", 1..=1, Some(FINITE_DOC), number, |args, _| test(&args[0], f64::is_finite)),
        Simple::udf("is_infinite", 1..=1, Some(INFINITE_DOC), number, |args, _| test(&args[0], f64::is_infinite)),
    ]
}

fn number(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let from = args.arg_fields[0].data_type();
    match from.is_numeric() || from.is_null() || is_number(from) {
        true => Ok(Arc::new(Field::new("truth", DataType::Boolean, true))),
        false => Err(invalid(format!("A number is needed here, not {}.", type_name(from, false)))),
    }
}

fn test(array: &ArrayRef, of: fn(f64) -> bool) -> Result<ArrayRef> {
    if is_number(array.data_type()) {
        // Whole numbers of 256 bits are far below what a double holds.
        let finite = of(1.0);
        return Ok(Arc::new(
            (0..array.len()).map(|row| array.is_valid(row).then_some(finite)).collect::<BooleanArray>(),
        ));
    }
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let doubles = cast_with_options(array, &DataType::Float64, &options)?;
    let truths = doubles.as_primitive::<Float64Type>().iter().map(|value| value.map(of));
    Ok(Arc::new(truths.collect::<BooleanArray>()))
}
