//! What names a graph knows.

use super::{Procedure, Take, Work};
use crate::value::{Value, ValueType};
use quarry_types::Result;

pub(super) const PROCEDURES: &[Procedure] = &[
    Procedure {
        name: "db.labels",
        parameters: &[],
        required: 0,
        columns: &[("label", ValueType::Any)],
        run: |work, take| each(work.graph.names().labels, take),
    },
    Procedure {
        name: "db.relationshipTypes",
        parameters: &[],
        required: 0,
        columns: &[("relationshipType", ValueType::Any)],
        run: |work, take| each(work.graph.names().types, take),
    },
    Procedure {
        name: "db.propertyKeys",
        parameters: &[],
        required: 0,
        columns: &[("propertyKey", ValueType::Any)],
        run: |work: &Work<'_>, take| each(work.graph.names().properties, take),
    },
];

fn each(names: Vec<String>, take: &mut Take<'_>) -> Result<()> {
    for name in names {
        if take(&[Value::text(name)])?.is_break() {
            break;
        }
    }
    Ok(())
}
