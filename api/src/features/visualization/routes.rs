//! Calls for visualizations.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{MineParams, NewVisualization, VisualizationChange, VisualizationView};
use super::store;
use crate::app::App;
use crate::auth::CurrentUser;
use crate::creations::access::Reader;
use crate::creations::card::{self, Card};
use crate::creations::lists;
use crate::creations::model::{Chosen, CreationKind, Target};
use crate::creations::paging::{Listing, PageParams};
use crate::creations::store as creations;
use crate::http::{Answer, Failure, Json, Query, Reply, Success};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create))
        .routes(routes!(detail))
        .routes(routes!(update))
        .routes(routes!(delete))
        .routes(routes!(mine))
}

/// Saves a visualization of a query of the caller's.
#[utoipa::path(post, path = "/api/visualization/create", tag = "visualization", operation_id = "createVisualization",
    request_body = NewVisualization, security(("bearer" = [])),
    responses((status = 200, body = Success<VisualizationView>), (status = "default", body = Failure)))]
async fn create(state: State<App>, user: CurrentUser, body: Json<NewVisualization>) -> Answer<VisualizationView> {
    let id = store::create(&state.db, &user, &body.0).await?;
    Ok(Reply(store::view(&state.db, &Reader::of(&user), &id).await?))
}

/// One visualization; who may read its query may read it too.
#[utoipa::path(get, path = "/api/visualization/detail", tag = "visualization", operation_id = "visualization",
    params(Target), security(("bearer" = []), ()),
    responses((status = 200, body = Success<VisualizationView>), (status = "default", body = Failure)))]
async fn detail(state: State<App>, reader: Reader, target: Query<Target>) -> Answer<VisualizationView> {
    let Target { id, share } = target.0;
    Ok(Reply(store::view(&state.db, &reader.with(share), &id).await?))
}

/// Changes a visualization.
#[utoipa::path(patch, path = "/api/visualization/update", tag = "visualization",
    operation_id = "updateVisualization", request_body = VisualizationChange, security(("bearer" = [])),
    responses((status = 200, body = Success<VisualizationView>), (status = "default", body = Failure)))]
async fn update(state: State<App>, user: CurrentUser, body: Json<VisualizationChange>) -> Answer<VisualizationView> {
    store::update(&state.db, &user, &body.0).await?;
    Ok(Reply(store::view(&state.db, &Reader::of(&user), &body.0.id).await?))
}

/// Removes a visualization.
#[utoipa::path(post, path = "/api/visualization/delete", tag = "visualization",
    operation_id = "deleteVisualization", request_body = Chosen, security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn delete(state: State<App>, user: CurrentUser, body: Json<Chosen>) -> Answer<bool> {
    creations::remove(&state.db, &user, CreationKind::Visualization, &body.0.id).await?;
    Ok(Reply(true))
}

/// The caller's visualizations, the newest first, for the dashboard editor's palette.
#[utoipa::path(get, path = "/api/visualization/list", tag = "visualization", operation_id = "visualizations",
    params(MineParams), security(("bearer" = [])),
    responses((status = 200, body = Success<Listing<Card>>), (status = "default", body = Failure)))]
async fn mine(state: State<App>, user: CurrentUser, params: Query<MineParams>) -> Answer<Listing<Card>> {
    let MineParams { search, page, size } = params.0;
    let window = PageParams { page, size }.window()?;
    let own = lists::own(user.id, &[CreationKind::Visualization], search.as_deref());
    Ok(Reply(card::list(&state.db, Some(user.id), &own, window).await?))
}
