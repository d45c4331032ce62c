//! Watches the memory of the whole process, on a thread that queries can't starve. A job that outgrew its limit ends; and when
//! the process grows too large, the job that holds most ends before the kernel ends the server.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use super::{JobHandle, Jobs};
use crate::{MemoryAccount, exceeded, free_memory};
use quarry_types::{Error, ErrorCode, Result};

/// Time between two looks.
const TICK: Duration = Duration::from_millis(20);
/// Time that the memory of stopped jobs has to come back before another job is stopped.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time between two requests to the allocator to give free memory back.
const GIVE_BACK_EVERY: Duration = Duration::from_millis(500);

/// The watching thread, which ends when this is dropped.
pub struct MemoryWatchdog {
    _running: Sender<()>,
}

impl MemoryWatchdog {
    /// Starts to watch: `limit` is what the process may hold, in bytes.
    pub fn start(limit: usize, queues: Vec<Jobs>) -> Result<MemoryWatchdog> {
        let (sender, receiver) = channel();
        let watch = Watch { limit, queues, stopping: None, gave_back: None };
        std::thread::Builder::new()
            .name("memory".to_string())
            .spawn(move || watch.run(&receiver))
            .map_err(Error::internal)?;
        Ok(MemoryWatchdog { _running: sender })
    }
}

struct Watch {
    limit: usize,
    queues: Vec<Jobs>,
    /// Since when there are stopped jobs whose memory has not come back yet.
    stopping: Option<Instant>,
    gave_back: Option<Instant>,
}

impl Watch {
    fn run(mut self, running: &Receiver<()>) {
        while running.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            self.look();
        }
    }

    fn look(&mut self) {
        let running: Vec<(JobHandle, Arc<MemoryAccount>)> = self.queues.iter().flat_map(Jobs::running).collect();
        for (job, _) in running.iter().filter(|(job, memory)| memory.is_exceeded() && !job.cancel().is_cancelled()) {
            job.stop(exceeded());
        }
        let is_stopping = running.iter().any(|(_, memory)| memory.is_stopped());
        self.stopping = is_stopping.then(|| self.stopping.unwrap_or_else(Instant::now));
        if !self.is_too_large() || self.stopping.is_some_and(|since| since.elapsed() < PATIENCE) {
            return;
        }
        let going = running.into_iter().filter(|(job, _)| !job.cancel().is_cancelled());
        // Where nothing counts memory, it is the job that started last.
        let largest = going.max_by_key(|(job, memory)| (memory.used(), job.snapshot().started));
        if let Some((job, memory)) = largest {
            let (job_id, held) = (job.snapshot().id, memory.used());
            tracing::warn!(
                job = job_id,
                held,
                limit = self.limit,
                "the process outgrew its memory; its largest job ends"
            );
            let message = "The query needed more memory than the machine has; read fewer rows or columns.";
            memory.stop_growth();
            job.stop(Error::new(ErrorCode::MemoryLimit, message));
            self.stopping = Some(Instant::now());
        }
    }

    /// Whether the process holds more than it may, also without memory that is free and only kept for what comes next.
    fn is_too_large(&mut self) -> bool {
        let is_larger = || resident_memory().is_some_and(|held| held > self.limit);
        if !is_larger() {
            return false;
        }
        if self.gave_back.is_none_or(|at| at.elapsed() >= GIVE_BACK_EVERY) {
            free_memory::give_back();
            self.gave_back = Some(Instant::now());
        }
        is_larger()
    }
}

/// Bytes of memory this process holds.
fn resident_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<usize>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    static GIVEN: AtomicBool = AtomicBool::new(false);

    #[test]
    fn free_memory_goes_back_before_a_query_ends() {
        free_memory::give_back_by(|| GIVEN.store(true, Ordering::Relaxed));
        let watch = |limit| Watch { limit, queues: Vec::new(), stopping: None, gave_back: None };
        assert!(!watch(usize::MAX).is_too_large() && !GIVEN.load(Ordering::Relaxed), "there is room");
        assert!(watch(1).is_too_large() && GIVEN.load(Ordering::Relaxed), "there is none");
    }
}
