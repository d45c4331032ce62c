//! Watches the memory of the process on its own thread. Stops jobs above their limit, and the largest job if the process grows too
//! large, before the kernel kills the server.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use super::{JobHandle, Jobs};
use crate::{MemoryAccount, allocator, exceeded};
use quarry_types::{Error, ErrorCode, Result};

/// Interval of checks.
const INTERVAL: Duration = Duration::from_millis(20);
/// How long stopped jobs may take to free their memory before another job is stopped.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);
/// Interval of requests to the allocator to return free memory.
const PURGE_INTERVAL: Duration = Duration::from_millis(500);

/// The watchdog thread, which ends on drop.
pub struct MemoryWatchdog {
    _running: Sender<()>,
}

impl MemoryWatchdog {
    /// Starts the thread. `limit` is for the whole process, in bytes.
    pub fn start(limit: usize, queues: Vec<Jobs>) -> Result<MemoryWatchdog> {
        let (sender, receiver) = channel();
        let watch = Watch { limit, queues, stopping: None, purged: None };
        std::thread::Builder::new().name("memory".to_string()).spawn(move || watch.run(&receiver))?;
        Ok(MemoryWatchdog { _running: sender })
    }
}

struct Watch {
    limit: usize,
    queues: Vec<Jobs>,
    /// Since when there are stopped jobs that have not freed their memory.
    stopping: Option<Instant>,
    purged: Option<Instant>,
}

impl Watch {
    fn run(mut self, running: &Receiver<()>) {
        while running.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
            self.check();
        }
    }

    fn check(&mut self) {
        let running: Vec<(JobHandle, Arc<MemoryAccount>)> = self.queues.iter().flat_map(Jobs::running).collect();
        for (job, _) in running.iter().filter(|(job, memory)| memory.is_exceeded() && !job.cancel().is_cancelled()) {
            job.stop(exceeded());
        }
        let is_stopping = running.iter().any(|(_, memory)| memory.is_stopped());
        self.stopping = is_stopping.then(|| self.stopping.unwrap_or_else(Instant::now));
        if !self.is_too_large() || self.stopping.is_some_and(|since| since.elapsed() < STOP_TIMEOUT) {
            return;
        }
        let candidates = running.into_iter().filter(|(job, _)| !job.cancel().is_cancelled());
        // Without the counting allocator it is the job that started last.
        let largest = candidates.max_by_key(|(job, memory)| (memory.used(), job.snapshot().started));
        if let Some((job, memory)) = largest {
            let (job_id, held) = (job.snapshot().id, memory.used());
            tracing::warn!(
                job = job_id,
                held,
                limit = self.limit,
                "the process is above its memory limit; its largest job is stopped"
            );
            let message = "The query needed more memory than the machine has; read fewer rows or columns.";
            memory.stop_growth();
            job.stop(Error::new(ErrorCode::MemoryLimit, message));
            self.stopping = Some(Instant::now());
        }
    }

    /// Whether the process is above its limit, after the allocator has returned free memory.
    fn is_too_large(&mut self) -> bool {
        let is_larger = || resident_memory().is_some_and(|held| held > self.limit);
        if !is_larger() {
            return false;
        }
        if self.purged.is_none_or(|at| at.elapsed() >= PURGE_INTERVAL) {
            allocator::purge();
            self.purged = Some(Instant::now());
        }
        is_larger()
    }
}

/// Resident memory of this process, in bytes.
fn resident_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<usize>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    static PURGED: AtomicBool = AtomicBool::new(false);

    #[test]
    fn purge_runs_before_a_query_is_stopped() {
        allocator::set_purge(|| PURGED.store(true, Ordering::Relaxed));
        let watch = |limit| Watch { limit, queues: Vec::new(), stopping: None, purged: None };
        assert!(!watch(usize::MAX).is_too_large() && !PURGED.load(Ordering::Relaxed), "there is room");
        assert!(watch(1).is_too_large() && PURGED.load(Ordering::Relaxed), "there is none");
    }
}
