//! Visualizations in the database.

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use super::viz::Viz;
use crate::db::Db;
use crate::http::ApiError;

/// A visualization's own row.
#[derive(Debug, Clone)]
pub struct VisualizationRow {
    pub id: String,
    pub query_id: String,
    pub viz: Viz,
}

const COLUMNS: &str = "select v.id, v.query_id, v.type, v.options from visualizations v";

pub async fn insert(at: &mut AnyConnection, row: &VisualizationRow) -> Result<(), ApiError> {
    let (name, options) = row.viz.parts()?;
    sqlx::query("insert into visualizations (id, query_id, type, options) values ($1, $2, $3, $4)")
        .bind(&row.id)
        .bind(&row.query_id)
        .bind(name)
        .bind(options)
        .execute(at)
        .await?;
    Ok(())
}

/// Writes type and options anew; the rights are those of the creation's row, which is changed first.
pub async fn update(at: &mut AnyConnection, id: &str, viz: &Viz) -> Result<(), ApiError> {
    let (name, options) = viz.parts()?;
    sqlx::query("update visualizations set type = $2, options = $3 where id = $1")
        .bind(id)
        .bind(name)
        .bind(options)
        .execute(at)
        .await?;
    Ok(())
}

/// The visualization's row, for who has read the creation's.
pub async fn find(db: &Db, id: &str) -> Result<VisualizationRow, ApiError> {
    let statement = format!("{COLUMNS} where v.id = $1");
    let row = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(id).fetch_optional(db.pool()).await?;
    let row = row.ok_or_else(|| ApiError::not_found("visualization"))?;
    Ok(visualization(&row)?)
}

/// The ids of a query's visualizations, oldest first.
pub async fn of_query(db: &Db, query: &str) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar(
        "select v.id from visualizations v join creations c on c.id = v.id where v.query_id = $1 order by c.number",
    )
    .bind(query)
    .fetch_all(db.pool())
    .await
}

fn visualization(row: &AnyRow) -> Result<VisualizationRow, sqlx::Error> {
    let (name, options): (String, String) = (row.try_get("type")?, row.try_get("options")?);
    Ok(VisualizationRow {
        id: row.try_get("id")?,
        query_id: row.try_get("query_id")?,
        viz: Viz::stored(&name, &options)?,
    })
}
