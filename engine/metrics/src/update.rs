//! Updates the series from the lake. Settled blocks are added for good; newer ones are added to a copy at each update, so that a
//! reorganization costs no more than a new head.

use std::sync::{Arc, PoisonError, RwLock};

use datafusion::prelude::{col, lit};
use tokio::sync::Mutex;

use super::fold::{Source, State};
use super::series::{Series, SeriesValues};
use super::store::{self, Settled};
use quarry_lake::tables::Table;
use quarry_lake::{BlockRange, Snapshot};
use quarry_runtime::job::Schemas;
use quarry_sql::context::QueryContext;
use quarry_types::{Error, Result};

/// Blocks this far behind the head count as settled if the source does not report finality.
const UNSETTLED: i64 = 64;
/// Blocks of a long pass after which the state is saved.
const CHECKPOINT: i64 = 250_000;
/// Settled blocks after which the state is saved again.
const SAVE_EVERY: i64 = 1_000;

/// The metrics of one engine.
pub struct Metrics {
    core: Arc<QueryContext>,
    state: Arc<Mutex<Updater>>,
    current: Arc<RwLock<Option<Arc<Series>>>>,
}

#[derive(Default)]
struct Updater {
    settled: Option<Settled>,
    /// Newest settled block on disk.
    saved: Option<i64>,
}

impl Metrics {
    pub fn new(core: Arc<QueryContext>) -> Metrics {
        Metrics { core, state: Arc::default(), current: Arc::default() }
    }

    /// The newest series; `None` before the first [`Metrics::update`].
    pub fn current(&self) -> Option<Arc<Series>> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Updates the series to the newest version of the lake, reading only new blocks. Continues if the future is dropped.
    ///
    /// # Errors
    /// A file of the lake can't be read; the series stay as they were.
    pub async fn update(&self) -> Result<Arc<Series>> {
        let (core, state, current) = (self.core.clone(), self.state.clone(), self.current.clone());
        let work = async move {
            let mut state = state.lock_owned().await;
            let snapshot = core.lake.snapshot().await?;
            let held = current.read().unwrap_or_else(PoisonError::into_inner).clone();
            if let Some(held) = held.filter(|held| held.version == snapshot.id) {
                return Ok(held);
            }
            let series = Arc::new(state.update(&core, &snapshot).await?);
            *current.write().unwrap_or_else(PoisonError::into_inner) = Some(series.clone());
            Ok(series)
        };
        self.core.background.spawn(work).await.map_err(Error::internal)?
    }
}

impl Updater {
    async fn update(&mut self, core: &QueryContext, snapshot: &Snapshot) -> Result<Series> {
        let covered = snapshot.covered();
        let (Some(head), Some(range)) = (snapshot.head, covered.last().copied()) else {
            return Ok(Series::empty(snapshot.id));
        };
        // As a batch job: interactive queries have priority.
        let context = core.sessions.start_batch(core.tables(&Schemas::default()).await?).context();
        let memory_limit = core.config.metrics_memory_limit;
        let source = Source { context: &context, lake: &core.lake, snapshot, memory_limit };
        let info = core.lake.info().await?;
        let dir = core.config.metrics_dir();
        let mut settled = match self.valid_state(core, &source, range).await? {
            Some(settled) if settled.chain == info => settled,
            _ => {
                let state = State::new(range.from, Arc::clone(&info.contracts));
                self.saved = None;
                Settled { state, tracks: Arc::default(), snapshot: snapshot.id, chain: info }
            }
        };
        let settles = snapshot.finalized.unwrap_or(range.to - UNSETTLED).min(range.to);
        settled.snapshot = snapshot.id;
        let mut from = settled.state.next();
        while from <= settles {
            let to = settles.min(from + CHECKPOINT - 1);
            settled.state.advance(&source, to, Arc::make_mut(&mut settled.tracks)).await?;
            settled.state.settle();
            // The first pass over a long chain takes hours.
            if to < settles {
                store::save(&dir, &settled)?;
                self.saved = Some(to);
            }
            from = to + 1;
        }
        let mut newest = settled.state.clone();
        let mut rest = SeriesValues::default();
        newest.advance(&source, range.to, &mut rest).await?;
        newest.close(&mut rest);
        let last = settled.state.last.map_or(-1, |last| last.number);
        if self.saved.is_none_or(|saved| last - saved >= SAVE_EVERY) && last >= 0 {
            store::save(&dir, &settled)?;
            self.saved = Some(last);
        }
        let head = (head.number, head.time.div_euclid(1_000));
        let series =
            Series { version: snapshot.id, head: Some(head), from: range.from, settled: settled.tracks.clone(), rest };
        self.settled = Some(settled);
        Ok(series)
    }

    /// The settled state, unless blocks of it were replaced in the lake.
    async fn valid_state(
        &mut self,
        core: &QueryContext,
        source: &Source<'_>,
        range: BlockRange,
    ) -> Result<Option<Settled>> {
        // The state is not in memory at the start, and after a failed update.
        let from_disk = self.settled.is_none();
        if from_disk {
            let dir = core.config.metrics_dir();
            self.settled = tokio::task::spawn_blocking(move || store::load(&dir)).await.map_err(Error::internal)?;
            self.saved = self.settled.as_ref().and_then(|settled| settled.state.last).map(|last| last.number);
        }
        let Some(settled) = self.settled.take() else { return Ok(None) };
        let Some(last) = settled.state.last else { return Ok(None) };
        let within = settled.state.from == range.from && last.number <= range.to;
        if !within || core.lake.changed_since(settled.snapshot, last.number).await? {
            return Ok(None);
        }
        if from_disk {
            let blocks = source.context.read_table(core.lake.provider(source.snapshot, Table::Blocks));
            let same = blocks.and_then(|blocks| blocks.filter(col("number").eq(lit(last.number))));
            let same = same.and_then(|block| block.select_columns(&["hash"])).map_err(Error::internal)?;
            let found = same.collect().await.map_err(Error::internal)?;
            use arrow::array::AsArray;
            let same = found.iter().filter(|batch| batch.num_rows() > 0).any(|batch| {
                batch.column(0).as_fixed_size_binary_opt().is_some_and(|hashes| hashes.value(0) == last.hash.as_slice())
            });
            return Ok(same.then_some(settled));
        }
        Ok(Some(settled))
    }
}
