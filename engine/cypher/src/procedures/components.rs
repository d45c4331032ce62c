//! Connected components: weak ones, and strong ones, in which edges lead from each node to each other.

use super::options::Options;
use super::{Procedure, Take, Work, procedure, take_groups};
use crate::graph::{Edges, Flow};
use crate::values::{NodeId, ValueType};
use quarry_types::Result;

const COLUMNS: &[(&str, ValueType)] =
    &[("node", ValueType::Node), ("component", ValueType::Any), ("size", ValueType::Any)];

pub(super) const PROCEDURES: &[Procedure] = &[
    procedure("quarry.wcc", &["options"], 0, COLUMNS, weak),
    procedure("quarry.scc", &["options"], 0, COLUMNS, strong),
];

const OPTIONS: [&str; 4] = ["types", "from", "to", "minValue"];

/// Weakly connected: union-find with path halving (Tarjan and van Leeuwen, 1984).
fn weak(work: &Work<'_>, take: &mut Take<'_>) -> Result<()> {
    let edges = Options::new(work.arguments.first(), &OPTIONS)?.edges(work.graph)?;
    let count = work.graph.node_count();
    work.budget.hold(count as usize * 8)?;
    let mut parents: Vec<NodeId> = (0..count).collect();
    for node in 0..count {
        let _ = work.graph.expand(node, true, &edges, &mut |_, other| {
            work.budget.step()?;
            let (a, b) = (root(&mut parents, node), root(&mut parents, other));
            // The smaller number is the root: a component is named after its first node.
            parents[a.max(b) as usize] = a.min(b);
            Ok(Flow::Continue(()))
        })?;
    }
    let components: Vec<NodeId> = (0..count).map(|node| root(&mut parents, node)).collect();
    take_groups(&components, take)
}

fn root(parents: &mut [NodeId], node: NodeId) -> NodeId {
    let mut at = node;
    while parents[at as usize] != at {
        let above = parents[parents[at as usize] as usize];
        parents[at as usize] = above;
        at = above;
    }
    at
}

/// Strongly connected: Tarjan's algorithm (1972), with an explicit stack instead of recursion.
fn strong(work: &Work<'_>, take: &mut Take<'_>) -> Result<()> {
    const NEW: u32 = u32::MAX;
    let edges = Options::new(work.arguments.first(), &OPTIONS)?.edges(work.graph)?;
    let count = work.graph.node_count();
    work.budget.hold(count as usize * 24)?;
    let mut index = vec![NEW; count as usize];
    let mut low = vec![0; count as usize];
    let mut component = vec![NEW; count as usize];
    let (mut next, mut open) = (0_u32, Vec::new());
    for start in 0..count {
        if index[start as usize] != NEW {
            continue;
        }
        let mut calls: Vec<(NodeId, Vec<NodeId>)> = Vec::new();
        let mut enter = Some(start);
        loop {
            if let Some(node) = enter.take() {
                (index[node as usize], low[node as usize]) = (next, next);
                next += 1;
                open.push(node);
                calls.push((node, targets(work, &edges, node)?));
            }
            let Some((node, rest)) = calls.last_mut() else { break };
            let node = *node;
            work.budget.step()?;
            if let Some(other) = rest.pop() {
                if index[other as usize] == NEW {
                    enter = Some(other);
                } else if component[other as usize] == NEW {
                    low[node as usize] = low[node as usize].min(index[other as usize]);
                }
                continue;
            }
            calls.pop();
            if let Some((caller, _)) = calls.last() {
                low[*caller as usize] = low[*caller as usize].min(low[node as usize]);
            }
            if low[node as usize] == index[node as usize] {
                let first = open.iter().rposition(|one| *one == node).unwrap_or(0);
                let members = open.split_off(first);
                let name = members.iter().copied().min().unwrap_or(node);
                members.into_iter().for_each(|one| component[one as usize] = name);
            }
        }
    }
    take_groups(&component, take)
}

fn targets(work: &Work<'_>, edges: &Edges, node: NodeId) -> Result<Vec<NodeId>> {
    let mut targets = Vec::new();
    let _ = work.graph.expand(node, true, edges, &mut |_, other| {
        if targets.last() != Some(&other) {
            targets.push(other);
        }
        Ok(Flow::Continue(()))
    })?;
    Ok(targets)
}
