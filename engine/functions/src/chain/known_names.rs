//! `function_name(input)` and `event_name(topic0)`: what a call and a log are called, by the signatures that ship.

use std::sync::Arc;

use arrow::array::{ArrayRef, StringViewArray};
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use crate::decoder::Signatures;
use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::{bytes_of, is_bytes};
use quarry_types::invalid;
use quarry_types::type_names::type_name;

const FUNCTION_DOC: Doc = Doc {
    signature: "function_name(input)",
    text: "What the function is called that the first 4 bytes of a call's input select; null where it is none of those that ship with Quarry.",
    example: "select function_name(input), count(*) from transactions group by 1 order by 2 desc limit 10",
};
const EVENT_DOC: Doc = Doc {
    signature: "event_name(topic0)",
    text: "What the event is called whose hash topic0 is; null where it is none of those that ship with Quarry.",
    example: "select event_name(topic0), count(*) from logs group by 1 order by 2 desc limit 10",
};

pub(super) fn udfs() -> [ScalarUDF; 2] {
    [
        Simple::udf("function_name", 1..=1, Some(FUNCTION_DOC), name_field, |args, _| {
            names(&args[0], |known, input| known.function_name(input))
        }),
        Simple::udf("event_name", 1..=1, Some(EVENT_DOC), name_field, |args, _| {
            names(&args[0], |known, topic| known.event_name(topic))
        }),
    ]
}

fn name_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let given = args.arg_fields[0].data_type();
    if !is_bytes(given) && !given.is_null() {
        return Err(invalid(format!("Bytes are needed here, not {}.", type_name(given, false))));
    }
    Ok(Arc::new(Field::new("name", DataType::Utf8View, true)))
}

fn names(bytes: &ArrayRef, name: for<'a> fn(&'a Signatures, &[u8]) -> Option<&'a str>) -> Result<ArrayRef> {
    let known = Signatures::shipped();
    let rows = bytes_of(bytes)?.into_iter().map(|row| row.and_then(|row| name(&known, row)));
    Ok(Arc::new(rows.collect::<StringViewArray>()))
}
