//! Watches the memory of the process on its own thread. Stops jobs above their limit, and the largest job if the process grows too
//! large, before the kernel kills the server.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use crate::{MemoryAccount, allocator, exceeded};
use quarry_types::{Error, ErrorCode, Result};

/// Interval of checks.
const INTERVAL: Duration = Duration::from_millis(20);
/// How long stopped jobs may take to free their memory before another job is stopped.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);
/// Interval of requests to the allocator to return free memory.
const PURGE_INTERVAL: Duration = Duration::from_millis(500);

/// Work whose memory is watched.
pub trait Watched {
    /// A name for the log.
    fn id(&self) -> String;
    fn memory(&self) -> &Arc<MemoryAccount>;
    fn started(&self) -> Option<SystemTime>;
    /// Ends it with this error.
    fn stop(&self, error: Error);
    fn is_stopped(&self) -> bool;
}

/// Where work runs that is watched.
pub trait WatchedWork: Send {
    /// What runs now.
    fn running(&self) -> Vec<Box<dyn Watched>>;
}

type Sources = Arc<Mutex<Vec<Box<dyn WatchedWork>>>>;

/// The watchdog thread, which ends on drop.
pub struct MemoryWatchdog {
    sources: Sources,
    _running: Sender<()>,
}

impl MemoryWatchdog {
    /// Starts the thread. `limit` is for the whole process, in bytes.
    pub fn start(limit: usize) -> Result<MemoryWatchdog> {
        let (sender, receiver) = channel();
        let sources = Sources::default();
        let watch = Watch { limit, sources: Arc::clone(&sources), stopping: None, purged: None };
        std::thread::Builder::new().name("memory".to_string()).spawn(move || watch.run(&receiver))?;
        Ok(MemoryWatchdog { sources, _running: sender })
    }

    /// Watches this work, too.
    pub fn watch(&self, work: impl WatchedWork + 'static) {
        self.sources.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(work));
    }
}

struct Watch {
    limit: usize,
    sources: Sources,
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
        let sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        let running: Vec<Box<dyn Watched>> = sources.iter().flat_map(|work| work.running()).collect();
        drop(sources);
        for work in running.iter().filter(|work| work.memory().is_exceeded() && !work.is_stopped()) {
            work.stop(exceeded());
        }
        let is_stopping = running.iter().any(|work| work.memory().is_stopped());
        self.stopping = is_stopping.then(|| self.stopping.unwrap_or_else(Instant::now));
        if !self.is_too_large() || self.stopping.is_some_and(|since| since.elapsed() < STOP_TIMEOUT) {
            return;
        }
        let candidates = running.into_iter().filter(|work| !work.is_stopped());
        // Without the counting allocator it is the one that started last.
        if let Some(largest) = candidates.max_by_key(|work| (work.memory().used(), work.started())) {
            tracing::warn!(
                job = largest.id(),
                held = largest.memory().used(),
                limit = self.limit,
                "the process is above its memory limit; its largest job is stopped"
            );
            let message = "The query needed more memory than the machine has; read fewer rows or columns.";
            largest.memory().stop_growth();
            largest.stop(Error::new(ErrorCode::MemoryLimit, message));
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
        let watch = |limit| Watch { limit, sources: Sources::default(), stopping: None, purged: None };
        assert!(!watch(usize::MAX).is_too_large() && !PURGED.load(Ordering::Relaxed), "there is room");
        assert!(watch(1).is_too_large() && PURGED.load(Ordering::Relaxed), "there is none");
    }
}
