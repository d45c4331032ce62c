//! The tables a query sees: those of the lake as one pinned snapshot shows them, and files attached by name.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use datafusion::catalog::{CatalogProvider, CatalogProviderList, SchemaProvider, TableProvider};
use datafusion::common::Result;

use super::describe::Description;
use crate::user_tables::Readable;

/// The catalogue and the schema in which a name without a schema is looked up: attached files first, then the chain.
pub(crate) const CATALOG: &str = "quarry";
pub(crate) const MAIN: &str = "main";
/// The schema of the chain's tables, under our name and under BigQuery's.
pub(crate) const CHAIN: &str = "ethereum";
pub(crate) const BIGQUERY_CHAIN: &str = "crypto_ethereum";
/// The schema that describes the others.
pub(crate) const INFORMATION: &str = "information_schema";
/// The project under which BigQuery's public data lives; names of it are accepted.
pub(crate) const BIGQUERY_PROJECT: &str = "bigquery-public-data";

/// Tables by lower-case name.
pub(crate) type Named = BTreeMap<String, Arc<dyn TableProvider>>;

/// Files attached by name, shared by all queries of an engine.
#[derive(Debug, Clone, Default)]
pub(crate) struct Attached(Arc<Mutex<Named>>);

impl Attached {
    pub fn insert(&self, name: &str, table: Arc<dyn TableProvider>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_lowercase(), table);
    }

    pub fn all(&self) -> Named {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The catalogue of one query; nothing in it can be changed.
#[derive(Debug)]
pub(crate) struct QueryCatalog {
    schemas: BTreeMap<String, Arc<dyn SchemaProvider>>,
}

impl QueryCatalog {
    pub fn new(chain: Named, attached: Named, users: Vec<Readable>) -> QueryCatalog {
        let mut main = chain.clone();
        main.extend(attached.clone());
        let mut of_users: BTreeMap<String, Named> = BTreeMap::new();
        for (schema, name, table) in users {
            of_users.entry(schema).or_default().insert(name, table);
        }
        let mut described = vec![(CHAIN.to_string(), chain.clone())];
        if !attached.is_empty() {
            described.push((MAIN.to_string(), attached));
        }
        described.extend(of_users.clone());
        let describe: Arc<dyn SchemaProvider> = Arc::new(Description { schemas: described });
        let chain: Arc<dyn SchemaProvider> = Arc::new(Schema(chain));
        let main: Arc<dyn SchemaProvider> = Arc::new(Schema(main));
        let schemas = [(MAIN, main), (CHAIN, chain.clone()), (BIGQUERY_CHAIN, chain), (INFORMATION, describe)];
        let mut all: BTreeMap<String, Arc<dyn SchemaProvider>> = of_users
            .into_iter()
            .map(|(name, tables)| (name, Arc::new(Schema(tables)) as Arc<dyn SchemaProvider>))
            .collect();
        all.extend(schemas.map(|(name, schema)| (name.to_string(), schema)));
        QueryCatalog { schemas: all }
    }

    /// Qualified and plain names of all tables, for suggestions.
    pub fn table_names(&self) -> Vec<String> {
        self.schemas.get(MAIN).map(|schema| schema.table_names()).unwrap_or_default()
    }
}

impl CatalogProvider for QueryCatalog {
    fn schema_names(&self) -> Vec<String> {
        self.schemas.keys().cloned().collect()
    }

    fn schema(&self, name: &str) -> Option<Arc<dyn SchemaProvider>> {
        self.schemas.get(&name.to_lowercase()).cloned()
    }
}

#[derive(Debug)]
struct Schema(Named);

#[async_trait]
impl SchemaProvider for Schema {
    fn table_names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    async fn table(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        Ok(self.0.get(&name.to_lowercase()).cloned())
    }

    fn table_exist(&self, name: &str) -> bool {
        self.0.contains_key(&name.to_lowercase())
    }
}

/// The one catalogue of a query, under our name and under BigQuery's.
#[derive(Debug)]
pub(crate) struct QueryCatalogs(pub Arc<QueryCatalog>);

impl CatalogProviderList for QueryCatalogs {
    fn register_catalog(&self, _: String, _: Arc<dyn CatalogProvider>) -> Option<Arc<dyn CatalogProvider>> {
        // Queries only read; a registration changes nothing.
        None
    }

    fn catalog_names(&self) -> Vec<String> {
        vec![CATALOG.to_string()]
    }

    fn catalog(&self, name: &str) -> Option<Arc<dyn CatalogProvider>> {
        let known = name == CATALOG || name.eq_ignore_ascii_case(BIGQUERY_PROJECT);
        known.then(|| self.0.clone() as Arc<dyn CatalogProvider>)
    }
}
