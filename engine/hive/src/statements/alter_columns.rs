//! `ALTER TABLE` with `ADD COLUMNS`, `REPLACE COLUMNS` and `CHANGE`: the table is rewritten.

use std::collections::HashSet;
use std::sync::Arc;

use arrow::array::{RecordBatch, new_null_array};
use arrow::datatypes::{Field, Schema};
use futures::future::BoxFuture;

use super::Statement;
use crate::cursor::Cursor;
use crate::script::Script;
use crate::tables::rewrite_table;
use quarry_functions::hive::{cast, types};
use quarry_runtime::job::JobContext;
use quarry_types::{Error, ErrorCode, Result};

/// Other columns for a table.
struct AlterColumns {
    table: String,
    change: Change,
}

enum Change {
    /// More columns, which are null in the rows so far.
    Add(Vec<Field>),
    /// Other columns, by position.
    Replace(Vec<Field>),
    /// Another name, type or place for one column.
    One { from: String, to: Field, place: Option<Place> },
}

enum Place {
    First,
    After(String),
}

/// Parses what follows the name of the table; `None` unless it changes columns.
pub(super) fn parse(name: &str, cursor: &mut Cursor<'_>) -> Result<Option<Box<dyn Statement>>> {
    let change = if cursor.take("add columns") {
        Change::Add(cursor.columns()?)
    } else if cursor.take("replace columns") {
        Change::Replace(cursor.columns()?)
    } else if cursor.take("change") {
        cursor.take("column");
        parse_change(cursor)?
    } else {
        return Ok(None);
    };
    Ok(Some(Box::new(AlterColumns { table: name.to_string(), change })))
}

/// `a b int AFTER c`.
fn parse_change(cursor: &mut Cursor<'_>) -> Result<Change> {
    let (from, to) = (cursor.name()?, cursor.column()?);
    let mut place = None;
    while !cursor.is_done() {
        if cursor.take("first") {
            place = Some(Place::First);
        } else if cursor.take("after") {
            place = Some(Place::After(cursor.name()?));
        } else {
            // A comment, or CASCADE.
            cursor.skip();
        }
    }
    Ok(Change::One { from, to, place })
}

impl Statement for AlterColumns {
    fn describe(&self) -> String {
        format!("alter table {}", self.table)
    }

    /// A value that its new type can't hold becomes null.
    fn run<'a>(self: Box<Self>, script: &'a mut Script, _: &'a JobContext) -> BoxFuture<'a, Result<i64>> {
        Box::pin(async move {
            let AlterColumns { table: name, change } = *self;
            let table = script.existing_table(&name)?;
            let schema = table.columns()?;
            let columns = changed_columns(&name, &schema, change)?;
            let mut names = HashSet::new();
            if let Some((_, repeated)) = columns.iter().find(|(_, field)| !names.insert(field.name().to_lowercase())) {
                let message = format!("The table {name} already has a column {}.", repeated.name());
                return Err(Error::new(ErrorCode::InvalidQuery, message));
            }
            let schema = Arc::new(Schema::new(columns.iter().map(|(_, field)| field.clone()).collect::<Vec<_>>()));
            let converted = |batch: RecordBatch| {
                let array = |(from, field): &(Option<usize>, Field)| match from {
                    Some(from) => cast::stored_as(batch.column(*from), field).map_err(Error::internal),
                    None => Ok(new_null_array(field.data_type(), batch.num_rows())),
                };
                let arrays = columns.iter().map(array).collect::<Result<Vec<_>>>()?;
                RecordBatch::try_new(Arc::clone(&schema), arrays).map_err(Error::internal)
            };
            rewrite_table(script, &table, &schema, converted).await?;
            Ok(0)
        })
    }
}

