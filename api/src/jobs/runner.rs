//! Runs jobs: remembers them, hands them to the engine, and follows each to its end.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use quarry_engine::Engine;
use quarry_runtime::job::{JobHandle, JobRequest, JobSnapshot};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::home;
use super::insist::insist;
use super::log::{self, LogLine};
use super::model::{JobView, State, Work, ended};
use super::of_query::{RunOf, RunOrigin};
use super::old_results::remove_results;
use super::shares;
use super::signs::{self, LOST, Signs};
use super::sources;
use super::store::{self, Beginning, Ended, Filter, JobRow};
use super::unrecorded::{Followed, Unrecorded};
use crate::auth::CurrentUser;
use crate::auth::token::fill_random;
use crate::creations::queries::values_key;
use crate::creations::store as creations;
use crate::db::Db;
use crate::db::list::Page;
use crate::http::ApiError;
use crate::time::now_ms;
use crate::ws::hub::Hub;

const SWEEP_EVERY: Duration = Duration::from_secs(3600);
/// A job that ended by then is not written down as running first: most queries do, and each such line is a transaction.
const SOON: Duration = Duration::from_millis(100);
const STOPPED: &str = "server_stopped";
const STOPPED_TEXT: &str = "The server was stopped while this job was queued or running. Run it again.";

/// The jobs of all users.
pub struct Jobs {
    db: Db,
    engine: Arc<Engine>,
    hub: Arc<Hub>,
    /// Id of the home, which other servers on the same database don't have.
    home: Arc<str>,
    followers: TaskTracker,
    unrecorded: Arc<Unrecorded>,
    stop: CancellationToken,
}

impl Jobs {
    /// Jobs of an earlier start on this home that did not end are marked as failed.
    pub async fn open(db: Db, engine: Arc<Engine>, hub: Arc<Hub>, home: &Path) -> anyhow::Result<Jobs> {
        let home = home::id(home)?;
        let lost = store::fail_unfinished(&db, &home, (STOPPED, STOPPED_TEXT), now_ms()).await?;
        if lost > 0 {
            tracing::warn!(jobs = lost, "jobs of an earlier start did not end and are marked as failed");
        }
        signs::leave(&db, &home).await?;
        let (home, followers, stop) = (home.into(), TaskTracker::new(), CancellationToken::new());
        Ok(Jobs { db, engine, hub, home, followers, unrecorded: Arc::default(), stop })
    }

    /// Remembers and starts a job, perhaps of a saved query; answers its row as it was at the start.
    pub async fn submit(
        self: &Arc<Self>,
        user: &CurrentUser,
        work: Work,
        of: Option<&RunOf>,
    ) -> Result<JobRow, ApiError> {
        let id = new_id();
        let remembered = work.remembered();
        let given = values_key(&work.parameters)?;
        let Work { kind, text, spec, parameters, title } = work;
        let title = match of {
            Some(of) => creations::titles(&self.db, &[&of.query_id]).await?.remove(&of.query_id).unwrap_or_default(),
            None => title,
        };
        let row = JobRow {
            id: id.clone(),
            owner_id: user.id,
            owner_name: user.name.clone(),
            kind,
            state: State::Queued,
            title,
            text: remembered,
            created_at: now_ms(),
            ended: Ended::default(),
        };
        let request = JobRequest {
            id,
            kind: kind.into(),
            text,
            // New accounts of one address take turns as one.
            owner: user.budget.to_string(),
            schemas: shares::schemas(&self.db, user).await?,
            parameters,
            spec,
            background: of.is_some_and(|of| of.origin == RunOrigin::Schedule),
        };
        let (jobs, of) = (Arc::clone(self), of.cloned());
        // By itself: a caller that goes away in between would leave a job behind that nothing runs.
        let begun = self.followers.spawn(async move { jobs.begin(row, &given, of.as_ref(), request).await });
        begun.await.map_err(ApiError::internal)?
    }

    /// Remembers the job, hands it to the engine and has it followed. `given` is the JSON of the values it runs with.
    async fn begin(
        &self,
        row: JobRow,
        given: &str,
        of: Option<&RunOf>,
        request: JobRequest,
    ) -> Result<JobRow, ApiError> {
        let begins = Beginning { home: &self.home, given, of };
        let remembered = store::insert(&self.db, &row, &begins).await.map_err(ApiError::from);
        let (db, hub, stop) = (self.db.clone(), self.hub.clone(), self.stop.clone());
        let followed = self.unrecorded.begin(&row.id);
        let handle = match remembered.and_then(|()| Ok(self.engine.submit(request)?)) {
            Ok(handle) => handle,
            Err(error) => {
                if store::remove(&db, &row.id).await.is_err() {
                    let forgotten = async move {
                        insist(&stop, "that a job did not begin", || store::remove(&db, &row.id)).await;
                    };
                    self.followers.spawn(forgotten);
                }
                return Err(error);
            }
        };
        let follower =
            Follower { db, hub, stop, row: row.clone(), noticed: None, unwritten: None, _followed: followed };
        self.followers.spawn(follower.follow(handle));
        Ok(row)
    }

