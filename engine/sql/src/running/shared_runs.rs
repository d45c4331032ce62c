//! Equal queries at the same time run once, and later ones reuse the stored result while nothing that they read has changed.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use quarry_runtime::job::ReadTable;

/// The most finished runs that are remembered.
const MAX_FINISHED: usize = 1_000;

/// What equal runs have in common: the version of the lake, the text, the parameters, and the visible tables of users.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RunKey(pub String);

/// The runs of an engine. Clones are the same.
#[derive(Debug, Clone, Default)]
pub struct SharedRuns(Arc<Mutex<Runs>>);

#[derive(Debug, Default)]
struct Runs {
    by_key: HashMap<RunKey, Run>,
    /// Finished runs, the oldest first.
    finished: VecDeque<RunKey>,
}

#[derive(Debug, Clone)]
enum Run {
    /// The channel closes when it ends.
    Running(watch::Receiver<()>),
    /// The id of its result, and the tables of users that it read.
    Finished(String, Vec<ReadTable>),
}

/// What a job does to get its result.
#[derive(Debug)]
pub enum Turn {
    /// It runs the query, and calls [`Claim::done`].
    Run(Claim),
    /// It reuses the result of this job, which read these tables of users.
    Reuse(String, Vec<ReadTable>),
}

/// The right to run a query for all jobs that wait for it. If it is dropped before [`Claim::done`], it goes to the next one.
#[derive(Debug)]
pub struct Claim {
    runs: SharedRuns,
    key: RunKey,
    /// Waiting jobs watch it; it closes when this is dropped.
    _running: watch::Sender<()>,
    done: bool,
}

impl SharedRuns {
    /// Waits while an equal query runs.
    pub async fn turn(&self, key: &RunKey) -> Turn {
        loop {
            let mut running = {
                let mut runs = self.lock();
                match runs.by_key.get(key) {
                    Some(Run::Finished(id, reads)) => return Turn::Reuse(id.clone(), reads.clone()),
                    Some(Run::Running(running)) => running.clone(),
                    None => {
                        let (sender, receiver) = watch::channel(());
                        runs.by_key.insert(key.clone(), Run::Running(receiver));
                        let runs = self.clone();
                        return Turn::Run(Claim { runs, key: key.clone(), _running: sender, done: false });
                    }
                }
            };
            // Nothing is sent: the channel closes when the run has finished or was canceled.
            let _ = running.changed().await;
        }
    }

    /// Forgets a run whose result is gone.
    pub fn forget(&self, key: &RunKey, id: &str) {
        let mut runs = self.lock();
        if matches!(runs.by_key.get(key), Some(Run::Finished(known, _)) if known == id) {
            runs.by_key.remove(key);
            runs.finished.retain(|finished| finished != key);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Runs> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Claim {
    /// The query has run: its result has this id, and it read these tables of users.
    pub fn done(mut self, id: &str, reads: Vec<ReadTable>) {
        self.done = true;
        let mut runs = self.runs.lock();
        runs.by_key.insert(self.key.clone(), Run::Finished(id.to_string(), reads));
        runs.finished.push_back(self.key.clone());
        if runs.finished.len() > MAX_FINISHED
            && let Some(oldest) = runs.finished.pop_front()
        {
            runs.by_key.remove(&oldest);
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if !self.done {
            self.runs.lock().by_key.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn equal_runs_share_a_result() {
        let (runs, key) = (SharedRuns::default(), RunKey("select 1".to_string()));
        let Turn::Run(claim) = runs.turn(&key).await else { panic!("nobody runs it yet") };
        let reads = vec![ReadTable { schema: "user_ada".to_string(), table: "t".to_string(), created: 1 }];
        let (turn, ()) = tokio::join!(runs.turn(&key), async { claim.done("job-1", reads.clone()) });
        assert!(matches!(turn, Turn::Reuse(id, taken) if id == "job-1" && taken == reads));
        runs.forget(&key, "another");
        assert!(matches!(runs.turn(&key).await, Turn::Reuse(..)));
        runs.forget(&key, "job-1");
        assert!(matches!(runs.turn(&key).await, Turn::Run(_)));
    }

    #[tokio::test]
    async fn a_canceled_run_goes_to_the_next_job() {
        let (runs, key) = (SharedRuns::default(), RunKey("select 1".to_string()));
        let Turn::Run(claim) = runs.turn(&key).await else { panic!("nobody runs it yet") };
        let (turn, ()) = tokio::join!(runs.turn(&key), async { drop(claim) });
        assert!(matches!(turn, Turn::Run(_)));
    }
}