/// The new columns, each with the position of the old one that fills it. Those of partitions stay last.
fn changed_columns(name: &str, old: &Schema, change: Change) -> Result<Vec<(Option<usize>, Field)>> {
    let find = |wanted: &str| {
        let column = old.fields().iter().position(|field| field.name().eq_ignore_ascii_case(wanted));
        let message = || format!("The table {name} has no column {wanted}.");
        column.ok_or_else(|| Error::new(ErrorCode::UnknownColumn, message()))
    };
    let all = old.fields().iter().enumerate().map(|(at, field)| (Some(at), field.as_ref().clone()));
    let (partitions, mut columns): (Vec<_>, Vec<_>) = all.partition(|(_, field)| types::is_partition(field));
    match change {
        Change::Add(more) => columns.extend(more.into_iter().map(|field| (None, field))),
        Change::Replace(fields) => {
            let old = |at: usize| columns.get(at).and_then(|(from, _)| *from);
            columns = fields.into_iter().enumerate().map(|(at, field)| (old(at), field)).collect();
        }
        Change::One { from, to, place } => {
            let at = find(&from)?;
            let is_partition = |at: usize| types::is_partition(old.field(at));
            if is_partition(at) {
                let message = format!("The column {from} is a partition column of {name}, which can't be changed.");
                return Err(Error::new(ErrorCode::NotAllowed, message));
            }
            let unchanged = columns.iter().position(|(from, _)| *from == Some(at));
            let before = match place {
                None => unchanged,
                Some(Place::First) => Some(0),
                Some(Place::After(other)) => {
                    let other = find(&other)?;
                    if is_partition(other) {
                        let message = format!("The partition columns of {name} must stay last.");
                        return Err(Error::new(ErrorCode::NotAllowed, message));
                    }
                    let mut others = columns.iter().filter(|(from, _)| *from != Some(at));
                    let after = others.position(|(from, _)| *from == Some(other)).map(|other| other + 1);
                    after.or(unchanged)
                }
            };
            columns.retain(|(from, _)| *from != Some(at));
            columns.insert(before.unwrap_or(columns.len()), (Some(at), to));
        }
    }
    // The text format of the table is in the metadata of its first column.
    let text_format = old.fields().first().and_then(|field| types::text_format(field));
    if let (Some(text_format), Some((_, first))) = (text_format, columns.first_mut()) {
        *first = types::with_text_format(first.clone(), text_format);
    }
    Ok(columns.into_iter().chain(partitions).collect())
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::DataType;

    use super::*;

    fn after(change: Change) -> Result<String> {
        let field = |name: &str| Field::new(name, DataType::Utf8, true);
        let first = types::with_text_format(field("a"), "cut".to_string());
        let old = Schema::new(vec![first, field("b"), field("c"), types::of_partition(field("p"))]);
        let columns = changed_columns("t", &old, change)?;
        let partitions = columns.iter().filter(|(_, field)| types::is_partition(field)).count();
        assert_eq!((partitions, types::text_format(&columns[0].1).as_deref()), (1, Some("cut")));
        let shown = columns.iter().map(|(from, field)| format!("{}{}", field.name(), from.map_or(9, |from| from)));
        Ok(shown.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn columns_of_partitions_stay_last() {
        let field = |name: &str| Field::new(name, DataType::Int32, true);
        let one = |from: &str, place| Change::One { from: from.to_string(), to: field("x"), place };
        let after_column = |name: &str| Some(Place::After(name.to_string()));
        for (change, wanted) in [
            (Change::Add(vec![field("x"), field("y")]), "a0 b1 c2 x9 y9 p3"),
            (Change::Replace(vec![field("x")]), "x0 p3"),
            (Change::Replace(["w", "x", "y", "z"].map(field).into()), "w0 x1 y2 z9 p3"),
            (one("b", None), "a0 x1 c2 p3"),
            (one("c", Some(Place::First)), "x2 a0 b1 p3"),
            (one("a", after_column("b")), "b1 x0 c2 p3"),
            (one("a", after_column("c")), "b1 c2 x0 p3"),
            (one("c", after_column("a")), "a0 x2 b1 p3"),
            (one("b", after_column("b")), "a0 x1 c2 p3"),
        ] {
            assert_eq!(after(change).unwrap(), wanted);
        }
        for refused in [one("p", None), one("a", after_column("p")), one("none", None), one("a", after_column("none"))]
        {
            assert!(after(refused).is_err());
        }
    }
}
