//! What titles, notes, tags, addresses and links must look like.

use crate::auth::rules::{one_line, plain};
use crate::http::ApiError;

const LONGEST_TITLE: usize = 120;
const LONGEST_NOTES: usize = 10_000;
const LONGEST_TAG: usize = 15;
const MOST_TAGS: usize = 20;

/// A title without spaces around it: 1 to 120 characters on one line.
pub fn title(text: &str) -> Result<&str, ApiError> {
    let text = text.trim();
    if text.chars().count() > LONGEST_TITLE || !one_line(text) {
        return Err(ApiError::invalid("title", format!("A title has 1 to {LONGEST_TITLE} characters on one line.")));
    }
    Ok(text)
}

/// Notes of at most 10,000 characters.
pub fn notes(text: &str) -> Result<&str, ApiError> {
    if text.chars().count() > LONGEST_NOTES {
        return Err(ApiError::invalid("notes", "Notes have at most 10,000 characters."));
    }
    Ok(text)
}

/// A tag without spaces around it: 1 to 15 characters.
pub fn tag(text: &str) -> Result<&str, ApiError> {
    let text = text.trim();
    if text.chars().count() > LONGEST_TAG || text.contains(',') || !one_line(text) {
        return Err(ApiError::invalid("tag", "A tag has 1 to 15 characters and no comma."));
    }
    Ok(text)
}

/// The tags of one thing, each once.
pub fn tags(list: &[String]) -> Result<Vec<&str>, ApiError> {
    if list.len() > MOST_TAGS {
        return Err(ApiError::invalid("tags", format!("There are at most {MOST_TAGS} tags.")));
    }
    let mut kept: Vec<&str> = Vec::with_capacity(list.len());
    for one in list {
        let one = tag(one)?;
        if !kept.iter().any(|other| tag_key(other) == tag_key(one)) {
            kept.push(one);
        }
    }
    Ok(kept)
}

/// Tags that differ only in letter case are one.
pub fn tag_key(tag: &str) -> String {
    tag.to_lowercase()
}

/// An Ethereum address in small letters.
pub fn address(text: &str) -> Result<String, ApiError> {
    let text = text.trim().to_ascii_lowercase();
    let digits = text.strip_prefix("0x").filter(|digits| digits.len() == 40);
    match digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit())) {
        true => Ok(text),
        false => Err(ApiError::invalid("address", "An address must be 0x followed by 40 hexadecimal digits.")),
    }
}

/// Whether a link starts with one of the allowed prefixes.
pub fn link(text: &str) -> bool {
    const ALLOWED: [&str; 4] = ["http://", "https://", "mailto:", "tel:"];
    let small = text.trim_start().to_ascii_lowercase();
    text.len() <= 2_000 && plain(text) && ALLOWED.iter().any(|prefix| small.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_have_1_to_15_characters() {
        assert_eq!(tag(" DeFi ").unwrap(), "DeFi");
        assert!(tag(&"稳".repeat(15)).is_ok());
        for bad in ["", "  ", "sixteen letters!", "a,b", "a\nb", "\u{200b}", "a\u{202e}b"] {
            assert!(tag(bad).is_err(), "{bad:?}");
        }
        let list: Vec<String> = ["DeFi", "defi", "gas"].map(str::to_string).into();
        assert_eq!(tags(&list).unwrap(), ["DeFi", "gas"]);
    }

    #[test]
    fn titles_are_one_line() {
        assert_eq!(title(" Gas ").unwrap(), "Gas");
        for bad in ["", " ", "a\nb", "\u{feff} \u{200b}", "\u{202e}sag", &"x".repeat(121)] {
            assert!(title(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn addresses_are_made_small() {
        let address_text = format!("0x{}", "aB".repeat(20));
        assert_eq!(address(&address_text).unwrap(), address_text.to_lowercase());
        for bad in ["", "0x", "ab", &"0x".repeat(21), &format!("0x{}", "g".repeat(40))] {
            assert!(address(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn only_four_kinds_of_links_are_allowed() {
        for good in ["https://a.b/c?d", "HTTP://a", "mailto:a@b.io", "tel:+123"] {
            assert!(link(good), "{good}");
        }
        for bad in [
            "",
            "javascript:alert(1)",
            " java\nscript:x",
            "data:text/html,x",
            "//a.b",
            "ftp://a",
            "https:\n//a",
            "https://a/\u{202e}b",
        ] {
            assert!(!link(bad), "{bad:?}");
        }
    }
}
