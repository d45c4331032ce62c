//! Rich text as a structure: blocks of spans, never HTML, so that nothing in it can be a script.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::creations::rules;
use crate::http::ApiError;
use crate::http::strict::within;

const MOST_BLOCKS: usize = 200;
const MOST_SPANS: usize = 500;
const LONGEST_SPAN: usize = 5_000;

/// A piece of text in one look.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Span {
    pub text: String,
    pub bold: bool,
    pub italic: bool,
    pub underline: bool,
    pub strike: bool,
    pub code: bool,
    /// An address with `http`, `https`, `mailto` or `tel`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

/// One block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum RichBlock {
    Paragraph {
        #[serde(deserialize_with = "within")]
        spans: Vec<Span>,
    },
    /// Level 1 to 4.
    Heading {
        level: u8,
        #[serde(deserialize_with = "within")]
        spans: Vec<Span>,
    },
    List {
        ordered: bool,
        #[serde(deserialize_with = "within")]
        items: Vec<Vec<Span>>,
    },
    Quote {
        #[serde(deserialize_with = "within")]
        spans: Vec<Span>,
    },
    Code {
        text: String,
    },
    Divider,
}

/// Refuses too much text, and links with other prefixes than the four allowed ones.
pub fn check(blocks: &[RichBlock]) -> Result<(), ApiError> {
    if blocks.len() > MOST_BLOCKS {
        return Err(bad(format!("Rich text has at most {MOST_BLOCKS} blocks.")));
    }
    blocks.iter().try_for_each(check_block)
}

fn check_block(block: &RichBlock) -> Result<(), ApiError> {
    match block {
        RichBlock::Heading { level, .. } if !(1..=4).contains(level) => Err(bad("A heading has a level of 1 to 4.")),
        RichBlock::Paragraph { spans } | RichBlock::Heading { spans, .. } | RichBlock::Quote { spans } => {
            check_spans(spans)
        }
        RichBlock::List { items, .. } => {
            if items.len() > MOST_SPANS {
                return Err(bad(format!("A list has at most {MOST_SPANS} items.")));
            }
            items.iter().try_for_each(|spans| check_spans(spans))
        }
        RichBlock::Code { text } => check_length(text),
        RichBlock::Divider => Ok(()),
    }
}

fn check_spans(spans: &[Span]) -> Result<(), ApiError> {
    if spans.len() > MOST_SPANS {
        return Err(bad(format!("A block has at most {MOST_SPANS} pieces of text.")));
    }
    for span in spans {
        check_length(&span.text)?;
        if span.link.as_deref().is_some_and(|link| !rules::link(link)) {
            return Err(bad("A link starts with http, https, mailto or tel."));
        }
    }
    Ok(())
}

fn check_length(text: &str) -> Result<(), ApiError> {
    if text.chars().count() > LONGEST_SPAN {
        return Err(bad(format!("A piece of rich text has at most {LONGEST_SPAN} characters.")));
    }
    Ok(())
}

fn bad(msg: impl Into<String>) -> ApiError {
    ApiError::invalid("widgets", msg)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(blocks: Value) -> Result<Vec<RichBlock>, serde_json::Error> {
        serde_json::from_value(blocks)
    }

    #[test]
    fn links_have_allowed_prefixes() {
        let linked = |link: &str| read(json!([{"type": "paragraph", "spans": [{"text": "x", "link": link}]}])).unwrap();
        assert!(check(&linked("https://a.b")).is_ok());
        for bad in ["javascript:alert(1)", "data:text/html,x", "/local", ""] {
            assert!(check(&linked(bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn only_the_structure_is_taken() {
        assert!(read(json!([{"type": "html", "text": "<script>"}])).is_err());
        assert!(read(json!([{"type": "paragraph", "spans": [{"text": "x", "onclick": "y"}]}])).is_err());
        let list = json!([{"type": "list", "ordered": true, "items": [[{"text": "one", "bold": true}]]}]);
        assert!(check(&read(list).unwrap()).is_ok());
        assert!(check(&read(json!([{"type": "heading", "level": 7, "spans": []}])).unwrap()).is_err());
    }
}
