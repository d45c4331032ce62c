//! Labels of addresses, outside the chain: what rules found, and what people who know an address say of it. Labels of
//! everybody are seen by every query, those of one owner by the owner's. They are kept in sets, each replaced as a whole.

mod function;
mod index;
mod rows;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use arrow::datatypes::{DataType, Schema, SchemaRef};
use datafusion::catalog::TableProvider;
use tokio::sync::Mutex;

use index::Kept;
use quarry_lake::tables::Column;
use quarry_lake::tables::column::{ColumnType, col, opt};
use quarry_runtime::job::Schemas;
use quarry_runtime::user_tables::{NameRules, TableWriter, UserTables, WriteMode};
use quarry_types::{Error, Result};

pub use function::{functions, placeholders};
pub use index::Index;
pub use rows::now;
pub use rows::{DappContract, KNOWN, KnownLabel, Source};

/// The schema of both tables.
pub const SCHEMA: &str = "labels";
pub const ADDRESSES: &str = "addresses";
/// The table of the registry.
pub const DAPPS: &str = "dapps";
/// What a value may have: digits, and digits behind the point.
pub const VALUE: DataType = DataType::Decimal128(38, 6);

/// Columns of `labels.addresses`; `value` is the one whose type no table of the chain has.
pub const ADDRESS_COLUMNS: [Column; 14] = [
    col("address", ColumnType::Address, "The address."),
    col("label", ColumnType::Text, "What it is, as a stable word: `whale`, `exchange-deposit`."),
    col("label_type", ColumnType::Text, "`EOA`, `CONTRACT`, `DAPP`, `NETWORK`, `TOKEN`, `MINER` or `NFT`."),
    col(
        "category",
        ColumnType::Text,
        "`basic`, `monthly-report`, `dapp-monthly-report`, `algorithm`, or `known` for what people say.",
    ),
    opt("entity", ColumnType::Text, "The exchange, DApp or group that the label speaks of."),
    opt("value", ColumnType::Wei, "The number behind the label; what it counts is told by the rule."),
    opt("period", ColumnType::Text, "The month (`2026-10`), or first and last day (`2026-08-03/2026-10-31`)."),
    opt("rule", ColumnType::Text, "The rule that found it: `A1`; null for what people say."),
    opt("rule_version", ColumnType::Int32, "Grows with every change of the rule."),
    opt("job_id", ColumnType::Text, "The job that found it."),
    col("source", ColumnType::Text, "`rule`, `hand`, `csv`, `admin` or `shipped`."),
    opt("author", ColumnType::Text, "Who ran the job or wrote the label."),
    opt("why", ColumnType::Text, "The facts behind it, as a JSON object."),
    col("created_at", ColumnType::Time, "When it was written, UTC."),
];

/// Columns of `labels.dapps`.
pub const DAPP_COLUMNS: [Column; 3] = [
    col("name", ColumnType::Text, "Name of the DApp."),
    col(
        "dapp_type",
        ColumnType::Text,
        "`games`, `finance`, `betting`, `market`, `social`, `others`, `utilities` or `high-risk`.",
    ),
    col("address", ColumnType::Address, "A contract of it."),
];

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

    /// Whether the registry has a DApp of this name.
    pub async fn has_dapp(&self, name: &str) -> Result<bool> {
        index::has_dapp(self, name).await
    }

    /// Whether a set is there.
    pub fn has(&self, owner: Option<&str>, set: &str) -> Result<bool> {
        let schemas = Schemas { own: owner.map(str::to_string), curator: owner.is_none(), ..Schemas::default() };
        let (tables, schema) = self.place(&schemas)?;
        Ok(tables.list(schema)?.iter().any(|table| table.name == set))
    }

    /// The labels of each address as this owner sees them, in memory.
    pub async fn index(&self, schemas: &Schemas) -> Result<Arc<Index>> {
        index::get(self, schemas).await
    }

    fn place<'a>(&'a self, schemas: &'a Schemas) -> Result<(&'a UserTables, &'a str)> {
        match &schemas.own {
            _ if schemas.curator => Ok((&self.everybody, EVERYBODY)),
            Some(own) => Ok((&self.own, own)),
            None => Err(Error::internal("labels without an owner")),
        }
    }
}

/// The table of labels as Arrow has it.
pub fn address_schema() -> SchemaRef {
    let field = |column: &Column| match column.name {
        "value" => column.field().with_data_type(VALUE).with_metadata(Default::default()),
        _ => column.field(),
    };
    Arc::new(Schema::new(ADDRESS_COLUMNS.iter().map(field).collect::<Vec<_>>()))
}

pub fn dapp_schema() -> SchemaRef {
    Arc::new(Schema::new(DAPP_COLUMNS.iter().map(Column::field).collect::<Vec<_>>()))
}
