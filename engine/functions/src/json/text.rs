//! Values of a JSON text as slices of it: a number keeps every digit, an object the order of its keys. JSON is text here; the
//! metadata of a field says whether its texts are JSON.

use std::collections::HashMap;

use arrow::datatypes::{DataType, Field};
use datafusion::common::DataFusionError;

use quarry_types::byte_columns::is_text;
use quarry_types::invalid;
use quarry_types::meaning::MEANING;

/// The metadata of a field whose texts are JSON.
const JSON: &str = "json";

/// The field of JSON.
pub(crate) fn json_field() -> Field {
    json_list_field(&Field::new(JSON, DataType::Utf8, true))
}

/// Whether the texts of a field are JSON.
pub fn is_json_field(field: &Field) -> bool {
    is_text(field.data_type()) && field.metadata().get(MEANING).is_some_and(|meaning| meaning == JSON)
}

/// The field of a list as one of JSON.
pub(crate) fn json_list_field(list: &Field) -> Field {
    list.clone().with_metadata(HashMap::from([(MEANING.to_string(), JSON.to_string())]))
}

/// Whether the texts in the lists of a field are JSON.
pub fn is_json_list(field: &Field) -> bool {
    let of_texts = matches!(field.data_type(), DataType::List(item) if is_text(item.data_type()));
    of_texts && field.metadata().get(MEANING).is_some_and(|meaning| meaning == JSON)
}

pub(crate) fn no_json(json: &str) -> DataFusionError {
    invalid(format!("'{json:.60}' is not valid JSON."))
}

/// A text, a number or a boolean without the quotes of JSON; `None` for a list or an object.
pub(crate) fn unquoted(value: &str) -> Option<String> {
    match value.as_bytes().first()? {
        b'[' | b'{' => None,
        b'"' => serde_json::from_str(value).ok(),
        _ => Some(value.to_string()),
    }
}

/// JSON without the blanks between its tokens.
pub(crate) fn compact(value: &str) -> String {
    let (mut out, mut inside, mut escaped) = (String::with_capacity(value.len()), false, false);
    for letter in value.chars() {
        if inside || !letter.is_whitespace() {
            out.push(letter);
        }
        inside = if letter == '"' && !escaped { !inside } else { inside };
        escaped = letter == '\\' && !escaped;
    }
    out
}

/// The end of the value that a text begins with.
fn value_end(text: &str) -> Option<usize> {
    let (mut depth, mut inside, mut escaped) = (0usize, false, false);
    for (at, letter) in text.char_indices() {
        if inside {
            if letter == '"' && !escaped {
                inside = false;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            escaped = letter == '\\' && !escaped;
            continue;
        }
        match letter {
            '"' => (inside, escaped) = (true, false),
            '{' | '[' => depth += 1,
            '}' | ']' if depth == 0 => return Some(at),
            '}' | ']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            ',' if depth == 0 => return Some(at),
            _ => {}
        }
    }
    (depth == 0 && !inside).then_some(text.len())
}

/// The elements of a list, as they are written.
pub(crate) fn elements(list: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let Some(mut rest) = list.trim().strip_prefix('[') else { return out };
    loop {
        rest = rest.trim_start();
        let Some(end) = value_end(rest).filter(|end| *end > 0) else { return out };
        out.push(rest[..end].trim_end());
        rest = rest[end..].trim_start();
        match rest.strip_prefix(',') {
            Some(after) => rest = after,
            None => return out,
        }
    }
}

/// The value of a key of an object, as it is written.
pub(crate) fn member<'a>(object: &'a str, key: &str) -> Option<&'a str> {
    let mut rest = object.trim().strip_prefix('{')?;
    loop {
        rest = rest.trim_start();
        let end = value_end(rest).filter(|_| rest.starts_with('"'))?;
        let name: String = serde_json::from_str(&rest[..end]).ok()?;
        rest = rest[end..].trim_start().strip_prefix(':')?.trim_start();
        let end = value_end(rest)?;
        if name == key {
            return Some(rest[..end].trim_end());
        }
        rest = rest[end..].trim_start().strip_prefix(',')?;
    }
}

/// All keys of an object with their values, as they are written; `None` for what is no object.
pub(crate) fn members(object: &str) -> Option<Vec<(String, &str)>> {
    let mut rest = object.trim().strip_prefix('{')?.trim_start();
    let mut all = Vec::new();
    while !rest.starts_with('}') {
        let end = value_end(rest).filter(|_| rest.starts_with('"'))?;
        let name = serde_json::from_str(&rest[..end]).ok()?;
        rest = rest[end..].trim_start().strip_prefix(':')?.trim_start();
        let end = value_end(rest)?;
        all.push((name, rest[..end].trim_end()));
        rest = rest[end..].trim_start();
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    }
    Some(all)
}

/// Whether a whole text is one JSON value.
pub(crate) fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_as_they_are_written() {
        let json = r#" { "a" : [ 1.10 , {"]": "}"} ] , "b\u0063" : 123456789012345678901234567890 } "#;
        let list = member(json, "a").unwrap();
        assert_eq!(elements(list), ["1.10", r#"{"]": "}"}"#]);
        assert_eq!(compact(list), r#"[1.10,{"]":"}"}]"#);
        assert_eq!(member(json, "bc"), Some("123456789012345678901234567890"));
        assert_eq!(member(json, "none"), None);
        let all = members(json).unwrap();
        assert_eq!(all, [("a".to_string(), list), ("bc".to_string(), "123456789012345678901234567890")]);
        assert_eq!((members("{}"), members("[]")), (Some(Vec::new()), None));
        assert!(elements("[]").is_empty() && elements("{}").is_empty());
        assert!(is_json(json) && !is_json("{} x") && !is_json("01"));
    }
}
