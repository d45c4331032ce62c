//! The tables of other users that a job read. Who publishes a result does so with their own right to these tables: it is
//! readable while that right lasts, and afterwards only for those who may read the tables themselves.

use std::sync::Arc;

use axum::http::StatusCode;
use quarry_engine::Engine;
use quarry_runtime::job::ReadTable;
use serde::Serialize;
use sqlx::Row;
use sqlx::any::AnyRow;
use utoipa::ToSchema;

use super::model::State;
use super::shares::schema_of;
use crate::db::Db;
use crate::http::ApiError;

/// True for a row `s` of `table_shares` by which somebody may read the table of a row `t` of `job_tables`.
const SHARES: &str = "select 1 from table_shares s join users o on o.id = s.owner_id
    where o.user_name = t.owner_name and s.table_name = t.table_name and s.created = t.created";

/// The job of a row `j` of `jobs` left the result that viewers of its query see.
const IS_SHOWN: &str =
    "j.shared = 1 and j.state = 'SUCCEEDED' and j.parameters = '' and not exists (select 1 from jobs n
    where n.query_id = j.query_id and n.shared = 1 and n.state = 'SUCCEEDED' and n.parameters = ''
    and (n.created_at > j.created_at or (n.created_at = j.created_at and n.id > j.id)))";

/// Others than its owner can see the result of a row `c` of `creations`: its query is published, or a chart of it is on a
/// published dashboard of the same owner.
const IS_PUBLISHED: &str = "(c.visibility <> 'private' or exists (select 1 from dashboards d
    join creations dc on dc.id = d.id where dc.owner_id = c.owner_id and dc.visibility <> 'private'
    and (d.content like '%' || c.id || '%' or exists (select 1 from visualizations v where v.query_id = c.id
    and d.content like '%' || v.id || '%'))))";

/// A table of another user.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
pub struct SourceTable {
    pub schema: String,
    pub table: String,
}

/// Published results that were computed from a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Dependents {
    /// Saved queries of others whose published result can't be read any more.
    pub results: i64,
    /// The accounts that published them.
    pub publishers: i64,
}

/// Remembers which tables of others a job read. Nothing is written about a job that is gone.
pub async fn keep(db: &Db, job: &str, read: &[ReadTable]) -> Result<(), sqlx::Error> {
    for table in read {
        sqlx::query(
            "insert into job_tables (job_id, owner_name, table_name, created)
             select j.id, cast($2 as text), cast($3 as text), cast($4 as bigint)
             from jobs j join users u on u.id = j.owner_id where j.id = $1 and u.user_name <> cast($2 as text)
             on conflict (job_id, owner_name, table_name, created) do nothing",
        )
        .bind(job)
        .bind(table.schema.strip_prefix("user_").unwrap_or(&table.schema))
        .bind(&table.table)
        .bind(signed(table.created))
        .execute(db.pool())
        .await?;
    }
    Ok(())
}

/// Fails when a result was computed from a table that neither the owner of the job nor the reader may read now. `reader` is
/// the account that reads; a visitor is none.
pub async fn check(db: &Db, engine: &Arc<Engine>, reader: Option<i64>, job: &str) -> Result<(), ApiError> {
    keep_of_running(db, engine, job).await?;
    let statement = format!(
        "select t.owner_name, t.table_name, t.created, j.owner_id,
         cast(case when exists ({SHARES} and s.reader_id in (0, j.owner_id, cast($2 as bigint)))
             or exists (select 1 from users o where o.id = cast($2 as bigint) and o.user_name = t.owner_name)
             then 1 else 0 end as bigint) as may_read
         from job_tables t join jobs j on j.id = t.job_id where t.job_id = $1 order by t.owner_name, t.table_name"
    );
    let rows = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(job).bind(reader).fetch_all(db.pool()).await?;
    if rows.is_empty() {
        return Ok(());
    }
    let read = rows.iter().map(Read::of).collect::<Result<Vec<_>, _>>()?;
    let engine = engine.clone();
    // Manifests of schemas are files.
    let closed = tokio::task::spawn_blocking(move || {
        read.into_iter().filter(|read| !(read.may_read && read.is_there(&engine))).collect::<Vec<_>>()
    });
    let closed = closed.await.map_err(ApiError::internal)?;
    let Some(first) = closed.first() else { return Ok(()) };
    if reader != Some(first.publisher) {
        let msg = "This result can't be shown: it was computed from a table that its owner no longer shares.";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "source_not_shared", msg));
    }
    let names = closed.iter().map(|read| format!("{}.{}", schema_of(&read.owner), read.table));
    let names = names.collect::<Vec<_>>().join(", ");
    let msg = format!(
        "This result was computed from {names}, which you may no longer read. Ask for it to be shared again, or run the query \
         without it."
    );
    Err(ApiError::new(StatusCode::FORBIDDEN, "own_source_not_shared", msg))
}

