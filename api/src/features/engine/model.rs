//! Shapes of what can be queried: the editor's schema tree, completion and help.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::jobs::model::Kind;

/// Everything a query can name.
#[derive(Debug, Serialize, ToSchema)]
pub struct CatalogueView {
    pub schemas: Vec<SchemaView>,
    pub functions: Vec<FunctionView>,
    pub keywords: Vec<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SchemaView {
    pub name: String,
    pub tables: Vec<TableView>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TableView {
    pub name: String,
    /// What a row is.
    pub doc: String,
    /// Rows now, where they are known.
    pub rows: Option<u64>,
    pub columns: Vec<ColumnView>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ColumnView {
    pub name: String,
    #[serde(rename = "type")]
    pub type_name: String,
    pub doc: String,
    /// What its numbers count (`wei`, `gas`, `bytes`, …); empty where they have no unit.
    pub unit: String,
    pub nullable: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FunctionView {
    pub name: String,
    /// `scalar`, `aggregate` or `window`.
    pub kind: String,
    pub signature: String,
    pub doc: String,
    pub example: String,
}

/// Which templates.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TemplateParams {
    /// `MAPREDUCE`; other kinds have none.
    pub kind: Kind,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TemplateList {
    pub items: Vec<TemplateView>,
}

/// A worked example.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TemplateView {
    /// Stable name.
    pub key: String,
    pub title_en: String,
    pub title_zh: String,
    pub description_en: String,
    pub description_zh: String,
    /// What `POST /api/query/execute` takes.
    #[schema(value_type = Object)]
    pub spec: Value,
}
