//! The tables a query sees, schema by schema: those of the lake as one pinned snapshot shows them, files attached by
//! name, and what else a query may read.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use arrow::datatypes::SchemaRef;
use async_trait::async_trait;
use datafusion::catalog::{CatalogProvider, CatalogProviderList, SchemaProvider, TableProvider};
use datafusion::common::{DataFusionError, Result};
use datafusion::logical_expr::LogicalPlan;

use super::information_schema::Description;
use quarry_functions::uint256::table::with_numbers;
use quarry_labels::{Labels, calls_labels, with_labels};
use quarry_lake::tables::Table;
use quarry_runtime::job::Schemas;

/// The catalogue and the schema in which a name without a schema is looked up: attached files first, then the chain.
pub const CATALOG: &str = "quarry";
pub const MAIN: &str = "main";
/// The schema of the chain's tables, under our name and under BigQuery's, today's and that of 2018.
pub const CHAIN: &str = "ethereum";
pub const BIGQUERY_CHAINS: [&str; 2] = ["crypto_ethereum", "ethereum_blockchain"];
/// The schema of what follows from the chain's tables, summed up.
pub const ROLLUPS: &str = "rollups";
/// The schema that describes the others.
pub const INFORMATION: &str = "information_schema";
/// The catalogue that Flipside's schemas are in, `ethereum.core.fact_blocks`, and the schemas.
const FLIPSIDE: &str = "ethereum";
const FLIPSIDE_SCHEMAS: [&str; 3] = ["core", "price", "defi"];
/// The project under which BigQuery's public data lives; names of it are accepted.
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
pub type Named = BTreeMap<String, Arc<dyn TableProvider>>;

/// Files attached by name, shared by all queries of an engine.
#[derive(Debug, Clone, Default)]
pub struct Attached(Arc<Mutex<Named>>);

impl Attached {
    pub fn insert(&self, name: &str, table: Arc<dyn TableProvider>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_lowercase(), table);
    }

    pub fn all(&self) -> Named {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A table that is planned when a query names it.
#[async_trait]
pub trait View: fmt::Debug + Send + Sync {
    /// Schema and name that people know it by.
    fn name(&self) -> (&str, &str);
    fn schema(&self) -> SchemaRef;
    async fn plan(&self) -> Result<Arc<dyn TableProvider>>;
}

/// The catalogue of one query: schemas of tables. Nothing in it can be changed once the query is planned.
#[derive(Debug, Clone, Default)]
pub struct QueryCatalog {
    schemas: BTreeMap<String, Arc<Schema>>,
    /// What `label(address)` looks in, and whose labels it sees.
    labels: Option<(Arc<Labels>, Schemas)>,
}

/// The tables of one schema by lower-case name.
#[derive(Debug, Clone, Default)]
struct Schema(BTreeMap<String, Entry>);

#[derive(Debug, Clone)]
enum Entry {
    /// A table of the chain, with other names for its columns.
    Chain(Table, Arc<dyn TableProvider>),
    Table(Arc<dyn TableProvider>),
    View(Arc<dyn View>),
}

impl QueryCatalog {
    /// The chain's tables under their schemas' names and without one; attached tables win.
    pub fn new(chain: impl IntoIterator<Item = (Table, Arc<dyn TableProvider>)>, attached: Named) -> QueryCatalog {
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

    /// Adds the labels that functions look in.
    pub fn add_labels(&mut self, labels: Arc<Labels>, schemas: Schemas) {
        self.labels = Some((labels, schemas));
    }

    /// The plan with the labels that it calls for; they are read only then.
    pub async fn with_labels(&self, plan: LogicalPlan) -> Result<LogicalPlan> {
        match &self.labels {
            Some((labels, schemas)) if calls_labels(&plan)? => {
                let index = labels.index(schemas).await.map_err(|error| DataFusionError::External(Box::new(error)))?;
                with_labels(plan, index)
            }
            _ => Ok(plan),
        }
    }

    /// Adds tables to a schema, which may be new; a table of the same name is replaced. Tables of [`MAIN`] are found
    /// without a schema.
    pub fn add(&mut self, schema: &str, tables: Named) {
        let held = Arc::make_mut(self.schemas.entry(schema.to_lowercase()).or_default());
        held.0.extend(tables.into_iter().map(|(name, table)| (name.to_lowercase(), Entry::Table(table))));
    }

    /// Adds a view to a schema, which may be new. It is found by its full name only.
    pub fn add_view(&mut self, schema: &str, name: &str, view: &Arc<dyn View>) {
        let held = Arc::make_mut(self.schemas.entry(schema.to_string()).or_default());
        held.0.insert(name.to_string(), Entry::View(Arc::clone(view)));
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

    /// The columns of a table by its name, with or without schema and catalogue.
    pub fn columns(&self, name: &[&str]) -> Columns {
        let (schema, table) = match name {
            [table] => (MAIN, *table),
            [schema, table] => (*schema, *table),
            [catalog, schema, table] if holds(catalog, schema) => (*schema, *table),
            _ => return Columns::Unknown,
        };
        let entry = self.schemas.get(&schema.to_lowercase()).and_then(|held| held.0.get(&table.to_lowercase()));
        let Some(entry) = entry else { return Columns::Unknown };
        Columns::Known { names: field_names(&entry.schema()), chain: entry.chain() }
    }

    /// What `information_schema` tells: every table once, under the schema that people know it by.
    fn description(&self) -> Description {
        let shown = self.schemas.iter().filter(|(schema, _)| !BIGQUERY_CHAINS.contains(&schema.as_str()));
        let of_schema = |(schema, held): (&String, &Arc<Schema>)| {
            let own = held.0.iter().filter(|(name, entry)| match entry {
                Entry::Chain(..) => schema != MAIN,
                Entry::Table(_) => true,
                Entry::View(view) => view.name() == (schema.as_str(), name.as_str()),
            });
            (schema.clone(), own.map(|(name, entry)| (name.clone(), entry.schema())).collect())
        };
        Description { schemas: shown.map(of_schema).collect() }
    }
}

impl Entry {
    fn schema(&self) -> SchemaRef {
        match self {
            Entry::Chain(_, table) | Entry::Table(table) => table.schema(),
            Entry::View(view) => view.schema(),
        }
    }

    fn chain(&self) -> Option<Table> {
        match self {
            Entry::Chain(table, _) => Some(*table),
            Entry::Table(_) | Entry::View(..) => None,
        }
    }
}

fn field_names(schema: &SchemaRef) -> Vec<String> {
    schema.fields().iter().map(|field| field.name().clone()).collect()
}

fn is_catalog(name: &str) -> bool {
    name == CATALOG || name.eq_ignore_ascii_case(BIGQUERY_PROJECT)
}

/// Whether a catalogue has a schema: Flipside's has its own alone.
fn holds(catalog: &str, schema: &str) -> bool {
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
            return Some(Arc::new(self.description()));
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

/// The one catalogue of a query, under our name, under BigQuery's, and its schemas of Flipside's under Flipside's.
#[derive(Debug)]
pub struct QueryCatalogs(pub Arc<QueryCatalog>);

impl CatalogProviderList for QueryCatalogs {
    fn register_catalog(&self, _: String, _: Arc<dyn CatalogProvider>) -> Option<Arc<dyn CatalogProvider>> {
        // Queries only read; a registration changes nothing.
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
