//! Rows of a stored result, as pages show them.

use std::sync::Arc;

use quarry_engine::Engine;
use quarry_engine::exec::results::StoredResult;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::http::ApiError;

/// Rows that are read first; each time twice as many are.
const FIRST: u64 = 64;
/// Bytes of texts from which on a page takes no more rows.
const LARGEST: usize = 32 << 20;

/// Rows of a result.
#[derive(Debug, Serialize, ToSchema)]
pub struct ResultPage {
    pub columns: Vec<ResultColumn>,
    /// One list per row, as many as were asked for, or fewer where they are long: the next page begins behind them. Numbers that a JavaScript number can't hold exactly are text, bytes are `0x…`,
    /// times are `YYYY-MM-DD HH:mm:ss`.
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
        let columns = stored.columns().iter();
        let columns =
            columns.map(|column| ResultColumn { name: column.name.clone(), type_name: column.type_name.clone() });
        Ok(ResultPage { columns: columns.collect(), rows: rows(&stored, offset, limit)?, total: stored.total() })
    });
    Ok(page.await.map_err(ApiError::internal)??)
}

/// At most so many rows, and fewer where they are long: a page is held in memory.
fn rows(stored: &StoredResult, offset: u64, limit: u64) -> quarry_engine::Result<Vec<Vec<Value>>> {
    let (mut rows, mut bytes, mut at_once) = (Vec::new(), 0, FIRST);
    while bytes < LARGEST && (rows.len() as u64) < limit {
        let seen = rows.len() as u64;
        let part = stored.page(offset + seen, at_once.min(limit - seen))?;
        if part.is_empty() {
            break;
        }
        bytes += part.iter().flatten().map(size).sum::<usize>();
        rows.extend(part);
        at_once *= 2;
    }
    Ok(rows)
}

/// Bytes of the texts in a value.
fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(members) => members.iter().map(|(name, member)| name.len() + size(member)).sum(),
        _ => 0,
    }
}
