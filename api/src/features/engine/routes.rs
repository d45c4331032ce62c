//! The call that lists what can be queried.

use axum::extract::State;
use quarry_engine::catalog::{Catalog, FunctionEntry, SchemaEntry, TableEntry};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{CatalogueView, ColumnView, FunctionView, SchemaView, TableView, TemplateList, TemplateParams};
use super::templates;
use crate::app::App;
use crate::http::{Answer, Failure, Query, Reply, Success};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(catalogue)).routes(routes!(templates))
}

/// Schemas, tables, columns, functions and keywords, for the editor. Open to visitors.
#[utoipa::path(get, path = "/api/engine/catalogue", tag = "engine", operation_id = "catalogue",
    responses((status = 200, body = Success<CatalogueView>), (status = "default", body = Failure)))]
async fn catalogue(state: State<App>) -> Answer<CatalogueView> {
    Ok(Reply(state.engine.catalog().await?.into()))
}

/// Worked examples that the editor of a kind begins with. Open to visitors.
#[utoipa::path(get, path = "/api/engine/templates", tag = "engine", operation_id = "templates", params(TemplateParams),
    responses((status = 200, body = Success<TemplateList>), (status = "default", body = Failure)))]
async fn templates(params: Query<TemplateParams>) -> Answer<TemplateList> {
    Ok(Reply(TemplateList { items: templates::of(params.0.kind)? }))
}

impl From<Catalog> for CatalogueView {
    fn from(from: Catalog) -> CatalogueView {
        CatalogueView {
            schemas: from.schemas.into_iter().map(Into::into).collect(),
            functions: from.functions.into_iter().map(Into::into).collect(),
            keywords: from.keywords.into_iter().map(str::to_string).collect(),
        }
    }
}

impl From<SchemaEntry> for SchemaView {
    fn from(from: SchemaEntry) -> SchemaView {
        SchemaView { name: from.name, tables: from.tables.into_iter().map(Into::into).collect() }
    }
}

impl From<TableEntry> for TableView {
    fn from(from: TableEntry) -> TableView {
        let columns = from.columns.into_iter().map(|column| ColumnView {
            name: column.name,
            type_name: column.type_name,
            doc: column.doc,
            unit: column.unit.to_string(),
            nullable: column.nullable,
        });
        TableView { name: from.name, doc: from.doc, rows: from.rows, columns: columns.collect() }
    }
}

impl From<FunctionEntry> for FunctionView {
    fn from(from: FunctionEntry) -> FunctionView {
        FunctionView {
            name: from.name,
            kind: from.kind.to_string(),
            signature: from.signature,
            doc: from.doc,
            example: from.example,
        }
    }
}
