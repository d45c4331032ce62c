//! Parts of the planner's messages.

/// What stands behind a part of a message.
pub fn after<'a>(message: &'a str, marker: &str) -> Option<&'a str> {
    Some(&message[message.find(marker)? + marker.len()..])
}

/// The name of a type as results show it.
pub fn type_word(name: &str) -> String {
    let name = name.trim();
    let word = match name.split(['(', ' ', '<']).next().unwrap_or(name) {
        "Utf8" | "LargeUtf8" | "Utf8View" => "varchar",
        "Int8" => "tinyint",
        "Int16" | "UInt8" => "smallint",
        "Int32" | "UInt16" => "int",
        "Int64" | "UInt32" | "UInt64" => "bigint",
        "Float32" | "Float16" => "real",
        "Float64" => "double",
        "Boolean" => "boolean",
        "Date32" | "Date64" => "date",
        "Timestamp" => "timestamp",
        "Interval" | "Duration" => "interval",
        "Null" => "null",
        "Struct" => "struct",
        "Map" => "map",
        "List" | "LargeList" | "FixedSizeList" => "array",
        "Binary" | "LargeBinary" | "BinaryView" => "bytes",
        "Decimal128" | "Decimal256" => return name.replace(' ', "").replacen(&name[..10], "decimal", 1),
        "FixedSizeBinary" => match name {
            "FixedSizeBinary(20)" => "address",
            "FixedSizeBinary(32)" => "hash",
            "FixedSizeBinary(33)" => "uint256",
            _ => "bytes",
        },
        _ => name,
    };
    word.to_string()
}
