//! The queue of one kind of job: a bounded number runs, a bounded number waits, and owners take turns.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::runtime::Handle;

use super::run::{finish, run};
use super::{Job, JobHandle, JobRequest};
use crate::{JobThreadPool, MemoryAccount};
use quarry_types::{Error, ErrorCode, Result};

/// How long the end of a job that failed or was stopped waits for its threads to free what it held.
const FREE_FIRST: Duration = Duration::from_secs(1);
/// How long a place in the queue waits for the threads of an ended job. A call that can't be interrupted may go on for a
/// while; until then its owner has one place less.
const THREADS_END: Duration = Duration::from_secs(60);

/// Bounds of one queue.
#[derive(Debug, Clone, Copy)]
pub struct QueueLimits {
    /// Jobs that run at the same time.
    pub concurrency: usize,
    /// Jobs that may wait.
    pub waiting: usize,
    /// Longest run of one job.
    pub time: Duration,
    /// Ended jobs that are remembered.
    pub keep: usize,
}

impl QueueLimits {
    /// Jobs that one owner may have running: one place stays for others where there are several.
    fn most_of_one(self) -> usize {
        self.concurrency.saturating_sub(1).max(1)
    }

    /// Jobs that one owner may have waiting: one who sends very many does not fill the queue for all.
    fn most_waiting_of_one(self) -> usize {
        self.waiting - self.waiting / 4
    }
}

/// Runs jobs, each on threads of its own, and remembers them by id. Clones are the same queue.
#[derive(Clone)]
pub struct Jobs {
    /// Starts and ends jobs.
    control: Handle,
    threads: JobThreadPool,
    limits: QueueLimits,
    queue: Arc<Mutex<Queue>>,
}

#[derive(Default)]
struct Queue {
    /// Waiting jobs in order of arrival.
    waiting: VecDeque<Waiting>,
    /// Jobs that run now, by owner; an owner without any has no entry.
    running: HashMap<String, usize>,
    /// When an owner's last job started, as a count of starts: ties go to who waited longest.
    last_start: HashMap<String, u64>,
    starts: u64,
    /// What running jobs hold, by id.
    memory: HashMap<String, Arc<MemoryAccount>>,
    jobs: HashMap<String, JobHandle>,
    /// Ids of ended jobs, oldest first.
    ended: VecDeque<String>,
}

struct Waiting {
    owner: String,
    handle: JobHandle,
    job: Box<dyn Job>,
}

impl Jobs {
    pub fn new(control: Handle, threads: JobThreadPool, limits: QueueLimits) -> Jobs {
        Jobs { control, threads, limits, queue: Arc::default() }
    }

    /// Puts a job into the queue; it starts at once when there is room.
    pub fn submit(&self, request: &JobRequest, job: Box<dyn Job>) -> Result<JobHandle> {
        let handle = JobHandle::new(request);
        {
            let mut queue = self.lock();
            queue.forget_killed(self.limits.keep);
            let own = queue.waiting.iter().filter(|waiting| waiting.owner == request.owner).count();
            if queue.waiting.len() >= self.limits.waiting || own >= self.limits.most_waiting_of_one() {
                return Err(Error::new(ErrorCode::Busy, "Too many jobs are waiting already; try again in a moment."));
            }
            if queue.jobs.contains_key(&request.id) {
                return Err(Error::new(ErrorCode::InvalidInput, format!("There is a job {} already.", request.id)));
            }
            queue.jobs.insert(request.id.clone(), handle.clone());
            queue.waiting.push_back(Waiting { owner: request.owner.clone(), handle: handle.clone(), job });
        }
        self.start_next();
        Ok(handle)
    }

    pub fn job(&self, id: &str) -> Option<JobHandle> {
        self.lock().jobs.get(id).cloned()
    }

    /// Every job that has not ended.
    pub fn active(&self) -> Vec<JobHandle> {
        self.lock().jobs.values().filter(|job| !job.snapshot().state.is_final()).cloned().collect()
    }

