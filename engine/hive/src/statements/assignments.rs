//! `SET a = 1, b = b + 1` of UPDATE and MERGE.

use arrow::datatypes::{Field, Schema};
use datafusion::sql::sqlparser::ast::{AssignmentTarget, Expr, ObjectName};
use datafusion::sql::sqlparser::parser::Parser;

use crate::ast::{last_part, nested, syntax_error};
use quarry_functions::hive::types;
use quarry_sql::parameters::as_name;
use quarry_types::{Error, ErrorCode, Position, Result};

/// Parses columns and their values.
pub(super) fn parse_assignments(parser: &mut Parser<'_>) -> Result<Vec<(String, Expr)>> {
    let start = parser.peek_token_ref().span.start;
    let assignments = parser.parse_comma_separated(Parser::parse_assignment).map_err(syntax_error)?;
    let assignment = assignments.into_iter().map(|assignment| match &assignment.target {
        AssignmentTarget::ColumnName(name) => Ok((column_name(name)?, nested(assignment.value))),
        AssignmentTarget::Tuple(_) => {
            let position = Position { line: start.line, column: start.column };
            Err(Error::new(ErrorCode::NotAllowed, "SET expects a single column before each =.").at(position))
        }
    });
    assignment.collect()
}

/// The name of a column in lower case, without that of its table.
pub(super) fn column_name(name: &ObjectName) -> Result<String> {
    as_name(last_part(name).map(|column| column.value.to_lowercase()).unwrap_or_default())
}

/// The position of a column that a statement names.
pub(super) fn column_position(table: &str, columns: &Schema, name: &str) -> Result<usize> {
    let position = columns.fields().iter().position(|field| field.name().to_lowercase() == name);
    position.ok_or_else(|| Error::new(ErrorCode::UnknownColumn, format!("The table {table} has no column {name}.")))
}

/// Refuses columns that can't be set: those of partitions, and a column that is set twice.
pub(super) fn check_assigned<'a>(fields: impl Iterator<Item = &'a Field>) -> Result<()> {
    let mut names: Vec<&str> = Vec::new();
    for field in fields {
        let name = field.name().as_str();
        if types::is_partition(field) {
            let message = format!("UPDATE can't change {name}, a partition column.");
            return Err(Error::new(ErrorCode::InvalidQuery, message));
        }
        if names.contains(&name) {
            let message = format!("UPDATE sets the column {} twice.", name.to_lowercase());
            return Err(Error::new(ErrorCode::InvalidQuery, message));
        }
        names.push(name);
    }
    Ok(())
}
