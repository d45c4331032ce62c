//! Tracing from one address: the nodes within some hops, and circles.

use std::collections::HashMap;

use super::options::{Options, invalid, node};
use super::{Procedure, Take, Work, procedure};
use crate::graph::Flow;
use crate::values::{NodeId, RelId, Value, ValueType};
use quarry_types::Result;

/// Bytes of a node that was reached, for the memory limit.
const REACHED: usize = 24;

const OPTIONS: [&str; 8] = ["direction", "types", "from", "to", "minValue", "stopAt", "maxNodes", "stopDegree"];

pub(super) const PROCEDURES: &[Procedure] = &[
    procedure(
        "quarry.khop",
        &["start", "hops", "options"],
        2,
        &[("node", ValueType::Node), ("hop", ValueType::Any), ("via", ValueType::Any), ("stopped", ValueType::Any)],
        khop,
    ),
    procedure(
        "quarry.cycles",
        &["start", "options"],
        1,
        &[("nodes", ValueType::Any), ("relationships", ValueType::Any)],
        cycles,
    ),
];

/// Breadth-first search: every node once, with its least number of hops and the edge it was first reached by.
fn khop(work: &Work<'_>, take: &mut Take<'_>) -> Result<()> {
    let start = node(work.graph, &work.arguments[0])?;
    let Value::Int(hops @ 1..=20) = work.arguments[1] else {
        return Err(invalid("The number of hops must be an integer from 1 to 20.".to_string()));
    };
    let options = Options::new(work.arguments.get(2), &OPTIONS)?;
    let edges = options.edges(work.graph)?;
    let direction = options.direction()?;
    let most = options.number("maxNodes", 1_000_000, 1..=100_000_000)? as usize;
    let stop_degree = options.number("stopDegree", u32::MAX, 1..=u32::MAX)? as usize;
    let stop_at = stop_labels(work, &options)?;
    work.budget.hold(work.graph.node_count() as usize / 8)?;
    let mut reached = Nodes::empty(work.graph.node_count());
    reached.insert(start);
    let mut level = vec![start];
    let mut found = Vec::new();
    for hop in 1..=hops {
        let mut next = Vec::new();
        for from in level {
            let _ = work.expand(from, direction, &edges, &mut |edge, to| {
                if reached.insert(to) {
                    work.budget.hold(REACHED)?;
                    found.push((edge, to));
                }
                Ok(if reached.count > most { Flow::Break(()) } else { Flow::Continue(()) })
            })?;
            for (edge, to) in found.drain(..) {
                let has_stop_label = stop_at.iter().any(|label| work.graph.has_label(to, *label));
                let stopped = has_stop_label || degree_exceeds(work, to, stop_degree)?;
                let row = [Value::Node(to), Value::Int(hop), Value::Relationship(edge), Value::Bool(stopped)];
                if take(&row)?.is_break() {
                    return Ok(());
                }
                if !stopped {
                    next.push(to);
                }
            }
            if reached.count > most {
                return Err(invalid(format!(
                    "More than {most} addresses are reached; use fewer hops, a minValue, or a larger maxNodes."
                )));
            }
        }
        level = next;
    }
    Ok(())
}

/// A set of nodes, one bit each: a search tests the end of nearly every edge.
struct Nodes {
    bits: Vec<u64>,
    count: usize,
}

impl Nodes {
    fn empty(nodes: u32) -> Nodes {
        Nodes { bits: vec![0; nodes as usize / 64 + 1], count: 0 }
    }

    /// Whether the node was not in it.
    fn insert(&mut self, node: NodeId) -> bool {
        let (word, bit) = (&mut self.bits[node as usize / 64], 1 << (node % 64));
        let new = *word & bit == 0;
        *word |= bit;
        self.count += usize::from(new);
        new
    }
}

/// The labels at which a trace ends.
fn stop_labels(work: &Work<'_>, options: &Options<'_>) -> Result<Vec<u32>> {
    let label = |name: &Value| {
        let Value::Text(name) = name else { return Err(invalid("stopAt must be a list of labels.".to_string())) };
        work.graph.label(name).ok_or_else(|| invalid(format!("There is no label {name}.")))
    };
    options.items("stopAt").unwrap_or_default().iter().map(label).collect()
}

/// Whether a node has more edges than a trace follows: a hub, such as an exchange, connects everybody.
fn degree_exceeds(work: &Work<'_>, node: NodeId, most: usize) -> Result<bool> {
    if most == u32::MAX as usize {
        return Ok(false);
    }
    let degree = work.graph.node_property(node, "degree")?;
    Ok(matches!(degree, Value::Int(degree) if degree as usize > most))
}

/// Circles of two and three edges through a node, each found once, by looking two steps ahead.
fn cycles(work: &Work<'_>, take: &mut Take<'_>) -> Result<()> {
    let start = node(work.graph, &work.arguments[0])?;
    let options = Options::new(work.arguments.get(1), &["types", "from", "to", "minValue", "maxLength"])?;
    let edges = options.edges(work.graph)?;
    let longest = options.number("maxLength", 3, 2..=3)?;
    // Edges back to the start, by the node that they leave.
    let mut back: HashMap<NodeId, Vec<RelId>> = HashMap::new();
    let _ = work.graph.expand(start, false, &edges, &mut |edge, from| {
        work.budget.step()?;
        work.budget.hold(REACHED)?;
        back.entry(from).or_default().push(edge);
        Ok(Flow::Continue(()))
    })?;
    let mut emit = |nodes: &[NodeId], relationships: &[RelId]| {
        let nodes = nodes.iter().map(|node| Value::Node(*node)).collect();
        let relationships = relationships.iter().map(|one| Value::Relationship(*one)).collect();
        take(&[Value::list(nodes), Value::list(relationships)])
    };
    let _ = work.graph.expand(start, true, &edges, &mut |first, middle| {
        if middle == start {
            return Ok(Flow::Continue(()));
        }
        for last in back.get(&middle).into_iter().flatten() {
            if emit(&[start, middle], &[first, *last])?.is_break() {
                return Ok(Flow::Break(()));
            }
        }
        if longest < 3 {
            return Ok(Flow::Continue(()));
        }
        work.graph.expand(middle, true, &edges, &mut |second, third| {
            work.budget.step()?;
            if third == start || third == middle {
                return Ok(Flow::Continue(()));
            }
            for last in back.get(&third).into_iter().flatten() {
                if emit(&[start, middle, third], &[first, second, *last])?.is_break() {
                    return Ok(Flow::Break(()));
                }
            }
            Ok(Flow::Continue(()))
        })
    })?;
    Ok(())
}
