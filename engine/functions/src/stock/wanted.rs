//! As what types the stock functions take their arguments.

use std::any::Any;

use arrow::datatypes::{DataType, FieldRef};
use datafusion::logical_expr::ScalarUDF;

use super::adapt::Adapted;
use super::listed::Listed;
use super::of_numbers::OfNumbers;
use super::or_bytes::OfBytes;
use super::wrapped::Wrapped;

/// As what types a function takes its arguments, when it is one of these.
pub fn wanted(function: &ScalarUDF, types: &[DataType]) -> Option<Vec<FieldRef>> {
    let of_bytes = (function.inner().as_ref() as &dyn Any).downcast_ref::<Wrapped<OfBytes>>();
    let of_numbers = (function.inner().as_ref() as &dyn Any).downcast_ref::<Wrapped<OfNumbers>>();
    let function = match (of_bytes, of_numbers) {
        (Some(either), _) => either.wrapper.of_texts(types)?,
        (_, Some(either)) => either.wrapper.of_others(types)?,
        _ => function,
    };
    let of_texts =
        |function: &dyn Any| function.downcast_ref::<Wrapped<Listed>>().map(|listed| listed.wrapper.text.clone());
    let text = of_texts(function.inner().as_ref() as &dyn Any);
    let function: &dyn Any = text.as_ref().unwrap_or(function).inner().as_ref();
    function.downcast_ref::<Wrapped<Adapted>>()?.wrapper.wanted(types).ok()
}
