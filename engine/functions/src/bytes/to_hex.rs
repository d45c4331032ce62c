//! `to_hex(bytes)` and `to_hex(number)`: hex digits alone, as Trino, DuckDB and PostgreSQL give them.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Int64Type};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::{bytes_of, is_bytes};
use quarry_types::invalid;
use quarry_types::uint256::is_number;

const DOC: Doc = Doc {
    signature: "to_hex(bytes)",
    text: "Bytes as upper-case hex digits without 0x, as in Trino; a cast to varchar gives lower-case ones after 0x. Of a whole number its lower-case digits.",
    example: "select to_hex(hash), cast(hash as varchar) from transactions limit 1",
};

pub(super) fn udf() -> ScalarUDF {
    Simple::udf(
        "to_hex",
        1..=1,
        Some(DOC),
        |args| {
            let from = args.arg_fields[0].data_type();
            if is_number(from) {
                return Err(invalid(
                    "to_hex takes bytes or a whole number of 64 bits; cast a uint256 to varchar to see it.",
                ));
            }
            if !is_bytes(from) && !from.is_integer() && !from.is_null() {
                return Err(invalid("to_hex takes bytes or a whole number."));
            }
            Ok(Arc::new(Field::new("to_hex", DataType::Utf8, true)))
        },
        |args, _| digits(&args[0]),
    )
}

fn digits(array: &ArrayRef) -> Result<ArrayRef> {
    if !array.data_type().is_integer() {
        return Ok(Arc::new(bytes_of(array)?.iter().map(|row| row.map(hex::encode_upper)).collect::<StringArray>()));
    }
    let numbers = cast(array, &DataType::Int64)?;
    let numbers = numbers.as_primitive::<Int64Type>();
    if numbers.iter().flatten().any(|number| number < 0) {
        return Err(invalid("to_hex takes no negative number."));
    }
    Ok(Arc::new(numbers.iter().map(|number| number.map(|number| format!("{number:x}"))).collect::<StringArray>()))
}
