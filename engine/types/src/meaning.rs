//! The meaning of a column beyond its Arrow type, in the metadata of its field.

use arrow::datatypes::{DataType, Field};

/// Key of the Arrow field metadata that names what a column means (`uint256`, `wei`, `gwei`, `gas`, `address`, `hash`).
/// Parquet keeps it; the engine and the result formatters read it.
pub const MEANING: &str = "quarry.meaning";

/// Whether a text is the JSON of a value: a node, a relationship, a path, a list or a map of a GRAPH query.
pub fn is_json(field: &Field) -> bool {
    json_meaning(field).is_some()
}

/// Which of these values the JSON is.
pub(crate) fn json_meaning(field: &Field) -> Option<&str> {
    const MEANINGS: [&str; 6] = ["node", "relationship", "path", "list", "map", "any"];
    let meaning = field.metadata().get(MEANING).map(String::as_str);
    meaning.filter(|meaning| field.data_type() == &DataType::Utf8 && MEANINGS.contains(meaning))
}
