//! A small database in memory, filled and asked once: for questions that people put in SQL about something that is no
//! table of ours. What it may do is bounded, since the questions are other people's.

use std::sync::atomic::{AtomicU64, Ordering};

use futures::TryStreamExt;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Column, ConnectOptions, Executor, Row, SqlSafeStr, Statement, TypeInfo, ValueRef};

/// Steps of SQLite between two looks at the bound.
const STEPS: i32 = 1_000;
/// Looks until a question counts as endless: about a second.
const LOOKS: u64 = 60_000;
/// Most rows of an answer.
const ROWS: usize = 100_000;
/// Most bytes of them.
const BYTES: usize = 64 << 20;

/// A value as it was stored or computed.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
}

impl Cell {
    /// Bytes in memory, roughly.
    fn bytes(&self) -> usize {
        let text = if let Cell::Text(text) = self { text.len() } else { 0 };
        size_of::<Cell>() + text
    }
}

/// What a question is answered with.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Cell>>,
}

/// Runs `script`, then answers `question` with `values` for `$1`, `$2`, ….
pub async fn ask(script: String, question: String, values: &[Cell]) -> Result<Table, sqlx::Error> {
    let mut connection = SqliteConnectOptions::new().in_memory(true).connect().await?;
    sqlx::raw_sql(AssertSqlSafe(script)).execute(&mut connection).await?;
    bound(&mut connection).await?;
    let statement = connection.prepare(AssertSqlSafe(question.clone()).into_sql_str()).await?;
    let columns = statement.columns().iter().map(|column| column.name().to_string()).collect();
    let mut query = sqlx::query(AssertSqlSafe(question));
    for value in values {
        query = match value {
            Cell::Null => query.bind(None::<i64>),
            Cell::Integer(number) => query.bind(*number),
            Cell::Real(number) => query.bind(*number),
            Cell::Text(text) => query.bind(text.clone()),
        };
    }
    let mut found = query.fetch(&mut connection);
    let (mut rows, mut bytes) = (Vec::new(), 0);
    while let Some(row) = found.try_next().await? {
        let cells = (0..row.len()).map(|place| cell(&row, place)).collect::<Result<Vec<Cell>, _>>()?;
        bytes += cells.iter().map(Cell::bytes).sum::<usize>();
        rows.push(cells);
        // Before the next is read: all together may be more than there is memory.
        if rows.len() > ROWS || bytes > BYTES {
            return Err(sqlx::Error::Protocol(format!("the answer has more than {ROWS} rows or {BYTES} bytes")));
        }
    }
    Ok(Table { columns, rows })
}

/// Stops a question that never ends.
async fn bound(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    let looks = AtomicU64::new(0);
    let mut handle = connection.lock_handle().await?;
    handle.set_progress_handler(STEPS, move || looks.fetch_add(1, Ordering::Relaxed) < LOOKS);
    Ok(())
}

fn cell(row: &sqlx::sqlite::SqliteRow, place: usize) -> Result<Cell, sqlx::Error> {
    let raw = row.try_get_raw(place)?;
    if raw.is_null() {
        return Ok(Cell::Null);
    }
    let kind = raw.type_info().name().to_string();
    Ok(match kind.as_str() {
        "INTEGER" => Cell::Integer(row.try_get_unchecked(place)?),
        "REAL" => Cell::Real(row.try_get_unchecked(place)?),
        _ => Cell::Text(row.try_get_unchecked(place)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_question_is_answered_from_what_the_script_made() {
        let script = "attach ':memory:' as s; create table s.t (n int, x); insert into s.t values (1, 'a'), (2, null);";
        let values = [Cell::Text("2".to_string())];
        let found =
            ask(script.to_string(), "select n, x, n + 0.5 as y from s.t where n = $1".to_string(), &values).await;
        let found = found.unwrap();
        assert_eq!(found.columns, ["n", "x", "y"]);
        assert_eq!(found.rows, [vec![Cell::Integer(2), Cell::Null, Cell::Real(2.5)]]);
        let none = ask(script.to_string(), "select x from s.t where n = 9".to_string(), &[]).await.unwrap();
        assert_eq!((none.columns, none.rows.len()), (vec!["x".to_string()], 0));
    }

    #[tokio::test]
    async fn what_never_ends_is_stopped() {
        let endless = "with recursive r(n) as (select 1 union all select n + 1 from r) select count(*) from r";
        assert!(ask(String::new(), endless.to_string(), &[]).await.is_err());
    }

    #[tokio::test]
    async fn an_answer_without_end_is_refused_while_it_is_read() {
        let many = "with recursive r(n) as (select 1 union all select n + 1 from r) select n from r";
        let error = ask(String::new(), many.to_string(), &[]).await.unwrap_err();
        assert!(error.to_string().contains("more than 100000 rows"), "{error}");
        let wide =
            "with recursive r(n) as (select 1 union all select n + 1 from r) select hex(zeroblob(500000)) from r";
        let error = ask(String::new(), wide.to_string(), &[]).await.unwrap_err();
        assert!(error.to_string().contains("bytes"), "{error}");
    }
}
