//! Watches the memory of the whole process: some operators (`array_agg`, long texts) do not account for what they hold, so
//! the shared pool alone can't keep the machine alive. When the process grows too large, the greediest query ends.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use super::heaps;
use super::pool::QueryPool;
use crate::error::{Error, ErrorCode};
use crate::job::Jobs;

/// Time between two looks.
const TICK: Duration = Duration::from_millis(100);
/// Looks that pass after a query was ended before another one is: memory comes back only when its work has stopped.
const PATIENCE: u32 = 10;

/// The pools of running queries, by job.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pools(Arc<Mutex<HashMap<String, Weak<QueryPool>>>>);

impl Pools {
    pub fn add(&self, id: &str, pool: &Arc<QueryPool>) {
        let mut pools = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pools.retain(|_, pool| pool.strong_count() > 0);
        pools.insert(id.to_string(), Arc::downgrade(pool));
    }

    fn held(&self, id: &str) -> usize {
        let pools = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pools.get(id).and_then(Weak::upgrade).map_or(0, |pool| pool.peak())
    }
}

/// Looks at the process until the runtime ends.
pub(crate) async fn watch(limit: usize, queues: Vec<Jobs>, pools: Pools) {
    let mut tick = tokio::time::interval(TICK);
    let mut patience = 0;
    loop {
        tick.tick().await;
        patience = u32::saturating_sub(patience, 1);
        if patience > 0 || !is_too_large(limit) {
            continue;
        }
        // Who accounts for most is the likeliest; among those who account for nothing it is who came last.
        let running = queues.iter().flat_map(Jobs::active).filter(|job| job.snapshot().started.is_some());
        let greediest = running.max_by_key(|job| {
            let job = job.snapshot();
            (pools.held(&job.id), job.started)
        });
        if let Some(job) = greediest {
            tracing::warn!(
                job = job.snapshot().id,
                limit,
                "the process outgrew its memory; its greediest query was ended"
            );
            let message = "The query needed more memory than the machine has; read fewer rows or columns.";
            job.stop(Error::new(ErrorCode::MemoryLimit, message));
            patience = PATIENCE;
        }
    }
}

/// Whether the process holds more than this, also without what is free already and only kept for what comes next.
fn is_too_large(limit: usize) -> bool {
    let is_larger = || resident_memory().is_some_and(|held| held > limit);
    is_larger() && {
        heaps::give_back();
        is_larger()
    }
}

/// Bytes of memory this process holds.
fn resident_memory() -> Option<usize> {
    const PAGE: usize = 4096;
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(text.split_whitespace().nth(1)?.parse::<usize>().ok()? * PAGE)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    static GIVEN: AtomicBool = AtomicBool::new(false);

    #[test]
    fn free_memory_goes_back_before_a_query_ends() {
        heaps::give_back_by(|| GIVEN.store(true, Ordering::Relaxed));
        assert!(!is_too_large(usize::MAX) && !GIVEN.load(Ordering::Relaxed), "there is room");
        assert!(is_too_large(1) && GIVEN.load(Ordering::Relaxed), "there is none");
    }
}
