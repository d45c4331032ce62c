//! What is wrong with a value that somebody sent, in our words: the readers of JSON and of addresses speak of Rust's types.

/// The field that is meant, where it can be told, and a sentence about it.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    pub field: Option<String>,
    pub sentence: String,
}

/// Says what a reader said (`words`) when it was at a place such as `filters[0].name` of what it read.
pub fn told(place: &str, words: &str) -> Fault {
    let place = place.trim_matches('.');
    let quoted = quoted(words);
    let inside = |field: &str| if place.is_empty() { field.to_string() } else { format!("{place}.{field}") };
    if let (Some(field), true) = (quoted.first(), words.starts_with("missing field")) {
        return about(inside(field), "is missing");
    }
    if let (Some(field), true) = (quoted.first(), words.starts_with("duplicate field")) {
        return about(inside(field), "is given twice");
    }
    if let (Some(field), true) = (quoted.first(), words.starts_with("unknown field")) {
        // The reader is inside of the field already.
        let known = place.strip_suffix(field).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
        return about(if known { place.to_string() } else { inside(field) }, "is not known here");
    }
    let good = quoted.get(1..).unwrap_or_default();
    if words.starts_with("unknown variant") && !good.is_empty() {
        return about(place.to_string(), &format!("is one of {}", good.join(", ")));
    }
    about(place.to_string(), &predicate(words))
}

fn predicate(words: &str) -> String {
    let fixed = match words {
        "invalid digit found in string" | "cannot parse integer from empty string" => "is not an integer",
        "number too large to fit in target type" => "is too large",
        "number too small to fit in target type" => "is too small",
        "invalid float literal" | "cannot parse float from empty string" => "is not a number",
        "provided string was not `true` or `false`" => "is neither true nor false",
        _ if words.starts_with("invalid value: integer") => "is out of range",
        _ => match words.rsplit_once(", expected ").and_then(|(_, expected)| kind(expected)) {
            Some(kind) => return format!("is not {kind}"),
            None => "can't be used",
        },
    };
    fixed.to_string()
}

/// What a reader of JSON expected.
fn kind(expected: &str) -> Option<&'static str> {
    let begins = |words: &[&str]| words.iter().any(|word| expected.starts_with(word));
    let whole = ["i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize"];
    if whole.contains(&expected) {
        Some("an integer")
    } else if begins(&["f32", "f64"]) {
        Some("a number")
    } else if begins(&["a string", "a borrowed string", "a character"]) {
        Some("a string")
    } else if begins(&["a boolean"]) {
        Some("true or false")
    } else if begins(&["a sequence", "a tuple", "an array"]) {
        Some("a list")
    } else if begins(&["struct", "a map", "adjacently tagged", "internally tagged", "map"]) {
        Some("an object")
    } else {
        None
    }
}

fn about(field: String, predicate: &str) -> Fault {
    let subject = if field.is_empty() { "A value" } else { &field };
    let sentence = format!("{subject} {predicate}.");
    Fault { field: (!field.is_empty()).then_some(field), sentence }
}

/// What stands between backquotes.
fn quoted(words: &str) -> Vec<&str> {
    words.split('`').skip(1).step_by(2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    #[expect(dead_code, reason = "only how it is read is looked at")]
    struct Sent {
        size: u8,
        share: f64,
        open: bool,
        name: String,
        word: Word,
        list: Vec<Sent>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase")]
    enum Word {
        First,
        LastOfAll,
    }

    fn of(text: &str) -> (Option<String>, String) {
        let mut reader = serde_json::Deserializer::from_str(text);
        let error = serde_path_to_error::deserialize::<_, Sent>(&mut reader).unwrap_err();
        let words = error.inner().to_string();
        let fault = told(&error.path().to_string(), words.split(" at line ").next().unwrap());
        (fault.field, fault.sentence)
    }

    #[test]
    fn every_kind_of_fault_has_a_sentence_of_ours() {
        for (text, field, sentence) in [
            (r#"{"size": "x"}"#, "size", "size is not an integer."),
            (r#"{"size": 1.5}"#, "size", "size is not an integer."),
            (r#"{"size": 300}"#, "size", "size is out of range."),
            (r#"{"share": "x"}"#, "share", "share is not a number."),
            (r#"{"open": 1}"#, "open", "open is not true or false."),
            (r#"{"name": null}"#, "name", "name is not a string."),
            (r#"{"word": "second"}"#, "word", "word is one of first, lastOfAll."),
            (r#"{"list": {}}"#, "list", "list is not a list."),
            (r#"{"list": [{"size": true}]}"#, "list[0].size", "list[0].size is not an integer."),
            (r#"{"other": 1}"#, "other", "other is not known here."),
            (r#"{"size": 1, "size": 2}"#, "size", "size is given twice."),
            (r"{}", "size", "size is missing."),
        ] {
            assert_eq!(of(text), (Some(field.to_string()), sentence.to_string()), "{text}");
        }
        assert_eq!(of("[]").0, None);
    }
}
