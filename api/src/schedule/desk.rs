//! Schedules of everybody, as administrators see them: how the newest runs went, and what needs a look.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use sqlx::{FromRow, Row};
use utoipa::ToSchema;

use crate::creations::card::marks;
use crate::db::list::{List, Page, Paged};
use crate::db::{Db, Truth};
use crate::jobs::model::State;

/// Runs that are shown of each query.
const MARKS: i64 = 24;
/// A query that should have started so long ago is late, in milliseconds.
pub const LATE: i64 = 60_000;
/// In milliseconds.
pub const DAY: i64 = 86_400_000;

/// What a schedule is like now. One can be more than one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Condition {
    /// A job of its query waits or runs.
    Running,
    /// It should have started by now.
    Late,
    /// Its newest run by schedule failed.
    Failed,
    Paused,
}

/// Which schedules.
#[derive(Debug, Default)]
pub struct Filter<'a> {
    pub user_name: Option<&'a str>,
    pub title: Option<&'a str>,
    pub condition: Option<Condition>,
    /// Milliseconds since 1970.
    pub now: i64,
}

/// A schedule of somebody.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct ScheduleRow {
    pub query_id: String,
    pub title: String,
    /// The title in Chinese, of what ships with Quarry.
    pub title_zh: Option<String>,
    pub user_name: String,
    /// Kind of its query, such as `SQL`.
    pub kind: String,
    /// `hourly`, `daily`, `weekly` or `cron`.
    pub update_strategy: String,
    /// Of the strategy `cron`.
    pub cron: String,
    #[schema(value_type = bool)]
    pub paused: Truth,
    /// Milliseconds since 1970.
    pub next_run_time: Option<i64>,
    /// Jobs of its query that wait or run.
    pub active_jobs: i64,
    /// Runs by schedule in the last 24 hours.
    pub runs_of_day: i64,
    /// The newest runs by schedule, oldest first, 24 at most.
    #[sqlx(skip)]
    pub runs: Vec<RunMark>,
}

/// One run by schedule.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunMark {
    pub job_id: String,
    pub state: State,
    /// Milliseconds since 1970.
    pub create_time: i64,
    pub start_time: Option<i64>,
    pub finish_time: Option<i64>,
    /// How long it took, in milliseconds; null until it ended.
    pub elapsed_ms: Option<i64>,
    /// 0 to 100; how far a running one is, its job says.
    pub progress: f64,
}

/// Figures over all schedules.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScheduleSummary {
    pub schedules: i64,
    pub running: i64,
    pub late: i64,
    /// Those whose newest run failed.
    pub failed: i64,
    pub paused: i64,
    /// Runs by schedule in the last 24 hours.
    pub runs_of_day: i64,
}

const RUNNING: &str = "exists (select 1 from jobs j where j.query_id = q.id and j.state in ('QUEUED', 'RUNNING'))";
const FAILED: &str = "(select j.state from jobs j where j.query_id = q.id and j.origin = 'schedule'
    order by j.created_at desc, j.id desc limit 1) = 'FAILED'";

const NAMES: &str = "left join creations c on c.id = q.id left join users u on u.id = c.owner_id";
// Looked up for each schedule, of which there are few: joined to them, all creations would be read.
const TITLE: &str = "(select n.title from creations n where n.id = q.id)";
const OWNER: &str = "(select o.user_name from creations n join users o on o.id = n.owner_id where n.id = q.id)";

fn schedules(filter: &Filter<'_>) -> List {
    let list = List::new(
        "q.id as query_id, c.title, c.title_zh, u.user_name, q.kind, q.strategy as update_strategy, q.cron, q.paused,
         q.next_run_at as next_run_time,
         (select count(*) from jobs j where j.query_id = q.id and j.state in ('QUEUED', 'RUNNING')) as active_jobs,
         cast(0 as bigint) as runs_of_day",
        "queries q",
        "q.paused, q.next_run_at, q.id",
    )
    .joined(NAMES)
    .only("q.strategy <> 'manual'")
    .contains_small(OWNER, filter.user_name)
    .contains(TITLE, filter.title);
    match filter.condition {
        None => list,
        Some(Condition::Running) => list.only(RUNNING),
        Some(Condition::Failed) => list.only(FAILED),
        Some(Condition::Paused) => list.only("q.paused = 1"),
        Some(Condition::Late) => list.only("q.paused = 0").between("q.next_run_at", None, Some(filter.now - LATE)),
    }
}

