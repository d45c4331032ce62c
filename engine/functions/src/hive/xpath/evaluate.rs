//! The value of an expression of XPath 1.0 in a document.

use std::collections::BTreeMap;

use roxmltree::{Document, NodeType};

use super::functions;
use super::parse::{Axis, Expr, Start, Step, Test};
use super::value::{Item, Place, Value};

/// Most nodes that one expression visits.
const MAX_NODES: usize = 5_000_000;

/// Why an expression has no value.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// An unknown function, or one with other arguments.
    Invalid,
    TooLong,
}

pub(super) struct Evaluation<'d> {
    document: &'d Document<'d>,
    visited: usize,
}

impl<'d> Evaluation<'d> {
    /// The value of an expression at the root of a document.
    pub fn run(document: &'d Document<'d>, expr: &Expr) -> Result<Value<'d>, Failure> {
        let place = Place { item: Item::Node(document.root()), position: 1, last: 1 };
        Evaluation { document, visited: 0 }.value(expr, place)
    }

    pub fn value(&mut self, expr: &Expr, place: Place<'d>) -> Result<Value<'d>, Failure> {
        self.visited += 1;
        if self.visited > MAX_NODES {
            return Err(Failure::TooLong);
        }
        Ok(match expr {
            Expr::Number(number) => Value::Number(*number),
            Expr::Text(text) => Value::Text(text.clone()),
            Expr::Negative(inner) => Value::Number(-self.value(inner, place)?.number()),
            Expr::Call(name, args) => {
                let args = args.iter().map(|arg| self.value(arg, place)).collect::<Result<Vec<_>, _>>()?;
                functions::call(name, &args, place).ok_or(Failure::Invalid)?
            }
            Expr::Binary(operator, left, right) => self.binary(operator, left, right, place)?,
            Expr::Filter(inner, predicates) => {
                let mut nodes = self.nodes(inner, place)?;
                for predicate in predicates {
                    nodes = self.filter(nodes, predicate)?;
                }
                Value::Nodes(nodes)
            }
            Expr::Path(start, steps) => {
                let mut nodes = match start {
                    Start::Root => vec![Item::Node(self.document.root())],
                    Start::Here => vec![place.item],
                    Start::At(inner) => self.nodes(inner, place)?,
                };
                for step in steps {
                    nodes = self.step(&nodes, step)?;
                }
                Value::Nodes(nodes)
            }
        })
    }

    fn nodes(&mut self, expr: &Expr, place: Place<'d>) -> Result<Vec<Item<'d>>, Failure> {
        match self.value(expr, place)? {
            Value::Nodes(nodes) => Ok(nodes),
            _ => Err(Failure::Invalid),
        }
    }

    fn binary(&mut self, operator: &str, left: &Expr, right: &Expr, place: Place<'d>) -> Result<Value<'d>, Failure> {
        let left = self.value(left, place)?;
        match (operator, left.truth()) {
            ("or", true) => return Ok(Value::Truth(true)),
            ("and", false) => return Ok(Value::Truth(false)),
            _ => {}
        }
        let right = self.value(right, place)?;
        let (a, b) = (left.number(), right.number());
        Ok(match operator {
            "or" | "and" => Value::Truth(right.truth()),
            "+" => Value::Number(a + b),
            "-" => Value::Number(a - b),
            "*" => Value::Number(a * b),
            "div" => Value::Number(a / b),
            "mod" => Value::Number(a % b),
            "|" => match (left, right) {
                (Value::Nodes(mut left), Value::Nodes(right)) => {
                    left.extend(right);
                    Value::Nodes(in_order(left))
                }
                _ => return Err(Failure::Invalid),
            },
            comparison => Value::Truth(self.compare(comparison, &left, &right)?),
        })
    }

    /// A comparison of sets of nodes holds if it does for any of them.
    fn compare(&mut self, operator: &str, left: &Value<'d>, right: &Value<'d>) -> Result<bool, Failure> {
        let texts = |value: &Value<'d>| match value {
            Value::Nodes(nodes) => Some(nodes.iter().map(Item::text).collect::<Vec<_>>()),
            _ => None,
        };
        self.visited += match (left, right) {
            (Value::Nodes(left), Value::Nodes(right)) => left.len().saturating_mul(right.len()),
            _ => 0,
        };
        if self.visited > MAX_NODES {
            return Err(Failure::TooLong);
        }
        let text = |text: &String| Value::Text(text.clone());
        Ok(match (texts(left), texts(right)) {
            (Some(left), Some(right)) => left.iter().any(|a| right.iter().any(|b| holds(operator, &text(a), &text(b)))),
            (Some(nodes), None) if !matches!(right, Value::Truth(_)) => {
                nodes.iter().any(|node| holds(operator, &text(node), right))
            }
            (None, Some(nodes)) if !matches!(left, Value::Truth(_)) => {
                nodes.iter().any(|node| holds(operator, left, &text(node)))
            }
            _ => holds(operator, left, right),
        })
    }

    /// The nodes that a step reaches from any of these nodes.
    fn step(&mut self, from: &[Item<'d>], step: &Step) -> Result<Vec<Item<'d>>, Failure> {
        let mut reached = Vec::new();
        for item in from {
            let mut nodes = self.along(*item, step)?;
            for predicate in &step.predicates {
                nodes = self.filter(nodes, predicate)?;
            }
            reached.extend(nodes);
        }
        Ok(in_order(reached))
    }

    /// The nodes of an axis that pass its test, the nearest first.
    fn along(&mut self, item: Item<'d>, step: &Step) -> Result<Vec<Item<'d>>, Failure> {
        let node = match item {
            Item::Node(node) => Some(node),
            Item::Attribute(..) => None,
        };
        let ancestors = |start: Option<Item<'d>>| std::iter::successors(start, Item::parent);
        let mut nodes: Vec<Item<'d>> = Vec::new();
        match (step.axis, node) {
            (Axis::This, _) => nodes.push(item),
            (Axis::Parent, _) => nodes.extend(item.parent()),
            (Axis::Ancestor, _) => nodes.extend(ancestors(item.parent())),
            (Axis::AncestorOrSelf, _) => nodes.extend(ancestors(Some(item))),
            (Axis::DescendantOrSelf, None) => nodes.push(item),
            (_, None) => {}
            (Axis::Attribute, Some(node)) => {
                let attributes = node.attributes().enumerate();
                nodes.extend(attributes.map(|(at, attribute)| Item::Attribute(attribute, node, at)));
            }
            (Axis::Child, Some(node)) => nodes.extend(node.children().map(Item::Node)),
            (Axis::Descendant, Some(node)) => nodes.extend(node.descendants().skip(1).map(Item::Node)),
            (Axis::DescendantOrSelf, Some(node)) => nodes.extend(node.descendants().map(Item::Node)),
            (Axis::FollowingSibling, Some(node)) => nodes.extend(node.next_siblings().skip(1).map(Item::Node)),
            (Axis::PrecedingSibling, Some(node)) => nodes.extend(node.prev_siblings().skip(1).map(Item::Node)),
            (Axis::Following, Some(node)) => {
                for above in node.ancestors() {
                    let after = above.next_siblings().skip(1);
                    nodes.extend(after.flat_map(|sibling| sibling.descendants()).map(Item::Node));
                }
            }
            (Axis::Preceding, Some(node)) => {
                for above in node.ancestors() {
                    for sibling in above.prev_siblings().skip(1) {
                        let inside: Vec<_> = sibling.descendants().map(Item::Node).collect();
                        nodes.extend(inside.into_iter().rev());
                    }
                }
            }
        }
        self.visited += nodes.len();
        if self.visited > MAX_NODES {
            return Err(Failure::TooLong);
        }
        nodes.retain(|item| passes(item, step));
        Ok(nodes)
    }

    /// The nodes for which a predicate holds; a number is a position.
    fn filter(&mut self, nodes: Vec<Item<'d>>, predicate: &Expr) -> Result<Vec<Item<'d>>, Failure> {
        let last = nodes.len();
        let mut passing = Vec::new();
        for (at, item) in nodes.into_iter().enumerate() {
            let place = Place { item, position: at + 1, last };
            let is_true = match self.value(predicate, place)? {
                Value::Number(position) => position == (at + 1) as f64,
                other => other.truth(),
            };
            if is_true {
                passing.push(item);
            }
        }
        Ok(passing)
    }
}

fn passes(item: &Item<'_>, step: &Step) -> bool {
    let kind = match item {
        Item::Node(node) => Some(node.node_type()),
        Item::Attribute(..) => None,
    };
    let named = match step.axis {
        Axis::Attribute => kind.is_none(),
        _ => kind == Some(NodeType::Element),
    };
    match &step.test {
        Test::Any => named,
        Test::Name(name) => named && item.name() == name,
        Test::Node => true,
        Test::Text => kind == Some(NodeType::Text),
        Test::Comment => kind == Some(NodeType::Comment),
        Test::Instruction => kind == Some(NodeType::PI),
    }
}

fn holds(operator: &str, a: &Value<'_>, b: &Value<'_>) -> bool {
    if operator == "=" || operator == "!=" {
        let same = match (a, b) {
            (Value::Truth(_), _) | (_, Value::Truth(_)) => a.truth() == b.truth(),
            (Value::Number(_), _) | (_, Value::Number(_)) => a.number() == b.number(),
            _ => a.text() == b.text(),
        };
        return same == (operator == "=");
    }
    let (a, b) = (a.number(), b.number());
    match operator {
        "<" => a < b,
        "<=" => a <= b,
        ">" => a > b,
        _ => a >= b,
    }
}

fn in_order(nodes: Vec<Item<'_>>) -> Vec<Item<'_>> {
    let by_place: BTreeMap<_, _> = nodes.into_iter().map(|item| (item.place(), item)).collect();
    by_place.into_values().collect()
}
