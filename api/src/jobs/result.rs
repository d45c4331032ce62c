//! Rows of a stored result, as pages show them.

use std::sync::Arc;

use quarry_engine::Engine;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::http::ApiError;

/// Bytes of texts from which on a page takes no more rows: it is held in memory.
const LARGEST: usize = 32 << 20;

/// Rows of a result.
#[derive(Debug, Serialize, ToSchema)]
pub struct ResultPage {
    pub columns: Vec<ResultColumn>,
    /// One list per row, as many as were asked for, or fewer where they are long: the next page begins behind them.
    /// Numbers that a JavaScript number can't hold exactly are text, bytes are `0x…`, times are `YYYY-MM-DD HH:mm:ss`.
    pub rows: Vec<Vec<Value>>,
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
        let rows = stored.page_within(offset, limit, LARGEST)?;
        let columns = stored.columns().iter();
        let columns =
            columns.map(|column| ResultColumn { name: column.name.clone(), type_name: column.type_name.clone() });
        Ok(ResultPage { columns: columns.collect(), rows, total: stored.total() })
    });
    Ok(page.await.map_err(ApiError::internal)??)
}
