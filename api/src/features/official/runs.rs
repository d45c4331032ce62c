//! The result of an official query at a resolution. The schedule runs it by day; other resolutions run when somebody asks,
//! once for each run of the schedule.

use std::time::Duration;

use quarry_engine::JobState;
use quarry_engine::job::Parameters;
use serde_json::Value;

use super::model::Resolution;
use crate::app::App;
use crate::auth::CurrentUser;
use crate::creations::queries::{self, QueryRow};
use crate::creations::store::Creation;
use crate::http::ApiError;
use crate::jobs::model::State;
use crate::jobs::of_query::{self, RunOf, RunOrigin, Shown};
use crate::time::now_ms;

/// The parameter that makes a query fit for other resolutions.
const PARAMETER: &str = "resolution";
/// Longest wait for a run that was just started; who asks again sees its result.
const PATIENCE: Duration = Duration::from_secs(8);

/// What there is at a resolution.
pub struct Found {
    pub resolution: Resolution,
    pub resolutions: Vec<Resolution>,
    pub pending: bool,
    pub shown: Option<Shown>,
}

/// The newest result of a query at a resolution, or at the only one that it has.
pub async fn at(app: &App, query: &Creation, wanted: Resolution) -> Result<Found, ApiError> {
    let row = queries::find(&app.db, &query.id).await?;
    let daily = of_query::shown(&app.db, &query.id, "").await?;
    let has_all = row.what.parameters.iter().any(|parameter| parameter.name == PARAMETER);
    let resolutions = if has_all { Resolution::ALL.to_vec() } else { vec![Resolution::Day] };
    if !has_all || wanted == Resolution::Day {
        return Ok(Found { resolution: Resolution::Day, resolutions, pending: false, shown: daily });
    }
    let Some(daily) = daily else {
        // Its first run by day has not ended, so nobody knows yet whether it runs at all.
        return Ok(Found { resolution: wanted, resolutions, pending: true, shown: None });
    };
    let given: Parameters = [(PARAMETER.to_string(), Value::from(wanted.unit()))].into();
    let key = queries::values_key(&given)?;
    let mut shown = of_query::shown(&app.db, &query.id, &key).await?;
    let fresh = |shown: &Shown| shown.finish_time >= daily.finish_time && shown.revision == daily.revision;
    let mut pending = false;
    if !shown.as_ref().is_some_and(fresh)
        && let Some(job) = run(app, query, &row, &given, &key, &daily).await?
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
            shown = Some(Shown { job_id: job, finish_time: now_ms(), rows, revision: daily.revision });
        }
    }
    Ok(Found { resolution: wanted, resolutions, pending, shown })
}

/// The job that runs the query with these values: one that runs already, or a new one of its owner. None when the last one
/// failed and nothing has changed since.
async fn run(
    app: &App,
    query: &Creation,
    row: &QueryRow,
    given: &Parameters,
    key: &str,
    daily: &Shown,
) -> Result<Option<String>, ApiError> {
    let _one_at_a_time = app.official_runs.lock().await;
    match of_query::newest(&app.db, &query.id, key).await? {
        Some((job, state, _)) if !state.is_final() => return Ok(Some(job)),
        Some((_, State::Failed | State::Killed, made_at)) if made_at >= daily.finish_time => return Ok(None),
        _ => {}
    }
    let owner = CurrentUser::of_account(&app.db, query.owner_id).await?;
    let of = RunOf {
        query_id: query.id.clone(),
        revision: daily.revision,
        origin: RunOrigin::Refresh,
        shared: true,
        parameters: key.to_string(),
    };
    let values = row.what.values(given)?;
    app.jobs.submit(&owner, row.what.clone().work(values), Some(&of)).await.map(Some)
}
