//! Parts of JSON texts and of URLs.

use std::borrow::Cow;

use super::row_functions::Kind::Text;
use super::row_functions::{Row, Value, optional_udf, udf, variadic_udf};
use crate::json::{compact, elements, member};
use crate::prelude::*;

pub(super) fn functions() -> Vec<ScalarUDF> {
    vec![
        udf("get_json_object", &[Text, Text], Text, |row| Some(by_path(row.text(0)?, row.text(1)?)?.into())),
        optional_udf("parse_url", 2, &[Text, Text, Text], Text, |row| {
            let key = if row.len() > 2 { Some(row.text(2)?) } else { None };
            Some(url_part(row.text(0)?, row.text(1)?, key)?.into())
        }),
        // A column of json_tuple and of parse_url_tuple.
        udf("hive_json_field", &[Text, Text], Text, |row| {
            let key = row.text(1)?;
            let json = row.text(0)?.trim();
            let value = if json.starts_with('{') { member(json, key)? } else { return None };
            Some(to_text(value)?.into())
        }),
        udf("hive_url_field", &[Text, Text], Text, |row| {
            let (part, key) =
                row.text(1)?.split_once(':').map_or((row.text(1)?, None), |(part, key)| (part, Some(key)));
            Some(url_part(row.text(0)?, part, key)?.into())
        }),
        variadic_udf("hive_concat_texts", &[Text], Text, concat_ws),
    ]
}

/// The texts after the first one, joined by the first one; nulls are left out.
fn concat_ws(row: &Row<'_>) -> Option<Value> {
    let between = row.text(0)?;
    let texts: Vec<&str> = (1..row.len()).filter_map(|index| row.text(index)).collect();
    Some(texts.join(between).into())
}

/// `$.a.b[0]` of a JSON text; `[*]` is every element.
fn by_path(json: &str, path: &str) -> Option<String> {
    let mut values = vec![json.trim()];
    let mut many = false;
    let mut rest = path.trim().strip_prefix('$')?;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            let key = &after[..end];
            // A key of a list is looked up in its elements.
            values = values
                .into_iter()
                .flat_map(|value| if value.starts_with('[') { elements(value) } else { vec![value] })
                .collect();
            many |= values.len() > 1;
            values = values.into_iter().filter_map(|value| member(value, key)).collect();
            rest = &after[end..];
        } else {
            let (index, after) = rest.strip_prefix('[')?.split_once(']')?;
            values = match index.trim() {
                "*" => {
                    many = true;
                    values.into_iter().flat_map(elements).collect()
                }
                index => {
                    let index: usize = index.parse().ok()?;
                    values.into_iter().filter_map(|value| elements(value).get(index).copied()).collect()
                }
            };
            rest = after;
        }
    }
    match values.as_slice() {
        [] => None,
        [one] if !many => to_text(one),
        all => Some(format!("[{}]", all.iter().map(|value| compact(value)).collect::<Vec<_>>().join(","))),
    }
}

/// A value as a text: a string without its quotes, others without blanks; `None` for null.
fn to_text(value: &str) -> Option<String> {
    match value {
        "null" => None,
        text if text.starts_with('"') => serde_json::from_str(&escape_controls(text)).ok(),
        other => serde_json::from_str::<serde::de::IgnoredAny>(other).ok().map(|_| compact(other)),
    }
}

/// Escapes line breaks and other control characters, which Hive accepts within texts.
fn escape_controls(text: &str) -> Cow<'_, str> {
    if !text.contains(|letter: char| letter < ' ') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        match letter {
            control if control < ' ' => out.push_str(&format!("\\u{:04x}", control as u32)),
            other => out.push(other),
        }
    }
    Cow::Owned(out)
}

/// The protocols of Java; a URL with another one is invalid.
const PROTOCOLS: [&str; 6] = ["http", "https", "ftp", "file", "jar", "mailto"];

/// A part of a URL by its name in `parse_url`.
fn url_part(url: &str, part: &str, key: Option<&str>) -> Option<String> {
    let (protocol, rest) = url.split_once("://")?;
    if !PROTOCOLS.contains(&protocol.to_ascii_lowercase().as_str()) {
        return None;
    }
    let (rest, fragment) = rest.split_once('#').map_or((rest, None), |(rest, fragment)| (rest, Some(fragment)));
    let (place, query) = rest.split_once('?').map_or((rest, None), |(place, query)| (place, Some(query)));
    let (authority, path) = place.find('/').map_or((place, ""), |at| place.split_at(at));
    let (user, host) = authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
    let value = match part {
        "PROTOCOL" => protocol,
        // Colons within brackets belong to the host.
        "HOST" => match host.find(']') {
            Some(end) if host.starts_with('[') => &host[..=end],
            _ => host.split(':').next()?,
        },
        "PATH" => path,
        "QUERY" => match key {
            Some(key) => query?.split('&').find_map(|pair| pair.strip_prefix(key)?.strip_prefix('='))?,
            None => query?,
        },
        "REF" => fragment?,
        "AUTHORITY" => authority,
        "USERINFO" => user?,
        "FILE" => return Some(query.map_or(path.to_string(), |query| format!("{path}?{query}"))),
        _ => return None,
    };
    Some(value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_json_are_followed() {
        let json = r#"{"a": {"b": [1, {"c": "x,\"y"}]}, "d": null, "e": [{"f": 1}, {"f": 2}]}"#;
        let found = |path: &str| by_path(json, path);
        assert_eq!(found("$.a.b[1].c").as_deref(), Some("x,\"y"));
        assert_eq!(found("$.a").as_deref(), Some(r#"{"b":[1,{"c":"x,\"y"}]}"#));
        assert_eq!(found("$.e[*].f").as_deref(), Some("[1,2]"));
        assert_eq!((found("$.d"), found("$.none"), found("a")), (None, None, None));
        assert_eq!(by_path("{\"a\": \"x\ny\tz\"}", "$.a").as_deref(), Some("x\ny\tz"));
        for broken in ["", "{", "{\"a\"", "{\"a\":", "[1,", "{\"a\": tru", "\"\\"] {
            assert_eq!(by_path(broken, "$.a"), None, "{broken}");
        }
    }

    #[test]
    fn parts_of_a_url() {
        let url = "http://ada@example.org:8080/p/a?x=1&y=2#end";
        let part = |name: &str| url_part(url, name, None);
        assert_eq!(part("HOST").as_deref(), Some("example.org"));
        assert_eq!(part("FILE").as_deref(), Some("/p/a?x=1&y=2"));
        assert_eq!(part("REF").as_deref(), Some("end"));
        let host = |url: &str| url_part(url, "HOST", None);
        assert_eq!(host("http://[2001:db8::2]:8080/").as_deref(), Some("[2001:db8::2]"));
        assert_eq!(host("http://me@[::1]/").as_deref(), Some("[::1]"));
        assert_eq!(url_part(url, "QUERY", Some("y")).as_deref(), Some("2"));
        assert_eq!(url_part("no address", "HOST", None), None);
    }
}
