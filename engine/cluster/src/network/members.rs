//! The workers of a cluster: those that are named, and those that register. A heartbeat finds out which of them are alive.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures::future::join_all;
use quarry_sql::running::progress::ScanCounts;
use quarry_types::{Error, ErrorCode, Result};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tonic::{Code, Status};
use url::Url;

use super::channels::Channels;
use super::messages::{Answer, Ask, ProcessStatus, ask};
use crate::coordinator::WorkerProcess;
use crate::run_id::RunId;

/// Time between two heartbeats.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(2);
/// How long a worker may take to answer one.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
/// Heartbeats without an answer after which a worker is lost.
const MISSES: u32 = 3;
/// How long a worker that registered stays in the list after it was lost and no longer registers.
const REMOVED_AFTER: Duration = Duration::from_secs(60);

/// The workers of a cluster. Clones are the same.
#[derive(Clone)]
pub struct Members(Arc<Shared>);

struct Shared {
    build: String,
    channels: Channels,
    network: Handle,
    by_url: Mutex<BTreeMap<Url, Member>>,
    /// Changes with the state of any worker.
    changes: watch::Sender<()>,
}

#[derive(Debug, Clone)]
struct Member {
    /// Whether it is named in the settings. Others registered, the last time then.
    is_named: bool,
    registered: Instant,
    state: WorkerState,
    misses: u32,
    status: ProcessStatus,
    last_failure: Option<String>,
}

/// Whether a worker takes queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkerState {
    Alive,
    /// It finishes its queries and takes no new ones.
    Draining,
    /// It is another build, so plans may mean something else there.
    OtherBuild,
    /// It does not answer.
    Lost,
}

/// A worker as an administrator sees it.
#[derive(Debug, Clone)]
pub struct WorkerReport {
    pub url: Url,
    pub state: WorkerState,
    /// Empty before its first answer.
    pub build: String,
    /// Queries with stages there.
    pub runs: u64,
    /// Bytes that their operators have reserved, and may reserve.
    pub memory: u64,
    pub memory_limit: u64,
    /// Why its last failed heartbeat failed.
    pub last_failure: Option<String>,
}

impl Members {
    pub(super) fn new(build: String, channels: Channels, network: Handle, named: Vec<Url>) -> Members {
        let by_url = named.into_iter().map(|url| (url, Member::new(true))).collect();
        let changes = watch::Sender::new(());
        Members(Arc::new(Shared { build, channels, network, by_url: Mutex::new(by_url), changes }))
    }

    /// All workers.
    pub fn report(&self) -> Vec<WorkerReport> {
        let by_url = self.0.by_url();
        let report = |(url, member): (&Url, &Member)| WorkerReport {
            url: url.clone(),
            state: member.state,
            build: member.status.build.clone(),
            runs: member.status.runs,
            memory: member.status.memory,
            memory_limit: member.status.memory_limit,
            last_failure: member.last_failure.clone(),
        };
        by_url.iter().map(report).collect()
    }

    /// Asks a worker to end when its queries have.
    ///
    /// # Errors
    ///
    /// It is no worker of the cluster, or does not answer.
    pub async fn drain(&self, url: &Url) -> Result<()> {
        if !self.0.by_url().contains_key(url) {
            return Err(Error::new(ErrorCode::NotFound, format!("There is no worker {url}.")));
        }
        let answer = self.ask(url, Ask::Drain(true)).await;
        answer.map_err(|_| Error::new(ErrorCode::WorkerLost, format!("The worker {url} does not answer.")))?;
        self.check(url, MISSES).await;
        Ok(())
    }

    /// Workers that take queries.
    pub(super) fn alive(&self) -> Vec<WorkerProcess> {
        let by_url = self.0.by_url();
        let alive = by_url.iter().filter(|(_, member)| member.state == WorkerState::Alive);
        alive
            .map(|(url, member)| WorkerProcess { url: url.clone(), instance: member.status.instance.clone() })
            .collect()
    }

    /// Adds a worker, or renews its registration.
    pub(super) fn register(&self, url: Url) {
        let is_new = {
            let mut by_url = self.0.by_url();
            let is_new = !by_url.contains_key(&url);
            by_url.entry(url.clone()).or_insert_with(|| Member::new(false)).registered = Instant::now();
            is_new
        };
        if is_new {
            let members = self.clone();
            self.0.network.spawn(async move { members.check(&url, 1).await });
        }
    }

