//! What the widgets of a dashboard show to somebody.
//!
//! A reader of a dashboard sees a widget's chart and its rows if they may read the chart themselves, or if the chart is the
//! dashboard owner's: who puts their own chart on a dashboard shows it to the dashboard's readers. The query's text stays
//! with those who may read the query. Nobody can give away a stranger's chart by putting it on a dashboard.

use super::model::{WidgetShows, shows_something};
use crate::creations::access::Reader;
use crate::creations::dashboards::content::{DashboardContent, Widget, WidgetContent};
use crate::creations::model::CreationKind;
use crate::creations::store::{self, Creation};
use crate::creations::viz::Viz;
use crate::creations::{graphs, visualizations};
use crate::db::Db;
use crate::http::ApiError;
use crate::jobs::of_query;

/// What each widget that shows something saved shows to this reader; `owner` is the dashboard's.
pub async fn shows(
    db: &Db,
    reader: &Reader,
    owner: Option<i64>,
    content: &DashboardContent,
) -> Result<Vec<WidgetShows>, ApiError> {
    let mut found = Vec::new();
    for widget in content.widgets.iter().filter(|widget| shows_something(&widget.content)) {
        found.push(one(db, reader, owner, widget).await?);
    }
    Ok(found)
}

async fn one(db: &Db, reader: &Reader, owner: Option<i64>, widget: &Widget) -> Result<WidgetShows, ApiError> {
    let nothing = WidgetShows::nothing(&widget.id);
    if let WidgetContent::Graph { graph_id } = &widget.content {
        let Some(graph) = visible(db, reader, owner, CreationKind::Graph, graph_id).await? else { return Ok(nothing) };
        let content = graphs::find(db, graph_id).await?;
        return Ok(WidgetShows {
            title: Some(graph.title),
            title_zh: graph.title_zh,
            visible: true,
            graph: Some(content),
            user_name: Some(graph.owner_name),
            ..nothing
        });
    }
    let Some(source) = source(db, reader, owner, &widget.content).await? else { return Ok(nothing) };
    let query = store::readable(db, reader, CreationKind::Query, &source.query_id).await.ok();
    Ok(WidgetShows {
        title: Some(source.title),
        title_zh: source.title_zh,
        visible: true,
        visualization: source.viz,
        query_id: query.map(|query| query.id),
        user_name: Some(source.user_name),
        shown: of_query::shown(db, &source.query_id, "").await?,
        ..nothing
    })
}

/// The query whose result a widget draws.
#[derive(Debug)]
pub struct Source {
    pub query_id: String,
    pub title: String,
    pub title_zh: Option<String>,
    pub user_name: String,
    pub viz: Option<Viz>,
    /// Whether the query is official, so that visitors see less of it.
    pub official: bool,
}

/// What a widget draws, if this reader of the dashboard may see it.
pub async fn source(
    db: &Db,
    reader: &Reader,
    owner: Option<i64>,
    content: &WidgetContent,
) -> Result<Option<Source>, ApiError> {
    match content {
        WidgetContent::Visualization { visualization_id, .. } => {
            let found = visible(db, reader, owner, CreationKind::Visualization, visualization_id).await?;
            let Some(chart) = found else { return Ok(None) };
            let row = visualizations::find(db, visualization_id).await?;
            let Some(query) = store::any(db, &row.query_id).await? else { return Ok(None) };
            Ok(Some(Source {
                query_id: row.query_id,
                title: chart.title,
                title_zh: chart.title_zh,
                user_name: chart.owner_name,
                viz: Some(row.viz),
                official: query.official,
            }))
        }
        WidgetContent::Counter { query_id, .. } => {
            let found = visible(db, reader, owner, CreationKind::Query, query_id).await?;
            Ok(found.map(|query| Source {
                query_id: query.id,
                title: query.title,
                title_zh: query.title_zh,
                user_name: query.owner_name,
                viz: None,
                official: query.official,
            }))
        }
        _ => Ok(None),
    }
}

async fn visible(
    db: &Db,
    reader: &Reader,
    owner: Option<i64>,
    kind: CreationKind,
    id: &str,
) -> Result<Option<Creation>, ApiError> {
    let found = store::any(db, id).await?.filter(|found| found.kind == kind);
    let Some(found) = found else { return Ok(None) };
    if owner == Some(found.owner_id) || store::readable(db, reader, kind, id).await.is_ok() {
        return Ok(Some(found));
    }
    Ok(None)
}
