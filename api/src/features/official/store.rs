//! Official dashboards in the database.

use std::collections::{BTreeSet, HashMap};

use axum::http::StatusCode;
use sqlx::Row;

use super::model::{OfficialChange, OfficialChart, OfficialDashboard};
use crate::creations::access::Reader;
use crate::creations::card::{self, Selection};
use crate::creations::dashboards::content::DashboardContent;
use crate::creations::model::{CreationKind, Visibility};
use crate::creations::paging::Window;
use crate::creations::store::{self, Creation};
use crate::creations::{dashboards, visualizations};
use crate::db::Db;
use crate::http::ApiError;

/// Dashboards that the page shows.
const MOST: Window = Window { limit: 100, offset: 0 };

/// The official dashboards with their charts, in the order in which they were made.
pub async fn all(db: &Db, reader: &Reader) -> Result<Vec<OfficialDashboard>, ApiError> {
    let selection = Selection {
        from: "creations c",
        condition: "c.kind = 'dashboard' and c.visibility = 'public' and c.official = 1".to_string(),
        values: Vec::new(),
        order: "c.number",
    };
    let found = card::list(db, reader.id(), &selection, MOST).await?;
    let ids: Vec<&str> = found.items.iter().map(|dashboard| dashboard.id.as_str()).collect();
    let mut contents = dashboards::find_all(db, &ids).await?;
    let shown: BTreeSet<&str> = contents.values().flat_map(DashboardContent::visualizations).collect();
    let charts = charts(db, &shown.into_iter().collect::<Vec<_>>()).await?;
    let mut all = Vec::with_capacity(found.items.len());
    for dashboard in found.items {
        let content = contents.remove(&dashboard.id).unwrap_or_default();
        let mut shown = content.visualizations().into_iter().filter_map(|id| charts.get(id)).collect::<Vec<_>>();
        shown.retain(|(_, owner)| owner.as_ref().is_none_or(|owner| *owner == dashboard.user_name));
        let charts = shown.into_iter().map(|(chart, _)| chart.clone()).collect();
        all.push(OfficialDashboard { dashboard, charts });
    }
    Ok(all)
}

/// Those of these charts whose query is official, by id; with the name of the owner on whose dashboards alone one is shown
/// whose query is no longer public.
async fn charts(db: &Db, ids: &[&str]) -> Result<HashMap<String, (OfficialChart, Option<String>)>, sqlx::Error> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let statement = format!(
        "select c.id, c.title, c.title_zh, v.type, v.query_id, q.visibility, u.user_name from visualizations v
         join creations c on c.id = v.id join users u on u.id = c.owner_id
         join creations q on q.id = v.query_id where q.official = 1 and v.id in ({})",
        card::marks(ids.len(), 1)
    );
    let query = ids.iter().fold(sqlx::query(sqlx::AssertSqlSafe(statement)), |query, id| query.bind(*id));
    let mut found = HashMap::new();
    for row in query.fetch_all(db.pool()).await? {
        let chart = OfficialChart {
            visualization_id: row.try_get("id")?,
            title: row.try_get("title")?,
            title_zh: row.try_get("title_zh")?,
            visualization_type: row.try_get("type")?,
            query_id: row.try_get("query_id")?,
        };
        let public = row.try_get::<String, _>("visibility")? == Visibility::Public.name();
        let owner = if public { None } else { Some(row.try_get("user_name")?) };
        found.insert(chart.visualization_id.clone(), (chart, owner));
    }
    Ok(found)
}

/// The official dashboard, or nothing that anybody could tell from a missing one.
pub async fn dashboard(db: &Db, id: &str) -> Result<Creation, ApiError> {
    let found = store::readable(db, &Reader::default(), CreationKind::Dashboard, id).await?;
    if found.official { Ok(found) } else { Err(ApiError::not_found("dashboard")) }
}

/// A chart on an official dashboard of an owner, whose query is official, and that query. One that is no longer public is
/// shown on dashboards of its own owner only.
pub async fn chart(db: &Db, id: &str, owner: i64) -> Result<Option<(OfficialChart, Creation)>, ApiError> {
    let Some(creation) = store::any(db, id).await? else { return Ok(None) };
    let row = visualizations::find(db, id).await?;
    let query = store::any(db, &row.query_id).await?.filter(|query| query.official);
    let query = query.filter(|query| query.visibility == Visibility::Public || creation.owner_id == owner);
    let (name, _) = row.viz.parts()?;
    Ok(query.map(|query| {
        let chart = OfficialChart {
            visualization_id: creation.id,
            title: creation.title,
            title_zh: creation.title_zh,
            visualization_type: name,
            query_id: row.query_id,
        };
        (chart, query)
    }))
}

/// Makes a public dashboard or query official, or takes that back. A dashboard takes the queries of its owner's charts
/// with it when it becomes official; they stay so when it no longer is, since other dashboards may show them. Answers its
/// title.
pub async fn change(db: &Db, change: &OfficialChange) -> Result<String, ApiError> {
    let found = store::any(db, &change.id).await?;
    let kinds = [CreationKind::Dashboard, CreationKind::Query];
    let found = found.filter(|found| kinds.contains(&found.kind)).ok_or_else(|| ApiError::not_found("creation"))?;
    if change.official && found.visibility != Visibility::Public {
        let msg = "Only what is public can be official.";
        return Err(ApiError::new(StatusCode::CONFLICT, "not_public", msg).param("id"));
    }
    mark(db, &found.id, change.official).await?;
    if change.official && found.kind == CreationKind::Dashboard {
        let content = dashboards::find(db, &found.id).await?;
        for id in content.visualizations() {
            let own = store::any(db, id).await?.is_some_and(|chart| chart.owner_id == found.owner_id);
            if own {
                mark(db, &visualizations::find(db, id).await?.query_id, true).await?;
            }
        }
    }
    Ok(found.title)
}

async fn mark(db: &Db, id: &str, official: bool) -> Result<(), sqlx::Error> {
    sqlx::query("update creations set official = $2 where id = $1")
        .bind(id)
        .bind(i64::from(official))
        .execute(db.pool())
        .await?;
    Ok(())
}
