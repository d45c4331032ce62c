//! Parts of web addresses: `url_extract_host` and its like, as Trino answers them: the crate `url` would change the case of
//! hosts, leave out usual ports and refuse addresses without a scheme.

use std::sync::LazyLock;

use percent_encoding::percent_decode_str;
use regex::{Captures, Regex};

use crate::prelude::*;

macro_rules! part {
    ($name:literal, $text:literal, $part:expr) => {
        doc(
            concat!($name, "(url)"),
            $text,
            concat!("select ", $name, "('https://etherscan.io:443/tx/0x1?tab=logs#top')"),
        )
        .udf(1..=1, takes_text(DataType::Utf8), |args, _| {
            let part: fn(&Url) -> String = $part;
            let rows = text_of(&args[0])?.into_iter().map(|url| Some(part(&Url::parse(url?)?)));
            Ok(Arc::new(rows.collect::<StringArray>()))
        })
    };
}

pub(super) fn udfs() -> [ScalarUDF; 7] {
    [
        part!("url_extract_protocol", "The protocol of a URL.", |url| url.scheme.to_string()),
        part!("url_extract_host", "The host of a URL, without the port.", |url| url.host.to_string()),
        part!("url_extract_path", "The decoded path of a URL.", |url| unescaped(url.path, false)),
        part!("url_extract_query", "The query string of a URL, still percent-encoded.", |url| {
            url.query.to_string()
        }),
        part!("url_extract_fragment", "The fragment of a URL, after the hash sign.", |url| {
            unescaped(url.fragment, false)
        }),
        doc(
            "url_extract_port(url)",
            "The port of a URL; null if it has none.",
            "select url_extract_port('http://localhost:8545/')",
        )
        .udf(1..=1, takes_text(DataType::Int64), |args, _| {
            let ports = text_of(&args[0])?.into_iter().map(|url| Url::parse(url?)?.port);
            Ok(Arc::new(ports.collect::<Int64Array>()))
        }),
        doc(
            "url_extract_parameter(url, name)",
            "The decoded value of the first query parameter with the given name in a URL; null if there is none.",
            "select url_extract_parameter('https://etherscan.io/txs?a=0x1&p=2', 'p')",
        )
        .udf(2..=2, takes_text(DataType::Utf8), |args, _| {
            let rows = text_of(&args[0])?.into_iter().zip(text_of(&args[1])?);
            let values = rows.map(|(url, name)| Url::parse(url?)?.parameter(name?));
            Ok(Arc::new(values.collect::<StringArray>()))
        }),
    ]
}

fn takes_text(to: DataType) -> impl Returns {
    takes([is_text], "Expected a string here.", to)
}

/// The parts of a web address; missing ones are empty.
struct Url<'a> {
    scheme: &'a str,
    host: &'a str,
    port: Option<i64>,
    path: &'a str,
    query: &'a str,
    fragment: &'a str,
}

impl<'a> Url<'a> {
    /// `None` for what is no address: one with letters that an address can't have, or a port that is no number.
    fn parse(url: &'a str) -> Option<Url<'a>> {
        // The expression of RFC 3986.
        static PARTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
            Regex::new(r"^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$").ok()
        });
        let is_forbidden =
            |letter: char| letter.is_whitespace() || letter.is_control() || "\"<>\\^`{|}".contains(letter);
        if url.contains(is_forbidden) {
            return None;
        }
        let parts: Captures<'a> = PARTS.as_ref()?.captures(url)?;
        let part = |index: usize| parts.get(index).map_or("", |part| part.as_str());
        let authority = part(2);
        let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        // Colons within brackets belong to the host.
        let (host, port) = match authority.rsplit_once(':').filter(|(_, port)| !port.contains(']')) {
            Some((host, "")) => (host, None),
            Some((host, port)) => (host, Some(port.parse::<u16>().ok()?.into())),
            None => (authority, None),
        };
        Some(Url { scheme: part(1), host, port, path: part(3), query: part(4), fragment: part(5) })
    }

    fn parameter(&self, name: &str) -> Option<String> {
        let pairs = self.query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        let mut values = pairs.filter(|(key, _)| unescaped(key, true) == name);
        values.next().map(|(_, value)| unescaped(value, true))
    }
}

/// A text with escapes such as `%20` decoded, and `+` as a blank where `plus`.
fn unescaped(text: &str, plus: bool) -> String {
    let text = if plus { text.replace('+', " ") } else { text.to_string() };
    percent_decode_str(&text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parsed() {
        let read = |url| Url::parse(url).map(|url| (url.scheme, url.host, url.port, url.path, url.query, url.fragment));
        assert_eq!(
            read("https://me:pw@etherscan.io:8443/tx/0x1?tab=logs&x#top"),
            Some(("https", "etherscan.io", Some(8443), "/tx/0x1", "tab=logs&x", "top"))
        );
        assert_eq!(read("http://[::1]:8545"), Some(("http", "[::1]", Some(8545), "", "", "")));
        assert_eq!(read("http://[::1]/"), Some(("http", "[::1]", None, "/", "", "")));
        assert_eq!(read("mailto:a@b.c"), Some(("mailto", "", None, "a@b.c", "", "")));
        assert_eq!(read("/path?q"), Some(("", "", None, "/path", "q", "")));
        assert_eq!(read("").map(|url| url.3), Some(""));
        for wrong in ["http://a b", "http://a:port/", "http://a:99999/"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        let parameter = |name| Url::parse("http://a/?p=1&q=a%20b+c&p=2&r&%71q=x").unwrap().parameter(name);
        assert_eq!(parameter("p").as_deref(), Some("1"));
        assert_eq!(parameter("q").as_deref(), Some("a b c"));
        assert_eq!(parameter("r").as_deref(), Some(""));
        assert_eq!(parameter("qq").as_deref(), Some("x"));
        assert_eq!(parameter("s"), None);
        assert_eq!(unescaped("a%2", false), "a%2");
    }
}
