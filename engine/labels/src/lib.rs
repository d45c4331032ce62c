//! Labels of addresses, outside the chain: what rules found, and what people who know an address say of it. Labels of
//! everybody are seen by every query, those of one owner by the owner's. They are kept in sets, each replaced as a whole.

mod function;
mod index;
mod lookup;
mod rows;
mod tables;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use datafusion::catalog::TableProvider;
use tokio::sync::Mutex;

use index::Kept;
use quarry_runtime::job::Schemas;
use quarry_runtime::user_tables::{NameRules, TableWriter, UserTables, WriteMode};
use quarry_types::{Error, Result};

pub use function::{calls_labels, placeholders, with_labels};
pub use index::Index;
pub use rows::now;
pub use rows::{DappContract, KNOWN, KnownLabel, Source};
pub use tables::{ADDRESS_COLUMNS, ADDRESSES, DAPP_COLUMNS, DAPPS, SCHEMA, VALUE, address_schema, dapp_schema};

/// The one schema of the labels of everybody.
const EVERYBODY: &str = "user_everybody";

/// Both kinds of labels under one folder. Several processes may share it.
#[derive(Debug)]
pub struct Labels {
    everybody: UserTables,
    own: UserTables,
    kept: Mutex<Kept>,
}

impl Labels {
    /// Labels under `dir`, which is made when the first set is written.
    pub fn new(dir: &Path, quota: u64) -> Labels {
        Labels {
            everybody: UserTables::new(&dir.join("everybody"), u64::MAX, NameRules::Free),
            own: UserTables::new(&dir.join("own"), quota, NameRules::Free),
            kept: Mutex::default(),
        }
    }

    /// Removes files that no set needs any more.
    pub fn clean(&self) {
        self.everybody.clean();
        self.own.clean();
    }

    /// Both tables as a query of this owner sees them: all of the same moment.
    pub fn providers(&self, schemas: &Schemas) -> Result<[(&'static str, Arc<dyn TableProvider>); 2]> {
        let is_set = |name: &str| name != DAPPS;
        let mut sets = self.everybody.parts(EVERYBODY, is_set)?;
        if let Some(own) = &schemas.own {
            sets.extend(self.own.parts(own, is_set)?);
        }
        let dapps = self.everybody.parts(EVERYBODY, |name| name == DAPPS)?;
        Ok([
            (ADDRESSES, quarry_runtime::user_tables::together(&address_schema(), &sets)),
            (DAPPS, quarry_runtime::user_tables::together(&dapp_schema(), &dapps)),
        ])
    }

    /// Changes whenever what this owner sees does.
    pub fn version(&self, schemas: &Schemas) -> Result<String> {
        let mut version = self.everybody.stamp(EVERYBODY)?;
        if let Some(own) = &schemas.own {
            version.push('/');
            version.push_str(&self.own.stamp(own)?);
        }
        Ok(version)
    }

    /// Starts a set of labels in the place of the one of this name; nothing is seen of it before its end.
    pub fn writer(&self, schemas: &Schemas, set: &str) -> Result<TableWriter> {
        let (tables, schema) = self.place(schemas)?;
        tables.writer(schema, set, &address_schema(), WriteMode::Replace)
    }

    /// Puts what somebody says of addresses in the place of what the same set said before; an owner's is seen by the owner,
    /// without one it is everybody's. `set` is a word of letters.
    pub fn put(&self, owner: Option<&str>, set: &str, labels: &[KnownLabel]) -> Result<()> {
        let schemas = Schemas { own: owner.map(str::to_string), curator: owner.is_none(), ..Schemas::default() };
        let (tables, schema) = self.place(&schemas)?;
        if labels.is_empty() {
            return tables.drop_table(schema, set).map(drop);
        }
        let mut writer = tables.writer(schema, set, &address_schema(), WriteMode::Replace)?;
        writer.write(&rows::known(labels)?)?;
        writer.finish().map(drop)
    }

    /// Puts the registry of DApps in the place of the one before; equal contents change nothing.
    pub fn put_dapps(&self, contracts: &[DappContract]) -> Result<()> {
        let mut writer = self.everybody.writer(EVERYBODY, DAPPS, &dapp_schema(), WriteMode::Replace)?;
        writer.write(&rows::dapps(contracts)?)?;
        writer.finish().map(drop)
    }

    /// Whether a set is there.
    pub fn has(&self, owner: Option<&str>, set: &str) -> Result<bool> {
        let schemas = Schemas { own: owner.map(str::to_string), curator: owner.is_none(), ..Schemas::default() };
        let (tables, schema) = self.place(&schemas)?;
        Ok(tables.list(schema)?.iter().any(|table| table.name == set))
    }

    fn place<'a>(&'a self, schemas: &'a Schemas) -> Result<(&'a UserTables, &'a str)> {
        match &schemas.own {
            _ if schemas.curator => Ok((&self.everybody, EVERYBODY)),
            Some(own) => Ok((&self.own, own)),
            None => Err(Error::internal("labels without an owner")),
        }
    }
}
