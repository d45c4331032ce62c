//! What a graph query reads tables with.

use std::sync::Arc;

use datafusion::execution::memory_pool::MemoryPool;
use datafusion::prelude::SessionContext;

/// What a graph query reads tables with.
pub trait Session: Send + Sync {
    /// Reads the tables of the lake, in the memory of this query.
    fn context(&self) -> SessionContext;
    /// The memory of this query.
    fn pool(&self) -> Arc<dyn MemoryPool>;
}