    /// The running jobs with what they hold.
    pub fn running(&self) -> Vec<(JobHandle, Arc<MemoryAccount>)> {
        let queue = self.lock();
        queue.memory.iter().filter_map(|(id, memory)| Some((queue.jobs.get(id)?.clone(), memory.clone()))).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts waiting jobs as long as there is room.
    fn start_next(&self) {
        loop {
            let next = {
                let mut queue = self.lock();
                let running: usize = queue.running.values().sum();
                match running >= self.limits.concurrency {
                    true => None,
                    false => queue.take_next(self.limits.most_of_one(), self.limits.keep),
                }
            };
            let Some(Waiting { owner, handle, job }) = next else { return };
            let jobs = self.clone();
            self.control.spawn(async move {
                jobs.run(job, &handle).await;
                jobs.lock().ended(&owner, &handle.snapshot().id, jobs.limits.keep);
                jobs.start_next();
            });
        }
    }

    /// Runs one job to its end, and waits until its threads have nothing left to do.
    async fn run(&self, job: Box<dyn Job>, handle: &JobHandle) {
        let threads = match self.threads.take() {
            Ok(threads) => threads,
            Err(error) => return handle.finish_failed(&error),
        };
        let id = handle.snapshot().id;
        self.lock().memory.insert(id.clone(), threads.memory().clone());
        let outcome = run(job, handle, &threads, self.limits.time).await;
        if matches!(outcome, Some(Ok(()))) || !threads.become_idle(FREE_FIRST).await {
            finish(handle, outcome);
            if threads.become_idle(THREADS_END).await {
                self.threads.give_back(threads).await;
            }
        } else {
            // Whoever sends the next query as soon as this one fails finds its memory free.
            self.threads.give_back(threads).await;
            finish(handle, outcome);
        }
        self.lock().memory.remove(&id);
    }
}

impl Queue {
    /// The oldest waiting job of the owner with the fewest running ones, fewer than `most`; among equals of who started longest
    /// ago.
    fn take_next(&mut self, most: usize, keep: usize) -> Option<Waiting> {
        loop {
            let load = |waiting: &Waiting| {
                let running = self.running.get(&waiting.owner).copied().unwrap_or(0);
                (running, self.last_start.get(&waiting.owner).copied().unwrap_or(0))
            };
            let may_start = |index: &usize| load(&self.waiting[*index]).0 < most;
            let index = (0..self.waiting.len()).filter(may_start).min_by_key(|&index| load(&self.waiting[index]))?;
            let next = self.waiting.remove(index)?;
            if next.handle.start() {
                self.starts += 1;
                self.last_start.insert(next.owner.clone(), self.starts);
                *self.running.entry(next.owner.clone()).or_default() += 1;
                return Some(next);
            }
            self.remember(next.handle.snapshot().id, keep);
        }
    }

    /// Takes jobs out of the line that were killed while they waited.
    fn forget_killed(&mut self, keep: usize) {
        let all = std::mem::take(&mut self.waiting);
        let (killed, waiting): (VecDeque<_>, VecDeque<_>) =
            all.into_iter().partition(|waiting| waiting.handle.snapshot().state.is_final());
        self.waiting = waiting;
        for gone in killed {
            self.remember(gone.handle.snapshot().id, keep);
        }
    }

    fn ended(&mut self, owner: &str, id: &str, keep: usize) {
        if let Some(count) = self.running.get_mut(owner) {
            *count -= 1;
            if *count == 0 {
                self.running.remove(owner);
            }
        }
        if !self.waiting.iter().any(|waiting| waiting.owner == owner) && !self.running.contains_key(owner) {
            self.last_start.remove(owner);
        }
        self.remember(id.to_string(), keep);
    }

    fn remember(&mut self, id: String, keep: usize) {
        self.ended.push_back(id);
        while self.ended.len() > keep {
            if let Some(oldest) = self.ended.pop_front() {
                self.jobs.remove(&oldest);
            }
        }
    }
}