    /// The job, if this user may see it: their own, or anyone's for an administrator.
    pub async fn find(&self, user: &CurrentUser, id: &str) -> Result<JobRow, ApiError> {
        let owner = (!user.is_admin()).then_some(user.id);
        store::find(&self.db, id, owner).await?.ok_or_else(|| ApiError::not_found("job"))
    }

    /// The job as it is now. Its end is reported once it is in the database.
    pub async fn view(&self, row: &JobRow) -> JobView {
        let live = self.live(row);
        if live.as_ref().is_some_and(|snapshot| State::from(snapshot.state).is_final()) {
            self.recorded(&row.id).await;
        }
        JobView::new(row, live.as_ref())
    }

    /// Waits until the end of a job is in the database.
    pub async fn recorded(&self, id: &str) {
        self.unrecorded.wait(id).await;
    }

    /// Waits until the job has ended, the server stops, or the time is over.
    pub async fn until_ended(&self, row: &JobRow, longest: Duration) {
        if longest.is_zero() || row.state.is_final() {
            return;
        }
        let Some(handle) = self.engine.job(&row.id) else { return };
        let ended = async {
            handle.wait().await;
            self.recorded(&row.id).await;
        };
        tokio::select! {
            () = ended => {}
            () = tokio::time::sleep(longest) => {}
            () = self.stop.cancelled() => {}
        }
    }

    /// What the job said while it ran, oldest first.
    pub async fn log(&self, row: &JobRow) -> Result<Vec<LogLine>, ApiError> {
        match self.engine.job(&row.id) {
            Some(handle) => Ok(log::said(&handle)),
            None => Ok(log::kept(&self.db, &row.id).await?),
        }
    }

    /// Stops a job; one that another server runs stops a moment later, and one that has ended stays as it is.
    pub async fn kill(&self, id: &str) -> Result<(), sqlx::Error> {
        match self.engine.job(id) {
            Some(handle) => handle.kill(),
            None => store::ask_stop(&self.db, id).await?,
        }
        Ok(())
    }

    /// Stops what an account has waiting and running.
    pub async fn kill_all(&self, owner: i64) -> Result<(), sqlx::Error> {
        for id in store::unfinished(&self.db, owner).await? {
            self.kill(&id).await?;
        }
        Ok(())
    }

    /// The running or lately ended job in the engine.
    pub fn handle(&self, id: &str) -> Option<JobHandle> {
        self.engine.job(id)
    }

    pub async fn list(&self, filter: &Filter, page: Page) -> Result<(Vec<JobView>, i64), ApiError> {
        let found = store::list(&self.db, filter, page).await?;
        // Together, so that a slow database holds the page back only once.
        let views = join_all(found.items.iter().map(|row| self.view(row))).await;
        Ok((views, found.total))
    }

    /// Removes results of jobs that ended longer than `lifetime` ago, now and every hour until the stop.
    pub fn sweep_results(&self, lifetime: Duration) {
        let (db, engine, stop) = (self.db.clone(), self.engine.clone(), self.stop.clone());
        self.followers.spawn(async move {
            let mut hours = tokio::time::interval(SWEEP_EVERY);
            loop {
                tokio::select! {
                    _ = hours.tick() => {}
                    () = stop.cancelled() => return,
                }
                let before = now_ms().saturating_sub(i64::try_from(lifetime.as_millis()).unwrap_or(i64::MAX));
                if let Err(error) = remove_results(&db, &engine, before).await {
                    tracing::error!(%error, "old results could not be removed");
                }
            }
        });
    }

    /// Leaves signs of life for the servers of other homes on the same database, and ends what theirs have left, until the stop.
    pub fn watch_others(&self) {
        let signs = Signs::new(self.db.clone(), self.engine.clone(), self.home.clone());
        self.followers.spawn(signs.watch(self.stop.clone()));
    }

    /// Stops every job and waits until each is remembered as failed by the stop.
    pub async fn stop(&self) {
        self.stop.cancel();
        self.followers.close();
        self.followers.wait().await;
    }

    fn live(&self, row: &JobRow) -> Option<JobSnapshot> {
        // The stop of the server says more than the engine's "killed"; what another server has ended is not undone.
        if matches!(row.ended.code.as_deref(), Some(STOPPED | LOST)) {
            return None;
        }
        self.engine.job(&row.id).map(|handle| handle.snapshot())
    }
}

