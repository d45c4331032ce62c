//! The threads of jobs. Every running job has its own, so that a long poll of an operator blocks no other job: the operating system
//! schedules them. Kills, time limits and the queue run on other threads.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::JoinHandle;

use super::allocator;
use super::memory_account::{MemoryAccount, charge_thread};
use super::priority::Rank;
use quarry_types::{Error, Result};

/// Stack size of query threads: deeply nested expressions are evaluated by recursion.
const STACK_BYTES: usize = 16 << 20;
/// Peak bytes of a job above which its threads are not reused.
const LARGE_JOB: usize = 256 << 20;
/// How long idle threads may take to end.
const THREADS_END: Duration = Duration::from_secs(1);
/// Interval of checks for idle threads.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// The threads of an engine, except those of its jobs.
pub struct EngineThreads {
    /// Empty only while the engine is dropped.
    runtimes: Vec<Runtime>,
    interactive: Handle,
    background: Handle,
    control: Handle,
}

impl EngineThreads {
    /// Starts `count` threads of each rank.
    pub fn start(count: usize) -> Result<EngineThreads> {
        let ranked = |name: &str, rank: Rank| runtime(name, count, move || rank.apply());
        let interactive = ranked("engine", Rank::Interactive)?;
        let background = ranked("background", Rank::Batch)?;
        let control = runtime("jobs", 1, || {})?;
        let handles = [&interactive, &background, &control].map(|runtime| runtime.handle().clone());
        let [interactive_handle, background_handle, control_handle] = handles;
        Ok(EngineThreads {
            runtimes: vec![interactive, background, control],
            interactive: interactive_handle,
            background: background_handle,
            control: control_handle,
        })
    }

    /// For small reads of users.
    pub fn interactive(&self) -> &Handle {
        &self.interactive
    }

    /// For background work.
    pub fn background(&self) -> &Handle {
        &self.background
    }

    /// Starts and ends jobs. Nothing long runs here.
    pub fn control(&self) -> &Handle {
        &self.control
    }
}

impl Drop for EngineThreads {
    fn drop(&mut self) {
        // A runtime may not be dropped in an async context.
        for runtime in self.runtimes.drain(..) {
            runtime.shutdown_background();
        }
    }
}

fn runtime(name: &str, count: usize, start: impl Fn() + Send + Sync + 'static) -> Result<Runtime> {
    Builder::new_multi_thread()
        .worker_threads(count.max(1))
        .thread_name(name)
        .thread_stack_size(STACK_BYTES)
        .on_thread_start(start)
        .enable_all()
        .build()
        .map_err(Error::internal)
}

/// Sets of threads for jobs of one rank. Clones are the same pool.
#[derive(Clone)]
pub struct JobThreadPool {
    rank: Rank,
    /// Threads of a set.
    count: usize,
    /// Bytes that a job may allocate, including those that no operator reports.
    memory_limit: usize,
    /// Sets without a job.
    idle: Arc<Mutex<Vec<JobThreads>>>,
}

impl JobThreadPool {
    pub fn new(rank: Rank, count: usize, memory_limit: usize) -> JobThreadPool {
        JobThreadPool { rank, count, memory_limit, idle: Arc::default() }
    }

    /// A set of threads for one job; a new one where none is idle.
    ///
    /// # Errors
    /// The system has no more threads.
    pub fn take(&self) -> Result<JobThreads> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match idle {
            Some(threads) => {
                threads.memory.reset();
                Ok(threads)
            }
            None => JobThreads::start(self.rank, self.count, self.memory_limit),
        }
    }

    /// Returns an idle set to the pool. After a large job the set ends instead, so that its free memory goes back to the system.
    pub async fn give_back(&self, threads: JobThreads) {
        if threads.memory.peak() > LARGE_JOB {
            return threads.end().await;
        }
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(threads);
    }
}

/// The threads of one job. On drop they end as soon as their current polls return.
pub struct JobThreads {
    /// `None` only while this is dropped.
    runtime: Option<Runtime>,
    handle: Handle,
    memory: Arc<MemoryAccount>,
}

impl JobThreads {
    fn start(rank: Rank, count: usize, memory_limit: usize) -> Result<JobThreads> {
        let memory = Arc::new(MemoryAccount::new(memory_limit));
        let charged = memory.clone();
        let runtime = runtime(rank.thread_name(), count, move || {
            rank.apply();
            charge_thread(charged.clone());
        })?;
        Ok(JobThreads { handle: runtime.handle().clone(), runtime: Some(runtime), memory })
    }

    /// The memory of the job.
    pub fn memory(&self) -> &Arc<MemoryAccount> {
        &self.memory
    }

    pub fn spawn<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
        self.handle.spawn(work)
    }

    /// Ends the threads and returns their free memory, which the allocator keeps per thread.
    async fn end(mut self) {
        let Some(runtime) = self.runtime.take() else { return };
        let end = move || {
            runtime.shutdown_timeout(THREADS_END);
            allocator::purge();
        };
        // It neither panics nor is it aborted.
        let _ = tokio::task::spawn_blocking(end).await;
    }

    /// Waits until no task runs any more; false after a timeout.
    pub async fn become_idle(&self, within: Duration) -> bool {
        let deadline = Instant::now() + within;
        while self.handle.metrics().num_alive_tasks() > 0 || self.memory.extra_threads() > 0 {
            if Instant::now() > deadline {
                return false;
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        true
    }
}

impl Drop for JobThreads {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn blocking_job_does_not_delay_others() {
        let pool = JobThreadPool::new(Rank::Interactive, 1, usize::MAX);
        let (busy, free) = (pool.take().unwrap(), pool.take().unwrap());
        let memory = busy.memory().clone();
        let spinning = busy.spawn(async move {
            while !memory.is_stopped() {
                std::hint::spin_loop();
            }
        });
        assert_eq!(free.spawn(async { 1 }).await.unwrap(), 1);
        assert!(!busy.become_idle(Duration::ZERO).await);
        busy.memory().stop();
        spinning.await.unwrap();
        assert!(busy.become_idle(Duration::from_secs(20)).await);

        pool.give_back(busy).await;
        let again = pool.take().unwrap();
        assert!(!again.memory().is_stopped(), "another job begins");
    }
}
