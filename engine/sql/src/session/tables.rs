//! The catalog of a query: the tables of one snapshot of the lake, attached files, views, and tables of users.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use arrow::datatypes::SchemaRef;
use async_trait::async_trait;
use datafusion::catalog::{CatalogProvider, CatalogProviderList, SchemaProvider, TableProvider};
use datafusion::common::{DataFusionError, Result};
use datafusion::logical_expr::LogicalPlan;

use super::information_schema::{self, InformationSchema};
use quarry_functions::uint256::table::with_numbers;
use quarry_labels::{Labels, calls_labels, with_labels};
use quarry_lake::tables::Table;
use quarry_runtime::job::Schemas;

/// The catalog and the schema of names without a schema: attached files and, if there is no such file, the chain's tables.
pub const CATALOG: &str = "quarry";
pub const MAIN: &str = "main";
/// The schema of the chain's tables, and its names in BigQuery: the current one and that of 2018.
pub const CHAIN: &str = "ethereum";
pub const BIGQUERY_CHAINS: [&str; 2] = ["crypto_ethereum", "ethereum_blockchain"];
/// The schema of sums over the chain's tables.
pub const ROLLUPS: &str = "rollups";
pub const INFORMATION: &str = "information_schema";
/// The catalog of Flipside's schemas, as in `ethereum.core.fact_blocks`, and the schemas.
const FLIPSIDE: &str = "ethereum";
const FLIPSIDE_SCHEMAS: [&str; 3] = ["core", "price", "defi"];
/// The project of BigQuery's public data, which names may include.
pub const BIGQUERY_PROJECT: &str = "bigquery-public-data";

/// The names of a relation's columns.
#[derive(Debug, Clone)]
pub enum Columns {
    Unknown,
    Known {
        names: Vec<String>,
        /// The table of the chain whose columns are all among them.
        chain: Option<Table>,
    },
}

/// Tables by lower-case name.
pub type TablesByName = BTreeMap<String, Arc<dyn TableProvider>>;

/// Files attached by name, shared by all queries of an engine.
#[derive(Debug, Clone, Default)]
pub struct Attached(Arc<Mutex<TablesByName>>);

