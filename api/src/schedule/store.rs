//! What is due, in the database.

use serde::Serialize;
use sqlx::Row;
use sqlx::any::AnyRow;
use utoipa::ToSchema;

use crate::creations::queries::Strategy;
use crate::db::Db;

/// A query that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    pub query_id: String,
    pub owner_id: i64,
    /// The creation's number, which spreads the minutes.
    pub number: i64,
    pub revision: i64,
    pub strategy: Strategy,
    pub cron: String,
    pub due_at: i64,
}

/// A query with an update strategy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScheduleView {
    pub query_id: String,
    pub title: String,
    pub user_name: String,
    pub update_strategy: Strategy,
    pub cron: String,
    pub paused: bool,
    pub next_run_time: Option<i64>,
    /// State of its newest run by schedule; null before the first.
    pub last_state: Option<String>,
    pub last_run_time: Option<i64>,
}

/// Queries that are due at `now`, the longest waiting first; those of disabled accounts rest.
pub async fn due(db: &Db, now: i64, limit: i64) -> Result<Vec<Due>, sqlx::Error> {
    let rows = sqlx::query(
        "select q.id, c.owner_id, c.number, c.revision, q.strategy, q.cron, q.next_run_at
         from queries q join creations c on c.id = q.id join users u on u.id = c.owner_id
         where q.next_run_at <= $1 and q.paused = 0 and u.disabled = 0 order by q.next_run_at, q.id limit $2",
    )
    .bind(now)
    .bind(limit)
    .fetch_all(db.pool())
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Due {
                query_id: row.try_get("id")?,
                owner_id: row.try_get("owner_id")?,
                number: row.try_get("number")?,
                revision: row.try_get("revision")?,
                strategy: strategy(row)?,
                cron: row.try_get("cron")?,
                due_at: row.try_get("next_run_at")?,
            })
        })
        .collect()
}

/// Moves a due query on to its next moment; false when somebody else was faster, who then runs it.
pub async fn claim(db: &Db, due: &Due, next: Option<i64>) -> Result<bool, sqlx::Error> {
    let done = sqlx::query("update queries set next_run_at = $3 where id = $1 and next_run_at = $2")
        .bind(&due.query_id)
        .bind(due.due_at)
        .bind(next)
        .execute(db.pool())
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Makes a query whose moment was moved on due again at `until`, unless somebody has changed its schedule meanwhile.
pub async fn postpone(db: &Db, due: &Due, next: Option<i64>, until: i64) -> Result<(), sqlx::Error> {
    let Some(next) = next else { return Ok(()) };
    let moved = Due { due_at: next, ..due.clone() };
    claim(db, &moved, Some(until.min(next))).await?;
    Ok(())
}

/// The next moment at which any query is due.
pub async fn earliest(db: &Db) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "select min(q.next_run_at) from queries q join creations c on c.id = q.id join users u on u.id = c.owner_id
         where q.paused = 0 and u.disabled = 0",
    )
    .fetch_one(db.pool())
    .await
}

/// Queries with an update strategy: those of one account, or everybody's.
pub async fn list(
    db: &Db,
    owner: Option<i64>,
    limit: i64,
    offset: i64,
) -> Result<(Vec<ScheduleView>, i64), sqlx::Error> {
    // Everybody's need no look at who made them.
    let of_whom = match owner {
        Some(_) => "queries q join creations c on c.id = q.id where q.strategy <> 'manual' and c.owner_id = $1",
        None => "queries q where q.strategy <> 'manual' and cast($1 as bigint) is null",
    };
    let page = format!(
        "select q.id, c.title, u.user_name, q.strategy, q.cron, q.paused, q.next_run_at,
         (select j.state from jobs j where j.query_id = q.id and j.origin = 'schedule'
            order by j.created_at desc, j.id desc limit 1) as last_state,
         (select max(j.created_at) from jobs j where j.query_id = q.id and j.origin = 'schedule') as last_run
         from (select q.id as chosen from {of_whom}
               order by q.next_run_at, q.id limit $2 offset $3) page
         join queries q on q.id = page.chosen join creations c on c.id = q.id join users u on u.id = c.owner_id
         order by q.next_run_at, q.id"
    );
    let page = sqlx::query(sqlx::AssertSqlSafe(page)).bind(owner).bind(limit).bind(offset);
    let rows = page.fetch_all(db.pool()).await?;
    let count = format!("select count(*) from {of_whom}");
    let total = sqlx::query_scalar(sqlx::AssertSqlSafe(count)).bind(owner).fetch_one(db.pool()).await?;
    Ok((rows.iter().map(schedule).collect::<Result<_, _>>()?, total))
}

/// Lets the schedule of a query rest or go on; its next moment is `next`.
pub async fn pause(db: &Db, query: &str, paused: bool, next: Option<i64>) -> Result<(), sqlx::Error> {
    sqlx::query("update queries set paused = $2, next_run_at = $3 where id = $1")
        .bind(query)
        .bind(i64::from(paused))
        .bind(next)
        .execute(db.pool())
        .await?;
    Ok(())
}

fn schedule(row: &AnyRow) -> Result<ScheduleView, sqlx::Error> {
    Ok(ScheduleView {
        query_id: row.try_get("id")?,
        title: row.try_get("title")?,
        user_name: row.try_get("user_name")?,
        update_strategy: strategy(row)?,
        cron: row.try_get("cron")?,
        paused: row.try_get::<i64, _>("paused")? != 0,
        next_run_time: row.try_get("next_run_at")?,
        last_state: row.try_get("last_state")?,
        last_run_time: row.try_get("last_run")?,
    })
}

fn strategy(row: &AnyRow) -> Result<Strategy, sqlx::Error> {
    let name: String = row.try_get("strategy")?;
    Strategy::parse(&name).ok_or_else(|| sqlx::Error::Decode("queries.strategy holds an unknown word".into()))
}
