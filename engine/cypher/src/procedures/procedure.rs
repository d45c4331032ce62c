//! What a procedure is.

use crate::graph::{Edges, Flow, PropertyGraph};
use crate::memory_budget::MemoryBudget;
use crate::values::{NodeId, RelId, Value, ValueType};
use quarry_types::{Error, ErrorCode, Result};

/// Takes the rows of a procedure; returns whether to continue.
pub(crate) type Take<'t> = dyn FnMut(&[Value]) -> Result<Flow> + 't;

/// What a procedure works with.
pub(crate) struct Work<'w> {
    pub graph: &'w dyn PropertyGraph,
    pub budget: &'w MemoryBudget,
    pub arguments: &'w [Value],
}

/// One procedure.
pub(crate) struct Procedure {
    pub name: &'static str,
    /// Names of its parameters; the first `required` must be given.
    pub parameters: &'static [&'static str],
    pub required: usize,
    pub columns: &'static [(&'static str, ValueType)],
    pub run: fn(&Work<'_>, &mut Take<'_>) -> Result<()>,
}

/// A procedure whose first `required` parameters must be given.
pub(super) const fn procedure(
    name: &'static str,
    parameters: &'static [&'static str],
    required: usize,
    columns: &'static [(&'static str, ValueType)],
    run: fn(&Work<'_>, &mut Take<'_>) -> Result<()>,
) -> Procedure {
    Procedure { name, parameters, required, columns, run }
}

/// Passes on rows until one is the last that is taken.
pub(super) fn take_all<const N: usize>(rows: impl Iterator<Item = [Value; N]>, take: &mut Take<'_>) -> Result<()> {
    for row in rows {
        if take(&row)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// Passes on a row for each node: its group, which is named by the number of one of its nodes, and the size of the group.
pub(super) fn take_groups(groups: &[NodeId], take: &mut Take<'_>) -> Result<()> {
    let mut sizes = vec![0_i64; groups.len()];
    groups.iter().for_each(|group| sizes[*group as usize] += 1);
    let row = |(node, group): (NodeId, &NodeId)| {
        [Value::Node(node), Value::Int(i64::from(*group)), Value::Int(sizes[*group as usize])]
    };
    take_all((0..).zip(groups).map(row), take)
}

impl Work<'_> {
    /// Visits the edges of a node: those that leave it (`out`), those that reach it (`into`), or both.
    pub fn expand(
        &self,
        node: NodeId,
        (out, into): (bool, bool),
        edges: &Edges,
        visit: &mut dyn FnMut(RelId, NodeId) -> Result<Flow>,
    ) -> Result<Flow> {
        let mut visit = |edge, other| {
            self.budget.step()?;
            visit(edge, other)
        };
        if out && self.graph.expand(node, true, edges, &mut visit)?.is_break() || !into {
            return Ok(Flow::Continue(()));
        }
        self.graph.expand(node, false, edges, &mut visit)
    }
}

impl std::fmt::Debug for Procedure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Procedure {
    fn eq(&self, other: &Procedure) -> bool {
        self.name == other.name
    }
}

impl Procedure {
    /// How it is called, and what it gives.
    pub fn signature(&self) -> String {
        let parameter = |(index, name): (usize, &&str)| {
            if index < self.required { (*name).to_string() } else { format!("[{name}]") }
        };
        let parameters: Vec<String> = self.parameters.iter().enumerate().map(parameter).collect();
        let columns: Vec<&str> = self.columns.iter().map(|column| column.0).collect();
        format!("{}({}) YIELD {}", self.name, parameters.join(", "), columns.join(", "))
    }

    pub fn column(&self, name: &str) -> Result<usize> {
        self.columns.iter().position(|column| column.0 == name).ok_or_else(|| {
            let names: Vec<&str> = self.columns.iter().map(|column| column.0).collect();
            let message = format!("{} has no column {name}; it has {}.", self.name, names.join(", "));
            Error::new(ErrorCode::UnknownColumn, message)
        })
    }

    pub fn kind_of(&self, column: usize) -> ValueType {
        self.columns.get(column).map_or(ValueType::Any, |column| column.1)
    }
}