/// A job has ended a moment before that is written down, and its result is there already.
async fn keep_of_running(db: &Db, engine: &Engine, job: &str) -> Result<(), sqlx::Error> {
    let read = engine.job(job).map(|handle| handle.tables_read()).unwrap_or_default();
    if read.is_empty() {
        return Ok(());
    }
    let state: Option<String> =
        sqlx::query_scalar("select state from jobs where id = $1").bind(job).fetch_optional(db.pool()).await?;
    if state.as_deref().and_then(State::parse).is_some_and(State::is_final) {
        return Ok(());
    }
    keep(db, job, &read).await
}

/// The tables of others that the results which viewers of these queries see were computed from.
pub async fn of_queries(db: &Db, queries: &[String]) -> Result<Vec<SourceTable>, sqlx::Error> {
    let statement = format!(
        "select distinct t.owner_name, t.table_name from job_tables t join jobs j on j.id = t.job_id
         where j.query_id = $1 and {IS_SHOWN}"
    );
    let mut found = Vec::new();
    for query in queries {
        let rows = sqlx::query(sqlx::AssertSqlSafe(statement.clone())).bind(query).fetch_all(db.pool()).await?;
        for row in rows {
            found.push(SourceTable { schema: schema_of(row.try_get(0)?), table: row.try_get(1)? });
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// What others published of a table and would become unreadable if `reader` lost their right to it, or with `None` if
/// everybody did.
pub async fn dependents(
    db: &Db,
    owner: &str,
    (table, created): (&str, u64),
    reader: Option<i64>,
) -> Result<Dependents, sqlx::Error> {
    let statement = format!(
        "select count(distinct j.query_id), count(distinct j.owner_id)
         from job_tables t join jobs j on j.id = t.job_id join creations c on c.id = j.query_id
         where t.owner_name = $1 and t.table_name = $2 and t.created = $3 and {IS_SHOWN} and {IS_PUBLISHED}
         and exists ({SHARES} and s.reader_id in (0, j.owner_id))
         and (cast($4 as bigint) is null
             or not exists ({SHARES} and s.reader_id in (0, j.owner_id) and s.reader_id <> cast($4 as bigint)))"
    );
    let row = sqlx::query(sqlx::AssertSqlSafe(statement))
        .bind(owner)
        .bind(table)
        .bind(signed(created))
        .bind(reader)
        .fetch_one(db.pool())
        .await?;
    Ok(Dependents { results: row.try_get(0)?, publishers: row.try_get(1)? })
}

/// One table that a job read.
struct Read {
    owner: String,
    table: String,
    created: u64,
    /// Account of the job.
    publisher: i64,
    /// Whether the job's owner or the reader has the right to a table of this name and age.
    may_read: bool,
}

impl Read {
    fn of(row: &AnyRow) -> Result<Read, sqlx::Error> {
        Ok(Read {
            owner: row.try_get(0)?,
            table: row.try_get(1)?,
            created: u64::try_from(row.try_get::<i64, _>(2)?).unwrap_or_default(),
            publisher: row.try_get(3)?,
            may_read: row.try_get::<i64, _>(4)? == 1,
        })
    }

    /// A table may have been dropped or made anew past the calls that change shares.
    fn is_there(&self, engine: &Engine) -> bool {
        let found = engine.user_tables().get(&schema_of(&self.owner), &self.table);
        found.is_ok_and(|table| table.created == self.created)
    }
}

fn signed(created: u64) -> i64 {
    i64::try_from(created).unwrap_or(i64::MAX)
}
