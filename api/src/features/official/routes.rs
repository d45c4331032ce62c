//! Calls for the official dashboards.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{ChartParams, OfficialChange, OfficialDashboard, OfficialRows};
use super::runs::{self, Found};
use super::store;
use crate::app::App;
use crate::auth::Allowed;
use crate::auth::deeds::Deed;
use crate::auth::rights::Official;
use crate::creations::access::Reader;
use crate::creations::results::{self, RowParams};
use crate::creations::{dashboards, visualizations};
use crate::http::{Answer, ApiError, Failure, Json, Query, Reply, Success};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(all)).routes(routes!(chart)).routes(routes!(set))
}

/// The official dashboards and their charts.
#[utoipa::path(get, path = "/api/official/dashboards", tag = "official", operation_id = "officialDashboards",
    security(("bearer" = []), ()),
    responses((status = 200, body = Success<Vec<OfficialDashboard>>), (status = "default", body = Failure)))]
async fn all(state: State<App>, reader: Reader) -> Answer<Vec<OfficialDashboard>> {
    Ok(Reply(store::all(&state.db, &reader).await?))
}

/// A chart of an official dashboard with its rows. For visitors they end 30 days before the head of the chain.
#[utoipa::path(get, path = "/api/official/visualization", tag = "official", operation_id = "officialVisualization",
    params(ChartParams), security(("bearer" = []), ()),
    responses((status = 200, body = Success<OfficialRows>), (status = "default", body = Failure)))]
async fn chart(state: State<App>, reader: Reader, params: Query<ChartParams>) -> Answer<OfficialRows> {
    let (db, params) = (&state.db, params.0);
    let dashboard = store::dashboard(db, &params.dashboard_id).await?;
    let content = dashboards::find(db, &dashboard.id).await?;
    let missing = || ApiError::not_found("visualization");
    if !content.visualizations().contains(params.visualization_id.as_str()) {
        return Err(missing());
    }
    let (chart, query) = store::chart(db, &params.visualization_id, dashboard.owner_id).await?.ok_or_else(missing)?;
    let viz = visualizations::find(db, &chart.visualization_id).await?.viz;
    let found = runs::at(&state, &query, params.resolution).await?;
    let result = match found.shown {
        Some(shown) => {
            let rows = RowParams { offset: params.offset, limit: params.limit };
            Some(results::rows(&state, &reader, true, shown, rows).await?)
        }
        None => None,
    };
    let Found { resolution, resolutions, pending, .. } = found;
    Ok(Reply(OfficialRows { chart, viz, resolution, resolutions, pending, result }))
}

/// Makes a public dashboard or query official, or takes that back; for the back office.
#[utoipa::path(post, path = "/api/official/set", tag = "official", operation_id = "setOfficial",
    request_body = OfficialChange, security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn set(state: State<App>, by: Allowed<Official>, body: Json<OfficialChange>) -> Answer<bool> {
    let OfficialChange { id, official } = &body.0;
    let title = store::change(&state.db, &body.0).await?;
    by.note(if *official { Deed::MadeOfficial } else { Deed::NotOfficial }, &[("id", id), ("title", &title)]);
    Ok(Reply(*official))
}
