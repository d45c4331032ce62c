//! The names that a graph has.

use super::{Procedure, Take, procedure, take_all};
use crate::values::{Value, ValueType};
use quarry_types::Result;

pub(super) const PROCEDURES: &[Procedure] = &[
    procedure("db.labels", &[], 0, &[("label", ValueType::Any)], |work, take| rows(work.graph.names().labels, take)),
    procedure("db.relationshipTypes", &[], 0, &[("relationshipType", ValueType::Any)], |work, take| {
        rows(work.graph.names().types, take)
    }),
    procedure("db.propertyKeys", &[], 0, &[("propertyKey", ValueType::Any)], |work, take| {
        rows(work.graph.names().properties, take)
    }),
];

fn rows(names: Vec<String>, take: &mut Take<'_>) -> Result<()> {
    take_all(names.into_iter().map(|name| [Value::text(name)]), take)
}
