//! Walks of many relationships: all of them, only their ends, or the shortest.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use super::walk::is_used;
use super::{Machine, Row, Sink, get, set};
use crate::plan::{Expand, Hops, Shortest};
use crate::store::Flow;
use crate::value::{NodeId, Path, RelId, Value};
use quarry_types::Result;

/// Bytes one node of a search takes, for the memory limit.
const VISITED: usize = 64;

/// Relationships of a node that are still to be tried.
struct Branching {
    edges: Vec<(RelId, NodeId)>,
    next: usize,
}

impl Machine<'_> {
    /// A variable-length pattern: every walk that uses no relationship twice.
    pub(super) fn walk_far(&self, walk: &Expand, row: &mut Row, emit: &mut Sink) -> Result<Flow> {
        let (Value::Node(start), Some(hops)) = (get(row, walk.from).clone(), walk.hops) else {
            return Ok(Flow::Continue(()));
        };
        if walk.relationship_bound {
            return self.follow(walk, start, row, emit);
        }
        let target = walk.to_bound.then(|| get(row, walk.to).clone());
        if walk.ends_only {
            return self.ends(walk, start, hops, target.as_ref(), row, emit);
        }
        let held = self.budget.held();
        let mut trail: Vec<RelId> = Vec::new();
        if hops.min == 0 && self.arrive(walk, start, &trail, target.as_ref(), row, emit)?.is_break() {
            return Ok(Flow::Break(()));
        }
        let mut stack = Vec::new();
        if hops.max > 0 && hops.min <= hops.max {
            stack.push(self.branching(walk, start, row)?);
        }
        while let Some(top) = stack.last_mut() {
            self.budget.step()?;
            let Some(&(edge, node)) = top.edges.get(top.next) else {
                stack.pop();
                trail.pop();
                continue;
            };
            top.next += 1;
            if trail.contains(&edge) {
                continue;
            }
            trail.push(edge);
            let depth = trail.len() as u32;
            if depth >= hops.min && self.arrive(walk, node, &trail, target.as_ref(), row, emit)?.is_break() {
                return Ok(Flow::Break(()));
            }
            if depth < hops.max {
                stack.push(self.branching(walk, node, row)?);
            } else {
                trail.pop();
            }
        }
        self.budget.release_to(held);
        Ok(Flow::Continue(()))
    }

    fn branching(&self, walk: &Expand, node: NodeId, row: &mut Row) -> Result<Branching> {
        let mut edges = Vec::new();
        if !walk.nothing {
            let _ = self.each_edge(walk, node, &mut |edge, to| {
                if !is_used(&walk.others, edge, row) && self.has_properties(walk, edge, row)? {
                    edges.push((edge, to));
                }
                Ok(Flow::Continue(()))
            })?;
        }
        self.budget.hold(edges.len() * size_of::<(RelId, NodeId)>())?;
        Ok(Branching { edges, next: 0 })
    }

    fn arrive(
        &self,
        walk: &Expand,
        node: NodeId,
        trail: &[RelId],
        target: Option<&Value>,
        row: &mut Row,
        emit: &mut Sink,
    ) -> Result<Flow> {
        if target.is_some_and(|target| !matches!(target, Value::Node(wanted) if *wanted == node)) {
            return Ok(Flow::Continue(()));
        }
        set(row, walk.relationship, as_list(trail, walk.reversed));
        set(row, walk.to, Value::Node(node));
        emit(row)
    }

    /// Only the nodes that can be reached, each once, nearest first.
    fn ends(
        &self,
        walk: &Expand,
        start: NodeId,
        hops: Hops,
        target: Option<&Value>,
        row: &mut Row,
        emit: &mut Sink,
    ) -> Result<Flow> {
        let held = self.budget.held();
        let mut seen = HashSet::new();
        if hops.min == 0 {
            seen.insert(start);
            if self.arrive(walk, start, &[], target, row, emit)?.is_break() {
                return Ok(Flow::Break(()));
            }
        }
        let mut level = vec![start];
        let mut depth = 0;
        while depth < hops.max && !level.is_empty() && !walk.nothing {
            depth += 1;
            let mut next = Vec::new();
            for node in level {
                let _ = self.each_edge(walk, node, &mut |edge, to| {
                    if !seen.contains(&to) && self.has_properties(walk, edge, row)? {
                        seen.insert(to);
                        self.budget.hold(VISITED)?;
                        next.push(to);
                    }
                    Ok(Flow::Continue(()))
                })?;
            }
            for node in &next {
                if self.arrive(walk, *node, &[], target, row, emit)?.is_break() {
                    return Ok(Flow::Break(()));
                }
            }
            level = next;
        }
        self.budget.release_to(held);
        Ok(Flow::Continue(()))
    }

    /// The list of relationships is known already: it must lead from the start to where the pattern ends.
    fn follow(&self, walk: &Expand, start: NodeId, row: &mut Row, emit: &mut Sink) -> Result<Flow> {
        let Value::List(items) = get(row, walk.relationship).clone() else { return Ok(Flow::Continue(())) };
        let mut trail: Vec<RelId> = items
            .iter()
            .filter_map(|item| match item {
                Value::Relationship(one) => Some(*one),
                _ => None,
            })
            .collect();
        if walk.reversed {
            trail.reverse();
        }
        let mut node = start;
        for edge in &trail {
            let mut reached = None;
            let _ = self.each_edge(walk, node, &mut |found, to| {
                reached = (found == *edge).then_some(to);
                Ok(if reached.is_some() { Flow::Break(()) } else { Flow::Continue(()) })
            })?;
            match reached {
                Some(to) => node = to,
                None => return Ok(Flow::Continue(())),
            }
        }
        let fits = walk.hops.is_none_or(|hops| (hops.min as usize..=hops.max as usize).contains(&trail.len()));
        let target = walk.to_bound.then(|| get(row, walk.to).clone());
        if fits { self.arrive(walk, node, &trail, target.as_ref(), row, emit) } else { Ok(Flow::Continue(())) }
    }

    /// Breadth-first from one end: the first time the other is met, its distance is the least.
    pub(super) fn shortest(&self, shortest: &Shortest, row: &mut Row, emit: &mut Sink) -> Result<Flow> {
        let walk = &shortest.walk;
        let (Value::Node(start), Value::Node(end), Some(hops)) =
            (get(row, walk.from).clone(), get(row, walk.to).clone(), walk.hops)
        else {
            return Ok(Flow::Continue(()));
        };
        let held = self.budget.held();
        let reached = self.search(walk, start, end, hops, shortest.all, row)?;
        // A path from a node to itself is the empty one or none.
        let mut partial =
            if start == end && hops.min > 0 { vec![] } else { vec![(end, Vec::<(RelId, NodeId)>::new())] };
        while let Some((node, trail)) = partial.pop() {
            self.budget.step()?;
            if node != start {
                let ways = reached.get(&node).map_or(&[][..], |reached| &reached.by);
                for (edge, before) in ways {
                    let mut longer = trail.clone();
                    longer.push((*edge, node));
                    partial.push((*before, longer));
                }
                continue;
            }
            let mut path = Path { nodes: vec![start], relationships: Vec::new() };
            for (edge, to) in trail.iter().rev() {
                path.nodes.push(*to);
                path.relationships.push(*edge);
            }
            set(row, walk.relationship, as_list(&path.relationships, false));
            set(row, shortest.path, Value::Path(path.into()));
            if emit(row)?.is_break() {
                return Ok(Flow::Break(()));
            }
        }
        self.budget.release_to(held);
        Ok(Flow::Continue(()))
    }

    /// For every node nearer than the end, or as near, how it is reached by the fewest relationships.
    fn search(
        &self,
        walk: &Expand,
        start: NodeId,
        end: NodeId,
        hops: Hops,
        all: bool,
        row: &mut Row,
    ) -> Result<HashMap<NodeId, Reached>> {
        let mut reached: HashMap<NodeId, Reached> = HashMap::new();
        reached.insert(start, Reached { depth: 0, by: Vec::new() });
        let mut queue = VecDeque::from([(start, 0)]);
        while let Some((node, depth)) = queue.pop_front() {
            let limit = reached.get(&end).map_or(hops.max, |end| end.depth.min(hops.max));
            if depth >= limit || walk.nothing {
                break;
            }
            let _ = self.each_edge(walk, node, &mut |edge, to| {
                if !self.has_properties(walk, edge, row)? || is_used(&walk.others, edge, row) {
                    return Ok(Flow::Continue(()));
                }
                match reached.get_mut(&to) {
                    None => {
                        self.budget.hold(VISITED)?;
                        reached.insert(to, Reached { depth: depth + 1, by: vec![(edge, node)] });
                        queue.push_back((to, depth + 1));
                    }
                    Some(known) if all && known.depth == depth + 1 => known.by.push((edge, node)),
                    Some(_) => {}
                }
                let done = !all && to == end;
                Ok(if done { Flow::Break(()) } else { Flow::Continue(()) })
            })?;
        }
        Ok(reached)
    }
}

/// How a node is reached: its distance, and the last relationships of the ways there.
struct Reached {
    depth: u32,
    by: Vec<(RelId, NodeId)>,
}

fn as_list(trail: &[RelId], reversed: bool) -> Value {
    let mut list: Vec<Value> = trail.iter().map(|edge| Value::Relationship(*edge)).collect();
    if reversed {
        list.reverse();
    }
    Value::List(Arc::new(list))
}
