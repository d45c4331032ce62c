//! Matching: the steps of a pattern, one inside the other, backtracking.

use crate::executor::{Executor, Row, Sink, get, set};
use crate::graph::Flow;
use crate::logical_plan::{Direction, Expand, MatchStep, Seek, Slot};
use crate::values::{NodeId, Path, RelId, Value, equal};
use quarry_types::Result;

impl Executor<'_> {
    /// Passes on the row once for each match of the steps.
    pub fn match_steps(&self, steps: &[MatchStep], row: &mut Row, emit: &mut Sink) -> Result<Flow> {
        self.budget.step()?;
        let Some((step, rest)) = steps.split_first() else { return emit(row) };
        match step {
            MatchStep::Filter(filter) => match self.truth(filter, row)? {
                Some(true) => self.match_steps(rest, row, emit),
                _ => Ok(Flow::Continue(())),
            },
            MatchStep::CheckNode { slot, at } => match get(row, *slot) {
                Value::Node(_) => self.match_steps(rest, row, emit),
                Value::Null => Ok(Flow::Continue(())),
                other => {
                    let message = format!("Expected a node here, not a value of type {}.", other.type_name());
                    Err(self.text.invalid(message, *at))
                }
            },
            MatchStep::ScanNodes { slot, seek, label } => {
                let graph = self.graph();
                let found = seek.as_ref().map(|seek| self.seek(seek, row)).transpose()?.flatten();
                let mut each = |node: NodeId, row: &mut Row| {
                    self.budget.step()?;
                    if label.is_some_and(|label| !graph.has_label(node, label)) {
                        return Ok(Flow::Continue(()));
                    }
                    set(row, *slot, Value::Node(node));
                    self.match_steps(rest, row, emit)
                };
                match found {
                    Some(nodes) => {
                        for node in nodes {
                            if each(node, row)?.is_break() {
                                return Ok(Flow::Break(()));
                            }
                        }
                    }
                    None => {
                        for node in 0..graph.node_count() {
                            if each(node, row)?.is_break() {
                                return Ok(Flow::Break(()));
                            }
                        }
                    }
                }
                Ok(Flow::Continue(()))
            }
            MatchStep::BuildPath { slot, parts } => {
                let path = self.build_path(parts, row);
                set(row, *slot, path);
                self.match_steps(rest, row, emit)
            }
            MatchStep::Expand(expand) if expand.hops.is_some() => {
                self.expand_many(expand, row, &mut |row| self.match_steps(rest, row, emit))
            }
            MatchStep::Expand(expand) => self.expand_one(expand, row, &mut |row| self.match_steps(rest, row, emit)),
            MatchStep::ShortestPath(shortest) => {
                self.shortest_paths(shortest, row, &mut |row| self.match_steps(rest, row, emit))
            }
        }
    }

    /// The nodes an index gives; `None` when it can't answer for this value.
    fn seek(&self, seek: &Seek, row: &mut Row) -> Result<Option<Vec<NodeId>>> {
        let value = self.evaluate(&seek.value, row)?;
        if !seek.any_of {
            return Ok(self.graph().seek(&seek.property, &value));
        }
        let Value::List(items) = value else { return Ok(None) };
        let mut nodes = Vec::new();
        for item in items.iter() {
            match self.graph().seek(&seek.property, item) {
                Some(found) => nodes.extend(found),
                None => return Ok(None),
            }
        }
        nodes.sort_unstable();
        nodes.dedup();
        Ok(Some(nodes))
    }

    /// One relationship.
    fn expand_one(&self, expand: &Expand, row: &mut Row, emit: &mut Sink) -> Result<Flow> {
        let Value::Node(from) = *get(row, expand.from) else { return Ok(Flow::Continue(())) };
        if expand.matches_nothing {
            return Ok(Flow::Continue(()));
        }
        let known = if expand.relationship_bound { Some(get(row, expand.relationship).clone()) } else { None };
        let target = if expand.to_bound { Some(get(row, expand.to).clone()) } else { None };
        self.each_relationship(expand, from, &mut |edge, to| {
            if known.as_ref().is_some_and(|known| !matches!(known, Value::Relationship(one) if *one == edge))
                || target.as_ref().is_some_and(|target| !matches!(target, Value::Node(node) if *node == to))
                || is_used(&expand.other_relationships, edge, row)
                || !self.satisfies(expand, edge, row)?
            {
                return Ok(Flow::Continue(()));
            }
            set(row, expand.relationship, Value::Relationship(edge));
            set(row, expand.to, Value::Node(to));
            emit(row)
        })
    }

    /// Visits the relationships of a node in the direction of a pattern; a loop counts once.
    pub(super) fn each_relationship(
        &self,
        expand: &Expand,
        from: NodeId,
        visit: &mut dyn FnMut(RelId, NodeId) -> Result<Flow>,
    ) -> Result<Flow> {
        let mut counted = |edge: RelId, to: NodeId| {
            self.budget.step()?;
            visit(edge, to)
        };
        let graph = self.graph();
        if expand.direction != Direction::In && graph.expand(from, true, &expand.edges, &mut counted)?.is_break() {
            return Ok(Flow::Break(()));
        }
        match expand.direction {
            Direction::Out => Ok(Flow::Continue(())),
            Direction::In => graph.expand(from, false, &expand.edges, &mut counted),
            Direction::Both => graph.expand(from, false, &expand.edges, &mut |edge, to| {
                if to == from { Ok(Flow::Continue(())) } else { counted(edge, to) }
            }),
        }
    }

    /// Whether a relationship has the properties of the pattern and satisfies its conditions.
    pub(super) fn satisfies(&self, expand: &Expand, edge: RelId, row: &mut Row) -> Result<bool> {
        for (name, value) in &expand.properties {
            let expected = self.evaluate(value, row)?;
            if equal(&self.graph().relationship_property(edge, name)?, &expected) != Some(true) {
                return Ok(false);
            }
        }
        for (slot, predicate) in &expand.conditions {
            set(row, *slot, Value::Relationship(edge));
            if self.truth(predicate, row)? != Some(true) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A path of alternating nodes and relationships; a list of relationships adds the nodes between them.
    fn build_path(&self, parts: &[Slot], row: &Row) -> Value {
        let mut path = Path { nodes: Vec::new(), relationships: Vec::new() };
        for (index, slot) in parts.iter().enumerate() {
            match get(row, *slot) {
                Value::Node(node) if index == 0 => path.nodes.push(*node),
                Value::Relationship(one) => self.extend_path(&mut path, *one),
                Value::List(items) => {
                    for item in items.iter() {
                        if let Value::Relationship(one) = item {
                            self.extend_path(&mut path, *one);
                        }
                    }
                }
                Value::Node(_) => {}
                _ => return Value::Null,
            }
        }
        Value::Path(path.into())
    }

    fn extend_path(&self, path: &mut Path, one: RelId) {
        let (source, target) = self.graph().ends(one);
        let at = path.nodes.last().copied();
        path.relationships.push(one);
        path.nodes.push(if at == Some(source) { target } else { source });
    }
}

/// Whether another relationship of the same MATCH is this one.
pub(super) fn is_used(others: &[Slot], edge: RelId, row: &Row) -> bool {
    others.iter().any(|slot| match get(row, *slot) {
        Value::Relationship(one) => *one == edge,
        Value::List(items) => items.iter().any(|item| matches!(item, Value::Relationship(one) if *one == edge)),
        _ => false,
    })
}
