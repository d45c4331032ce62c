//! Patterns of variable length: every path, only the nodes at the end, or the shortest paths.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use super::match_pattern::is_used;
use crate::executor::{Executor, Row, Sink, get, set};
use crate::graph::Flow;
use crate::logical_plan::{Expand, Hops, ShortestPath};
use crate::values::{NodeId, Path, RelId, Value};
use quarry_types::Result;

/// Bytes one node of a search takes, for the memory limit.
const SEARCHED_NODE_BYTES: usize = 64;

/// Relationships of a node that are still to be tried.
struct Candidates {
    edges: Vec<(RelId, NodeId)>,
    next: usize,
}

impl Executor<'_> {
    /// A variable-length pattern: every path that uses no relationship twice.
    pub(super) fn expand_many(&self, expand: &Expand, row: &mut Row, emit: &mut Sink) -> Result<Flow> {
        let (Value::Node(start), Some(hops)) = (get(row, expand.from).clone(), expand.hops) else {
            return Ok(Flow::Continue(()));
        };
        if expand.relationship_bound {
            return self.follow_list(expand, start, row, emit);
        }
        let target = expand.to_bound.then(|| get(row, expand.to).clone());
        if expand.ends_only {
            return self.expand_to_ends(expand, start, hops, target.as_ref(), row, emit);
        }
        let held = self.budget.held();
        let mut relationships: Vec<RelId> = Vec::new();
        if hops.min == 0 && self.emit_path(expand, start, &relationships, target.as_ref(), row, emit)?.is_break() {
            return Ok(Flow::Break(()));
        }
        let mut stack = Vec::new();
        if hops.max > 0 && hops.min <= hops.max {
            stack.push(self.candidates(expand, start, row)?);
        }
        while let Some(top) = stack.last_mut() {
            self.budget.step()?;
            let Some(&(edge, node)) = top.edges.get(top.next) else {
                stack.pop();
                relationships.pop();
                continue;
            };
            top.next += 1;
            if relationships.contains(&edge) {
                continue;
            }
            relationships.push(edge);
            let depth = relationships.len() as u32;
            if depth >= hops.min && self.emit_path(expand, node, &relationships, target.as_ref(), row, emit)?.is_break()
            {
                return Ok(Flow::Break(()));
            }
            if depth < hops.max {
                stack.push(self.candidates(expand, node, row)?);
            } else {
                relationships.pop();
            }
        }
        self.budget.release_to(held);
        Ok(Flow::Continue(()))
    }

    fn candidates(&self, expand: &Expand, node: NodeId, row: &mut Row) -> Result<Candidates> {
        let mut edges = Vec::new();
        if !expand.matches_nothing {
            let _ = self.each_relationship(expand, node, &mut |edge, to| {
                if !is_used(&expand.other_relationships, edge, row) && self.satisfies(expand, edge, row)? {
                    edges.push((edge, to));
                }
                Ok(Flow::Continue(()))
            })?;
        }
        self.budget.hold(edges.len() * size_of::<(RelId, NodeId)>())?;
        Ok(Candidates { edges, next: 0 })
    }

    fn emit_path(
        &self,
        expand: &Expand,
        node: NodeId,
        relationships: &[RelId],
        target: Option<&Value>,
        row: &mut Row,
        emit: &mut Sink,
    ) -> Result<Flow> {
        if target.is_some_and(|target| !matches!(target, Value::Node(wanted) if *wanted == node)) {
            return Ok(Flow::Continue(()));
        }
        set(row, expand.relationship, as_list(relationships, expand.reversed));
        set(row, expand.to, Value::Node(node));
        emit(row)
    }

    /// Only the nodes that can be reached, each once, nearest first.
    fn expand_to_ends(
        &self,
        expand: &Expand,
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
            if self.emit_path(expand, start, &[], target, row, emit)?.is_break() {
                return Ok(Flow::Break(()));
            }
        }
        let mut level = vec![start];
        let mut depth = 0;
        while depth < hops.max && !level.is_empty() && !expand.matches_nothing {
            depth += 1;
            let mut next = Vec::new();
            for node in level {
                let _ = self.each_relationship(expand, node, &mut |edge, to| {
                    if !seen.contains(&to) && self.satisfies(expand, edge, row)? {
                        seen.insert(to);
                        self.budget.hold(SEARCHED_NODE_BYTES)?;
                        next.push(to);
                    }
                    Ok(Flow::Continue(()))
                })?;
            }
            for node in &next {
                if self.emit_path(expand, *node, &[], target, row, emit)?.is_break() {
                    return Ok(Flow::Break(()));
                }
            }
            level = next;
        }
        self.budget.release_to(held);
        Ok(Flow::Continue(()))
    }

    /// The list of relationships is known already: it must lead from the start to where the pattern ends.
    fn follow_list(&self, expand: &Expand, start: NodeId, row: &mut Row, emit: &mut Sink) -> Result<Flow> {
        let Value::List(items) = get(row, expand.relationship).clone() else { return Ok(Flow::Continue(())) };
        let mut relationships: Vec<RelId> = items
            .iter()
            .filter_map(|item| match item {
                Value::Relationship(one) => Some(*one),
                _ => None,
            })
            .collect();
        if expand.reversed {
            relationships.reverse();
        }
        let mut node = start;
        for edge in &relationships {
            let mut reached = None;
            let _ = self.each_relationship(expand, node, &mut |found, to| {
                reached = (found == *edge).then_some(to);
                Ok(if reached.is_some() { Flow::Break(()) } else { Flow::Continue(()) })
            })?;
            match reached {
                Some(to) => node = to,
                None => return Ok(Flow::Continue(())),
            }
        }
        let fits =
            expand.hops.is_none_or(|hops| (hops.min as usize..=hops.max as usize).contains(&relationships.len()));
        let target = expand.to_bound.then(|| get(row, expand.to).clone());
        if fits {
            self.emit_path(expand, node, &relationships, target.as_ref(), row, emit)
        } else {
            Ok(Flow::Continue(()))
        }
    }

    /// Breadth-first from one end: the first time the other is met, its distance is the least.
    pub(super) fn shortest_paths(&self, shortest: &ShortestPath, row: &mut Row, emit: &mut Sink) -> Result<Flow> {
        let expand = &shortest.expand;
        let (Value::Node(start), Value::Node(end), Some(hops)) =
            (get(row, expand.from).clone(), get(row, expand.to).clone(), expand.hops)
        else {
            return Ok(Flow::Continue(()));
        };
        let held = self.budget.held();
        let reached = self.search(expand, start, end, hops, shortest.all, row)?;
        // A path from a node to itself is the empty one or none.
        let mut partial =
            if start == end && hops.min > 0 { vec![] } else { vec![(end, Vec::<(RelId, NodeId)>::new())] };
        while let Some((node, relationships)) = partial.pop() {
            self.budget.step()?;
            if node != start {
                let ways = reached.get(&node).map_or(&[][..], |reached| &reached.by);
                for (edge, before) in ways {
                    let mut longer = relationships.clone();
                    longer.push((*edge, node));
                    partial.push((*before, longer));
                }
                continue;
            }
            let mut path = Path { nodes: vec![start], relationships: Vec::new() };
            for (edge, to) in relationships.iter().rev() {
                path.nodes.push(*to);
                path.relationships.push(*edge);
            }
            set(row, expand.relationship, as_list(&path.relationships, false));
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
        expand: &Expand,
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
            if depth >= limit || expand.matches_nothing {
                break;
            }
            let _ = self.each_relationship(expand, node, &mut |edge, to| {
                if !self.satisfies(expand, edge, row)? || is_used(&expand.other_relationships, edge, row) {
                    return Ok(Flow::Continue(()));
                }
                match reached.get_mut(&to) {
                    None => {
                        self.budget.hold(SEARCHED_NODE_BYTES)?;
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

fn as_list(relationships: &[RelId], reversed: bool) -> Value {
    let mut list: Vec<Value> = relationships.iter().map(|edge| Value::Relationship(*edge)).collect();
    if reversed {
        list.reverse();
    }
    Value::List(Arc::new(list))
}
