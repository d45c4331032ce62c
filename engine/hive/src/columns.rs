//! `ALTER TABLE` with other columns: the table is written anew.

use std::collections::HashSet;
use std::sync::Arc;

use arrow::array::{RecordBatch, new_null_array};
use arrow::datatypes::{Field, Schema};

use super::cursor::Cursor;
use super::script::Script;
use super::write::copy;
use quarry_functions::hive::{cast, types};
use quarry_runtime::user_tables::WriteMode;
use quarry_types::{Error, ErrorCode, Result};

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

/// Gives a table other columns. A value that its new type can't hold becomes null.
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
            Some(from) => cast::stored_as(batch.column(*from), field).map_err(Error::internal),
            None => Ok(new_null_array(field.data_type(), batch.num_rows())),
        };
        let columns = columns.iter().map(column).collect::<Result<Vec<_>>>()?;
        RecordBatch::try_new(Arc::clone(&schema), columns).map_err(Error::internal)
    };
    copy(script, &target, &mut writer, converted).await?;
    writer.finish()?;
    Ok(0)
}

/// The new columns, each with the place of the old one that fills it. Those of the partitions stay the last ones.
fn changed(name: &str, old: &Schema, change: Change) -> Result<Vec<(Option<usize>, Field)>> {
    let find = |wanted: &str| {
        let found = old.fields().iter().position(|field| field.name().eq_ignore_ascii_case(wanted));
        let message = || format!("The table {name} has no column {wanted}.");
        found.ok_or_else(|| Error::new(ErrorCode::UnknownColumn, message()))
    };
    let all = old.fields().iter().enumerate().map(|(at, field)| (Some(at), field.as_ref().clone()));
    let (partitions, mut columns): (Vec<_>, Vec<_>) = all.partition(|(_, field)| types::is_partition(field));
    match change {
        Change::Add(more) => columns.extend(more.into_iter().map(|field| (None, field))),
        Change::Replace(fields) => {
            let held = |at: usize| columns.get(at).and_then(|(from, _)| *from);
            columns = fields.into_iter().enumerate().map(|(at, field)| (held(at), field)).collect();
        }
        Change::One { from, to, place } => {
            let at = find(&from)?;
            let of_partition = |at: usize| types::is_partition(old.field(at));
            if of_partition(at) {
                let message = format!("The column {from} is one of the partitions of {name}, which can't be changed.");
                return Err(Error::new(ErrorCode::NotAllowed, message));
            }
            let stays = columns.iter().position(|(from, _)| *from == Some(at));
            let before = match place {
                None => stays,
                Some(Place::First) => Some(0),
                Some(Place::After(other)) => {
                    let other = find(&other)?;
                    if of_partition(other) {
                        let message = format!("The columns of the partitions of {name} stay the last ones.");
                        return Err(Error::new(ErrorCode::NotAllowed, message));
                    }
                    let mut others = columns.iter().filter(|(from, _)| *from != Some(at));
                    let behind = others.position(|(from, _)| *from == Some(other)).map(|other| other + 1);
                    behind.or(stays)
                }
            };
            columns.retain(|(from, _)| *from != Some(at));
            columns.insert(before.unwrap_or(columns.len()), (Some(at), to));
        }
    }
    // How the table's files are cut is noted at its first column.
    if let (Some(note), Some((_, first))) =
        (old.fields().first().and_then(|field| types::text_format(field)), columns.first_mut())
    {
        *first = types::with_text_format(first.clone(), note);
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
        let columns = changed("t", &old, change)?;
        let partitions = columns.iter().filter(|(_, field)| types::is_partition(field)).count();
        assert_eq!((partitions, types::text_format(&columns[0].1).as_deref()), (1, Some("cut")));
        let shown = columns.iter().map(|(from, field)| format!("{}{}", field.name(), from.map_or(9, |from| from)));
        Ok(shown.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn columns_of_partitions_stay_last() {
        let field = |name: &str| Field::new(name, DataType::Int32, true);
        let one = |from: &str, place| Change::One { from: from.to_string(), to: field("x"), place };
        let behind = |name: &str| Some(Place::After(name.to_string()));
        for (change, wanted) in [
            (Change::Add(vec![field("x"), field("y")]), "a0 b1 c2 x9 y9 p3"),
            (Change::Replace(vec![field("x")]), "x0 p3"),
            (Change::Replace(["w", "x", "y", "z"].map(field).into()), "w0 x1 y2 z9 p3"),
            (one("b", None), "a0 x1 c2 p3"),
            (one("c", Some(Place::First)), "x2 a0 b1 p3"),
            (one("a", behind("b")), "b1 x0 c2 p3"),
            (one("a", behind("c")), "b1 c2 x0 p3"),
            (one("c", behind("a")), "a0 x2 b1 p3"),
            (one("b", behind("b")), "a0 x1 c2 p3"),
        ] {
            assert_eq!(after(change).unwrap(), wanted);
        }
        for refused in [one("p", None), one("a", behind("p")), one("none", None), one("a", behind("none"))] {
            assert!(after(refused).is_err());
        }
    }
}
