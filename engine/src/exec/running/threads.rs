//! The threads that queries run on, apart from those of the web, so that no query makes a page wait: one set for queries
//! that somebody waits for, one for batch jobs. Both may fill the machine; who is waited for goes first.

use tokio::runtime::{Builder, Handle, Runtime};

use super::priority::Rank;
use crate::error::{Error, Result};

/// Stack of the threads that run queries: an expression at the allowed depth is evaluated by recursion.
const STACK: usize = 16 << 20;

/// The threads of one engine.
pub(crate) struct Threads {
    /// Gone only while the engine is dropped.
    sets: Option<[Runtime; 2]>,
    interactive: Handle,
    batch: Handle,
}

impl Threads {
    /// Starts `count` threads of each rank; they cost nothing while they have nothing to do.
    pub fn start(count: usize) -> Result<Threads> {
        let (interactive, batch) = (set("query", Rank::Interactive, count)?, set("batch", Rank::Batch, count)?);
        let handles = (interactive.handle().clone(), batch.handle().clone());
        Ok(Threads { sets: Some([interactive, batch]), interactive: handles.0, batch: handles.1 })
    }

    /// Of queries that somebody waits for.
    pub fn interactive(&self) -> &Handle {
        &self.interactive
    }

    /// Of batch jobs and of work that nobody waits for.
    pub fn batch(&self) -> &Handle {
        &self.batch
    }
}

fn set(name: &str, rank: Rank, count: usize) -> Result<Runtime> {
    Builder::new_multi_thread()
        .worker_threads(count.max(1))
        .thread_name(name)
        .thread_stack_size(STACK)
        .on_thread_start(move || rank.take())
        .enable_all()
        .build()
        .map_err(Error::internal)
}

impl Drop for Threads {
    fn drop(&mut self) {
        // A runtime may not be dropped where blocking is forbidden, so it winds down in the background.
        for set in self.sets.take().into_iter().flatten() {
            set.shutdown_background();
        }
    }
}
