//! The history of jobs in the platform database.

use sqlx::any::AnyRow;
use sqlx::{FromRow, Row};

use super::model::{Kind, State};
use super::of_query::{RunOf, RunOrigin};
use crate::db::Db;
use crate::db::list::{List, Page, Paged};

/// A job as it is remembered; times are milliseconds since 1970.
#[derive(Debug, Clone, PartialEq)]
pub struct JobRow {
    pub id: String,
    pub owner_id: i64,
    pub owner_name: String,
    pub kind: Kind,
    pub state: State,
    /// What it was called when it ran; empty where its text speaks for itself.
    pub title: String,
    pub text: String,
    pub created_at: i64,
    pub ended: Ended,
}

/// What changes while a job runs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ended {
    pub started_at: Option<i64>,
    pub finished_at: Option<i64>,
    /// 0 to 100.
    pub progress: f64,
    pub rows: Option<i64>,
    pub message: String,
    pub code: Option<String>,
    /// Line and column in the text.
    pub position: Option<(i64, i64)>,
    /// The field of the spec that is to blame.
    pub param: Option<String>,
}

/// Which jobs to list.
#[derive(Debug, Default)]
pub struct Filter {
    /// Jobs of this account; `None` for everybody's.
    pub owner: Option<i64>,
    /// Jobs of accounts whose name contains this.
    pub owner_name: Option<String>,
    pub kind: Option<Kind>,
    pub state: Option<State>,
}

macro_rules! columns {
    ($text:literal) => {
        concat!(
            "jobs.id, owner_id, user_name, kind, state, jobs.title, ",
            $text,
            ", jobs.created_at, started_at, finished_at, progress, result_rows, message, error_code, error_line,
             error_column, error_param"
        )
    };
}
const COLUMNS: &str = columns!("text");
/// Lists show how a text begins; a spec is told by its fields. A text may have half a megabyte, and a page a hundred of them.
const LISTED: &str =
    columns!("case when kind in ('MAPREDUCE', 'LABEL') then text else substr(text, 1, 1000) end as text");
const OWNER: &str = "left join users on users.id = owner_id";

/// How a job begins.
#[derive(Debug, Default)]
pub struct Beginning<'a> {
    /// The home whose server runs it.
    pub home: &'a str,
    /// JSON of all values it runs with; empty without any.
    pub given: &'a str,
    /// The saved query it runs.
    pub of: Option<&'a RunOf>,
}

/// Remembers a job that has not started.
pub async fn insert(db: &Db, job: &JobRow, begins: &Beginning<'_>) -> Result<(), sqlx::Error> {
    let of = begins.of;
    sqlx::query(
        "insert into jobs (id, owner_id, kind, state, title, text, created_at, home, given, query_id, query_revision,
         origin, shared, parameters) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
    )
    .bind(&job.id)
    .bind(job.owner_id)
    .bind(job.kind.name())
    .bind(job.state.name())
    .bind(&job.title)
    .bind(&job.text)
    .bind(job.created_at)
    .bind(begins.home)
    .bind(begins.given)
    .bind(of.map(|of| of.query_id.as_str()))
    .bind(of.map(|of| of.revision))
    .bind(of.map_or(RunOrigin::Manual, |of| of.origin).name())
    .bind(i64::from(of.is_some_and(|of| of.shared)))
    .bind(of.map_or("", |of| of.parameters.as_str()))
    .execute(db.pool())
    .await?;
    Ok(())
}

/// Forgets a job that could not be started.
pub async fn remove(db: &Db, id: &str) -> Result<(), sqlx::Error> {
    sqlx::query("delete from jobs where id = $1").bind(id).execute(db.pool()).await?;
    Ok(())
}

/// Records a new state; a job that has ended stays as it is, which is answered with false.
pub async fn update(db: &Db, id: &str, state: State, ended: &Ended) -> Result<bool, sqlx::Error> {
    let done = sqlx::query(
        "update jobs set state = $2, started_at = $3, finished_at = $4, progress = $5, result_rows = $6, message = $7,
         error_code = $8, error_line = $9, error_column = $10, error_param = $11
         where id = $1 and state in ('QUEUED', 'RUNNING')",
    )
    .bind(id)
    .bind(state.name())
    .bind(ended.started_at)
    .bind(ended.finished_at)
    .bind(ended.progress)
    .bind(ended.rows)
    .bind(&ended.message)
    .bind(ended.code.as_deref())
    .bind(ended.position.map(|(line, _)| line))
    .bind(ended.position.map(|(_, column)| column))
    .bind(ended.param.as_deref())
    .execute(db.pool())
    .await?;
    Ok(done.rows_affected() > 0)
}

