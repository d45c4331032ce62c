//! Procedures: algorithms over a graph that CALL runs.

mod components;
mod khop;
mod names;
mod options;
mod procedure;
mod rank;

pub(super) use options::microseconds;
pub(super) use procedure::Procedure;
use procedure::{Take, Work, procedure, take_all, take_groups};

use crate::graph::PropertyGraph;
use crate::memory_budget::MemoryBudget;
use crate::values::Value;
use quarry_types::nearest_name::nearest;
use quarry_types::{Error, ErrorCode, Result};

const GROUPS: &[&[Procedure]] = &[components::PROCEDURES, khop::PROCEDURES, names::PROCEDURES, rank::PROCEDURES];

fn all() -> impl Iterator<Item = &'static Procedure> {
    GROUPS.iter().flat_map(|group| group.iter())
}

/// A procedure by its name, in any case.
pub(super) fn find(name: &str) -> Result<&'static Procedure> {
    all().find(|one| one.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
        let mut message = format!("There is no procedure {name}.");
        if let Some(near) = nearest(name, all().map(|one| one.name)) {
            message.push_str(&format!(" Did you mean {near}?"));
        }
        Error::new(ErrorCode::UnknownFunction, message)
    })
}

/// Runs a procedure and passes on its rows.
pub(super) fn call(
    procedure: &Procedure,
    graph: &dyn PropertyGraph,
    budget: &MemoryBudget,
    arguments: &[Value],
    take: &mut Take<'_>,
) -> Result<()> {
    (procedure.run)(&Work { graph, budget, arguments }, take)
}
