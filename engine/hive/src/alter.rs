//! `ALTER TABLE`, `ALTER VIEW` and `ALTER MATERIALIZED VIEW`.

use super::columns;
use super::command::Command;
use super::cursor::Cursor;
use super::dropped;
use super::reader::{Reader, partitions, query};
use quarry_types::Result;

/// What ALTER TABLE may say of the way a table is kept.
const HARMLESS: [&[&str]; 19] = [
    &["set", "tblproperties"],
    &["unset", "tblproperties"],
    &["set", "fileformat"],
    &["set", "serde"],
    &["set", "serdeproperties"],
    &["clustered", "by"],
    &["not", "clustered"],
    &["touch"],
    &["compact"],
    &["add", "constraint"],
    &["update", "statistics"],
    &["concatenate"],
    &["into"],
    &["skewed", "by"],
    &["not", "skewed"],
    &["not", "sorted"],
    &["set", "skewed"],
    &["enable"],
    &["disable"],
];

/// What stands behind `ALTER`.
pub(super) fn alter(mut cursor: Cursor<'_>, reader: &mut Reader<'_>) -> Result<Command> {
    if cursor.take("table") {
        let name = cursor.name()?;
        if cursor.take_all(&["rename", "to"]) {
            return Ok(Command::Rename { name, to: cursor.name()? });
        }
        if HARMLESS.iter().any(|words| cursor.take_all(words)) {
            return Ok(Command::Nothing("How a table is kept is none of a script's business here.".to_string()));
        }
        if let Some(change) = columns::read(&mut cursor)? {
            return Ok(Command::Columns { name, change });
        }
        let adds = cursor.take("add");
        let drops = !adds && cursor.take("drop");
        cursor.take_all(&["if", "not", "exists"]);
        cursor.take_all(&["if", "exists"]);
        if drops {
            let partitions = dropped::read(&mut cursor, reader.bound)?;
            if !partitions.is_empty() {
                return Ok(Command::DropPartitions { name, partitions });
            }
        }
        let named = partitions(&mut cursor, reader.bound)?;
        if !adds && !drops && cursor.take_all(&["rename", "to"]) {
            let to = partitions(&mut cursor, reader.bound)?;
            if let ([from], [to]) = (named.as_slice(), to.as_slice()) {
                return Ok(Command::MovePartition { name, from: from.clone(), to: to.clone() });
            }
        }
        if !adds && !drops && HARMLESS.iter().any(|words| cursor.take_all(words)) {
            return Ok(Command::Nothing("How a partition is kept is none of a script's business here.".to_string()));
        }
        if cursor.take("location") {
            return Err(cursor.refuse("Tables name no files: leave LOCATION out."));
        }
        if adds && !named.is_empty() {
            return Ok(Command::Nothing("A partition is there as soon as it has rows.".to_string()));
        }
    }
    if cursor.take("view") {
        let name = cursor.name()?;
        if cursor.take("as") {
            return Ok(Command::View { name, columns: Vec::new(), query: query(cursor.rest(), reader)? });
        }
        return Ok(Command::Nothing("How a view is kept is none of a script's business here.".to_string()));
    }
    if cursor.take_all(&["materialized", "view"]) {
        let name = cursor.name()?;
        return Ok(match cursor.take("rebuild") {
            true => Command::Rebuild { name },
            false => {
                Command::Nothing("Queries read the tables that they name, never a view in their place.".to_string())
            }
        });
    }
    Err(cursor.refuse(
        "ALTER TABLE runs here with RENAME TO, ADD COLUMNS, REPLACE COLUMNS, CHANGE, ADD PARTITION and DROP PARTITION.",
    ))
}
