//! Queries of PostgreSQL's catalog by `psql`, drivers and tools. They are rewritten for an in-memory SQLite database that holds
//! what this user may read. No other table can be named there.

mod arrays;
mod casts;
mod fill;
mod functions;
mod pattern;
mod rewrite;
mod selects;
mod tables;

use std::collections::HashSet;

use quarry_engine::catalog::Catalog;
use quarry_runtime::user_tables::UserTable;
use serde_json::Value;

use super::types::{self, Type};
use super::wire::{Fault, Field};
use crate::db::scratch::{self, Cell};

pub use fill::{DATABASE, VERSION};

/// What the catalog of a user is made from.
pub struct Known {
    pub user: String,
    pub catalogue: Catalog,
    /// Tables of users that this user may read.
    pub tables: Vec<UserTable>,
    pub settings: Vec<(&'static str, String)>,
}

impl Known {
    /// The engine's name for the type of a column of the tables whose names are among these words; `None` when there is no
    /// such column, or there are several with different types.
    pub fn type_of_column(&self, column: &str, words: &HashSet<String>) -> Option<&str> {
        let tables = self.catalogue.schemas.iter().flat_map(|schema| &schema.tables);
        let named = tables.filter(|table| words.contains(&table.name));
        let known = named.filter_map(|table| {
            let name = table.synonyms.iter().find(|synonym| synonym.name == column).map_or(column, |other| other.means);
            table.columns.iter().find(|column| column.name == name).map(|column| column.type_name.as_str())
        });
        let own = self.tables.iter().filter(|table| words.contains(&table.name)).flat_map(|table| &table.columns);
        let own = own.filter(|of| of.name == column).map(|of| of.type_name.as_str());
        let mut types = known.chain(own);
        let first = types.next()?;
        types.all(|other| other == first).then_some(first)
    }
}

/// The columns and rows of a response.
#[derive(Debug)]
pub struct Found {
    pub fields: Vec<Field>,
    pub rows: Vec<Vec<Value>>,
}

/// Runs a catalog query. `values` are those of `$1`, `$2`, …, in the form that the engine takes.
pub async fn answer(known: &Known, text: &str, values: &[Value]) -> Result<Found, Fault> {
    let question = rewrite::rewrite(text, &known.user)?;
    let script = fill::script(&known.user, &known.catalogue, &known.tables, &known.settings);
    let values: Vec<Cell> = values.iter().map(bound).collect();
    let found = scratch::ask(script, question, &values).await.map_err(|error| {
        tracing::debug!(%error, text, "a question about the catalogue could not be answered");
        Fault::new("0A000", "The catalogue of Quarry can't answer this question.")
    })?;
    let fields: Vec<Field> = found.columns.iter().map(|name| types::field(name, type_of(name))).collect();
    let row = |row: Vec<Cell>| row.into_iter().zip(&fields).map(|(cell, field)| value(cell, field.oid)).collect();
    let rows = found.rows.into_iter().map(row).collect();
    Ok(Found { fields, rows })
}

/// A bound value; the engine's form says its type.
fn bound(value: &Value) -> Cell {
    let plain = value.get("value").unwrap_or(value);
    match plain {
        Value::Null => Cell::Null,
        Value::Bool(truth) => Cell::Integer(i64::from(*truth)),
        Value::String(text) if value.get("type").is_some_and(|kind| kind == "number") => {
            text.parse().map_or_else(|_| Cell::Text(text.clone()), Cell::Integer)
        }
        Value::String(text) => Cell::Text(text.clone()),
        Value::Array(items) => Cell::Text(Value::Array(items.iter().map(item).collect()).to_string()),
        other => Cell::Text(other.to_string()),
    }
}

/// An item of a list without the type tag that the engine reads.
fn item(value: &Value) -> Value {
    let tagged = value.as_object().and_then(|members| members.values().next()).and_then(Value::as_str);
    match (tagged, value.get("number")) {
        (Some(digits), Some(_)) => digits.parse::<i64>().map_or_else(|_| Value::from(digits), Value::from),
        (Some(text), None) => Value::from(text),
        (None, _) => value.clone(),
    }
}

/// The type of a column by its name. The type must be known before the first row, and catalog columns are named consistently.
fn type_of(name: &str) -> Type {
    const NUMBERS: [&str; 15] = [
        "depth",
        "attnum",
        "atttypmod",
        "attlen",
        "attndims",
        "typlen",
        "typtypmod",
        "relnatts",
        "encoding",
        "ordinal_position",
        "numeric_precision",
        "numeric_scale",
        "character_maximum_length",
        "objsubid",
        "datconnlimit",
    ];
    // The last ones are SQLAlchemy's own names for them, in which a text "0" would be true.
    const TRUTHS: [&str; 36] = [
        "attnotnull",
        "atthasdef",
        "attisdropped",
        "attislocal",
        "attbyval",
        "relhasindex",
        "relhasrules",
        "relhastriggers",
        "relhasoids",
        "relisshared",
        "relispartition",
        "relhassubclass",
        "relispopulated",
        "relrowsecurity",
        "relforcerowsecurity",
        "typnotnull",
        "typbyval",
        "typispreferred",
        "typisdefined",
        "indisprimary",
        "indisunique",
        "datistemplate",
        "datallowconn",
        "rolsuper",
        "rolinherit",
        "rolcreaterole",
        "rolcreatedb",
        "rolcanlogin",
        "rolreplication",
        "rolbypassrls",
        "usesuper",
        "usecreatedb",
        "not_null",
        "nullable",
        "visible",
        "has_constraint",
    ];
    match name {
        "oid" => (types::OID, 4, -1),
        id if id.ends_with("oid") && id != "relhasoids" => (types::OID, 4, -1),
        // The last three are aliases of asyncpg.
        "attrelid" | "atttypid" | "relnamespace" | "typnamespace" | "typrelid" | "typelem" | "typarray"
        | "typbasetype" | "elemtype" | "basetype" | "range_subtype" => (types::OID, 4, -1),
        number if NUMBERS.contains(&number) => (types::INT4, 4, -1),
        truth if TRUTHS.contains(&truth) || is_predicate(truth) => (types::BOOL, 1, -1),
        _ => (types::TEXT, -1, -1),
    }
}

/// Whether a column is the result of a boolean function, which it is named after.
fn is_predicate(function: &str) -> bool {
    (function.starts_with("has_") && function.ends_with("_privilege"))
        || function.starts_with("pg_is_")
        || (function.starts_with("pg_") && function.ends_with("_is_visible"))
}

fn value(cell: Cell, oid: u32) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Integer(number) if oid == types::BOOL => Value::Bool(number != 0),
        Cell::Integer(number) => Value::String(number.to_string()),
        Cell::Real(number) => Value::String(number.to_string()),
        Cell::Text(text) => Value::String(text),
    }
}

#[cfg(test)]
mod tests;
