//! The clockwork: wakes when a query is due and starts its job.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use quarry_runtime::job::Parameters;
use quarry_types::ErrorCode;
use tokio::sync::{Mutex as AsyncMutex, Notify};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::next::next;
use super::store::{self, Due};
use crate::auth::CurrentUser;
use crate::creations::model::CreationKind;
use crate::creations::{self, queries};
use crate::db::Db;
use crate::http::ApiError;
use crate::jobs::Jobs;
use crate::jobs::of_query::{self, RunOf, RunOrigin};
use crate::time::now_ms;

/// Longest sleep: another server on the same database may have changed a schedule.
const LONGEST_SLEEP: Duration = Duration::from_secs(60);
/// How long a due query waits that found the queue full, in milliseconds.
const RETRY: i64 = 60_000;
/// Queries started before the clock is read again.
const BATCH: i64 = 50;

/// Starts queries when they are due.
pub struct Scheduler {
    db: Db,
    jobs: Arc<Jobs>,
    changed: Notify,
    /// Held while it is looked whether a query runs and until its job is there, so that none starts twice.
    starting: AsyncMutex<()>,
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl Scheduler {
    pub fn new(db: Db, jobs: Arc<Jobs>) -> Arc<Scheduler> {
        let (changed, tasks, stop) = (Notify::new(), TaskTracker::new(), CancellationToken::new());
        Arc::new(Scheduler { db, jobs, changed, starting: AsyncMutex::default(), tasks, stop })
    }

    /// Runs the clock until the stop.
    pub fn start(self: &Arc<Scheduler>) {
        let scheduler = self.clone();
        self.tasks.spawn(async move {
            loop {
                let sleep = scheduler.turn().await;
                tokio::select! {
                    () = tokio::time::sleep(sleep) => {}
                    () = scheduler.changed.notified() => {}
                    () = scheduler.stop.cancelled() => return,
                }
            }
        });
    }

    /// Tells the clock that a schedule has changed.
    pub fn changed(&self) {
        self.changed.notify_one();
    }

    pub async fn stop(&self) {
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }

    /// Starts what is due now; answers how long nothing else will be.
    async fn turn(&self) -> Duration {
        let now = now_ms();
        if let Err(error) = self.run_due(now).await {
            tracing::error!(%error, "due queries could not be read");
            return LONGEST_SLEEP;
        }
        match store::earliest(&self.db).await {
            Ok(Some(moment)) => {
                let wait = u64::try_from(moment - now_ms()).unwrap_or(0);
                Duration::from_millis(wait).clamp(Duration::from_millis(50), LONGEST_SLEEP)
            }
            Ok(None) => LONGEST_SLEEP,
            Err(error) => {
                tracing::error!(%error, "the next due query could not be read");
                LONGEST_SLEEP
            }
        }
    }

    /// Starts every query that is due at `now` (milliseconds since 1970); answers the jobs it started. A query that
    /// still runs is passed over this time, so none ever runs twice at once. Moments missed while no server ran are
    /// made up for by one run.
    pub async fn run_due(&self, now: i64) -> Result<Vec<String>, sqlx::Error> {
        let mut started = Vec::new();
        while !self.stop.is_cancelled() {
            let due = store::due(&self.db, now, BATCH).await?;
            if due.is_empty() {
                break;
            }
            for query in due {
                // A schedule that can't be read any more must not be due for ever.
                let following = next(query.strategy, &query.cron, query.number, now).unwrap_or(None);
                // What can't be moved on stays due: whoever asked on and on would do nothing else.
                if !store::claim(&self.db, &query, following).await? {
                    continue;
                }
                match self.run(&query, following, now).await {
                    Ok(job) => started.extend(job),
                    Err(error) => {
                        tracing::warn!(query = %query.query_id, code = %error.code, "a due query could not start: {}", error.msg);
                    }
                }
            }
        }
        Ok(started)
    }

    /// Starts a query that was moved on to `following`.
    async fn run(&self, due: &Due, following: Option<i64>, now: i64) -> Result<Option<String>, ApiError> {
        let _one_at_a_time = self.starting.lock().await;
        if of_query::unfinished(&self.db, &due.query_id).await?.is_some() {
            return Ok(None);
        }
        let submitted = self.submit(&due.query_id, due.owner_id, due.revision).await;
        if submitted.as_ref().is_err_and(|error| error.code == ErrorCode::Busy.as_str()) {
            store::postpone(&self.db, due, following, now + RETRY).await?;
        }
        submitted.map(Some)
    }

    /// Runs a query at once for its owner, whatever its schedule says. One that runs already is not run twice.
    pub async fn run_now(&self, query: &str) -> Result<String, ApiError> {
        let creation =
            creations::store::any(&self.db, query).await?.filter(|creation| creation.kind == CreationKind::Query);
        let creation = creation.ok_or_else(|| ApiError::not_found("query"))?;
        let _one_at_a_time = self.starting.lock().await;
        if let Some(job) = of_query::unfinished(&self.db, query).await? {
            let msg = format!("The query runs already, as job {job}.");
            return Err(ApiError::new(StatusCode::CONFLICT, "job_running", msg));
        }
        self.submit(query, creation.owner_id, creation.revision).await
    }

    /// Starts the job of a query, run by its schedule for its owner.
    async fn submit(&self, query: &str, owner: i64, revision: i64) -> Result<String, ApiError> {
        let owner = CurrentUser::of_account(&self.db, owner).await?;
        let row = queries::find(&self.db, query).await?;
        let of = RunOf {
            query_id: query.to_string(),
            revision,
            origin: RunOrigin::Schedule,
            shared: true,
            parameters: String::new(),
        };
        let values = row.what.values(&Parameters::default())?;
        self.jobs.submit(&owner, row.what.work(values), Some(&of)).await.map(|job| job.id)
    }
}