/// Follows one job to its end.
struct Follower {
    db: Db,
    hub: Arc<Hub>,
    stop: CancellationToken,
    row: JobRow,
    noticed: Option<State>,
    /// Since when the job runs without that being written down.
    unwritten: Option<Instant>,
    _followed: Followed,
}

impl Follower {
    async fn follow(mut self, handle: JobHandle) {
        let mut changes = handle.watch();
        loop {
            let snapshot = changes.borrow_and_update().clone();
            self.notice(&snapshot, &handle).await;
            if snapshot.state.is_final() {
                return;
            }
            let soon = self.unwritten.map(|since| since + SOON);
            tokio::select! {
                changed = changes.changed() => if changed.is_err() { return },
                () = sleep_until(soon.unwrap_or_else(Instant::now)), if soon.is_some() => {
                    self.unwritten = None;
                    // One that ended meanwhile is written down as that.
                    let now = handle.snapshot();
                    if !now.state.is_final()
                        && let Err(error) = store::update(&self.db, &self.row.id, State::Running, &ended(&now)).await
                    {
                        tracing::error!(job = %self.row.id, %error, "that a job runs could not be written down");
                    }
                }
                () = self.stop.cancelled() => {
                    // A job that has ended keeps its end, even if the stop was noticed first.
                    let last = handle.snapshot();
                    return if last.state.is_final() {
                        self.notice(&last, &handle).await
                    } else {
                        self.stopped(&handle).await
                    };
                }
            }
        }
    }

    /// Remembers and announces a change of state; progress between two states is not written down.
    async fn notice(&mut self, snapshot: &JobSnapshot, handle: &JobHandle) {
        let state = State::from(snapshot.state);
        if self.noticed == Some(state) {
            return;
        }
        self.noticed = Some(state);
        let ended = ended(snapshot);
        if state.is_final() {
            self.keep_log(handle).await;
        }
        match state {
            State::Queued => {}
            State::Running => self.unwritten = Some(Instant::now()),
            _ => {
                self.unwritten = None;
                if !self.record(state, &ended, handle).await {
                    return self.tell_remembered().await;
                }
            }
        }
        if state.is_final() {
            let ms = ended.finished_at.unwrap_or_default() - ended.started_at.unwrap_or_default();
            tracing::info!(job = %self.row.id, state = state.name(), code = ended.code, ms, "a job ended");
        }
        self.hub.announce(self.row.owner_id, JobView::new(&self.row, Some(snapshot)));
    }

    async fn stopped(self, handle: &JobHandle) {
        let ended = Ended {
            message: STOPPED_TEXT.to_string(),
            code: Some(STOPPED.to_string()),
            finished_at: Some(now_ms()),
            ..ended(&handle.snapshot())
        };
        self.keep_log(handle).await;
        self.record(State::Failed, &ended, handle).await;
        handle.kill();
    }

    /// Before the end itself, so that a job that is remembered as ended has its log.
    async fn keep_log(&self, handle: &JobHandle) {
        if let Err(error) = log::keep(&self.db, &self.row.id, log::said(handle)).await {
            tracing::error!(job = %self.row.id, %error, "the log of a job could not be written down");
        }
    }

    /// Writes down how the job ended; as long as that is not known, its query counts as running. False where it had ended
    /// before: another server took this one for lost.
    async fn record(&self, state: State, ended: &Ended, handle: &JobHandle) -> bool {
        let read = handle.tables_read();
        let update = || async {
            // First: a result that can be read has its tables written down.
            sources::keep(&self.db, &self.row.id, &read).await?;
            store::update(&self.db, &self.row.id, state, ended).await
        };
        insist(&self.stop, "the end of a job", update).await.unwrap_or(true)
    }

    /// Announces the end that is remembered, in place of the one that came too late.
    async fn tell_remembered(&self) {
        match store::find(&self.db, &self.row.id, None).await {
            Ok(Some(row)) => self.hub.announce(row.owner_id, JobView::new(&row, None)),
            // It went with its account.
            Ok(None) => {}
            Err(error) => tracing::error!(job = %self.row.id, %error, "how a job ended could not be read"),
        }
    }
}

/// Ids sort by time: 11 hexadecimal digits of milliseconds, then 40 random bits.
fn new_id() -> String {
    let mut random = [0; 5];
    fill_random(&mut random);
    format!("{:011x}{}", now_ms(), hex::encode(random))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_short_and_differ() {
        let (first, second) = (new_id(), new_id());
        assert_eq!(first.len(), 21);
        assert_ne!(first, second);
    }
}
