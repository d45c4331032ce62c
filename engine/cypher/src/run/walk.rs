//! Matching: the steps of a pattern, one inside the other, backtracking.

use super::{Machine, Row, Sink, get, set};
use crate::plan::{Direction, Expand, Seek, Slot, Step};
use crate::store::Flow;
use crate::value::{NodeId, Path, RelId, Value, equal};
use quarry_types::{ErrorCode, Result};

impl Machine<'_> {
    /// Hands the row on once for every way to match the steps.
    pub fn walk(&self, steps: &[Step], row: &mut Row, emit: &mut Sink) -> Result<Flow> {
        self.budget.step()?;
        let Some((step, rest)) = steps.split_first() else { return emit(row) };
        match step {
            Step::Filter(filter) => match self.truth(filter, row)? {
                Some(true) => self.walk(rest, row, emit),
                _ => Ok(Flow::Continue(())),
            },
            Step::IsNode { slot, at } => match get(row, *slot) {
                Value::Node(_) => self.walk(rest, row, emit),
                Value::Null => Ok(Flow::Continue(())),
                other => {
                    let message = format!("A node is expected here, not a value of type {}.", other.type_name());
                    Err(self.error(ErrorCode::InvalidQuery, message, *at))
                }
            },
            Step::Nodes { slot, seek, label } => {
                let graph = self.graph();
                let found = seek.as_ref().map(|seek| self.seek(seek, row)).transpose()?.flatten();
                let mut each = |node: NodeId, row: &mut Row| {
                    self.budget.step()?;
                    if label.is_some_and(|label| !graph.has_label(node, label)) {
                        return Ok(Flow::Continue(()));
                    }
                    set(row, *slot, Value::Node(node));
                    self.walk(rest, row, emit)
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
            Step::Path { slot, parts } => {
                let path = self.path(parts, row);
                set(row, *slot, path);
                self.walk(rest, row, emit)
            }
            Step::Expand(walk) if walk.hops.is_some() => {
                self.walk_far(walk, row, &mut |row| self.walk(rest, row, emit))
            }
            Step::Expand(walk) => self.expand(walk, row, &mut |row| self.walk(rest, row, emit)),
            Step::Shortest(shortest) => self.shortest(shortest, row, &mut |row| self.walk(rest, row, emit)),
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
    fn expand(&self, walk: &Expand, row: &mut Row, emit: &mut Sink) -> Result<Flow> {
        let Value::Node(from) = *get(row, walk.from) else { return Ok(Flow::Continue(())) };
        if walk.nothing {
            return Ok(Flow::Continue(()));
        }
        let known = if walk.relationship_bound { Some(get(row, walk.relationship).clone()) } else { None };
        let target = if walk.to_bound { Some(get(row, walk.to).clone()) } else { None };
        self.each_edge(walk, from, &mut |edge, to| {
            if known.as_ref().is_some_and(|known| !matches!(known, Value::Relationship(one) if *one == edge))
                || target.as_ref().is_some_and(|target| !matches!(target, Value::Node(node) if *node == to))
                || is_used(&walk.others, edge, row)
                || !self.has_properties(walk, edge, row)?
            {
                return Ok(Flow::Continue(()));
            }
            set(row, walk.relationship, Value::Relationship(edge));
            set(row, walk.to, Value::Node(to));
            emit(row)
        })
    }

    /// Visits the relationships of a node in the direction of a walk; a loop counts once.
    pub(super) fn each_edge(
        &self,
        walk: &Expand,
        from: NodeId,
        visit: &mut dyn FnMut(RelId, NodeId) -> Result<Flow>,
    ) -> Result<Flow> {
        let mut counted = |edge: RelId, to: NodeId| {
            self.budget.step()?;
            visit(edge, to)
        };
        let graph = self.graph();
        if walk.direction != Direction::In && graph.expand(from, true, &walk.edges, &mut counted)?.is_break() {
            return Ok(Flow::Break(()));
        }
        match walk.direction {
            Direction::Out => Ok(Flow::Continue(())),
            Direction::In => graph.expand(from, false, &walk.edges, &mut counted),
            Direction::Both => graph.expand(from, false, &walk.edges, &mut |edge, to| {
                if to == from { Ok(Flow::Continue(())) } else { counted(edge, to) }
            }),
        }
    }

    pub(super) fn has_properties(&self, walk: &Expand, edge: RelId, row: &mut Row) -> Result<bool> {
        for (name, value) in &walk.properties {
            let expected = self.evaluate(value, row)?;
            if equal(&self.graph().relationship_property(edge, name)?, &expected) != Some(true) {
                return Ok(false);
            }
        }
        for (slot, predicate) in &walk.each {
            set(row, *slot, Value::Relationship(edge));
            if self.truth(predicate, row)? != Some(true) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A path of nodes and relationships in turn; lists of relationships bring the nodes between them.
    fn path(&self, parts: &[Slot], row: &Row) -> Value {
        let mut path = Path { nodes: Vec::new(), relationships: Vec::new() };
        for (index, slot) in parts.iter().enumerate() {
            match get(row, *slot) {
                Value::Node(node) if index == 0 => path.nodes.push(*node),
                Value::Relationship(one) => self.go_on(&mut path, *one),
                Value::List(items) => {
                    for item in items.iter() {
                        if let Value::Relationship(one) = item {
                            self.go_on(&mut path, *one);
                        }
                    }
                }
                Value::Node(_) => {}
                _ => return Value::Null,
            }
        }
        Value::Path(path.into())
    }

    fn go_on(&self, path: &mut Path, one: RelId) {
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
