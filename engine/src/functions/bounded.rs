//! Stock functions whose result grows with a number they are given, within bounds: one call may not fill the memory.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Int64Type, IntervalMonthDayNanoType, IntervalUnit, TimeUnit};
use datafusion::common::Result;
use datafusion::functions::{string, unicode};
use datafusion::functions_nested::range::{gen_series_udf, range_udf};
use datafusion::functions_nested::repeat::array_repeat_udf;
use datafusion::functions_nested::resize::array_resize_udf;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF};

use super::bytes::{is_text, text_of};
use super::simple::refuse;
use super::wrapped::{Wrapper, wrapped};
use crate::error::ErrorCode;

/// Most bytes or items that one call makes of one batch of rows.
const MOST: i128 = 64 << 20;

/// What a function makes much of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Growth {
    /// The first argument as often as the second says.
    Times,
    /// As long as the second argument says.
    Length,
    /// As wide as the second argument says, where a negative width is none.
    Width,
    /// From the first to the second argument in steps of the third.
    Steps,
}

/// The stock functions within bounds.
pub(super) fn udfs() -> Vec<ScalarUDF> {
    let functions = [
        (string::repeat(), Growth::Times),
        (array_repeat_udf(), Growth::Length),
        (array_resize_udf(), Growth::Length),
        (unicode::lpad(), Growth::Width),
        (unicode::rpad(), Growth::Width),
        (gen_series_udf(), Growth::Steps),
        (range_udf(), Growth::Steps),
    ];
    functions.map(|(stock, growth)| wrapped(Bounded { stock, growth })).into()
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Bounded {
    stock: Arc<ScalarUDF>,
    growth: Growth,
}

impl Bounded {
    fn check(&self, args: &ScalarFunctionArgs) -> Result<()> {
        let arrays = ColumnarValue::values_to_arrays(&args.args)?;
        let size: i128 = match (self.growth, arrays.as_slice()) {
            (Growth::Times, [text, times, ..]) if is_text(text.data_type()) => {
                let rows = text_of(text)?.into_iter().zip(whole(times));
                rows.map(|(text, times)| text.map_or(0, str::len) as i128 * times.max(0)).sum()
            }
            (Growth::Times | Growth::Length | Growth::Width, [_, count, ..]) => {
                whole(count).into_iter().map(|count| count.max(0)).sum()
            }
            (Growth::Steps, [only]) => whole(only).into_iter().map(i128::abs).sum(),
            (Growth::Steps, [first, last, rest @ ..]) => steps(first, last, rest.first()),
            _ => 0,
        };
        if size > MOST {
            let message = format!("{} would make more than {MOST} bytes or items at once.", self.stock.name());
            return Err(refuse(ErrorCode::TooComplex, message));
        }
        Ok(())
    }
}

/// Whole numbers of each row; zero for what is none.
fn whole(array: &ArrayRef) -> Vec<i128> {
    match cast_with_options(array, &DataType::Int64, &CastOptions::default()) {
        Ok(numbers) => {
            numbers.as_primitive::<Int64Type>().iter().map(|number| number.unwrap_or_default().into()).collect()
        }
        Err(_) => vec![0; array.len()],
    }
}

/// The numbers, zero for negative ones. What is no array of 64-bit integers stays as it is.
fn not_negative(widths: &ArrayRef) -> ArrayRef {
    match widths.as_primitive_opt::<Int64Type>() {
        Some(numbers) => Arc::new(numbers.unary::<_, Int64Type>(|number| number.max(0))),
        None => widths.clone(),
    }
}

/// Items between two ends, of numbers or of times.
fn steps(first: &ArrayRef, last: &ArrayRef, step: Option<&ArrayRef>) -> i128 {
    let of_time = |array: &ArrayRef| {
        let zone = match array.data_type() {
            DataType::Timestamp(_, zone) => zone.clone(),
            _ => None,
        };
        let times =
            cast_with_options(array, &DataType::Timestamp(TimeUnit::Microsecond, zone), &CastOptions::default());
        times.map_or_else(|_| vec![0; array.len()], |times| whole(&times))
    };
    let interval = step.filter(|step| matches!(step.data_type(), DataType::Interval(_)));
    let (first, last, step) = match interval {
        None => (whole(first), whole(last), step.map(whole)),
        Some(step) => {
            let to = DataType::Interval(IntervalUnit::MonthDayNano);
            let lengths = cast_with_options(step, &to, &CastOptions::default()).map_or_else(
                |_| vec![0; step.len()],
                |steps| {
                    let length = |step: arrow::datatypes::IntervalMonthDayNano| {
                        let days = i128::from(step.months) * 28 + i128::from(step.days);
                        days * 86_400_000_000 + i128::from(step.nanoseconds) / 1_000
                    };
                    let steps = steps.as_primitive::<IntervalMonthDayNanoType>().iter();
                    steps.map(|step| step.map_or(0, length)).collect()
                },
            );
            (of_time(first), of_time(last), Some(lengths))
        }
    };
    let rows = first.into_iter().zip(last).enumerate();
    rows.map(|(row, (first, last))| {
        let step = step.as_ref().and_then(|steps| steps.get(row)).copied().unwrap_or(1);
        // The stock function refuses a step of zero itself.
        let count = (last - first).checked_div(step).unwrap_or(0);
        count.max(0)
    })
    .sum()
}

impl Wrapper for Bounded {
    fn stock(&self) -> &ScalarUDF {
        &self.stock
    }

    fn invoke(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        self.check(&args)?;
        if let (Growth::Width, Some(width)) = (self.growth, args.args.get_mut(1)) {
            // The stock functions take room for the sum of all widths, and a negative one overflows it.
            *width = ColumnarValue::Array(not_negative(&width.to_array(args.number_rows)?));
        }
        self.stock.invoke_with_args(args)
    }
}
