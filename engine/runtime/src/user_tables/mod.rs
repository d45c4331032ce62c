//! Users' own tables: named Parquet tables outside the chain, one schema a user. The engine knows no users: a job says
//! which schema is its own and which tables of others it may read.

mod cache;
mod manifest;
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
use cache::Manifests;
use manifest::Manifest;
use quarry_types::{Error, Result};
use table::{described, exists, missing};

pub use names::NameRules;
pub use provider::{Part, together};
pub use table::UserTable;
pub use upload::UploadFormat;
pub use write::{TableWriter, WriteMode};

/// All schemas under one folder. Clones are the same tables; several processes may share the folder.
#[derive(Debug, Clone)]
pub struct UserTables {
    dir: PathBuf,
    /// Bytes that the tables of one schema may have together. Files that were replaced or dropped stay for a while, for
    /// whoever reads them; with them a schema has at most twice as much on disk.
    quota: u64,
    names: NameRules,
    manifests: Manifests,
}

/// A table that a query may read: its schema, its name, and itself.
pub type Readable = (String, String, Arc<dyn TableProvider>);

impl UserTables {
    /// Tables under `dir`, which is made when the first table is.
    pub fn new(dir: &Path, quota: u64, names: NameRules) -> UserTables {
        UserTables { dir: dir.to_path_buf(), quota, names, manifests: Manifests::default() }
    }

    /// The tables of a schema by name.
    pub fn list(&self, schema: &str) -> Result<Vec<UserTable>> {
        let manifest = self.read(schema)?;
        manifest.tables.iter().map(|(name, entry)| described(schema, name, entry)).collect()
    }

    /// One table, or an error of the code `not_found`.
    pub fn get(&self, schema: &str, table: &str) -> Result<UserTable> {
        let name = table.to_lowercase();
        let manifest = self.read(schema)?;
        let entry = manifest.tables.get(&name).ok_or_else(|| missing(&name))?;
        described(schema, &name, entry)
    }

    /// Bytes that a schema has, and may have.
    pub fn usage(&self, schema: &str) -> Result<(u64, u64)> {
        Ok((self.read(schema)?.bytes(), self.quota))
    }

    /// Drops a table; false when it is not there.
    pub fn drop_table(&self, schema: &str, table: &str) -> Result<bool> {
        let name = table.to_lowercase();
        self.change(schema, |manifest| {
            let Some(entry) = manifest.tables.remove(&name) else { return Ok(false) };
            manifest.retire(entry.files);
            Ok(true)
        })
    }

    /// Gives a table another name.
    pub fn rename(&self, schema: &str, table: &str, to: &str) -> Result<()> {
        let (name, to) = (table.to_lowercase(), to.to_lowercase());
        self.names.table(&to)?;
        self.change(schema, |manifest| {
            if manifest.tables.contains_key(&to) {
                return Err(exists(&to));
            }
            let entry = manifest.tables.remove(&name).ok_or_else(|| missing(&name))?;
            manifest.tables.insert(to, entry);
            Ok(())
        })
    }

    /// Removes what is not needed any more from every schema: old files of replaced tables, and what killed processes left.
    pub fn clean(&self) {
        // No folder yet: no table yet.
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

    /// Bytes that the files of one schema may have, with those that wait to be removed.
    fn most_on_disk(&self) -> u64 {
        self.quota.saturating_mul(2)
    }

    /// The tables that a job may read, as providers by schema and name.
    pub fn providers(&self, schemas: &Schemas) -> Result<Vec<Readable>> {
        let mut found = Vec::new();
        if let Some(own) = &schemas.own {
            for (name, entry) in &self.read(own)?.tables {
                let table = provider::reported(&self.folder(own)?, (own, name, entry), &schemas.reads)?;
                found.push((own.clone(), name.clone(), table));
            }
        }
        for SharedTable { schema, table, created } in &schemas.shared {
            // A table that was dropped after it was shared is no table any more.
            if let Some(entry) = self.read(schema)?.tables.get(table).filter(|entry| entry.created == *created) {
                let provider = provider::reported(&self.folder(schema)?, (schema, table, entry), &schemas.reads)?;
                found.push((schema.clone(), table.clone(), provider));
            }
        }
        Ok(found)
    }

    /// One table as it is now.
    pub fn provider(&self, schema: &str, table: &str) -> Result<Arc<dyn TableProvider>> {
        let manifest = self.read(schema)?;
        let entry = manifest.tables.get(table).ok_or_else(|| missing(table))?;
        provider::provider(&self.folder(schema)?, entry)
    }

    /// The tables of a schema whose names are `wanted`, to be read together.
    pub fn parts(&self, schema: &str, wanted: impl Fn(&str) -> bool) -> Result<Vec<Part>> {
        let folder = self.folder(schema)?;
        let manifest = self.read(schema)?;
        let tables = manifest.tables.iter().filter(|(name, _)| wanted(name));
        Ok(tables.map(|(_, entry)| Part { folder: folder.clone(), entry: entry.clone() }).collect())
    }

    /// Changes whenever a table of the schema does.
    pub fn stamp(&self, schema: &str) -> Result<String> {
        let manifest = self.read(schema)?;
        let files = manifest.tables.values().flat_map(|entry| &entry.files);
        // A file is written once, under a random name.
        Ok(files.map(|file| file.name.as_str()).collect::<Vec<_>>().join(","))
    }

    fn read(&self, schema: &str) -> Result<Arc<Manifest>> {
        self.manifests.read(&self.folder(schema)?)
    }

    fn folder(&self, schema: &str) -> Result<PathBuf> {
        names::schema(schema)?;
        Ok(self.dir.join(schema))
    }

    /// Changes what a schema holds; one at a time, also among processes.
    fn change<T>(&self, schema: &str, work: impl FnOnce(&mut Manifest) -> Result<T>) -> Result<T> {
        let folder = self.folder(schema)?;
        std::fs::create_dir_all(&folder).map_err(Error::internal)?;
        let _lock = lock(&folder)?;
        let mut manifest = Manifest::read(&folder)?;
        let outcome = work(&mut manifest)?;
        manifest.clean(&folder);
        manifest.write(&folder)?;
        Ok(outcome)
    }
}

/// Waits for its turn; freed on drop, also by the end of the process. Held for milliseconds.
fn lock(folder: &Path) -> Result<File> {
    let options = OpenOptions::new().create(true).truncate(false).write(true).open(folder.join("lock"));
    let file = options.map_err(Error::internal)?;
    file.lock().map_err(Error::internal)?;
    Ok(file)
}