/// The job, if it is this account's; with `owner` `None` whoever's it is.
pub async fn find(db: &Db, id: &str, owner: Option<i64>) -> Result<Option<JobRow>, sqlx::Error> {
    let statement = format!(
        "select {COLUMNS} from jobs {OWNER} where jobs.id = $2 and (cast($1 as bigint) is null or owner_id = $1)"
    );
    let row = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(owner).bind(id).fetch_optional(db.pool()).await?;
    row.as_ref().map(JobRow::from_row).transpose()
}

/// Jobs of one page, newest first.
pub async fn list(db: &Db, filter: &Filter, page: Page) -> Result<Paged<JobRow>, sqlx::Error> {
    List::new(LISTED, "jobs", "jobs.created_at desc, jobs.id desc")
        .joined(OWNER)
        .number("owner_id", filter.owner)
        .of_user("owner_id", filter.owner_name.as_deref())
        .text("kind", filter.kind.map(Kind::name))
        .text("state", filter.state.map(State::name))
        .page(db, page)
        .await
}

/// The jobs of an account that have not ended.
pub async fn unfinished(db: &Db, owner: i64) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar("select id from jobs where owner_id = $1 and state in ('QUEUED', 'RUNNING')")
        .bind(owner)
        .fetch_all(db.pool())
        .await
}

/// Asks the server that runs a job to stop it; it looks every minute (`signs`).
pub async fn ask_stop(db: &Db, id: &str) -> Result<(), sqlx::Error> {
    sqlx::query("update jobs set stop_asked = 1 where id = $1 and state in ('QUEUED', 'RUNNING')")
        .bind(id)
        .execute(db.pool())
        .await?;
    Ok(())
}

/// JSON of all values that a job ran with; empty without any.
pub async fn given(db: &Db, id: &str) -> Result<String, sqlx::Error> {
    let given = sqlx::query_scalar("select given from jobs where id = $1").bind(id).fetch_optional(db.pool()).await?;
    Ok(given.unwrap_or_default())
}

/// Marks every job of this home that has not ended as failed, because nothing runs it any more; answers how many these were.
/// Those of other homes are run by servers of their own (`signs`); those of none are of before jobs had one.
pub async fn fail_unfinished(db: &Db, home: &str, (code, message): (&str, &str), now: i64) -> Result<u64, sqlx::Error> {
    let done = sqlx::query(
        "update jobs set state = 'FAILED', finished_at = $3, error_code = $1, message = $2
         where state in ('QUEUED', 'RUNNING') and home in ('', $4)",
    )
    .bind(code)
    .bind(message)
    .bind(now)
    .bind(home)
    .execute(db.pool())
    .await?;
    Ok(done.rows_affected())
}

impl FromRow<'_, AnyRow> for JobRow {
    fn from_row(row: &AnyRow) -> Result<JobRow, sqlx::Error> {
        let line: Option<i64> = row.try_get("error_line")?;
        let column: Option<i64> = row.try_get("error_column")?;
        Ok(JobRow {
            id: row.try_get("id")?,
            owner_id: row.try_get("owner_id")?,
            owner_name: row.try_get("user_name")?,
            kind: known(Kind::parse(row.try_get("kind")?), "kind")?,
            state: known(State::parse(row.try_get("state")?), "state")?,
            title: row.try_get("title")?,
            text: row.try_get("text")?,
            created_at: row.try_get("created_at")?,
            ended: Ended {
                started_at: row.try_get("started_at")?,
                finished_at: row.try_get("finished_at")?,
                progress: row.try_get("progress")?,
                rows: row.try_get("result_rows")?,
                message: row.try_get("message")?,
                code: row.try_get("error_code")?,
                position: line.zip(column),
                param: row.try_get("error_param")?,
            },
        })
    }
}

fn known<T>(value: Option<T>, column: &str) -> Result<T, sqlx::Error> {
    value.ok_or_else(|| sqlx::Error::Decode(format!("the column {column} of jobs holds an unknown word").into()))
}
