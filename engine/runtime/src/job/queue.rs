//! The queue of one kind of job: bounded numbers of running and waiting jobs, fair between owners.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::runtime::Handle;

use super::memory_watchdog::{Watched, WatchedWork};
use super::run::{finish, run};
use super::{Job, JobHandle, JobRequest};
use crate::{JobThreadPool, MemoryAccount};
use quarry_types::{Error, ErrorCode, Result};

/// How long a failed or stopped job waits for its threads to free their memory before it is reported as ended.
const FREE_TIMEOUT: Duration = Duration::from_secs(1);
/// How long the slot of an ended job waits for its threads. A call that can't be interrupted may go on for a while; until then its
/// owner has one slot less.
const THREADS_TIMEOUT: Duration = Duration::from_secs(60);

/// Bounds of one queue.
#[derive(Debug, Clone, Copy)]
pub struct QueueLimits {
    /// Jobs that run at the same time.
    pub concurrency: usize,
    /// Jobs that may wait.
    pub waiting: usize,
    /// Longest run of one job.
    pub time: Duration,
    /// Ended jobs that are kept.
    pub keep: usize,
}

impl QueueLimits {
    /// Jobs that one owner may run: one slot is reserved for others if there are several.
    fn max_running_per_owner(self) -> usize {
        self.concurrency.saturating_sub(1).max(1)
    }

    /// Waiting jobs of one owner, so that one owner can't fill the queue.
    fn max_waiting_per_owner(self) -> usize {
        self.waiting - self.waiting / 4
    }
}

/// Runs jobs, each on threads of its own, and keeps them by id. Clones are the same queue.
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
    /// Number of running jobs by owner; an owner without any has no entry.
    running: HashMap<String, usize>,
    /// When the last job of an owner started, as a count of starts. Breaks ties in favor of who waited longest.
    last_start: HashMap<String, u64>,
    starts: u64,
    /// Memory of running jobs by id.
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

    /// Adds a job to the queue. It starts at once if there is room.
    pub fn submit(&self, request: &JobRequest, job: Box<dyn Job>) -> Result<JobHandle> {
        let handle = JobHandle::new(request);
        {
            let mut queue = self.lock();
            queue.remove_killed(self.limits.keep);
            let own = queue.waiting.iter().filter(|waiting| waiting.owner == request.owner).count();
            if queue.waiting.len() >= self.limits.waiting || own >= self.limits.max_waiting_per_owner() {
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

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts waiting jobs while there is room.
    fn start_next(&self) {
        loop {
            let next = {
                let mut queue = self.lock();
                let running: usize = queue.running.values().sum();
                match running >= self.limits.concurrency {
                    true => None,
                    false => queue.take_next(self.limits.max_running_per_owner(), self.limits.keep),
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

    /// Runs a job, and waits until its threads are idle.
    async fn run(&self, job: Box<dyn Job>, handle: &JobHandle) {
        let threads = match self.threads.take() {
            Ok(threads) => threads,
            Err(error) => return handle.finish_failed(&error),
        };
        let id = handle.snapshot().id;
        self.lock().memory.insert(id.clone(), threads.memory().clone());
        let outcome = run(job, handle, &threads, self.limits.time).await;
        if matches!(outcome, Some(Ok(()))) || !threads.become_idle(FREE_TIMEOUT).await {
            finish(handle, outcome);
            if threads.become_idle(THREADS_TIMEOUT).await {
                self.threads.give_back(threads).await;
            }
        } else {
            // A client that retries at once finds the memory free.
            self.threads.give_back(threads).await;
            finish(handle, outcome);
        }
        self.lock().memory.remove(&id);
    }
}

impl Queue {
    /// The oldest waiting job of the owner with the fewest running jobs, fewer than `max`; among equals, of the owner whose last
    /// job started longest ago.
    fn take_next(&mut self, max: usize, keep: usize) -> Option<Waiting> {
        loop {
            let load = |waiting: &Waiting| {
                let running = self.running.get(&waiting.owner).copied().unwrap_or(0);
                (running, self.last_start.get(&waiting.owner).copied().unwrap_or(0))
            };
            let may_start = |index: &usize| load(&self.waiting[*index]).0 < max;
            let index = (0..self.waiting.len()).filter(may_start).min_by_key(|&index| load(&self.waiting[index]))?;
            let next = self.waiting.remove(index)?;
            if next.handle.start() {
                self.starts += 1;
                self.last_start.insert(next.owner.clone(), self.starts);
                *self.running.entry(next.owner.clone()).or_default() += 1;
                return Some(next);
            }
            self.keep_ended(next.handle.snapshot().id, keep);
        }
    }

    /// Removes jobs that were killed while they waited.
    fn remove_killed(&mut self, keep: usize) {
        let all = std::mem::take(&mut self.waiting);
        let (killed, waiting): (VecDeque<_>, VecDeque<_>) =
            all.into_iter().partition(|waiting| waiting.handle.snapshot().state.is_final());
        self.waiting = waiting;
        for job in killed {
            self.keep_ended(job.handle.snapshot().id, keep);
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
        self.keep_ended(id.to_string(), keep);
    }

    fn keep_ended(&mut self, id: String, keep: usize) {
        self.ended.push_back(id);
        while self.ended.len() > keep {
            if let Some(oldest) = self.ended.pop_front() {
                self.jobs.remove(&oldest);
            }
        }
    }
}

impl WatchedWork for Jobs {
    fn running(&self) -> Vec<Box<dyn Watched>> {
        let queue = self.lock();
        let running =
            queue.memory.iter().filter_map(|(id, memory)| Some((queue.jobs.get(id)?.clone(), memory.clone())));
        running.map(|(handle, memory)| Box::new(RunningJob { handle, memory }) as Box<dyn Watched>).collect()
    }
}

/// A running job for the watchdog.
struct RunningJob {
    handle: JobHandle,
    memory: Arc<MemoryAccount>,
}

impl Watched for RunningJob {
    fn id(&self) -> String {
        self.handle.snapshot().id
    }

    fn memory(&self) -> &Arc<MemoryAccount> {
        &self.memory
    }

    fn started(&self) -> Option<SystemTime> {
        self.handle.snapshot().started
    }

    fn stop(&self, error: Error) {
        self.handle.stop(error);
    }

    fn is_stopped(&self) -> bool {
        self.handle.cancel().is_cancelled()
    }
}
