//! Importance, communities and similarity of nodes.

use std::collections::{HashMap, HashSet};

use super::options::{Options, invalid, node};
use super::{Procedure, Take, Work, procedure, take_all, take_groups};
use crate::graph::{Edges, Flow};
use crate::values::{NodeId, Value, ValueType, as_f64};
use quarry_types::Result;

pub(super) const PROCEDURES: &[Procedure] = &[
    procedure("quarry.pagerank", &["options"], 0, &[("node", ValueType::Node), ("score", ValueType::Any)], pagerank),
    procedure(
        "quarry.communities",
        &["options"],
        0,
        &[("node", ValueType::Node), ("community", ValueType::Any), ("size", ValueType::Any)],
        communities,
    ),
    procedure(
        "quarry.jaccard",
        &["start", "options"],
        1,
        &[("node", ValueType::Node), ("similarity", ValueType::Any), ("common", ValueType::Any)],
        jaccard,
    ),
];

const OPTIONS: [&str; 6] = ["types", "from", "to", "minValue", "iterations", "damping"];

/// Neighbors of every node, each once, as one list with a start for each node.
struct Neighbors {
    starts: Vec<usize>,
    all: Vec<NodeId>,
}

impl Neighbors {
    fn read(work: &Work<'_>, edges: &Edges, both: bool) -> Result<Neighbors> {
        let mut read = Neighbors { starts: vec![0], all: Vec::new() };
        for node in 0..work.graph.node_count() {
            let first = read.all.len();
            let _ = work.expand(node, (true, both), edges, &mut |_, other| {
                read.all.push(other);
                Ok(Flow::Continue(()))
            })?;
            read.all[first..].sort_unstable();
            let mut last = first;
            for at in first..read.all.len() {
                if at == first || read.all[at] != read.all[at - 1] {
                    read.all[last] = read.all[at];
                    last += 1;
                }
            }
            read.all.truncate(last);
            work.budget.hold(size_of::<usize>() + (last - first) * size_of::<NodeId>())?;
            read.starts.push(last);
        }
        Ok(read)
    }

    fn of_node(&self, node: NodeId) -> &[NodeId] {
        &self.all[self.starts[node as usize]..self.starts[node as usize + 1]]
    }
}

/// PageRank by power iteration (Brin and Page, 1998); each pair of nodes counts once, and the score of nodes that lead
/// nowhere is shared by all. Scores add up to 1.
fn pagerank(work: &Work<'_>, take: &mut Take<'_>) -> Result<()> {
    let options = Options::new(work.arguments.first(), &OPTIONS)?;
    let edges = options.edges(work.graph)?;
    let iterations = options.number("iterations", 20, 1..=1_000)?;
    let damping = options.get("damping").map_or(Some(0.85), as_f64).filter(|damping| (0.0..1.0).contains(damping));
    let damping = damping.ok_or_else(|| invalid("damping must be at least 0 and less than 1.".to_string()))?;
    let neighbors = Neighbors::read(work, &edges, false)?;
    let count = work.graph.node_count() as usize;
    work.budget.hold(count * 16)?;
    let mut scores = vec![1.0 / count.max(1) as f64; count];
    for _ in 0..iterations {
        let mut next = vec![0.0; count];
        let mut lost = 0.0;
        for (node, score) in (0..).zip(&scores) {
            work.budget.step()?;
            let to = neighbors.of_node(node);
            if to.is_empty() {
                lost += score;
            }
            to.iter().for_each(|other| next[*other as usize] += score / to.len() as f64);
        }
        let base = (1.0 - damping + damping * lost) / count.max(1) as f64;
        next.iter_mut().for_each(|score| *score = base + damping * *score);
        scores = next;
    }
    take_all((0..).zip(scores).map(|(node, score)| [Value::Node(node), Value::Float(score)]), take)
}

/// Label propagation (Raghavan, Albert and Kumara, 2007): each node takes the community most of its neighbors are in, the
/// smallest number among equals, until nothing changes. Nodes are visited by number, so the same graph gives the same answer.
fn communities(work: &Work<'_>, take: &mut Take<'_>) -> Result<()> {
    let options = Options::new(work.arguments.first(), &OPTIONS[..5])?;
    let edges = options.edges(work.graph)?;
    let iterations = options.number("iterations", 20, 1..=1_000)?;
    let neighbors = Neighbors::read(work, &edges, true)?;
    let count = work.graph.node_count();
    work.budget.hold(count as usize * 8)?;
    let mut community: Vec<NodeId> = (0..count).collect();
    let mut votes: HashMap<NodeId, u32> = HashMap::new();
    for _ in 0..iterations {
        let mut changed = false;
        for node in 0..count {
            work.budget.step()?;
            votes.clear();
            for other in neighbors.of_node(node).iter().filter(|other| **other != node) {
                *votes.entry(community[*other as usize]).or_default() += 1;
            }
            let best = votes.iter().max_by_key(|(name, votes)| (**votes, std::cmp::Reverse(**name)));
            let best = best.map_or(community[node as usize], |(name, _)| *name);
            changed |= best != community[node as usize];
            community[node as usize] = best;
        }
        if !changed {
            break;
        }
    }
    take_groups(&community, take)
}

/// Jaccard similarity (1901): the share of common neighbors, for every node that has one in common with the start.
fn jaccard(work: &Work<'_>, take: &mut Take<'_>) -> Result<()> {
    let start = node(work.graph, &work.arguments[0])?;
    let options = Options::new(work.arguments.get(1), &["direction", "types", "from", "to", "minValue", "maxDegree"])?;
    let edges = options.edges(work.graph)?;
    let (out, into) = options.direction()?;
    let most = options.number("maxDegree", 10_000, 1..=u32::MAX)? as usize;
    let neighbors = |node: NodeId, direction: (bool, bool)| {
        let mut found = HashSet::new();
        let _ = work.expand(node, direction, &edges, &mut |_, other| {
            found.insert(other);
            // A neighbor that too many nodes share is no sign of similarity.
            Ok(if found.len() > most { Flow::Break(()) } else { Flow::Continue(()) })
        })?;
        Ok::<_, quarry_types::Error>(found)
    };
    let own = neighbors(start, (out, into))?;
    let mut common: HashMap<NodeId, u32> = HashMap::new();
    for neighbor in &own {
        let others = neighbors(*neighbor, (into, out))?;
        if others.len() <= most {
            work.budget.hold(others.len() * 16)?;
            others.into_iter().filter(|other| *other != start).for_each(|other| *common.entry(other).or_default() += 1);
        }
    }
    let mut similar = Vec::new();
    for (other, shared) in common {
        let size = neighbors(other, (out, into))?.len() + own.len() - shared as usize;
        similar.push((f64::from(shared) / size.max(1) as f64, other, shared));
    }
    similar.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let row = |(similarity, other, shared): (f64, NodeId, u32)| {
        [Value::Node(other), Value::Float(similarity), Value::Int(i64::from(shared))]
    };
    take_all(similar.into_iter().map(row), take)
}
