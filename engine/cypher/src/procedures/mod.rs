//! Procedures: what CALL runs on a whole graph.

mod components;
mod khop;
mod names;
mod options;
mod procedure;
mod rank;

pub(super) use options::microseconds;
pub(super) use procedure::Procedure;
use procedure::{Take, Work};

use super::budget::Budget;
use super::store::PropertyGraph;
use super::value::Value;
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

/// Runs a procedure and hands its rows on.
pub(super) fn call(
    procedure: &Procedure,
    graph: &dyn PropertyGraph,
    budget: &Budget,
    arguments: &[Value],
    take: &mut Take<'_>,
) -> Result<()> {
    (procedure.run)(&Work { graph, budget, arguments }, take)
}
