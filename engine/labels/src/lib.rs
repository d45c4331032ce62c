//! Labels of addresses, found by rules or written by hand. Every query sees the labels of everybody and those of its owner. Labels are
//! stored in sets, which are replaced atomically.

mod function;
mod index;
mod rows;
mod tables;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use datafusion::catalog::TableProvider;
use datafusion::prelude::{SessionContext, col, lit};
use tokio::sync::Mutex;

use index::IndexCache;
use quarry_runtime::job::Schemas;
use quarry_runtime::user_tables::{NameRules, TableWriter, UserTables, WriteMode, union_provider};
use quarry_types::{Error, Result};

pub use function::{calls_labels, placeholders, with_labels};
pub use index::Index;
pub use rows::{DappContract, KNOWN, KnownLabel, Source, now};
pub use tables::{ADDRESS_COLUMNS, ADDRESSES, DAPP_COLUMNS, DAPPS, SCHEMA, VALUE, address_schema, dapp_schema};

/// The schema of the labels of everybody.
const EVERYBODY: &str = "user_everybody";

/// The labels in a folder, which several processes may share.
#[derive(Debug)]
pub struct Labels {
    everybody: UserTables,
    own: UserTables,
    cache: Mutex<IndexCache>,
}

impl Labels {
    /// Labels under `dir`, which the first set creates.
    pub fn new(dir: &Path, quota: u64) -> Labels {
        Labels {
            everybody: UserTables::new(&dir.join("everybody"), u64::MAX, NameRules::Free),
            own: UserTables::new(&dir.join("own"), quota, NameRules::Free),
            cache: Mutex::default(),
        }
    }

    /// Removes files that no set uses any more.
    pub fn clean(&self) {
        self.everybody.clean();
        self.own.clean();
    }

    /// Both tables as the owner of a query sees them.
    pub fn providers(&self, schemas: &Schemas) -> Result<[(&'static str, Arc<dyn TableProvider>); 2]> {
        let is_set = |name: &str| name != DAPPS;
        let mut sets = self.everybody.files_of(EVERYBODY, is_set)?;
        if let Some(own) = &schemas.own {
            sets.extend(self.own.files_of(own, is_set)?);
        }
        let dapps = self.everybody.files_of(EVERYBODY, |name| name == DAPPS)?;
        Ok([(ADDRESSES, union_provider(&address_schema(), &sets)), (DAPPS, union_provider(&dapp_schema(), &dapps))])
    }

    /// A text that changes with the labels that an owner sees.
    pub fn version(&self, schemas: &Schemas) -> Result<String> {
        let mut version = self.everybody.version(EVERYBODY)?;
        if let Some(own) = &schemas.own {
            version.push('/');
            version.push_str(&self.own.version(own)?);
        }
        Ok(version)
    }

    /// Whether the registry has a DApp of this name.
    pub async fn has_dapp(&self, name: &str) -> Result<bool> {
        let [_, (_, dapps)] = self.providers(&Schemas::default())?;
        let dapps = SessionContext::new().read_table(dapps).and_then(|dapps| dapps.filter(col("name").eq(lit(name))));
        Ok(dapps.map_err(Error::internal)?.count().await.map_err(Error::internal)? > 0)
    }

    /// The index of the labels that an owner sees.
    pub async fn index(&self, schemas: &Schemas) -> Result<Arc<Index>> {
        let version = self.version(schemas)?;
        let mut cache = self.cache.lock().await;
        if let Some(index) = cache.get(&schemas.own, &version) {
            return Ok(index);
        }
        let [(_, labels), (_, dapps)] = self.providers(schemas)?;
        let index = Arc::new(index::build(labels, dapps).await.map_err(Error::internal)?);
        cache.insert(schemas.own.clone(), version, index.clone());
        Ok(index)
    }

    /// Starts to replace a set. The new labels become visible when the writer finishes.
    pub fn writer(&self, schemas: &Schemas, set: &str) -> Result<TableWriter> {
        let (tables, schema) = self.tables_of(schemas)?;
        tables.writer(schema, set, &address_schema(), WriteMode::Replace)
    }

    /// Replaces a set of labels by hand, of an owner or of everybody. `set` has only letters.
    pub fn put(&self, owner: Option<&str>, set: &str, labels: &[KnownLabel]) -> Result<()> {
        let schemas = schemas_of(owner);
        let (tables, schema) = self.tables_of(&schemas)?;
        if labels.is_empty() {
            return tables.drop_table(schema, set).map(drop);
        }
        let mut writer = tables.writer(schema, set, &address_schema(), WriteMode::Replace)?;
        writer.write(&rows::known(labels)?)?;
        writer.finish().map(drop)
    }

    /// Replaces the registry of DApps.
    pub fn put_dapps(&self, contracts: &[DappContract]) -> Result<()> {
        let mut writer = self.everybody.writer(EVERYBODY, DAPPS, &dapp_schema(), WriteMode::Replace)?;
        writer.write(&rows::dapps(contracts)?)?;
        writer.finish().map(drop)
    }

    /// Whether a set exists.
    pub fn has(&self, owner: Option<&str>, set: &str) -> Result<bool> {
        let schemas = schemas_of(owner);
        let (tables, schema) = self.tables_of(&schemas)?;
        Ok(tables.list(schema)?.iter().any(|table| table.name == set))
    }

    fn tables_of<'a>(&'a self, schemas: &'a Schemas) -> Result<(&'a UserTables, &'a str)> {
        match &schemas.own {
            _ if schemas.curator => Ok((&self.everybody, EVERYBODY)),
            Some(own) => Ok((&self.own, own)),
            None => Err(Error::internal("labels without an owner")),
        }
    }
}

fn schemas_of(owner: Option<&str>) -> Schemas {
    Schemas { own: owner.map(str::to_string), curator: owner.is_none(), ..Schemas::default() }
}