/// One page of schedules, the next due first and those that rest at the end.
pub async fn page(db: &Db, filter: &Filter<'_>, page: Page) -> Result<Paged<ScheduleRow>, sqlx::Error> {
    let mut found: Paged<ScheduleRow> = schedules(filter).page(db, page).await?;
    let ids: Vec<&str> = found.items.iter().map(|row| row.query_id.as_str()).collect();
    let mut runs = runs(db, &ids, filter.now - DAY).await?;
    for row in &mut found.items {
        (row.runs_of_day, row.runs) = runs.remove(&row.query_id).unwrap_or_default();
    }
    Ok(found)
}

/// Figures over all schedules at `now`, in milliseconds since 1970.
pub async fn summary(db: &Db, now: i64) -> Result<ScheduleSummary, sqlx::Error> {
    let count = async |condition| {
        let filter = Filter { condition, now, ..Filter::default() };
        let first: Paged<ScheduleRow> = schedules(&filter).page(db, Page { page: Some(1), size: Some(1) }).await?;
        Ok::<i64, sqlx::Error>(first.total)
    };
    Ok(ScheduleSummary {
        schedules: count(None).await?,
        running: count(Some(Condition::Running)).await?,
        late: count(Some(Condition::Late)).await?,
        failed: count(Some(Condition::Failed)).await?,
        paused: count(Some(Condition::Paused)).await?,
        runs_of_day: runs_since(db, now - DAY).await?,
    })
}

/// The newest runs by schedule of these queries, oldest first, and how many there were since a moment.
async fn runs(db: &Db, queries: &[&str], since: i64) -> Result<HashMap<String, (i64, Vec<RunMark>)>, sqlx::Error> {
    let mut found: HashMap<String, (i64, Vec<RunMark>)> = HashMap::new();
    if queries.is_empty() {
        return Ok(found);
    }
    let statement = format!(
        "select query_id, id, state, created_at, started_at, finished_at, progress, since from (
           select query_id, id, state, created_at, started_at, finished_at, progress,
             row_number() over (partition by query_id order by created_at desc, id desc) as place,
             cast(sum(case when created_at >= $1 then 1 else 0 end) over (partition by query_id) as bigint) as since
           from jobs where origin = 'schedule' and query_id in ({})) placed
         where place <= $2 order by query_id, place desc",
        marks(queries.len(), 3)
    );
    let query = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(since).bind(MARKS);
    let query = queries.iter().fold(query, |query, id| query.bind(*id));
    let unknown = || sqlx::Error::Decode("jobs.state holds an unknown word".into());
    for row in query.fetch_all(db.pool()).await? {
        let (started, finished): (Option<i64>, Option<i64>) = (row.try_get("started_at")?, row.try_get("finished_at")?);
        let (of_day, marks) = found.entry(row.try_get("query_id")?).or_default();
        *of_day = row.try_get("since")?;
        marks.push(RunMark {
            job_id: row.try_get("id")?,
            state: State::parse(row.try_get("state")?).ok_or_else(unknown)?,
            create_time: row.try_get("created_at")?,
            start_time: started,
            finish_time: finished,
            elapsed_ms: started.zip(finished).map(|(started, finished)| finished - started),
            progress: row.try_get("progress")?,
        });
    }
    Ok(found)
}

/// Runs by schedule of all queries since a moment.
async fn runs_since(db: &Db, since: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("select count(*) from jobs where origin = 'schedule' and created_at >= $1")
        .bind(since)
        .fetch_one(db.pool())
        .await
}
