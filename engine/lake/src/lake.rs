//! An open lake: the handle from which snapshots, table providers and the writer come.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use datafusion::catalog::TableProvider;

use super::catalogue::Catalogue;
use super::file_cache::FileCache;
use super::lake_files::{LakeFiles, unusable};
use super::options::LakeOptions;
use super::provider::LakeTable;
use super::snapshot::{FileEntry, LakeInfo, Snapshot, SnapshotId};
use super::tables::Table;
use quarry_types::{Error, Result};

/// An open lake. Clones share everything; any number of processes may read one lake.
#[derive(Debug, Clone)]
pub struct Lake {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    dir: PathBuf,
    options: LakeOptions,
    catalogue: Catalogue,
    cache: Arc<FileCache>,
    newest: Mutex<Arc<Snapshot>>,
    providers: Mutex<Providers>,
}

/// Table providers of the snapshot that was used last.
#[derive(Debug, Default)]
struct Providers {
    id: SnapshotId,
    by_table: HashMap<Table, Arc<LakeTable>>,
}

impl Lake {
    /// Opens the lake in `dir`, or creates an empty one.
    pub async fn open(dir: &Path) -> Result<Lake> {
        Lake::open_with(dir, LakeOptions::default()).await
    }

    /// The same with options.
    pub async fn open_with(dir: &Path, options: LakeOptions) -> Result<Lake> {
        std::fs::create_dir_all(dir).map_err(|error| unusable(dir, &error))?;
        let dir = dir.canonicalize().map_err(|error| unusable(dir, &error))?;
        let catalogue = Catalogue::open(&dir).await?;
        let newest = catalogue.load(&Snapshot::default()).await?;
        let cache = Arc::new(FileCache::new(dir.clone(), options.footer_cache_bytes, options.dictionary_cache_bytes));
        let shared = Shared {
            dir,
            options,
            catalogue,
            cache,
            newest: Mutex::new(Arc::new(newest)),
            providers: Mutex::default(),
        };
        Ok(Lake { shared: Arc::new(shared) })
    }

    pub fn dir(&self) -> &Path {
        &self.shared.dir
    }

    /// The files of the lake, for scans that another process planned.
    pub fn without_catalogue(&self) -> LakeFiles {
        LakeFiles::of_cache(Arc::clone(&self.shared.cache))
    }

    pub(super) fn options(&self) -> &LakeOptions {
        &self.shared.options
    }

    pub(super) fn cache(&self) -> &Arc<FileCache> {
        &self.shared.cache
    }

    pub(super) fn catalogue(&self) -> &Catalogue {
        &self.shared.catalogue
    }

    /// Which chain the lake holds; empty before the first writer claimed it.
    pub async fn info(&self) -> Result<LakeInfo> {
        Ok(self.shared.catalogue.info().await?)
    }

    /// Pins the newest snapshot. A query takes one and reads all its tables from it.
    pub async fn snapshot(&self) -> Result<Arc<Snapshot>> {
        let id = self.shared.catalogue.newest().await?;
        let known = Arc::clone(&self.shared.newest.lock().unwrap_or_else(PoisonError::into_inner));
        if known.id == id {
            return Ok(known);
        }
        let loaded = Arc::new(self.shared.catalogue.load(&known).await?);
        let mut newest = self.shared.newest.lock().unwrap_or_else(PoisonError::into_inner);
        if newest.id < loaded.id {
            *newest = Arc::clone(&loaded);
            let files = loaded.files.values().flat_map(|files| files.iter());
            self.shared.cache.retain(&files.map(|file| file.path.as_str()).collect());
        }
        Ok(loaded)
    }

    /// Whether blocks up to `through` were published, replaced or cut off after a snapshot. Compaction does not count.
    pub async fn changed_since(&self, snapshot: SnapshotId, through: i64) -> Result<bool> {
        Ok(self.shared.catalogue.changed_since(snapshot, through).await?)
    }

    /// The provider of a table of a snapshot. Cheap for the snapshot that was used last.
    pub fn provider(&self, snapshot: &Snapshot, table: Table) -> Arc<dyn TableProvider> {
        let mut providers = self.shared.providers.lock().unwrap_or_else(PoisonError::into_inner);
        if providers.id != snapshot.id {
            *providers = Providers { id: snapshot.id, by_table: HashMap::new() };
        }
        let provider = providers.by_table.entry(table).or_insert_with(|| {
            let files = snapshot.files.get(&table).map_or_else(|| Arc::from([]), Arc::clone);
            Arc::new(LakeTable::new(table, files, Arc::clone(&self.shared.cache)))
        });
        Arc::clone(provider) as Arc<dyn TableProvider>
    }

    /// Accepts the file at an absolute path as it is now, without checksums: for tests that change files of the lake.
    #[doc(hidden)]
    pub async fn accept_changed_file(&self, path: &Path) -> Result<()> {
        let bytes = std::fs::metadata(path)?.len();
        let relative = path.strip_prefix(&self.shared.dir).map_err(Error::internal)?.to_string_lossy();
        self.shared.catalogue.accept_changed_file(&relative, bytes).await?;
        let loaded = Arc::new(self.shared.catalogue.load(&Snapshot::default()).await?);
        *self.shared.newest.lock().unwrap_or_else(PoisonError::into_inner) = loaded;
        *self.shared.providers.lock().unwrap_or_else(PoisonError::into_inner) = Providers::default();
        Ok(())
    }

    /// Live files of a table with their absolute paths, in ascending block order: what other tools may read.
    pub async fn files(&self, table: Table) -> Result<Vec<(PathBuf, FileEntry)>> {
        let snapshot = self.snapshot().await?;
        Ok(snapshot.files(table).iter().map(|file| (self.shared.dir.join(&file.path), file.clone())).collect())
    }
}
