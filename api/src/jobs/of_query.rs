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
    /// The text that ran; the JSON of what ran where there is a spec. Empty where somebody else ran a text of their own, as
    /// parameters and message are.
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

/// What the account `$2`, or with null an administrator, may read of a run: what they ran, and what viewers see the result
/// of. Somebody else may have tried anything in the editor, which is theirs.
const READABLE: &str = "(cast($2 as bigint) is null or owner_id = $2 or shared = 1)";

/// The runs of a query as this account sees them, or with `None` an administrator, newest first: with `all` everybody's.
pub async fn runs(
    db: &Db,
    query: &str,
    (viewer, all): (Option<i64>, bool),
    (limit, offset): (i64, i64),
) -> Result<(Vec<RunView>, i64), sqlx::Error> {
    let of_whom = "query_id = $1 and ($3 = 1 or cast($2 as bigint) is null or owner_id = $2)";
    let shown = |column: &str| format!("case when {READABLE} then {column} else '' end as {column}");
    let statement = format!(
        "select j.id, state, origin, {}, {}, query_revision, user_name, j.created_at, started_at,
         finished_at, result_rows, {} from jobs j join users on users.id = j.owner_id
         where {of_whom} order by j.created_at desc, j.id desc limit $4 offset $5",
        shown("text"),
        shown("parameters"),
        shown("message")
    );
    let rows = sqlx::query(sqlx::AssertSqlSafe(statement))
        .bind(query)
        .bind(viewer)
        .bind(i64::from(all))
        .bind(limit)
        .bind(offset)
        .fetch_all(db.pool())
        .await?;
    let total = sqlx::query_scalar(sqlx::AssertSqlSafe(format!("select count(*) from jobs where {of_whom}")))
        .bind(query)
        .bind(viewer)
        .bind(i64::from(all))
        .fetch_one(db.pool())
        .await?;
    Ok((rows.iter().map(run).collect::<Result<_, _>>()?, total))
}

/// The text of a run of this query, if this account, or with `None` an administrator, may read it.
pub async fn text(db: &Db, query: &str, job: &str, viewer: Option<i64>) -> Result<Option<String>, sqlx::Error> {
    let statement = format!("select text from jobs where id = $1 and query_id = $3 and {READABLE}");
    sqlx::query_scalar(sqlx::AssertSqlSafe(statement))
        .bind(job)
        .bind(viewer)
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

/// Whether a job left the result that viewers of its query see now; not those at values that some of them asked for, of which
/// there may be any number.
pub async fn is_shown(db: &Db, job: &str) -> Result<bool, sqlx::Error> {
    let query: Option<Option<String>> =
        sqlx::query_scalar("select query_id from jobs where id = $1 and shared = 1 and parameters = ''")
            .bind(job)
            .fetch_optional(db.pool())
            .await?;
    let Some(query) = query.flatten() else { return Ok(false) };
    Ok(shown(db, &query, "").await?.is_some_and(|shown| shown.job_id == job))
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

/// The job that runs or waits to make the result of a query anew, if there is one. Runs of others, of other texts and with
/// values of their own replace nothing that viewers see.
pub async fn unfinished(db: &Db, query: &str) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar(
        "select id from jobs where query_id = $1 and state in ('QUEUED', 'RUNNING') and shared = 1 and parameters = ''
         order by created_at desc limit 1",
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
