//! `json_type(json)` and its like: what kind of value JSON is.

use crate::prelude::*;

pub(super) fn udfs() -> [ScalarUDF; 4] {
    [
        doc(
            "json_type(json)",
            "The type of a JSON value: object, array, string, number, boolean or null.",
            "select json_type('[1]')",
        )
        .udf(1..=1, takes_json(DataType::Utf8), |args, _| {
            Ok(Arc::new(text_of(&args[0])?.into_iter().map(|json| kind(json?)).collect::<StringArray>()))
        }),
        doc("is_array(json)", "Whether the JSON value is an array.", "select is_array('[1]')").udf(
            1..=1,
            takes_json(DataType::Boolean),
            |args, _| is_kind(&args[0], "array"),
        ),
        doc("is_object(json)", "Whether the JSON value is an object.", "select is_object('{\"a\":1}')").udf(
            1..=1,
            takes_json(DataType::Boolean),
            |args, _| is_kind(&args[0], "object"),
        ),
        doc(
            "is_null_value(json)",
            "Whether the JSON value is null, as opposed to an SQL null.",
            "select is_null_value(json_parse('null'))",
        )
        .udf(1..=1, takes_json(DataType::Boolean), |args, _| is_kind(&args[0], "null")),
    ]
}

fn takes_json(to: DataType) -> impl Returns {
    let returns = returns(to);
    move |args: &ReturnFieldArgs<'_>| match args.arg_fields[0].data_type() {
        from if is_text(from) || from.is_null() => returns(args),
        from => Err(invalid(format!("Expected a string here, got {}.", type_name(from, false)))),
    }
}

fn is_kind(json: &ArrayRef, wanted: &str) -> Result<ArrayRef> {
    let rows = text_of(json)?.into_iter();
    Ok(Arc::new(rows.map(|json| Some(kind(json?) == Some(wanted))).collect::<BooleanArray>()))
}

/// The kind of a JSON value, by its first character; `None` where no value begins with it.
fn kind(json: &str) -> Option<&'static str> {
    match json.trim() {
        "null" => Some("null"),
        "true" | "false" => Some("boolean"),
        json => match json.as_bytes().first()? {
            b'{' => Some("object"),
            b'[' => Some("array"),
            b'"' => Some("string"),
            b'-' | b'0'..=b'9' => Some("number"),
            _ => None,
        },
    }
}
