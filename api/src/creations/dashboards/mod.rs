//! Dashboards in the database, and what is on them.

pub mod content;
pub mod records;
pub mod rich;

use std::collections::HashMap;

use sqlx::{AnyConnection, Row};

use self::content::{DashboardContent, WidgetContent};
use super::card::marks;
use crate::db::Db;
use crate::http::ApiError;

/// Writes the row of a new dashboard.
pub async fn insert(at: &mut AnyConnection, id: &str, content: &DashboardContent) -> Result<(), ApiError> {
    let (text, widgets, preview) = columns(content)?;
    sqlx::query("insert into dashboards (id, content, widgets, preview) values ($1, $2, $3, $4)")
        .bind(id)
        .bind(text)
        .bind(widgets)
        .bind(preview)
        .execute(at)
        .await?;
    Ok(())
}

/// Writes the content anew; the rights are those of the creation's row, which is changed first.
pub async fn update(at: &mut AnyConnection, id: &str, content: &DashboardContent) -> Result<(), ApiError> {
    let (text, widgets, preview) = columns(content)?;
    sqlx::query("update dashboards set content = $2, widgets = $3, preview = $4 where id = $1")
        .bind(id)
        .bind(text)
        .bind(widgets)
        .bind(preview)
        .execute(at)
        .await?;
    Ok(())
}

/// The content, for who has read the creation's row.
pub async fn find(db: &Db, id: &str) -> Result<DashboardContent, ApiError> {
    let row = sqlx::query("select content from dashboards where id = $1").bind(id).fetch_optional(db.pool()).await?;
    let row = row.ok_or_else(|| ApiError::not_found("dashboard"))?;
    let text: String = row.try_get("content")?;
    serde_json::from_str(&text).map_err(ApiError::internal)
}

/// The contents of several dashboards, by id, for who has read the creations' rows.
pub async fn find_all(db: &Db, ids: &[&str]) -> Result<HashMap<String, DashboardContent>, ApiError> {
    let mut found = HashMap::new();
    if ids.is_empty() {
        return Ok(found);
    }
    let statement = format!("select id, content from dashboards where id in ({})", marks(ids.len(), 1));
    let query = ids.iter().fold(sqlx::query(sqlx::AssertSqlSafe(statement)), |query, id| query.bind(*id));
    for row in query.fetch_all(db.pool()).await? {
        let text: String = row.try_get("content")?;
        found.insert(row.try_get("id")?, serde_json::from_str(&text).map_err(ApiError::internal)?);
    }
    Ok(found)
}

type Columns = (String, i64, Option<String>);

fn columns(content: &DashboardContent) -> Result<Columns, ApiError> {
    let text = serde_json::to_string(content).map_err(ApiError::internal)?;
    let widgets = i64::try_from(content.widgets.len()).unwrap_or(i64::MAX);
    let preview = content.widgets.iter().find_map(|widget| match &widget.content {
        WidgetContent::Visualization { visualization_id, .. } => Some(visualization_id.clone()),
        _ => None,
    });
    Ok((text, widgets, preview))
}
