//! The result of a query at values that its readers ask for: run for its owner, once for all who ask, and again when the
//! query's own result is newer.

use std::time::Duration;

use axum::http::StatusCode;
use quarry_runtime::job::{JobState, Parameters};

use super::queries::{self, QueryRow};
use super::store::Creation;
use crate::app::App;
use crate::auth::CurrentUser;
use crate::http::ApiError;
use crate::jobs::model::{Kind, State};
use crate::jobs::of_query::{self, RunOf, RunOrigin, Shown};
use crate::time::now_ms;

/// Longest wait for a run that was just started; who asks again sees its result.
const PATIENCE: Duration = Duration::from_secs(8);

/// What there is at the values.
#[derive(Debug)]
pub struct Asked {
    /// Whether a run is under way whose result is newer.
    pub pending: bool,
    pub shown: Option<Shown>,
}

/// A query and what its results at other values are measured by.
#[derive(Debug, Clone, Copy)]
pub struct AskedOf<'a> {
    pub query: &'a Creation,
    pub row: &'a QueryRow,
    /// When its own result was made, in milliseconds since 1970, and of which revision: older results are made anew.
    pub since: i64,
    pub revision: i64,
}

/// The newest result at these values; `permit` is asked before a run is started.
pub async fn at(
    app: &App,
    of: AskedOf<'_>,
    given: &Parameters,
    permit: impl FnOnce() -> Result<(), ApiError>,
) -> Result<Asked, ApiError> {
    let key = queries::values_key(given)?;
    // Results at values that somebody asked for are removed when they are old.
    let kept = |shown: &Shown| app.engine.result(&shown.job_id).is_ok();
    let mut shown = of_query::shown(&app.db, &of.query.id, &key).await?.filter(kept);
    let fresh = |shown: &Shown| shown.finish_time >= of.since && shown.revision == of.revision;
    let mut pending = false;
    if !shown.as_ref().is_some_and(fresh)
        && let Some(job) = run(app, of, given, key, permit).await?
    {
        let handle = app.jobs.handle(&job);
        let ended = match &handle {
            Some(handle) => tokio::time::timeout(PATIENCE, handle.wait()).await.ok(),
            None => None,
        };
        pending = ended.is_none();
        if ended.is_some_and(|job| job.state == JobState::Succeeded) {
            let result = app.engine.result(&job)?;
            let rows = i64::try_from(result.total()).unwrap_or(i64::MAX);
            shown = Some(Shown { job_id: job, finish_time: now_ms(), rows, revision: of.revision });
        }
    }
    Ok(Asked { pending, shown })
}

/// The job that runs the query with these values: one that runs already, or a new one of its owner. None when the last one
/// failed and nothing has changed since.
async fn run(
    app: &App,
    of: AskedOf<'_>,
    given: &Parameters,
    key: String,
    permit: impl FnOnce() -> Result<(), ApiError>,
) -> Result<Option<String>, ApiError> {
    let _one_at_a_time = app.asked_runs.lock().await;
    match of_query::newest(&app.db, &of.query.id, &key).await? {
        Some((job, state, _)) if !state.is_final() => return Ok(Some(job)),
        Some((_, State::Failed | State::Killed, made_at)) if made_at >= of.since => return Ok(None),
        _ => {}
    }
    if !matches!(of.row.what.kind, Kind::Sql | Kind::Graph) {
        let msg = "Queries of this kind can write data, so readers can't run them.";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "forbidden", msg));
    }
    let values = of.row.what.values(given)?;
    permit()?;
    let owner = CurrentUser::of_account(&app.db, of.query.owner_id).await?;
    let run = RunOf {
        query_id: of.query.id.clone(),
        revision: of.revision,
        origin: RunOrigin::Refresh,
        shared: true,
        parameters: key,
    };
    app.jobs.submit(&owner, of.row.what.clone().work(values), Some(&run)).await.map(|job| Some(job.id))
}
