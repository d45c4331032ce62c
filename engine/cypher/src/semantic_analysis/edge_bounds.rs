//! Conditions on `value` and `time` of relationships as a filter of edges, so that the graph can skip edges by its columns. The
//! conditions stay: the filter only leaves out edges that could never pass.

use crate::graph::Edges;
use crate::logical_plan::{BinaryOperator, Comparison, Expr, Kind, Slot};
use crate::procedures::microseconds;
use crate::values::Value;

/// Narrows the edges by a condition on the relationship in a slot.
pub(super) fn narrow(edges: &mut Edges, relationship: Slot, condition: &Expr) {
    match &condition.kind {
        Kind::Binary(BinaryOperator::And, a, b) => {
            narrow(edges, relationship, a);
            narrow(edges, relationship, b);
        }
        Kind::Binary(BinaryOperator::Compare(comparison), a, b) => match (property(a, relationship), &b.kind) {
            (Some(name), Kind::Constant(value)) => bound(edges, name, *comparison, value),
            _ => {
                if let (Kind::Constant(value), Some(name)) = (&a.kind, property(b, relationship)) {
                    bound(edges, name, flipped(*comparison), value);
                }
            }
        },
        _ => {}
    }
}

fn property(expression: &Expr, relationship: Slot) -> Option<&str> {
    match &expression.kind {
        Kind::Property(of, name) if of.kind == Kind::Slot(relationship) => Some(name),
        _ => None,
    }
}

fn flipped(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::LessEqual => Comparison::GreaterEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterEqual => Comparison::LessEqual,
        same => same,
    }
}

fn bound(edges: &mut Edges, name: &str, comparison: Comparison, value: &Value) {
    let from_below = matches!(comparison, Comparison::Greater | Comparison::GreaterEqual);
    let from_above = matches!(comparison, Comparison::Less | Comparison::LessEqual);
    match (name, value) {
        ("value", Value::Int(least)) if from_below => edges.least = edges.least.max((*least).max(0) as u128),
        // A time is a text: `2026-10-01` sorts before all times of that day, as its midnight does.
        ("time", Value::Text(text)) if from_below || from_above => {
            if let Ok(time) = microseconds("time", text) {
                if from_below {
                    edges.from = edges.from.max(time);
                } else {
                    edges.to = edges.to.min(time);
                }
            }
        }
        _ => {}
    }
}
