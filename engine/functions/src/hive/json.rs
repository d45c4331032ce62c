//! JSON and addresses of the web: a part of a text by its path.

use std::borrow::Cow;

use super::rows::Kind::Text;
use super::rows::{Def, Row, Value, def, many, opt};
use crate::json::{compact, elements, member};

pub(super) const FUNCTIONS: &[Def] = &[
    def("get_json_object", &[Text, Text], Text, |row| Some(by_path(row.text(0)?, row.text(1)?)?.into())),
    opt("parse_url", 2, &[Text, Text, Text], Text, |row| {
        let key = if row.len() > 2 { Some(row.text(2)?) } else { None };
        Some(url_part(row.text(0)?, row.text(1)?, key)?.into())
    }),
    // The columns of json_tuple and parse_url_tuple, one after the other.
    def("hive_json_field", &[Text, Text], Text, |row| {
        let key = row.text(1)?;
        let json = row.text(0)?.trim();
        let value = if json.starts_with('{') { member(json, key)? } else { return None };
        Some(shown(value)?.into())
    }),
    def("hive_url_field", &[Text, Text], Text, |row| {
        let (part, key) = row.text(1)?.split_once(':').map_or((row.text(1)?, None), |(part, key)| (part, Some(key)));
        Some(url_part(row.text(0)?, part, key)?.into())
    }),
    many("hive_concat_texts", 1, &[Text], Text, concat_ws),
];

/// The texts after the first one with the first one between them; those that are null are left out.
fn concat_ws(row: &Row<'_>) -> Option<Value> {
    let between = row.text(0)?;
    let texts: Vec<&str> = (1..row.len()).filter_map(|index| row.text(index)).collect();
    Some(texts.join(between).into())
}

/// `$.a.b[0]` of a JSON text; `[*]` is every element.
fn by_path(json: &str, path: &str) -> Option<String> {
    let mut found = vec![json.trim()];
    let mut many = false;
    let mut rest = path.trim().strip_prefix('$')?;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            let key = &after[..end];
            // A key asked of a list is asked of its elements.
            found = found
                .into_iter()
                .flat_map(|value| if value.starts_with('[') { elements(value) } else { vec![value] })
                .collect();
            many |= found.len() > 1;
            found = found.into_iter().filter_map(|value| member(value, key)).collect();
            rest = &after[end..];
        } else {
            let (index, after) = rest.strip_prefix('[')?.split_once(']')?;
            found = match index.trim() {
                "*" => {
                    many = true;
                    found.into_iter().flat_map(elements).collect()
                }
                index => {
                    let index: usize = index.parse().ok()?;
                    found.into_iter().filter_map(|value| elements(value).get(index).copied()).collect()
                }
            };
            rest = after;
        }
    }
    match found.as_slice() {
        [] => None,
        [one] if !many => shown(one),
        all => Some(format!("[{}]", all.iter().map(|value| compact(value)).collect::<Vec<_>>().join(","))),
    }
}

/// A value as it is answered: a text without its quotes, anything else without blanks, null as null.
fn shown(value: &str) -> Option<String> {
    match value {
        "null" => None,
        text if text.starts_with('"') => serde_json::from_str(&with_controls(text)).ok(),
        other => serde_json::from_str::<serde::de::IgnoredAny>(other).ok().map(|_| compact(other)),
    }
}

/// A text in which line breaks and their like, which Hive takes as they are, are written as JSON has them.
fn with_controls(text: &str) -> Cow<'_, str> {
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

/// The protocols that Java knows; an address with another one is none.
const PROTOCOLS: [&str; 6] = ["http", "https", "ftp", "file", "jar", "mailto"];

/// A part of an address by its name in `parse_url`.
fn url_part(url: &str, part: &str, key: Option<&str>) -> Option<String> {
    let (protocol, rest) = url.split_once("://")?;
    if !PROTOCOLS.contains(&protocol.to_ascii_lowercase().as_str()) {
        return None;
    }
    let (rest, fragment) = rest.split_once('#').map_or((rest, None), |(rest, fragment)| (rest, Some(fragment)));
    let (place, query) = rest.split_once('?').map_or((rest, None), |(place, query)| (place, Some(query)));
    let (authority, path) = place.find('/').map_or((place, ""), |at| place.split_at(at));
    let (user, host) = authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
    let found = match part {
        "PROTOCOL" => protocol,
        // The colons within brackets are those of the host.
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
    Some(found.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_finds_its_part() {
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
    fn parts_of_an_address() {
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
