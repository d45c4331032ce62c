//! `ALTER TABLE` with other columns: the table is written anew.

use std::collections::HashSet;
use std::sync::Arc;

use arrow::array::{RecordBatch, new_null_array};
use arrow::datatypes::{Field, Schema};

use super::cursor::Cursor;
use super::script::Script;
use super::write::copy;
use crate::error::{Error, ErrorCode, Result};
use crate::functions::hive::cast;
use crate::user_tables::WriteMode;

/// What becomes of the columns of a table.
#[derive(Debug)]
pub(super) enum Change {
    /// More of them, which are null in the rows that are there.
    Add(Vec<Field>),
    /// These instead, place by place.
    Replace(Vec<Field>),
    /// Another name, type or place for one.
    One { from: String, to: Field, place: Option<Place> },
}

#[derive(Debug)]
pub(super) enum Place {
    First,
    After(String),
}

/// `ADD COLUMNS (…)`, `REPLACE COLUMNS (…)`, `CHANGE a b int AFTER c`.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Option<Change>> {
    if cursor.take_all(&["add", "columns"]) {
        return Ok(Some(Change::Add(cursor.columns()?)));
    }
    if cursor.take_all(&["replace", "columns"]) {
        return Ok(Some(Change::Replace(cursor.columns()?)));
    }
    if !cursor.take("change") {
        return Ok(None);
    }
    cursor.take("column");
    let (from, to) = (cursor.name()?, cursor.column()?);
    let mut place = None;
    while !cursor.is_done() {
        if cursor.take("first") {
            place = Some(Place::First);
        } else if cursor.take("after") {
            place = Some(Place::After(cursor.name()?));
        } else {
            // A comment, or whether partitions change too.
            cursor.skip();
        }
    }
    Ok(Some(Change::One { from, to, place }))
}

/// Gives a table other columns. A value that its new type can't hold becomes null, as in a cast.
pub(super) async fn change(script: &Script, name: &str, change: Change) -> Result<i64> {
    let target = script.existing(name)?;
    let old = target.tables.get(&target.schema, &target.table)?.arrow;
    let columns = changed(name, &old, change)?;
    let mut names = HashSet::new();
    if let Some((_, twice)) = columns.iter().find(|(_, field)| !names.insert(field.name().to_lowercase())) {
        let message = format!("The table {name} has a column {} already.", twice.name());
        return Err(Error::new(ErrorCode::InvalidQuery, message));
    }
    let schema = Arc::new(Schema::new(columns.iter().map(|(_, field)| field.clone()).collect::<Vec<_>>()));
    let mut writer = target.tables.writer(&target.schema, &target.table, &schema, WriteMode::Replace)?;
    let converted = |batch: RecordBatch| {
        let column = |(from, field): &(Option<usize>, Field)| match from {
            Some(from) => cast::to_field(batch.column(*from), field).map_err(Error::internal),
            None => Ok(new_null_array(field.data_type(), batch.num_rows())),
        };
        let columns = columns.iter().map(column).collect::<Result<Vec<_>>>()?;
        RecordBatch::try_new(Arc::clone(&schema), columns).map_err(Error::internal)
    };
    copy(script, &target, &mut writer, converted).await?;
    writer.finish()?;
    Ok(0)
}

/// The new columns, each with the place of the old one that fills it.
fn changed(name: &str, old: &Schema, change: Change) -> Result<Vec<(Option<usize>, Field)>> {
    let find = |wanted: &str| {
        let found = old.fields().iter().position(|field| field.name().eq_ignore_ascii_case(wanted));
        let message = || format!("The table {name} has no column {wanted}.");
        found.ok_or_else(|| Error::new(ErrorCode::UnknownColumn, message()))
    };
    let mut columns: Vec<(Option<usize>, Field)> =
        old.fields().iter().enumerate().map(|(at, field)| (Some(at), field.as_ref().clone())).collect();
    match change {
        Change::Add(more) => columns.extend(more.into_iter().map(|field| (None, field))),
        Change::Replace(fields) => {
            let held = |at: usize| (at < old.fields().len()).then_some(at);
            columns = fields.into_iter().enumerate().map(|(at, field)| (held(at), field)).collect();
        }
        Change::One { from, to, place } => {
            let at = find(&from)?;
            let after = match place {
                None => {
                    columns[at].1 = to;
                    return Ok(columns);
                }
                Some(Place::First) => None,
                Some(Place::After(other)) => Some(find(&other)?),
            };
            columns.remove(at);
            let next = after.map_or(0, |after| if after < at { after + 1 } else { after });
            columns.insert(next, (Some(at), to));
        }
    }
    Ok(columns)
}