impl Attached {
    pub fn insert(&self, name: &str, table: Arc<dyn TableProvider>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_lowercase(), table);
    }

    pub fn all(&self) -> TablesByName {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A view, which is planned when a query names it.
#[async_trait]
pub trait View: fmt::Debug + Send + Sync {
    /// Its schema and name, unless it is in the catalog under other names.
    fn name(&self) -> (&str, &str);
    fn schema(&self) -> SchemaRef;
    async fn plan(&self) -> Result<Arc<dyn TableProvider>>;
}

/// The catalog of one query. It does not change once the query is planned.
#[derive(Debug, Clone, Default)]
pub struct QueryCatalog {
    schemas: BTreeMap<String, Arc<Schema>>,
    /// The labels of `label(address)`, and the schemas of users whose labels it returns.
    labels: Option<(Arc<Labels>, Schemas)>,
}

/// The tables of one schema by lower-case name.
#[derive(Debug, Clone, Default)]
struct Schema(BTreeMap<String, Entry>);

#[derive(Debug, Clone)]
enum Entry {
    /// A table of the chain, whose columns have synonyms.
    Chain(Table, Arc<dyn TableProvider>),
    Table(Arc<dyn TableProvider>),
    View(Arc<dyn View>),
}

impl QueryCatalog {
    /// A catalog of the chain's tables, under all names of their schema and without one, and of attached files, which shadow them.
    pub fn new(
        chain: impl IntoIterator<Item = (Table, Arc<dyn TableProvider>)>,
        attached: TablesByName,
    ) -> QueryCatalog {
        let chain =
            chain.into_iter().map(|(table, provider)| (table.name().to_string(), Entry::Chain(table, provider)));
        let chain = Schema(chain.collect());
        let mut catalog = QueryCatalog::default();
        let all = Arc::new(chain.clone());
        for schema in BIGQUERY_CHAINS {
            catalog.schemas.insert(schema.to_string(), Arc::clone(&all));
        }
        catalog.schemas.insert(CHAIN.to_string(), all);
        catalog.schemas.insert(MAIN.to_string(), Arc::new(chain));
        catalog.add(MAIN, attached);
        catalog
    }

    /// Adds the labels for `label(address)`.
    pub fn add_labels(&mut self, labels: Arc<Labels>, schemas: Schemas) {
        self.labels = Some((labels, schemas));
    }

    /// The plan with labels, which are only read if it calls `label(address)`.
    pub async fn with_labels(&self, plan: LogicalPlan) -> Result<LogicalPlan> {
        match &self.labels {
            Some((labels, schemas)) if calls_labels(&plan)? => {
                let index = labels.index(schemas).await.map_err(|error| DataFusionError::External(Box::new(error)))?;
                with_labels(plan, index)
            }
            _ => Ok(plan),
        }
    }

    /// Adds tables to a schema, which may be new. They replace tables of the same names. Tables of [`MAIN`] need no schema.
    pub fn add(&mut self, schema: &str, tables: TablesByName) {
        let schema = Arc::make_mut(self.schemas.entry(schema.to_lowercase()).or_default());
        schema.0.extend(tables.into_iter().map(|(name, table)| (name.to_lowercase(), Entry::Table(table))));
    }

    /// Adds a view to a schema, which may be new. It is only found with its schema.
    pub fn add_view(&mut self, schema: &str, name: &str, view: &Arc<dyn View>) {
        let schema = Arc::make_mut(self.schemas.entry(schema.to_string()).or_default());
        schema.0.insert(name.to_string(), Entry::View(Arc::clone(view)));
    }

    /// Names of all tables as a query writes them, for suggestions.
    pub fn table_names(&self) -> Vec<String> {
        let of_chain = |schema: &str| schema == CHAIN || BIGQUERY_CHAINS.contains(&schema);
        let names = self.schemas.iter().filter(|(schema, _)| !of_chain(schema));
        let qualified = |schema: &str, name: &String| match schema {
            MAIN => name.clone(),
            other => format!("{other}.{name}"),
        };
        names.flat_map(|(schema, tables)| tables.0.keys().map(|name| qualified(schema, name))).collect()
    }

    /// The columns of a table by its name, with or without schema and catalog.
    pub fn columns(&self, name: &[&str]) -> Columns {
        let (schema, table) = match name {
            [table] => (MAIN, *table),
            [schema, table] => (*schema, *table),
            [catalog, schema, table] if has_schema(catalog, schema) => (*schema, *table),
            _ => return Columns::Unknown,
        };
        let (schema, table) = (schema.to_lowercase(), table.to_lowercase());
        let (arrow, chain) = match self.schemas.get(&schema).and_then(|schema| schema.0.get(&table)) {
            Some(Entry::Chain(chain, provider)) => (Some(provider.schema()), Some(*chain)),
            Some(entry) => (Some(entry.schema()), None),
            None if schema == INFORMATION => (information_schema::table_schema(&table), None),
            None => (None, None),
        };
        let names = |arrow: SchemaRef| arrow.fields().iter().map(|field| field.name().clone()).collect();
        arrow.map_or(Columns::Unknown, |arrow| Columns::Known { names: names(arrow), chain })
    }

    /// Each table once, under its main name.
    fn information_schema(&self) -> InformationSchema {
        let listed = self.schemas.iter().filter(|(name, _)| !BIGQUERY_CHAINS.contains(&name.as_str()));
        let tables = |(schema_name, schema): (&String, &Arc<Schema>)| {
            let own = schema.0.iter().filter(|(name, entry)| match entry {
                Entry::Chain(..) => schema_name != MAIN,
                Entry::Table(_) => true,
                Entry::View(view) => view.name() == (schema_name.as_str(), name.as_str()),
            });
            (schema_name.clone(), own.map(|(name, entry)| (name.clone(), entry.schema())).collect())
        };
        InformationSchema { schemas: listed.map(tables).collect() }
    }
}

impl Entry {
    fn schema(&self) -> SchemaRef {
        match self {
            Entry::Chain(_, table) | Entry::Table(table) => table.schema(),
            Entry::View(view) => view.schema(),
        }
    }
}

fn is_catalog(name: &str) -> bool {
    name == CATALOG || name.eq_ignore_ascii_case(BIGQUERY_PROJECT)
}

/// Whether a catalog has a schema: Flipside's has only its own.
fn has_schema(catalog: &str, schema: &str) -> bool {
    is_catalog(catalog) || catalog.eq_ignore_ascii_case(FLIPSIDE) && is_flipside(schema)
}

fn is_flipside(schema: &str) -> bool {
    FLIPSIDE_SCHEMAS.iter().any(|own| own.eq_ignore_ascii_case(schema))
}

impl CatalogProvider for QueryCatalog {
    fn schema_names(&self) -> Vec<String> {
        self.schemas.keys().cloned().chain([INFORMATION.to_string()]).collect()
    }

    fn schema(&self, name: &str) -> Option<Arc<dyn SchemaProvider>> {
        let name = name.to_lowercase();
        if name == INFORMATION {
            return Some(Arc::new(self.information_schema()));
        }
        self.schemas.get(&name).map(|schema| Arc::clone(schema) as Arc<dyn SchemaProvider>)
    }
}

#[async_trait]
impl SchemaProvider for Schema {
    fn table_names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    async fn table(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        let name = name.to_lowercase();
        let table = match self.0.get(&name) {
            Some(Entry::Chain(_, table) | Entry::Table(table)) => Arc::clone(table),
            Some(Entry::View(view)) => view.plan().await?,
            None => return Ok(None),
        };
        Ok(Some(with_numbers(table)))
    }

    fn table_exist(&self, name: &str) -> bool {
        self.0.contains_key(&name.to_lowercase())
    }
}

/// The catalog of a query under our name and BigQuery's, and Flipside's schemas of it under Flipside's.
#[derive(Debug)]
pub struct QueryCatalogs(pub Arc<QueryCatalog>);

impl CatalogProviderList for QueryCatalogs {
    fn register_catalog(&self, _: String, _: Arc<dyn CatalogProvider>) -> Option<Arc<dyn CatalogProvider>> {
        // Queries only read.
        None
    }

    fn catalog_names(&self) -> Vec<String> {
        vec![CATALOG.to_string()]
    }

    fn catalog(&self, name: &str) -> Option<Arc<dyn CatalogProvider>> {
        if name.eq_ignore_ascii_case(FLIPSIDE) {
            let schemas = self.0.schemas.iter().filter(|(schema, _)| is_flipside(schema));
            let schemas = schemas.map(|(name, schema)| (name.clone(), Arc::clone(schema))).collect();
            return Some(Arc::new(QueryCatalog { schemas, labels: None }));
        }
        is_catalog(name).then(|| self.0.clone() as Arc<dyn CatalogProvider>)
    }
}
