//! One run for many: equal queries that are asked at the same time run once, and later ones take the stored result, as
//! long as nothing they could see has changed.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use quarry_runtime::job::ReadTable;

/// Ended runs that are remembered.
const KEPT: usize = 1_000;

/// What makes two runs equal: version of the lake, text, parameters, and the tables of users that are seen.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RunKey(pub String);

/// The runs of an engine. Clones are the same.
#[derive(Debug, Clone, Default)]
pub struct SharedRuns(Arc<Mutex<Runs>>);

#[derive(Debug, Default)]
struct Runs {
    by_key: HashMap<RunKey, Run>,
    /// Ended runs, the oldest first.
    ended: VecDeque<RunKey>,
}

#[derive(Debug, Clone)]
enum Run {
    /// Its end is told by the channel, which closes.
    Running(watch::Receiver<()>),
    /// Its result is stored under this id and was computed from these tables of users.
    Ended(String, Vec<ReadTable>),
}

/// What a job does about its query.
#[derive(Debug)]
pub enum Turn {
    /// It runs it, and says so when it is done.
    Run(Claim),
    /// The result of this job is the answer, computed from these tables of users.
    Take(String, Vec<ReadTable>),
}

/// The right to run a query for all who ask it. Dropped before [`Claim::done`], it goes to the next who waits.
#[derive(Debug)]
pub struct Claim {
    runs: SharedRuns,
    key: RunKey,
    /// Waiting jobs listen to it; it closes when this is dropped.
    _running: watch::Sender<()>,
    done: bool,
}

impl SharedRuns {
    /// Waits while an equal query runs, then says what to do.
    pub async fn turn(&self, key: &RunKey) -> Turn {
        loop {
            let mut running = {
                let mut runs = self.lock();
                match runs.by_key.get(key) {
                    Some(Run::Ended(id, reads)) => return Turn::Take(id.clone(), reads.clone()),
                    Some(Run::Running(running)) => running.clone(),
                    None => {
                        let (sender, receiver) = watch::channel(());
                        runs.by_key.insert(key.clone(), Run::Running(receiver));
                        let runs = self.clone();
                        return Turn::Run(Claim { runs, key: key.clone(), _running: sender, done: false });
                    }
                }
            };
            // The channel carries nothing: it closes, and then the run has ended or was given up.
            let _ = running.changed().await;
        }
    }

    /// Forgets a run whose result is gone.
    pub fn forget(&self, key: &RunKey, id: &str) {
        let mut runs = self.lock();
        if matches!(runs.by_key.get(key), Some(Run::Ended(known, _)) if known == id) {
            runs.by_key.remove(key);
            runs.ended.retain(|ended| ended != key);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Runs> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Claim {
    /// The query has run; its result is stored under the id and was computed from these tables of users.
    pub fn done(mut self, id: &str, reads: Vec<ReadTable>) {
        self.done = true;
        let mut runs = self.runs.lock();
        runs.by_key.insert(self.key.clone(), Run::Ended(id.to_string(), reads));
        runs.ended.push_back(self.key.clone());
        if runs.ended.len() > KEPT
            && let Some(oldest) = runs.ended.pop_front()
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
    async fn one_runs_and_the_others_take_its_result() {
        let (runs, key) = (SharedRuns::default(), RunKey("select 1".to_string()));
        let Turn::Run(claim) = runs.turn(&key).await else { panic!("nobody runs it yet") };
        let reads = vec![ReadTable { schema: "user_ada".to_string(), table: "t".to_string(), created: 1 }];
        let (turn, ()) = tokio::join!(runs.turn(&key), async { claim.done("job-1", reads.clone()) });
        assert!(matches!(turn, Turn::Take(id, taken) if id == "job-1" && taken == reads));
        runs.forget(&key, "another");
        assert!(matches!(runs.turn(&key).await, Turn::Take(..)));
        runs.forget(&key, "job-1");
        assert!(matches!(runs.turn(&key).await, Turn::Run(_)));
    }

    #[tokio::test]
    async fn a_run_that_is_given_up_goes_to_the_next() {
        let (runs, key) = (SharedRuns::default(), RunKey("select 1".to_string()));
        let Turn::Run(claim) = runs.turn(&key).await else { panic!("nobody runs it yet") };
        let (turn, ()) = tokio::join!(runs.turn(&key), async { drop(claim) });
        assert!(matches!(turn, Turn::Run(_)));
    }
}
