//! Rows of a stored result, as pages show them.

use std::sync::Arc;

use quarry_engine::Engine;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::ApiError;

/// Rows of a result.
#[derive(Debug, Serialize, ToSchema)]
pub struct ResultPage {
    pub columns: Vec<ResultColumn>,
    /// One list per row. Numbers that a JavaScript number can't hold exactly are text, bytes are `0x…`,
    /// times are `YYYY-MM-DD HH:mm:ss`.
    pub rows: Vec<Vec<serde_json::Value>>,
    /// Rows of the whole result.
    pub total: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ResultColumn {
    pub name: String,
    #[serde(rename = "type")]
    pub type_name: String,
}

/// Some rows of the result of a job that succeeded.
pub async fn page(engine: &Arc<Engine>, job: &str, offset: u64, limit: u64) -> Result<ResultPage, ApiError> {
    let (engine, job) = (engine.clone(), job.to_string());
    // Pages are read from a file.
    let page = tokio::task::spawn_blocking(move || -> quarry_engine::Result<ResultPage> {
        let stored = engine.result(&job)?;
        let columns = stored.columns().iter();
        let columns =
            columns.map(|column| ResultColumn { name: column.name.clone(), type_name: column.type_name.clone() });
        Ok(ResultPage { columns: columns.collect(), rows: stored.page(offset, limit)?, total: stored.total() })
    });
    Ok(page.await.map_err(ApiError::internal)??)
}