    /// Sends heartbeats until it is dropped.
    pub(super) async fn watch(self) {
        // A worker that does not answer is asked again at once, so it is lost after three times the limit of an answer.
        let mut heartbeat = interval(HEARTBEAT);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            heartbeat.tick().await;
            let urls: Vec<Url> = self.0.by_url().keys().cloned().collect();
            self.check_all(&urls, MISSES).await;
            self.0.remove_lost();
        }
    }

    /// Checks the workers that were alive. Those that do not answer are lost.
    pub(super) async fn refresh(&self) {
        self.check_all(&self.here(), 1).await;
    }

    async fn check_all(&self, urls: &[Url], misses: u32) {
        join_all(urls.iter().map(|url| self.check(url, misses))).await;
    }

    /// Sends a heartbeat to a worker, which is lost after `misses` failures in a row.
    async fn check(&self, url: &Url, misses: u32) {
        let answer = self.ask(url, Ask::Status(true)).await;
        let mut by_url = self.0.by_url();
        let Some(member) = by_url.get_mut(url) else { return };
        let before = (member.state, member.status.instance.clone());
        match answer.map(|answer| answer.status.unwrap_or_default()) {
            Ok(status) => {
                member.misses = 0;
                member.state = match () {
                    () if status.build != self.0.build => WorkerState::OtherBuild,
                    () if status.draining => WorkerState::Draining,
                    () => WorkerState::Alive,
                };
                member.status = status;
            }
            Err(failure) => {
                member.misses += 1;
                member.last_failure = Some(sentence(&failure));
                if member.misses >= misses {
                    member.state = WorkerState::Lost;
                }
            }
        }
        let state = member.state;
        let failure = member.last_failure.clone().filter(|_| state == WorkerState::Lost);
        let is_changed = before != (state, member.status.instance.clone());
        drop(by_url);
        if is_changed {
            tracing::info!(%url, ?state, failure, "a worker has another state");
            self.0.changes.send_replace(());
        }
    }

    /// Waits until one of these workers is lost. One that was started again has lost its stages.
    pub(super) async fn gone(&self, workers: &[WorkerProcess]) -> Url {
        let mut changes = self.0.changes.subscribe();
        loop {
            let is_here = |worker: &WorkerProcess| {
                let by_url = self.0.by_url();
                let member = by_url.get(&worker.url).filter(|member| member.is_here());
                member.is_some_and(|member| member.status.instance == worker.instance)
            };
            if let Some(gone) = workers.iter().find(|worker| !is_here(worker)) {
                return gone.url.clone();
            }
            if changes.changed().await.is_err() {
                // The sender lives as long as this list.
                std::future::pending::<()>().await;
            }
        }
    }

    /// What the scans of a run have read on all workers.
    pub(super) async fn counts(&self, run: &RunId) -> ScanCounts {
        let answers = self.ask_alive(|| Ask::Counts(run.0.clone())).await;
        let counts = answers.into_iter().flatten().map(|answer| ScanCounts {
            rows: answer.rows_read,
            bytes: answer.bytes_read,
            row_groups_skipped: 0,
        });
        counts.fold(ScanCounts::default(), std::ops::Add::add)
    }

    /// Ends a run on all workers.
    pub(super) async fn end(&self, run: &RunId) {
        // An unreachable worker ends the run itself, once nobody polls it.
        self.ask_alive(|| Ask::End(run.0.clone())).await;
    }

    async fn ask_alive(&self, question: impl Fn() -> Ask) -> Vec<Result<Answer, Status>> {
        join_all(self.here().iter().map(|url| self.ask(url, question()))).await
    }

    /// The addresses of workers that are not lost.
    fn here(&self) -> Vec<Url> {
        let by_url = self.0.by_url();
        by_url.iter().filter(|(_, member)| member.is_here()).map(|(url, _)| url.clone()).collect()
    }

    async fn ask(&self, url: &Url, question: Ask) -> Result<Answer, Status> {
        let channel = self.0.channels.channel(url).map_err(|error| Status::unavailable(error.to_string()))?;
        let late = || {
            Status::deadline_exceeded(format!(
                "The worker does not answer within {} seconds.",
                ANSWER_TIMEOUT.as_secs()
            ))
        };
        timeout(ANSWER_TIMEOUT, ask(channel, question)).await.unwrap_or_else(|_| Err(late()))
    }
}

impl Shared {
    fn by_url(&self) -> MutexGuard<'_, BTreeMap<Url, Member>> {
        self.by_url.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes lost workers out that no longer register.
    fn remove_lost(&self) {
        let mut by_url = self.by_url();
        by_url.retain(|url, member| {
            let keep =
                member.is_named || member.state != WorkerState::Lost || member.registered.elapsed() < REMOVED_AFTER;
            if !keep {
                self.channels.forget(url);
            }
            keep
        });
    }
}

impl Member {
    fn new(is_named: bool) -> Member {
        Member {
            is_named,
            registered: Instant::now(),
            state: WorkerState::Lost,
            misses: 0,
            status: ProcessStatus::default(),
            last_failure: None,
        }
    }

    fn is_here(&self) -> bool {
        matches!(self.state, WorkerState::Alive | WorkerState::Draining)
    }
}

/// Why a heartbeat failed, without the wording of libraries for connection errors.
fn sentence(failure: &Status) -> String {
    match failure.code() {
        Code::Unavailable | Code::Unknown | Code::Internal | Code::Cancelled => {
            tracing::debug!(%failure, "a worker can't be reached");
            "The worker can't be reached.".to_string()
        }
        _ => failure.message().to_string(),
    }
}
