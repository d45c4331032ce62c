//! Infinity, NaN and `e()`, and tests of doubles for them.

use crate::prelude::*;

pub(super) fn udfs() -> Vec<ScalarUDF> {
    let constants = [
        (doc("infinity()", "Positive infinity, as a double.", "select -infinity()"), f64::INFINITY),
        (doc("e()", "The base of the natural logarithm.", "select e()"), std::f64::consts::E),
        (doc("nan()", "The value NaN (not a number), as a double.", "select is_nan(nan())"), f64::NAN),
    ];
    let constants = constants.map(|(doc, value)| {
        let returns = |_: &ReturnFieldArgs<'_>| Ok(Arc::new(Field::new("double", DataType::Float64, false)));
        doc.udf(0..=0, returns, move |_, _| Ok(Arc::new(Float64Array::from(vec![value]))))
    });
    let tests = [
        doc(
            "is_finite(number)",
            "Whether a double is finite, that is, neither infinite nor NaN.",
            "select is_finite(-infinity())",
        )
        .udf(1..=1, takes_number, |args, _| apply(&args[0], f64::is_finite)),
        doc("is_infinite(number)", "Whether a double is infinite.", "select is_infinite(infinity())").udf(
            1..=1,
            takes_number,
            |args, _| apply(&args[0], f64::is_infinite),
        ),
    ];
    constants.into_iter().chain(tests).collect()
}

fn takes_number(args: &ReturnFieldArgs) -> Result<FieldRef> {
    match args.arg_fields[0].data_type() {
        from if from.is_numeric() || from.is_null() || is_number(from) => returns(DataType::Boolean)(args),
        other => Err(invalid(format!("Expected a number here, got {}.", type_name(other, false)))),
    }
}

fn apply(array: &ArrayRef, test: fn(f64) -> bool) -> Result<ArrayRef> {
    if is_number(array.data_type()) {
        // Whole numbers of 256 bits are far below what a double holds.
        let rows = array.as_fixed_size_binary().iter();
        return map_rows::<BooleanArray, _, _>(rows, |_| Ok(test(1.0)));
    }
    map_rows::<BooleanArray, _, _>(&float64s(array)?, |value| Ok(test(value)))
}
