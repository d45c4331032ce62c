//! Parts of web addresses: `url_extract_host` and its like, as Trino answers them: the crate `url` would change the case of
//! hosts, leave out usual ports and refuse addresses without a scheme.

use std::sync::{Arc, LazyLock};

use arrow::array::{ArrayRef, Int64Array, StringArray};
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};
use percent_encoding::percent_decode_str;
use regex::{Captures, Regex};

use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::{is_text, text_of};
use quarry_types::invalid;

macro_rules! part {
    ($name:literal, $text:literal, $of:expr) => {
        Simple::udf(
            $name,
            1..=1,
            Some(Doc {
                signature: concat!($name, "(url)"),
                text: $text,
                example: concat!("select ", $name, "('https://etherscan.io:443/tx/0x1?tab=logs#top')"),
            }),
            |args| texts(args, DataType::Utf8),
            |args, _| {
                let rows = text_of(&args[0])?.into_iter().map(|url| Url::read(url?).as_ref().map($of));
                Ok(Arc::new(rows.collect::<StringArray>()))
            },
        )
    };
}

const PORT_DOC: Doc = Doc {
    signature: "url_extract_port(url)",
    text: "The port that a web address names; null when it names none.",
    example: "select url_extract_port('http://localhost:8545/')",
};
const PARAMETER_DOC: Doc = Doc {
    signature: "url_extract_parameter(url, name)",
    text: "The value of the first parameter of that name in a web address, unescaped; null when there is none.",
    example: "select url_extract_parameter('https://etherscan.io/txs?a=0x1&p=2', 'p')",
};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        part!("url_extract_protocol", "What stands before the colon of a web address.", |url: &Url| url
            .scheme
            .to_string()),
        part!("url_extract_host", "The host of a web address, without its port.", |url: &Url| url.host.to_string()),
        part!("url_extract_path", "The path of a web address, unescaped.", |url: &Url| unescaped(url.path, false)),
        part!(
            "url_extract_query",
            "What stands behind the question mark of a web address, as it is escaped.",
            |url: &Url| url.query.to_string()
        ),
        part!("url_extract_fragment", "What stands behind the hash sign of a web address.", |url: &Url| {
            unescaped(url.fragment, false)
        }),
        Simple::udf(
            "url_extract_port",
            1..=1,
            Some(PORT_DOC),
            |args| texts(args, DataType::Int64),
            |args, _| {
                let ports = text_of(&args[0])?.into_iter().map(|url| Url::read(url?)?.port);
                Ok(Arc::new(ports.collect::<Int64Array>()))
            },
        ),
        Simple::udf(
            "url_extract_parameter",
            2..=2,
            Some(PARAMETER_DOC),
            |args| texts(args, DataType::Utf8),
            |args, _| parameters(args),
        ),
    ]
}

fn texts(args: &ReturnFieldArgs, to: DataType) -> Result<FieldRef> {
    let text = |field: &FieldRef| is_text(field.data_type()) || field.data_type().is_null();
    match args.arg_fields.iter().all(text) {
        true => Ok(Arc::new(Field::new("part", to, true))),
        false => Err(invalid("A text is needed here.")),
    }
}

/// A web address in parts; what is not there is empty.
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
    fn read(url: &'a str) -> Option<Url<'a>> {
        // As RFC 3986 takes an address apart.
        static PARTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
            Regex::new(r"^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$").ok()
        });
        let strange = |letter: char| letter.is_whitespace() || letter.is_control() || "\"<>\\^`{|}".contains(letter);
        if url.contains(strange) {
            return None;
        }
        let parts: Captures<'a> = PARTS.as_ref()?.captures(url)?;
        let part = |index: usize| parts.get(index).map_or("", |part| part.as_str());
        let place = part(2);
        let place = place.rsplit_once('@').map_or(place, |(_, place)| place);
        // The colons within brackets are those of the host itself.
        let (host, port) = match place.rsplit_once(':').filter(|(_, port)| !port.contains(']')) {
            Some((host, "")) => (host, None),
            Some((host, port)) => (host, Some(port.parse::<u16>().ok()?.into())),
            None => (place, None),
        };
        Some(Url { scheme: part(1), host, port, path: part(3), query: part(4), fragment: part(5) })
    }

    fn parameter(&self, name: &str) -> Option<String> {
        let pairs = self.query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        let mut found = pairs.filter(|(key, _)| unescaped(key, true) == name);
        found.next().map(|(_, value)| unescaped(value, true))
    }
}

fn parameters(args: &[ArrayRef]) -> Result<ArrayRef> {
    let rows = text_of(&args[0])?.into_iter().zip(text_of(&args[1])?);
    let values = rows.map(|(url, name)| Url::read(url?)?.parameter(name?));
    Ok(Arc::new(values.collect::<StringArray>()))
}

/// A text with `%20` as the byte that it stands for, and `+` as a blank where `plus`. What is no escape stays.
fn unescaped(text: &str, plus: bool) -> String {
    let text = if plus { text.replace('+', " ") } else { text.to_string() };
    percent_decode_str(&text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_apart() {
        let read = |url| Url::read(url).map(|url| (url.scheme, url.host, url.port, url.path, url.query, url.fragment));
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
        let parameter = |name| Url::read("http://a/?p=1&q=a%20b+c&p=2&r&%71q=x").unwrap().parameter(name);
        assert_eq!(parameter("p").as_deref(), Some("1"));
        assert_eq!(parameter("q").as_deref(), Some("a b c"));
        assert_eq!(parameter("r").as_deref(), Some(""));
        assert_eq!(parameter("qq").as_deref(), Some("x"));
        assert_eq!(parameter("s"), None);
        assert_eq!(unescaped("a%2", false), "a%2");
    }
}
