//! Jobs that ran a saved query: its history, and the result that its viewers see.

use serde::{Deserialize, Serialize};
use sqlx::Row;
use sqlx::any::AnyRow;
use utoipa::ToSchema;

use super::model::State;
use crate::db::Db;

/// What made a saved query run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RunOrigin {
    /// A person ran it.
    Manual,
    /// Its update strategy.
    Schedule,
    /// A dashboard that shows it was refreshed.
    Refresh,
}

impl RunOrigin {
    pub fn name(self) -> &'static str {
        match self {
            RunOrigin::Manual => "manual",
            RunOrigin::Schedule => "schedule",
            RunOrigin::Refresh => "refresh",
        }
    }

    fn parse(name: &str) -> Option<RunOrigin> {
        [RunOrigin::Manual, RunOrigin::Schedule, RunOrigin::Refresh].into_iter().find(|one| one.name() == name)
    }
}

/// Which saved query a job runs.
#[derive(Debug, Clone)]
pub struct RunOf {
    pub query_id: String,
    /// The query's revision whose text is run.
    pub revision: i64,
    pub origin: RunOrigin,
    /// Whether viewers of the query see the result: its own text, run for its owner.
    pub shared: bool,
    /// The values it runs with, as JSON with sorted names; empty without any.
    pub parameters: String,
}

/// One run of a saved query.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunView {
    pub job_id: String,
    pub state: State,
    pub origin: RunOrigin,
    /// The text that ran; the JSON of what ran where there is a spec.
    pub text: String,
    /// JSON of the values it ran with; empty without any.
    pub parameters: String,
    /// Revision of the query that ran.
    pub revision: Option<i64>,
    pub user_name: String,
    pub create_time: i64,
    pub start_time: Option<i64>,
    pub finish_time: Option<i64>,
    pub rows: Option<i64>,
    pub message: String,
}

/// The result that viewers of a query see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    pub job_id: String,
    pub finish_time: i64,
    pub rows: i64,
    /// Revision of the query that ran; an older one than the query's means the text has changed since.
    pub revision: i64,
}

/// Ties a job to its query; before it starts.
pub async fn link(db: &Db, id: &str, of: &RunOf) -> Result<(), sqlx::Error> {
    sqlx::query(
        "update jobs set query_id = $2, query_revision = $3, origin = $4, shared = $5, parameters = $6 where id = $1",
    )
    .bind(id)
    .bind(&of.query_id)
    .bind(of.revision)
    .bind(of.origin.name())
    .bind(i64::from(of.shared))
    .bind(&of.parameters)
    .execute(db.pool())
    .await?;
    Ok(())
}

/// The runs of a query, newest first: those of one account, or with `None` everybody's.
pub async fn runs(
    db: &Db,
    query: &str,
    owner: Option<i64>,
    limit: i64,
    offset: i64,
) -> Result<(Vec<RunView>, i64), sqlx::Error> {
    let rows = sqlx::query(
        "select j.id, state, origin, text, parameters, query_revision, user_name, j.created_at, started_at,
         finished_at, result_rows, message from jobs j join users on users.id = j.owner_id
         where query_id = $1 and (cast($2 as bigint) is null or owner_id = $2)
         order by j.created_at desc, j.id desc limit $3 offset $4",
    )
    .bind(query)
    .bind(owner)
    .bind(limit)
    .bind(offset)
    .fetch_all(db.pool())
    .await?;
    let total = sqlx::query_scalar(
        "select count(*) from jobs where query_id = $1 and (cast($2 as bigint) is null or owner_id = $2)",
    )
    .bind(query)
    .bind(owner)
    .fetch_one(db.pool())
    .await?;
    Ok((rows.iter().map(run).collect::<Result<_, _>>()?, total))
}

/// The text of a run of this query.
pub async fn text(db: &Db, query: &str, job: &str) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar("select text from jobs where id = $1 and query_id = $2")
        .bind(job)
        .bind(query)
        .fetch_optional(db.pool())
        .await
}

/// The newest result of a query that viewers see, run with exactly these parameters.
pub async fn shown(db: &Db, query: &str, parameters: &str) -> Result<Option<Shown>, sqlx::Error> {
    let row = sqlx::query(
        "select id, finished_at, result_rows, query_revision from jobs
         where query_id = $1 and shared = 1 and state = 'SUCCEEDED' and parameters = $2
         order by created_at desc, id desc limit 1",
    )
    .bind(query)
    .bind(parameters)
    .fetch_optional(db.pool())
    .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(Shown {
        job_id: row.try_get("id")?,
        finish_time: row.try_get::<Option<i64>, _>("finished_at")?.unwrap_or_default(),
        rows: row.try_get::<Option<i64>, _>("result_rows")?.unwrap_or_default(),
        revision: row.try_get::<Option<i64>, _>("query_revision")?.unwrap_or_default(),
    }))
}

/// Whether a job left the result that viewers of its query see now.
pub async fn is_shown(db: &Db, job: &str) -> Result<bool, sqlx::Error> {
    let row = sqlx::query("select query_id, parameters from jobs where id = $1 and shared = 1")
        .bind(job)
        .fetch_optional(db.pool())
        .await?;
    let Some(row) = row else { return Ok(false) };
    let Some(query) = row.try_get::<Option<String>, _>("query_id")? else { return Ok(false) };
    let parameters: String = row.try_get("parameters")?;
    Ok(shown(db, &query, &parameters).await?.is_some_and(|shown| shown.job_id == job))
}

/// The newest job that ran a query for its viewers with exactly these parameters: its id, state, and when it was made.
pub async fn newest(db: &Db, query: &str, parameters: &str) -> Result<Option<(String, State, i64)>, sqlx::Error> {
    let row = sqlx::query(
        "select id, state, created_at from jobs where query_id = $1 and parameters = $2 and shared = 1
         order by created_at desc, id desc limit 1",
    )
    .bind(query)
    .bind(parameters)
    .fetch_optional(db.pool())
    .await?;
    let Some(row) = row else { return Ok(None) };
    let unknown = || sqlx::Error::Decode("jobs.state holds an unknown word".into());
    let state = State::parse(row.try_get("state")?).ok_or_else(unknown)?;
    Ok(Some((row.try_get("id")?, state, row.try_get("created_at")?)))
}

/// The job that runs or waits for a query, if there is one.
pub async fn unfinished(db: &Db, query: &str) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar(
        "select id from jobs where query_id = $1 and state in ('QUEUED', 'RUNNING') order by created_at desc limit 1",
    )
    .bind(query)
    .fetch_optional(db.pool())
    .await
}

fn run(row: &AnyRow) -> Result<RunView, sqlx::Error> {
    let unknown = |column: &str| sqlx::Error::Decode(format!("jobs.{column} holds an unknown word").into());
    Ok(RunView {
        job_id: row.try_get("id")?,
        state: State::parse(row.try_get("state")?).ok_or_else(|| unknown("state"))?,
        origin: RunOrigin::parse(row.try_get("origin")?).ok_or_else(|| unknown("origin"))?,
        text: row.try_get("text")?,
        parameters: row.try_get("parameters")?,
        revision: row.try_get("query_revision")?,
        user_name: row.try_get("user_name")?,
        create_time: row.try_get("created_at")?,
        start_time: row.try_get("started_at")?,
        finish_time: row.try_get("finished_at")?,
        rows: row.try_get("result_rows")?,
        message: row.try_get("message")?,
    })
}
