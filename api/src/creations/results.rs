//! Stored results as viewers of a creation see them. Visitors see official metrics up to 30 days before now, which is cut
//! here and nowhere else, so no call can forget it.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use utoipa::{IntoParams, ToSchema};

use super::access::Reader;
use crate::app::App;
use crate::http::ApiError;
use crate::jobs::of_query::Shown;
use crate::jobs::result::{self, MAX_PAGE_BYTES, ResultColumn, ResultPage, Rows};
use crate::time;

const PAGE: u64 = 1_000;
const LARGEST_PAGE: u64 = 10_000;
/// Rows of an official result that are looked through for a visitor.
const MOST_CUT_ROWS: u64 = 100_000;
const VISITORS_BEHIND_MS: i64 = 30 * 24 * 3_600 * 1_000;

/// Which rows of a result.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RowParams {
    /// Rows to pass over; 0 when left out.
    pub offset: Option<u64>,
    /// 1 to 10,000; 1,000 when left out.
    pub limit: Option<u64>,
}

/// Rows of the result that viewers see, and which run they are of.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShownRows {
    pub shown: Shown,
    pub columns: Vec<ResultColumn>,
    #[schema(value_type = Vec<Vec<Value>>)]
    pub rows: Box<RawValue>,
    pub total: u64,
    /// `YYYY-MM-DD HH:mm:ss` when the rows end there because the reader has no login; the newer ones need one.
    pub cut_at: Option<String>,
}

impl RowParams {
    fn window(self) -> Result<(u64, u64), ApiError> {
        let limit = self.limit.unwrap_or(PAGE);
        if !(1..=LARGEST_PAGE).contains(&limit) {
            return Err(ApiError::invalid("limit", format!("A page has 1 to {LARGEST_PAGE} rows.")));
        }
        Ok((self.offset.unwrap_or(0), limit))
    }
}

/// The rows of a result for a reader who may read the query or a dashboard that shows it.
pub async fn rows(
    app: &App,
    reader: &Reader,
    official: bool,
    shown: Shown,
    params: RowParams,
) -> Result<ShownRows, ApiError> {
    let (offset, limit) = params.window()?;
    if official && reader.is_visitor() {
        return visitors_rows(app, shown, offset, limit).await;
    }
    let page = result::page(&app.db, &app.engine, reader.id(), &shown.job_id, (offset, limit));
    let ResultPage { columns, rows, total } = page.await?;
    Ok(ShownRows { shown, columns, rows, total, cut_at: None })
}

async fn visitors_rows(app: &App, shown: Shown, offset: u64, limit: u64) -> Result<ShownRows, ApiError> {
    let now = app.engine.head().await?.map_or_else(time::now_ms, |head| head.time / 1_000);
    let last = time::text(now - VISITORS_BEHIND_MS);
    let whole = result::rows(&app.db, &app.engine, None, &shown.job_id, (0, MOST_CUT_ROWS), MAX_PAGE_BYTES);
    let Rows { columns, rows } = whole.await?;
    let rows = before(&columns, rows, &last);
    let total = rows.len() as u64;
    let skip = usize::try_from(offset).unwrap_or(usize::MAX);
    let take = usize::try_from(limit).unwrap_or(usize::MAX);
    let rows: Vec<Vec<Value>> = rows.into_iter().skip(skip).take(take).collect();
    let rows = to_raw_value(&rows).map_err(ApiError::internal)?;
    Ok(ShownRows { shown, columns, rows, total, cut_at: Some(last) })
}

/// The rows up to a moment by the result's first column of times. A result without one says nothing of when, so none of
/// its rows is known to be old enough.
fn before(columns: &[ResultColumn], rows: Vec<Vec<Value>>, last: &str) -> Vec<Vec<Value>> {
    let is_time = |column: &ResultColumn| column.type_name == "timestamp" || column.type_name == "date";
    let Some(at) = columns.iter().position(is_time) else { return Vec::new() };
    // Times are written so that their order is that of their letters, and a day stands before its hours.
    rows.into_iter().filter(|row| row.get(at).and_then(Value::as_str).is_some_and(|time| time <= last)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn column(name: &str, type_name: &str) -> ResultColumn {
        ResultColumn { name: name.to_string(), type_name: type_name.to_string() }
    }

    #[test]
    fn rows_after_the_moment_are_cut() {
        let columns = [column("n", "bigint"), column("day", "date")];
        let rows =
            vec![vec![json!(1), json!("2026-01-01")], vec![json!(2), json!("2026-01-02")], vec![json!(3), json!(null)]];
        assert_eq!(before(&columns, rows, "2026-01-01 23:59:59"), [[json!(1), json!("2026-01-01")]]);
    }

    #[test]
    fn a_result_without_times_is_not_shown() {
        assert!(before(&[column("n", "bigint")], vec![vec![json!(1)]], "2026-01-01 00:00:00").is_empty());
    }
}
