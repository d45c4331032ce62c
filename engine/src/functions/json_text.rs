//! Values of a JSON text where they stand in it: a number keeps every digit, an object the order of its keys.

/// JSON without the blanks between its signs.
pub(super) fn compact(value: &str) -> String {
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

/// The elements of a list, as they stand in the text.
pub(super) fn elements(list: &str) -> Vec<&str> {
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

/// The value of a key of an object, as it stands in the text.
pub(super) fn member<'a>(object: &'a str, key: &str) -> Option<&'a str> {
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

/// Whether a whole text is one JSON value.
pub(super) fn is_json(text: &str) -> bool {
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
        assert!(elements("[]").is_empty() && elements("{}").is_empty());
        assert!(is_json(json) && !is_json("{} x") && !is_json("01"));
    }
}
