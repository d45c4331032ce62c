//! The one writer of a lake: stages ranges, publishes them, and cleans up after those who were killed.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use super::catalogue::{Publication, REORG, Rewritten};
use super::encoder::present;
use super::known_contracts::KnownContracts;
use super::lock::WriterLock;
use super::options::LakeOptions;
use super::snapshot::{BlockRange, Head, Origin, SnapshotId};
use super::staging::{Staged, Staging};
use super::store::Lake;
use quarry_types::{Error, ErrorCode, Result};

/// What a publication says beside its files.
#[derive(Debug, Clone, Default)]
pub struct Publish {
    /// Newest block after it. An older one than the lake's stays without effect unless the newer is being replaced.
    pub head: Option<Head>,
    /// Highest block that can no longer be reorganised; never falls.
    pub finalised: Option<i64>,
    /// Whether blocks that the lake holds already are replaced; else they are refused.
    pub replace: bool,
    /// With `replace`: all that the lake holds from this block on vanishes, brought again or not. What a
    /// reorganisation needs after which the chain is shorter.
    pub cut_from: Option<i64>,
    /// The first block that the chain gave up, for the history, where blocks before it only come again because they were
    /// published with it.
    pub given_up_from: Option<i64>,
    /// Why, for the history: `sample`, `ingest`, `import`, `reorg`.
    pub reason: String,
}

impl Publish {
    /// What a reorganisation takes: all from a block on, of which the chain gave up what is `given_up` and later.
    pub fn reorganised(from: i64, given_up: i64) -> Publish {
        Publish {
            replace: true,
            cut_from: Some(from),
            given_up_from: Some(given_up),
            reason: REORG.to_string(),
            ..Publish::default()
        }
    }
}

/// Holds the lake's writer lock as long as it, or anything it staged, lives.
pub struct LakeWriter {
    lake: Lake,
    lock: Arc<WriterLock>,
}

impl Lake {
    /// Becomes the writer, or fails with `LakeLocked`. Removes first what a killed writer left behind.
    pub async fn writer(&self) -> Result<LakeWriter> {
        let lock = Arc::new(WriterLock::take(self.dir())?);
        let writer = LakeWriter { lake: self.clone(), lock };
        writer.remove_retired().await?;
        writer.remove_orphans().await?;
        Ok(writer)
    }
}

impl LakeWriter {
    /// Records which chain the lake holds; refuses a lake that holds another.
    pub async fn claim(&self, chain_id: u64, origin: Origin) -> Result<()> {
        self.lake.catalogue().claim(chain_id, origin).await
    }

    /// Records what prices, trades and some metrics start from; `None`: what ships for the chain id.
    ///
    /// # Errors
    /// `invalid_input` for a lake that belongs to no chain yet.
    pub async fn record_contracts(&self, contracts: Option<&KnownContracts>) -> Result<()> {
        self.lake.catalogue().record_contracts(contracts).await
    }

    /// Starts writing a range. Several may be staged at once.
    pub fn stage(&self, range: BlockRange) -> Staging {
        Staging::new(range, self.lake.dir().to_path_buf(), self.lake.options().clone(), Arc::clone(&self.lock))
    }

    /// The same for a range so small that compaction will merge it with others soon: its files are written for speed.
    pub fn stage_small(&self, range: BlockRange) -> Staging {
        let held = self.lake.options();
        let options = LakeOptions { zstd_level: held.first_zstd_level, ..held.clone() };
        Staging::new(range, self.lake.dir().to_path_buf(), options, Arc::clone(&self.lock))
    }

    /// Makes all tables of all ranges visible at once, in one transaction.
    ///
    /// # Errors
    /// Ranges that overlap each other, or that the lake holds already (without `replace`); then nothing changes and
    /// the staged files are removed.
    pub async fn publish(&self, mut staged: Vec<Staged>, publish: Publish) -> Result<SnapshotId> {
        let mut ranges: Vec<BlockRange> = staged.iter().map(Staged::range).collect();
        ranges.sort_unstable();
        if let Some(pair) = ranges.windows(2).find(|pair| pair[0].overlaps(pair[1])) {
            return Err(Error::new(
                ErrorCode::InvalidInput,
                format!("Blocks {} and {} overlap and can't be published together.", pair[0], pair[1]),
            ));
        }
        let prepared = self
            .lake
            .catalogue()
            .prepare(&Publication {
                ranges: staged.iter().map(|staged| (staged.range, staged.files.as_slice())).collect(),
                head: publish.head,
                finalised: publish.finalised,
                replace: publish.replace,
                cut_from: publish.cut_from.filter(|_| publish.replace),
                given_up_from: publish.given_up_from,
                reason: &publish.reason,
                rewritten: None,
            })
            .await?;
        staged.iter_mut().for_each(Staged::keep);
        let id = prepared.commit().await?;
        self.remove_retired().await?;
        Ok(id)
    }

    /// Puts the same rows in other files in place of the ranges they were read from.
    ///
    /// # Errors
    /// One of the ranges was replaced or cut off after it was read; then nothing changes.
    pub(super) async fn publish_compacted(&self, mut staged: Staged, read: Rewritten<'_>) -> Result<SnapshotId> {
        let prepared = self
            .lake
            .catalogue()
            .prepare(&Publication {
                ranges: vec![(staged.range, staged.files.as_slice())],
                head: None,
                finalised: None,
                replace: true,
                cut_from: None,
                given_up_from: None,
                reason: "compaction",
                rewritten: Some(read),
            })
            .await?;
        staged.keep();
        let id = prepared.commit().await?;
        self.remove_retired().await?;
        self.lake.catalogue().forget_past(self.lake.options().retired_grace).await?;
        Ok(id)
    }

    pub(super) fn lake(&self) -> &Lake {
        &self.lake
    }

    /// Removes retired files whose grace is over.
    async fn remove_retired(&self) -> Result<()> {
        let catalogue = self.lake.catalogue();
        for file in catalogue.retired(self.lake.options().retired_grace).await? {
            // The file first: killed in between, the row is still there to try again.
            remove(self.lake.dir(), &file.path)?;
            catalogue.forget(file.id).await?;
        }
        Ok(())
    }

    /// Removes files that nobody names: what a killed writer left. Only sound while nothing is staged.
    async fn remove_orphans(&self) -> Result<()> {
        let known: HashSet<String> = self.lake.catalogue().known_paths().await?.into_iter().collect();
        for path in present(self.lake.dir())? {
            if !known.contains(&path) {
                tracing::info!(path, "removing a lake file that was never published");
                remove(self.lake.dir(), &path)?;
            }
        }
        Ok(())
    }
}

fn remove(dir: &Path, path: &str) -> Result<()> {
    match std::fs::remove_file(dir.join(path)) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Error::internal(error)),
        _ => Ok(()),
    }
}
