//! The threads that jobs run on. Every running job has a set of its own, so that no operator that works long inside one poll
//! makes another job wait: the operating system shares the cores out. Kills, time limits and the queue are on other threads.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::JoinHandle;

use super::free_memory;
use super::memory_account::{MemoryAccount, charge_thread};
use super::priority::Rank;
use quarry_types::{Error, Result};

/// Stack of the threads that run queries: an expression at the allowed depth is evaluated by recursion.
const STACK: usize = 16 << 20;
/// Bytes of a job whose threads are not used again.
const LARGE_JOB: usize = 256 << 20;
/// Time that idle threads have to end.
const THREADS_END: Duration = Duration::from_secs(1);
/// Time between two looks at whether a job's threads have become idle.
const LOOK: Duration = Duration::from_millis(5);

/// The threads of one engine beside those of its jobs.
pub struct EngineThreads {
    /// Gone only while the engine is dropped.
    runtimes: Vec<Runtime>,
    interactive: Handle,
    background: Handle,
    control: Handle,
}

impl EngineThreads {
    /// Starts `count` threads of each rank; they cost nothing while they have nothing to do.
    pub fn start(count: usize) -> Result<EngineThreads> {
        let ranked = |name: &str, rank: Rank| runtime(name, count, move || rank.take());
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

    /// For small reads that somebody waits for.
    pub fn interactive(&self) -> &Handle {
        &self.interactive
    }

    /// For work that nobody waits for.
    pub fn background(&self) -> &Handle {
        &self.background
    }

    /// Starts and ends jobs. Nothing that takes long runs here.
    pub fn control(&self) -> &Handle {
        &self.control
    }
}

impl Drop for EngineThreads {
    fn drop(&mut self) {
        // A runtime may not be dropped where blocking is forbidden, so it winds down in the background.
        for runtime in self.runtimes.drain(..) {
            runtime.shutdown_background();
        }
    }
}

fn runtime(name: &str, count: usize, start: impl Fn() + Send + Sync + 'static) -> Result<Runtime> {
    Builder::new_multi_thread()
        .worker_threads(count.max(1))
        .thread_name(name)
        .thread_stack_size(STACK)
        .on_thread_start(start)
        .enable_all()
        .build()
        .map_err(Error::internal)
}

/// Sets of threads for jobs of one rank. Clones are the same.
#[derive(Clone)]
pub struct JobThreadPool {
    rank: Rank,
    /// Threads of a set.
    count: usize,
    /// Bytes that a job may hold, those included that no operator reports.
    memory_limit: usize,
    /// Sets that wait for a job; as many are kept as jobs ran at one time.
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

    /// Keeps a set that is idle for the next job, unless its job held much: what it freed goes back to the system at once.
    pub async fn give_back(&self, threads: JobThreads) {
        if threads.memory.peak() > LARGE_JOB {
            return threads.end().await;
        }
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(threads);
    }
}

/// The threads of one job. Dropped, they end as soon as they return from what they are doing.
pub struct JobThreads {
    /// Gone only while this is dropped.
    runtime: Option<Runtime>,
    handle: Handle,
    memory: Arc<MemoryAccount>,
}

impl JobThreads {
    fn start(rank: Rank, count: usize, memory_limit: usize) -> Result<JobThreads> {
        let memory = Arc::new(MemoryAccount::new(memory_limit));
        let charged = memory.clone();
        let runtime = runtime(rank.thread_name(), count, move || {
            rank.take();
            charge_thread(charged.clone());
        })?;
        Ok(JobThreads { handle: runtime.handle().clone(), runtime: Some(runtime), memory })
    }

    /// What the job holds.
    pub fn memory(&self) -> &Arc<MemoryAccount> {
        &self.memory
    }

    pub fn spawn<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
        self.handle.spawn(work)
    }

    /// Ends the threads, and then gives back what is free: an allocator keeps free memory with the thread that used it.
    async fn end(mut self) {
        let Some(runtime) = self.runtime.take() else { return };
        let end = move || {
            runtime.shutdown_timeout(THREADS_END);
            free_memory::give_back();
        };
        // It neither panics nor is it aborted.
        let _ = tokio::task::spawn_blocking(end).await;
    }

    /// Waits until nothing runs here any more; false when that takes too long.
    pub async fn become_idle(&self, within: Duration) -> bool {
        let deadline = Instant::now() + within;
        while self.handle.metrics().num_alive_tasks() > 0 || self.memory.extra_threads() > 0 {
            if Instant::now() > deadline {
                return false;
            }
            tokio::time::sleep(LOOK).await;
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
    async fn a_job_that_never_yields_does_not_make_another_wait() {
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
