//! User tables: Parquet tables outside the lake, with a schema for each user. The engine knows no users: a job says which schema it
//! may write and which tables of others it may read.

mod manifest;
mod manifest_cache;
mod names;
mod provider;
mod reader;
mod table;
#[cfg(test)]
mod tests;
mod upload;
mod write;

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::catalog::TableProvider;

use crate::job::{Schemas, SharedTable};
use manifest::Manifest;
use manifest_cache::ManifestCache;
use quarry_types::Result;
use table::{describe, exists_already, missing};

pub use names::NameRules;
pub use provider::{TableFiles, union_provider};
pub use table::UserTable;
pub use upload::UploadFormat;
pub use write::{TableWriter, WriteMode};

/// All schemas under one folder. Clones are the same tables; several processes may share the folder.
#[derive(Debug, Clone)]
pub struct UserTables {
    dir: PathBuf,
    /// Bytes of all tables of one schema. Including retired files, which stay for a while, a schema has at most twice as much on
    /// disk.
    quota: u64,
    names: NameRules,
    manifests: ManifestCache,
}

/// A table that a query may read: schema, name and provider.
pub type ReadableTable = (String, String, Arc<dyn TableProvider>);

impl UserTables {
    /// Tables under `dir`, which the first table creates.
    pub fn new(dir: &Path, quota: u64, names: NameRules) -> UserTables {
        UserTables { dir: dir.to_path_buf(), quota, names, manifests: ManifestCache::default() }
    }

    /// The tables of a schema by name.
    pub fn list(&self, schema: &str) -> Result<Vec<UserTable>> {
        let manifest = self.read(schema)?;
        manifest.tables.iter().map(|(name, entry)| describe(schema, name, entry)).collect()
    }

    /// One table.
    ///
    /// # Errors
    /// `not_found`.
    pub fn get(&self, schema: &str, table: &str) -> Result<UserTable> {
        let name = table.to_lowercase();
        let manifest = self.read(schema)?;
        let entry = manifest.tables.get(&name).ok_or_else(|| missing(&name))?;
        describe(schema, &name, entry)
    }

    /// Bytes of the tables of a schema, and the quota.
    pub fn usage(&self, schema: &str) -> Result<(u64, u64)> {
        Ok((self.read(schema)?.bytes(), self.quota))
    }

    /// Drops a table; false if there is none.
    pub fn drop_table(&self, schema: &str, table: &str) -> Result<bool> {
        let name = table.to_lowercase();
        self.change(schema, |manifest| {
            let Some(entry) = manifest.tables.remove(&name) else { return Ok(false) };
            manifest.retire(entry.files);
            Ok(true)
        })
    }

    /// Renames a table.
    pub fn rename(&self, schema: &str, table: &str, to: &str) -> Result<()> {
        let (name, to) = (table.to_lowercase(), to.to_lowercase());
        self.names.table(&to)?;
        self.change(schema, |manifest| {
            if manifest.tables.contains_key(&to) {
                return Err(exists_already(&to));
            }
            let entry = manifest.tables.remove(&name).ok_or_else(|| missing(&name))?;
            manifest.tables.insert(to, entry);
            Ok(())
        })
    }

    /// Removes retired files and files of killed processes in every schema.
    pub fn clean(&self) {
        // There is no folder before the first table.
        let Ok(folders) = std::fs::read_dir(&self.dir) else { return };
        for folder in folders.flatten().filter(|folder| folder.path().is_dir()) {
            let schema = folder.file_name().to_string_lossy().into_owned();
            if let Err(error) = Self::clean_schema(&folder.path()) {
                tracing::warn!(%schema, %error, "the folder of a schema could not be cleaned");
            }
        }
    }

    fn clean_schema(folder: &Path) -> Result<()> {
        let _lock = lock(folder)?;
        let mut manifest = Manifest::read(folder)?;
        if manifest.clean(folder) { manifest.write(folder) } else { Ok(()) }
    }

    /// Bytes of all files of one schema, including retired ones.
    fn max_disk_bytes(&self) -> u64 {
        self.quota.saturating_mul(2)
    }

    /// Providers of the tables that a job may read.
    pub fn providers(&self, schemas: &Schemas) -> Result<Vec<ReadableTable>> {
        let mut found = Vec::new();
        if let Some(own) = &schemas.own {
            for (name, entry) in &self.read(own)?.tables {
                let table = provider::tracked_provider(&self.folder(own)?, (own, name, entry), &schemas.reads)?;
                found.push((own.clone(), name.clone(), table));
            }
        }
        for SharedTable { schema, table, created } in &schemas.shared {
            // A new table under the name of a dropped one is not shared.
            if let Some(entry) = self.read(schema)?.tables.get(table).filter(|entry| entry.created == *created) {
                let provider =
                    provider::tracked_provider(&self.folder(schema)?, (schema, table, entry), &schemas.reads)?;
                found.push((schema.clone(), table.clone(), provider));
            }
        }
        Ok(found)
    }

    /// Provider of the current version of a table.
    pub fn provider(&self, schema: &str, table: &str) -> Result<Arc<dyn TableProvider>> {
        let manifest = self.read(schema)?;
        let entry = manifest.tables.get(table).ok_or_else(|| missing(table))?;
        provider::provider(&self.folder(schema)?, entry)
    }

    /// The tables of a schema with matching names, for [`union_provider`].
    pub fn files_of(&self, schema: &str, matches: impl Fn(&str) -> bool) -> Result<Vec<TableFiles>> {
        let folder = self.folder(schema)?;
        let manifest = self.read(schema)?;
        let tables = manifest.tables.iter().filter(|(name, _)| matches(name));
        Ok(tables.map(|(_, entry)| TableFiles { folder: folder.clone(), entry: entry.clone() }).collect())
    }

    /// A text that changes with every table of the schema.
    pub fn version(&self, schema: &str) -> Result<String> {
        let manifest = self.read(schema)?;
        let files = manifest.tables.values().flat_map(|entry| &entry.files);
        // Files are never rewritten and have random names.
        Ok(files.map(|file| file.name.as_str()).collect::<Vec<_>>().join(","))
    }

    fn read(&self, schema: &str) -> Result<Arc<Manifest>> {
        self.manifests.read(&self.folder(schema)?)
    }

    fn folder(&self, schema: &str) -> Result<PathBuf> {
        names::schema(schema)?;
        Ok(self.dir.join(schema))
    }

    /// Changes a manifest, under a lock that all processes share.
    fn change<T>(&self, schema: &str, work: impl FnOnce(&mut Manifest) -> Result<T>) -> Result<T> {
        let folder = self.folder(schema)?;
        std::fs::create_dir_all(&folder)?;
        let _lock = lock(&folder)?;
        let mut manifest = Manifest::read(&folder)?;
        let outcome = work(&mut manifest)?;
        manifest.clean(&folder);
        manifest.write(&folder)?;
        Ok(outcome)
    }
}

/// Locks a folder until the file is dropped or the process ends. Held for milliseconds.
fn lock(folder: &Path) -> Result<File> {
    let options = OpenOptions::new().create(true).truncate(false).write(true).open(folder.join("lock"));
    let file = options?;
    file.lock()?;
    Ok(file)
}
