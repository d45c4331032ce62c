//! `function_name(input)` and `event_name(topic0)`: the names of calls and logs by the signatures that ship.

use arrow::array::StringViewArray;

use crate::decoder::Signatures;
use crate::prelude::*;

pub(super) fn udfs() -> [ScalarUDF; 2] {
    let function_name = doc(
        "function_name(input)",
        "The name of the function that the first 4 bytes of a call's input select; null if it is not among those that ship with Quarry.",
        "select function_name(input), count(*) from transactions group by 1 order by 2 desc limit 10",
    );
    let event_name = doc(
        "event_name(topic0)",
        "The name of the event whose hash is topic0; null if it is not among those that ship with Quarry.",
        "select event_name(topic0), count(*) from logs group by 1 order by 2 desc limit 10",
    );
    [
        function_name.udf(1..=1, name_field, |args, _| names(&args[0], Signatures::function_name)),
        event_name.udf(1..=1, name_field, |args, _| names(&args[0], Signatures::event_name)),
    ]
}

fn name_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    match args.arg_fields[0].data_type() {
        from if is_bytes(from) || from.is_null() => returns(DataType::Utf8View)(args),
        other => Err(invalid(format!("Expected bytes here, got {}.", type_name(other, false)))),
    }
}

fn names(bytes: &ArrayRef, name: for<'a> fn(&'a Signatures, &[u8]) -> Option<&'a str>) -> Result<ArrayRef> {
    let known = Signatures::shipped();
    let rows = bytes_of(bytes)?.into_iter().map(|row| row.and_then(|row| name(&known, row)));
    Ok(Arc::new(rows.collect::<StringViewArray>()))
}
