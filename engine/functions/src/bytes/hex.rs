//! Bytes as hex digits and back: `to_hex` and `from_hex`, and the calls that the planner makes where bytes meet texts.

use quarry_types::byte_columns::is_hex;

use crate::prelude::*;

/// Bytes as the text that results show: lower-case hex digits after `0x`.
pub fn as_hex() -> Arc<ScalarUDF> {
    shared!(scalar_udf("as_hex", 1..=1, returns(DataType::Utf8), |args, _| hex_texts(&args[0])))
}

/// `0x…` of each row.
pub(crate) fn hex_texts(array: &ArrayRef) -> Result<ArrayRef> {
    map_rows::<StringArray, _, _>(bytes_of(array)?, |bytes| Ok(format!("0x{}", hex::encode(bytes))))
}

/// Text that spells bytes, in the letter case in which bytes are shown; other text as it is.
pub fn lower_hex() -> Arc<ScalarUDF> {
    shared!(scalar_udf("lower_hex", 1..=1, returns(DataType::Utf8), |args, _| {
        map_rows::<StringArray, _, _>(text_of(&args[0])?, |text| {
            Ok(if is_hex(text) { text.to_ascii_lowercase() } else { text.to_string() })
        })
    }))
}

/// Turns a column of text into bytes to compare with bytes of a type; text that does not spell such bytes becomes null.
pub fn hex_to(data_type: &DataType) -> Arc<ScalarUDF> {
    match data_type {
        DataType::FixedSizeBinary(20) => shared!(hex_to_fixed("hex_to_address", 20)),
        DataType::FixedSizeBinary(32) => shared!(hex_to_fixed("hex_to_hash", 32)),
        _ => shared!(scalar_udf("hex_to_bytes", 1..=1, returns(DataType::Binary), |args, _| {
            let rows = text_of(&args[0])?.into_iter().map(|text| text.and_then(parse_hex));
            Ok(Arc::new(rows.collect::<BinaryArray>()))
        })),
    }
}

fn hex_to_fixed(name: &'static str, width: i32) -> ScalarUDF {
    scalar_udf(name, 1..=1, returns(DataType::FixedSizeBinary(width)), move |args, _| {
        let parse = |text: Option<&str>| text.and_then(parse_hex).filter(|bytes| bytes.len() as i32 == width);
        fixed(width, text_of(&args[0])?.into_iter().map(parse))
    })
}

pub(super) fn udfs() -> [ScalarUDF; 2] {
    let from_hex = doc(
        "from_hex(text)",
        "Bytes decoded from a hex string, with or without 0x, in any letter case.",
        "select from_hex('0xCAFE')",
    )
    .fallible()
    .udf(1..=1, returns(DataType::Binary), |args, _| {
        map_rows::<BinaryArray, _, _>(text_of(&args[0])?, |text| {
            parse_hex(text).ok_or_else(|| {
                invalid(format!("'{text}' is not a valid hex string; it must consist of pairs of hex digits."))
            })
        })
    });
    let to_hex = doc(
        "to_hex(bytes)",
        "Bytes as uppercase hex digits without 0x, as in Trino; a cast to varchar gives lowercase digits after 0x. An integer gives lowercase digits.",
        "select to_hex(hash), cast(hash as varchar) from transactions limit 1",
    )
    .udf(1..=1, to_hex_field, |args, _| to_hex(&args[0]));
    [from_hex, to_hex]
}

fn to_hex_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    if is_number(args.arg_fields[0].data_type()) {
        return Err(invalid("to_hex expects bytes or a 64-bit integer; cast a uint256 to varchar to see it."));
    }
    let is_known = |from: &DataType| is_bytes(from) || from.is_integer();
    takes([is_known], "to_hex expects bytes or an integer.", DataType::Utf8)(args)
}

fn to_hex(array: &ArrayRef) -> Result<ArrayRef> {
    if !array.data_type().is_integer() {
        return map_rows::<StringArray, _, _>(bytes_of(array)?, |bytes| Ok(hex::encode_upper(bytes)));
    }
    let numbers = cast(array, &DataType::Int64)?;
    map_rows::<StringArray, _, _>(numbers.as_primitive::<Int64Type>(), |number| match number {
        0.. => Ok(format!("{number:x}")),
        _ => Err(invalid("to_hex does not support negative numbers.")),
    })
}
