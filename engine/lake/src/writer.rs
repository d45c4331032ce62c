//! The writer of a lake: stages ranges, publishes them, and cleans up after killed writers.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use super::catalogue::{CompactedRanges, Publication, REORG};
use super::encoder::files_on_disk;
use super::known_contracts::KnownContracts;
use super::lake::Lake;
use super::lock::WriterLock;
use super::options::LakeOptions;
use super::snapshot::{BlockRange, Head, Origin, SnapshotId};
use super::staging::{Staged, Staging};
use quarry_types::{Error, ErrorCode, Result};

/// Options of a publication.
#[derive(Debug, Clone, Default)]
pub struct Publish {
    /// Newest block afterwards. A block below the lake's head has no effect, unless the head is replaced.
    pub head: Option<Head>,
    /// Highest block that can no longer be reorganized; never decreases.
    pub finalized: Option<i64>,
    /// Whether blocks that the lake already has are replaced. Otherwise they are refused.
    pub replace: bool,
    /// With `replace`: drops all blocks from this one on, whether they are published again or not. For reorganizations to a
    /// shorter chain.
    pub cut_from: Option<i64>,
    /// The first block that the chain dropped, for the history. Blocks before it may be published again because they are in the
    /// same range.
    pub dropped_from: Option<i64>,
    /// The reason, for the history: `sample`, `ingest`, `import`, `reorg`.
    pub reason: String,
}

impl Publish {
    /// A reorganization: replaces all blocks from `from` on, of which the chain dropped `dropped` and later ones.
    pub fn reorg(from: i64, dropped: i64) -> Publish {
        Publish {
            replace: true,
            cut_from: Some(from),
            dropped_from: Some(dropped),
            reason: REORG.to_string(),
            ..Publish::default()
        }
    }
}

/// Has the lake's writer lock as long as it, or anything it staged, lives.
pub struct LakeWriter {
    lake: Lake,
    lock: Arc<WriterLock>,
}

impl Lake {
    /// Takes the writer lock, or fails with `LakeLocked`. Removes the files of killed writers first.
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
        Ok(self.lake.catalogue().claim(chain_id, origin).await?)
    }

    /// Records the known contracts; `None` means those that ship for the chain id.
    ///
    /// # Errors
    /// `invalid_input` for a lake that belongs to no chain yet.
    pub async fn record_contracts(&self, contracts: Option<&KnownContracts>) -> Result<()> {
        Ok(self.lake.catalogue().record_contracts(contracts).await?)
    }

    /// Starts writing a range. Several may be staged at once.
    pub fn stage(&self, range: BlockRange) -> Staging {
        Staging::new(range, self.lake.dir().to_path_buf(), self.lake.options().clone(), Arc::clone(&self.lock))
    }

    /// The same for a small range that compaction will merge soon: its files are written for speed.
    pub fn stage_small(&self, range: BlockRange) -> Staging {
        let options = self.lake.options();
        let options = LakeOptions { zstd_level: options.first_zstd_level, ..options.clone() };
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
        let publication = Publication {
            ranges: staged.iter().map(|staged| (staged.range, staged.files.as_slice())).collect(),
            head: publish.head,
            finalized: publish.finalized,
            replace: publish.replace,
            cut_from: publish.cut_from.filter(|_| publish.replace),
            dropped_from: publish.dropped_from,
            reason: &publish.reason,
            compacted: None,
        };
        let prepared = self.lake.catalogue().prepare(&publication).await?;
        staged.iter_mut().for_each(Staged::keep);
        let id = prepared.commit().await?;
        self.remove_retired().await?;
        Ok(id)
    }

    /// Replaces ranges by the same rows in other files.
    ///
    /// # Errors
    /// One of the ranges was replaced or cut off meanwhile; then nothing changes.
    pub(super) async fn publish_compacted(
        &self,
        mut staged: Staged,
        compacted: CompactedRanges<'_>,
    ) -> Result<SnapshotId> {
        let publication = Publication {
            ranges: vec![(staged.range, staged.files.as_slice())],
            replace: true,
            reason: "compaction",
            compacted: Some(compacted),
            ..Publication::default()
        };
        let prepared = self.lake.catalogue().prepare(&publication).await?;
        staged.keep();
        let id = prepared.commit().await?;
        self.remove_retired().await?;
        self.lake.catalogue().forget_past(self.lake.options().retired_grace).await?;
        Ok(id)
    }

    pub(super) fn lake(&self) -> &Lake {
        &self.lake
    }

    /// Removes retired files after their grace period.
    async fn remove_retired(&self) -> Result<()> {
        let catalogue = self.lake.catalogue();
        for (id, path) in catalogue.retired(self.lake.options().retired_grace).await? {
            // The file first: after a kill in between, the row remains for another try.
            remove(self.lake.dir(), &path)?;
            catalogue.forget(id).await?;
        }
        Ok(())
    }

    /// Removes files of killed writers, which are not in the catalogue. Only safe while nothing is staged.
    async fn remove_orphans(&self) -> Result<()> {
        let known: HashSet<String> = self.lake.catalogue().known_paths().await?.into_iter().collect();
        for path in files_on_disk(self.lake.dir())? {
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
