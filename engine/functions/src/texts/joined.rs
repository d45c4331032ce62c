//! `concat_ws(separator, …)` where some of what is put together stands in lists.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, StringArray};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use crate::simple::{MANY, Simple};
use quarry_types::ErrorCode;
use quarry_types::byte_columns::text_of;
use quarry_types::refuse;

/// Most bytes that one call makes of one batch of rows.
const LARGEST: usize = 512 << 20;

pub(crate) fn udf() -> Arc<ScalarUDF> {
    let field =
        |_: &datafusion::logical_expr::ReturnFieldArgs<'_>| Ok(Arc::new(Field::new("text", DataType::Utf8, true)));
    Arc::new(Simple::udf("concat_ws", 1..=MANY, None, field, |args, _| joined(args)))
}

fn joined(args: &[ArrayRef]) -> Result<ArrayRef> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let texts = |array: &ArrayRef| match array.data_type() {
        DataType::List(_) => cast_with_options(array, &DataType::new_list(DataType::Utf8, true), &options),
        _ => cast_with_options(array, &DataType::Utf8, &options),
    };
    let parts = args[1..].iter().map(texts).collect::<std::result::Result<Vec<ArrayRef>, _>>()?;
    let separators = cast_with_options(&args[0], &DataType::Utf8, &options)?;
    let (mut made, mut rows) = (0, Vec::with_capacity(separators.len()));
    for (row, separator) in text_of(&separators)?.into_iter().enumerate() {
        let Some(separator) = separator else {
            rows.push(None);
            continue;
        };
        let (mut text, mut first) = (String::new(), true);
        let mut add = |part: &str| {
            text.push_str(if first { "" } else { separator });
            text.push_str(part);
            first = false;
            made += separator.len() + part.len();
            match made > LARGEST {
                true => Err(refuse(
                    ErrorCode::TooComplex,
                    format!("concat_ws would make more than {LARGEST} bytes at once."),
                )),
                false => Ok(()),
            }
        };
        for part in parts.iter().filter(|part| part.is_valid(row)) {
            match part.as_list_opt::<i32>() {
                Some(lists) => lists.value(row).as_string::<i32>().iter().flatten().try_for_each(&mut add)?,
                None => add(part.as_string::<i32>().value(row))?,
            }
        }
        rows.push(Some(text));
    }
    Ok(Arc::new(StringArray::from(rows)))
}
