//! Values of XPath 1.0: nodes, a number, a text or a boolean.

use roxmltree::{Attribute, Node};

/// A node, or an attribute with the element that has it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Item<'d> {
    Node(Node<'d, 'd>),
    Attribute(Attribute<'d, 'd>, Node<'d, 'd>, usize),
}

#[derive(Debug, Clone)]
pub(super) enum Value<'d> {
    /// In the order of the document, each once.
    Nodes(Vec<Item<'d>>),
    Number(f64),
    Text(String),
    Truth(bool),
}

impl<'d> Item<'d> {
    /// Its place in the document.
    pub fn place(&self) -> (u32, usize) {
        match self {
            Item::Node(node) => (node.id().get(), 0),
            Item::Attribute(_, node, at) => (node.id().get(), at + 1),
        }
    }

    pub fn text(&self) -> String {
        match self {
            Item::Attribute(attribute, ..) => attribute.value().to_string(),
            Item::Node(node) if node.is_element() || node.is_root() => {
                node.descendants().filter(Node::is_text).filter_map(|text| text.text()).collect()
            }
            Item::Node(node) => node.text().unwrap_or_default().to_string(),
        }
    }

    /// What Java's `getNodeValue` answers: nothing for an element.
    pub fn own_text(&self) -> Option<String> {
        match self {
            Item::Node(node) if node.is_element() || node.is_root() => None,
            other => Some(other.text()),
        }
    }

    pub fn name(&self) -> &'d str {
        match self {
            Item::Attribute(attribute, ..) => attribute.name(),
            Item::Node(node) if node.is_element() => node.tag_name().name(),
            Item::Node(node) => node.pi().map_or("", |instruction| instruction.target),
        }
    }

    pub fn parent(&self) -> Option<Item<'d>> {
        match self {
            Item::Attribute(_, node, _) => Some(Item::Node(*node)),
            Item::Node(node) => node.parent().map(Item::Node),
        }
    }
}

impl Value<'_> {
    pub fn truth(&self) -> bool {
        match self {
            Value::Nodes(nodes) => !nodes.is_empty(),
            Value::Number(number) => *number != 0.0 && !number.is_nan(),
            Value::Text(text) => !text.is_empty(),
            Value::Truth(truth) => *truth,
        }
    }

    pub fn number(&self) -> f64 {
        match self {
            Value::Number(number) => *number,
            Value::Truth(truth) => f64::from(u8::from(*truth)),
            other => number_of(&other.text()),
        }
    }

    pub fn text(&self) -> String {
        match self {
            Value::Nodes(nodes) => nodes.first().map(Item::text).unwrap_or_default(),
            Value::Number(number) if number.is_infinite() => {
                if *number > 0.0 { "Infinity" } else { "-Infinity" }.to_string()
            }
            Value::Number(number) => if *number == 0.0 { 0.0 } else { *number }.to_string(),
            Value::Text(text) => text.clone(),
            Value::Truth(truth) => truth.to_string(),
        }
    }
}

/// Digits with a sign and a point; anything else is no number.
pub(super) fn number_of(text: &str) -> f64 {
    let text = text.trim_matches([' ', '\t', '\r', '\n']);
    let digits = text.strip_prefix('-').unwrap_or(text);
    let fine = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if fine { text.parse().unwrap_or(f64::NAN) } else { f64::NAN }
}

/// The context of an expression: its node, and the position among how many.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'d> {
    pub item: Item<'d>,
    pub position: usize,
    pub last: usize,
}
