//! Bounds of JSON that is kept as it came: how large and how deep it may be.

use serde_json::Value;

use crate::http::ApiError;

const DEEPEST: usize = 12;

/// Refuses JSON that is nested deeper than 12 levels or, written down, longer than `most` bytes.
pub fn bounded(value: &Value, most: usize, param: &'static str) -> Result<(), ApiError> {
    if deeper_than(value, DEEPEST) {
        return Err(ApiError::invalid(param, format!("This is nested deeper than {DEEPEST} levels.")));
    }
    let length = value.to_string().len();
    if length > most {
        return Err(ApiError::invalid(param, format!("This is too large: {length} of at most {most} bytes.")));
    }
    Ok(())
}

// The depth of what serde_json reads is bounded by its own limit, so this recursion is too.
fn deeper_than(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(items) => levels == 0 || items.iter().any(|item| deeper_than(item, levels - 1)),
        Value::Object(fields) => levels == 0 || fields.values().any(|field| deeper_than(field, levels - 1)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn depth_and_size_are_bounded() {
        let nested = |levels| (0..levels).fold(json!(1), |inner, _| json!([inner]));
        assert!(bounded(&nested(12), 1_000, "options").is_ok());
        assert!(bounded(&nested(13), 1_000, "options").is_err());
        assert!(bounded(&json!("x".repeat(98)), 100, "options").is_ok());
        assert!(bounded(&json!("x".repeat(99)), 100, "options").is_err());
    }
}
