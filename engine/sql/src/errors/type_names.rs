//! Arrow's names of types as results show them.

/// Words of Arrow and of the engine, and those that people know. The longer ones come first.
const WORDS: [(&str, &str); 44] = [
    ("FixedSizeBinary(33)", "uint256"),
    ("Error during planning: ", ""),
    ("Execution error: ", ""),
    ("Arrow error: ", ""),
    ("Cast error: ", ""),
    ("quarry.main.", ""),
    ("quarry.ethereum.", ""),
    ("Utf8View", "varchar"),
    ("LargeUtf8", "varchar"),
    ("Utf8", "varchar"),
    ("BinaryView", "bytes"),
    ("LargeBinary", "bytes"),
    ("FixedSizeBinary(20)", "address"),
    ("FixedSizeBinary(32)", "hash"),
    ("UInt64", "bigint unsigned"),
    ("UInt32", "int unsigned"),
    ("UInt16", "smallint unsigned"),
    ("UInt8", "tinyint unsigned"),
    ("Int64", "bigint"),
    ("Int32", "int"),
    ("Int16", "smallint"),
    ("Int8", "tinyint"),
    ("Float64", "double"),
    ("Float32", "real"),
    ("Float16", "real"),
    ("Decimal256", "decimal"),
    ("Decimal128", "decimal"),
    ("Decimal64", "decimal"),
    ("Decimal32", "decimal"),
    ("Date32", "date"),
    ("Date64", "date"),
    ("Timestamp(s)", "timestamp"),
    ("Timestamp(ms)", "timestamp"),
    ("Timestamp(µs)", "timestamp"),
    ("Timestamp(ns)", "timestamp"),
    ("Timestamp(µs, \"UTC\")", "timestamp"),
    ("Timestamp(ns, \"UTC\")", "timestamp"),
    ("Interval(MonthDayNano)", "interval"),
    ("Duration(ns)", "interval"),
    ("Boolean", "boolean"),
    ("Binary(\"", "bytes (\""),
    ("got Binary", "got bytes"),
    ("type Binary", "type bytes"),
    ("type Null", "type null"),
];

/// The name of a type as results show it.
pub(super) fn type_name(name: &str) -> String {
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

/// A message with the types of its values as results show them.
pub(super) fn with_type_names(message: &str) -> String {
    let mut text = WORDS.iter().fold(message.to_string(), |text, (from, to)| text.replace(from, to));
    for (open, word) in [("List(", "array"), ("Struct(", "struct"), ("Map(", "map")] {
        text = without_brackets(text, open, word);
    }
    text
}

/// A text in which a type with all that is in its brackets is one word.
fn without_brackets(mut text: String, open: &str, word: &str) -> String {
    while let Some(start) = text.find(open) {
        let mut depth = 0;
        let end = text[start..].char_indices().find_map(|(at, sign)| {
            depth += match sign {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            (sign == ')' && depth == 0).then_some(start + at + 1)
        });
        let Some(end) = end else { return text };
        text.replace_range(start..end, word);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_types_are_one_word() {
        let nested = "got List(Struct(\"c0\": bigint)), not Map(x".to_string();
        assert_eq!(without_brackets(nested.clone(), "List(", "array"), "got array, not Map(x");
        assert_eq!(without_brackets(nested.clone(), "Map(", "map"), nested);
    }
}
