//! The whole platform database as lines of JSON, the same for SQLite and PostgreSQL, so that a backup of one can be restored
//! into the other. Reading sees one moment, whatever is written meanwhile.
//!
//! A table is a line `{"table":…,"columns":[…]}`, followed by a line with a list of values for each row.

use std::io::{self, BufRead, Write};

use anyhow::{Context, bail};
use futures::TryStreamExt;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Column, Connection, Executor, Row};

use super::{Db, in_use, search, sums, tallies};

/// The index of words and the sums, which are made anew from what they tell of.
const DERIVED: [&str; 2] = [search::TABLE, tallies::TABLE];

/// What belongs to the servers of a database and not to what it holds.
const OF_SERVERS: &str = "token_secrets";

/// First line of a table.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    table: String,
    columns: Vec<String>,
}

/// What differs between the two databases.
struct Words {
    begin: &'static str,
    /// Tables in the order in which they were made, so that a table follows those it refers to.
    tables: &'static str,
}

const SQLITE: Words = Words {
    begin: "begin",
    tables: "select name from sqlite_master where type = 'table' and sql not like 'create virtual%' order by rowid",
};
const POSTGRES: Words = Words {
    begin: "begin isolation level repeatable read",
    tables: "select cast(relname as text) as name from pg_class
        where relkind = 'r' and relnamespace = (select oid from pg_namespace where nspname = current_schema())
        order by oid",
};

fn words(connection: &AnyConnection) -> &'static Words {
    if super::is_sqlite(connection) { &SQLITE } else { &POSTGRES }
}

async fn tables(connection: &mut AnyConnection) -> Result<Vec<String>, sqlx::Error> {
    let names: Vec<String> = sqlx::query_scalar(words(connection).tables).fetch_all(connection).await?;
    let kept = |name: &String| {
        !DERIVED.iter().any(|derived| name.starts_with(derived))
            && !sums::TABLES.contains(&name.as_str())
            && name != OF_SERVERS
            && !name.starts_with('_')
            && !name.starts_with("sqlite_")
    };
    Ok(names.into_iter().filter(kept).collect())
}

/// Writes every table to `out`; answers how many rows that were.
pub async fn write(db: &Db, out: &mut impl Write) -> anyhow::Result<u64> {
    let mut connection = db.pool().acquire().await?;
    let begin = words(&connection).begin;
    connection.execute(begin).await?;
    let written = write_tables(&mut connection, out).await;
    // Nothing was changed, so how the transaction ends is the same.
    connection.execute("rollback").await?;
    written
}

async fn write_tables(connection: &mut AnyConnection, out: &mut impl Write) -> anyhow::Result<u64> {
    let mut count = 0;
    for table in tables(connection).await? {
        let statement = format!("select * from {table}");
        let mut rows = sqlx::query(sqlx::AssertSqlSafe(statement)).fetch(&mut *connection);
        let mut first = true;
        while let Some(row) = rows.try_next().await? {
            if std::mem::take(&mut first) {
                let columns = row.columns().iter().map(|column| column.name().to_string()).collect();
                line(out, &Head { table: table.clone(), columns })?;
            }
            line(out, &values(&row)?)?;
            count += 1;
        }
    }
    Ok(count)
}

fn line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

fn values(row: &AnyRow) -> anyhow::Result<Vec<Value>> {
    (0..row.len())
        .map(|at| {
            let whole = row.try_get::<Option<i64>, _>(at).map(|number| number.map_or(Value::Null, Value::from));
            let number = || row.try_get::<Option<f64>, _>(at).map(|number| number.map_or(Value::Null, Value::from));
            let text = || row.try_get::<Option<String>, _>(at).map(|text| text.map_or(Value::Null, Value::from));
            Ok(whole.or_else(|_| number()).or_else(|_| text())?)
        })
        .collect()
}

/// Puts what was written in the place of everything that the database holds: all of it, or, on an error, nothing.
/// Lines of no table go to `other`.
pub async fn read(
    db: &Db,
    lines: impl BufRead,
    mut other: impl FnMut(&Value) -> anyhow::Result<bool>,
) -> anyhow::Result<u64> {
    let mut connection = db.pool().acquire().await?;
    let known = tables(&mut connection).await?;
    let mut transaction = connection.begin().await?;
    if !in_use::alone(&mut transaction).await? {
        bail!("a server uses the platform database; stop it first");
    }
    super::defer_references(&mut transaction).await?;
    tallies::end(&mut transaction, db.search()).await?;
    for table in known.iter().rev() {
        transaction.execute(sqlx::AssertSqlSafe(format!("delete from {table}"))).await?;
    }
    // The index of words is made anew at the next start.
    db.search().clear(&mut transaction).await?;
    let (mut head, mut count) = (None, 0);
    for text in lines.lines() {
        match serde_json::from_str(&text?).context("a line of the backup is damaged")? {
            Value::Array(row) => {
                let head = head.as_ref().context("the backup has rows of no table")?;
                insert(&mut transaction, head, row).await?;
                count += 1;
            }
            line if line.get("table").is_some() => {
                let next: Head = serde_json::from_value(line)?;
                if !known.contains(&next.table) {
                    bail!("the backup has the table {}, which this version does not know", next.table);
                }
                head = Some(next);
            }
            line => {
                if !other(&line)? {
                    bail!("the backup has a line that this version does not know");
                }
            }
        }
    }
    settle(&mut transaction).await?;
    super::check_references(&mut transaction).await?;
    tallies::begin(&mut transaction, db.search()).await?;
    transaction.commit().await?;
    // Before others ask for one: the pool may have few.
    drop(connection);
    db.look_through(&known).await?;
    db.look_through(&sums::TABLES).await?;
    Ok(count)
}

/// What was true when the backup was made and may not be any more: a session that was ended since must not come back, nor a
/// code that was used. Nothing runs the jobs that ran then, whichever home they were of.
async fn settle(at: &mut AnyConnection) -> Result<(), sqlx::Error> {
    for statement in
        ["delete from sessions", "delete from codes", "update jobs set home = '' where state in ('QUEUED', 'RUNNING')"]
    {
        at.execute(statement).await?;
    }
    Ok(())
}

async fn insert(connection: &mut AnyConnection, head: &Head, row: Vec<Value>) -> anyhow::Result<()> {
    if row.len() != head.columns.len() {
        bail!("a row of {} has {} values for {} columns", head.table, row.len(), head.columns.len());
    }
    let plain = |name: &String| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !head.columns.iter().all(plain) {
        bail!("the table {} has a column whose name can't be", head.table);
    }
    let mut marks = Vec::with_capacity(row.len());
    let mut bound = 0;
    for value in &row {
        // A null has no type that both databases accept as a parameter.
        if value.is_null() {
            marks.push("null".to_string());
        } else {
            bound += 1;
            marks.push(format!("${bound}"));
        }
    }
    let columns = head.columns.join(", ");
    let statement = format!("insert into {} ({columns}) values ({})", head.table, marks.join(", "));
    let mut query = sqlx::query(sqlx::AssertSqlSafe(statement));
    for value in row {
        query = match value {
            Value::Null => query,
            Value::String(text) => query.bind(text),
            Value::Number(number) => match number.as_i64() {
                Some(whole) => query.bind(whole),
                None => query.bind(number.as_f64()),
            },
            Value::Bool(_) | Value::Array(_) | Value::Object(_) => bail!("a row of {} holds no value", head.table),
        };
    }
    query.execute(connection).await.with_context(|| format!("a row of {} does not fit", head.table))?;
    Ok(())
}
