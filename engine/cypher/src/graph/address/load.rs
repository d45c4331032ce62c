//! Keeps the address graph up to date with the lake: new blocks are added to the graph in memory, other changes build a new one.

use std::sync::Arc;

use arrow::array::AsArray;
use datafusion::prelude::{col, lit};
use tokio::sync::Mutex;

use super::build::{Builder, Chain, SOURCES};
use super::{ChainGraph, LakeState};
use crate::session::Session;
use quarry_lake::Lake;
use quarry_lake::tables::Table;
use quarry_runtime::job::JobContext;
use quarry_types::{Error, ErrorCode, Result};

/// Bytes one edge takes while the graph is built and after, with its share of nodes and hashes.
const BYTES_PER_ROW: u64 = 130;

/// The address graph of the newest snapshot that a query read; `None` before the first query.
pub(crate) type NewestGraph = Mutex<Option<Arc<ChainGraph>>>;

/// The graph of the newest snapshot: the one in memory, with new blocks added, or a new one. Other queries wait while it is
/// built.
pub(crate) async fn chain_graph(
    held: &NewestGraph,
    lake: &Lake,
    memory: usize,
    session: &dyn Session,
    context: &JobContext,
) -> Result<Arc<ChainGraph>> {
    let snapshot = lake.snapshot().await?;
    let mut held = held.lock().await;
    // The old one is dropped first, since two need twice the memory. Queries that run on it keep it.
    let old = match held.take() {
        Some(graph) if graph.lake_state.is_some_and(|state| state.snapshot == snapshot.id) => {
            *held = Some(graph.clone());
            return Ok(graph);
        }
        old => old,
    };
    let started = std::time::Instant::now();
    let chain = Chain { lake, session, snapshot: &snapshot };
    chain.fits(memory)?;
    let old = old.and_then(|graph| Some((graph.lake_state?, Arc::try_unwrap(graph).ok()?)));
    let extended = match old {
        Some((state, graph)) => chain.extend(state, graph, context).await?,
        None => None,
    };
    let (verb, graph) = match extended {
        Some(graph) => ("Extended", graph),
        None => ("Built", chain.build(context).await?),
    };
    let graph = Arc::new(graph);
    context.log(format!(
        "{verb} the address graph: {} addresses, {} edges, {} MB in {:.1} s.",
        graph.addresses.len(),
        graph.edge_count(),
        graph.bytes() >> 20,
        started.elapsed().as_secs_f64()
    ));
    *held = Some(graph.clone());
    Ok(graph)
}

impl Chain<'_> {
    fn rows(&self) -> [u64; super::SOURCES] {
        SOURCES.each_ref().map(|source| self.snapshot.rows(source.table))
    }

    fn fits(&self, limit: usize) -> Result<()> {
        let total: u64 = self.rows().iter().sum();
        if total * BYTES_PER_ROW <= limit as u64 {
            return Ok(());
        }
        let message = format!(
            "The address graph of {total} rows needs about {} MB of memory; {} MB are allowed.",
            (total * BYTES_PER_ROW) >> 20,
            limit >> 20
        );
        Err(Error::new(ErrorCode::MemoryLimit, message))
    }

    async fn build(&self, context: &JobContext) -> Result<ChainGraph> {
        let mut builder = Builder::onto(ChainGraph::default(), self.rows().iter().sum());
        for source in &SOURCES {
            builder.read(self, source, None, context).await?;
        }
        self.finish(builder).await
    }

    /// Adds the blocks after the graph's head; `None` when the lake has changed below it too: after a reorganization, or with
    /// older blocks that came later.
    async fn extend(&self, state: LakeState, graph: ChainGraph, context: &JobContext) -> Result<Option<ChainGraph>> {
        let Some(head) = state.head else { return Ok(None) };
        let rows = self.rows();
        let grew = rows.iter().zip(state.rows).all(|(now, before)| *now >= before);
        if !grew || self.hash_of(head.number).await? != Some(head.hash.0) {
            return Ok(None);
        }
        let total = rows.iter().sum::<u64>() - state.rows.iter().sum::<u64>();
        if total == 0 {
            // Blocks without transactions, or files that were merged.
            return Ok(Some(ChainGraph { lake_state: Some(self.lake_state()), ..graph }));
        }
        let mut builder = Builder::onto(graph, total);
        for ((source, now), before) in SOURCES.iter().zip(rows).zip(state.rows) {
            if builder.read(self, source, Some(head.number), context).await? != now - before {
                return Ok(None);
            }
        }
        self.finish(builder).await.map(Some)
    }

    /// Sorts on a thread for blocking work, since it takes long.
    async fn finish(&self, builder: Builder) -> Result<ChainGraph> {
        let mut graph = tokio::task::spawn_blocking(move || builder.finish()).await.map_err(Error::internal)?;
        graph.lake_state = Some(self.lake_state());
        Ok(graph)
    }

    fn lake_state(&self) -> LakeState {
        LakeState { snapshot: self.snapshot.id, head: self.snapshot.head, rows: self.rows() }
    }

    async fn hash_of(&self, block: i64) -> Result<Option<[u8; 32]>> {
        let found = async {
            let blocks = self.session.context().read_table(self.lake.provider(self.snapshot, Table::Blocks))?;
            blocks.filter(col("number").eq(lit(block)))?.select_columns(&["hash"])?.collect().await
        };
        let batches = found.await.map_err(Error::internal)?;
        let batch = batches.iter().find(|batch| batch.num_rows() > 0);
        let hash = batch.and_then(|batch| batch.column(0).as_fixed_size_binary_opt());
        Ok(hash.and_then(|hash| hash.value(0).try_into().ok()))
    }
}
