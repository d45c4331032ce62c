//! Calls for the 3D models. All are open to visitors, and none looks at who asks: see [`crate::models`].

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::{Answer, ApiError, ClientAddress, Failure, Query, Reply, Success};
use crate::models::values::ModelValues;
use crate::models::{ModelQueries, ModelRows};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(queries)).routes(routes!(rows)).routes(routes!(span))
}

/// Since when there is something to show.
#[derive(Debug, Serialize, ToSchema)]
pub struct ModelSpan {
    /// When the first block of the lake was made, `YYYY-MM-DD HH:mm:ss`; null in an empty lake.
    pub first: Option<String>,
}

/// The queries of a 3D model, for people to run themselves.
#[utoipa::path(get, path = "/api/model/queries", tag = "model", operation_id = "modelQueries", params(ModelValues),
    responses((status = 200, body = Success<ModelQueries>), (status = "default", body = Failure)))]
async fn queries(state: State<App>, values: Query<ModelValues>) -> Answer<ModelQueries> {
    Ok(Reply(state.models.queries(&values.0).await?))
}

/// What the queries of a 3D model answer, at most ten minutes old. The server runs them itself, over what everybody may
/// read; how often is limited per address.
#[utoipa::path(get, path = "/api/model/rows", tag = "model", operation_id = "modelRows", params(ModelValues),
    responses((status = 200, body = Success<ModelRows>), (status = "default", body = Failure)))]
async fn rows(
    state: State<App>,
    ClientAddress(address): ClientAddress,
    values: Query<ModelValues>,
) -> Answer<ModelRows> {
    let permit = || state.limits.visitor_runs.take(address.into()).map_err(ApiError::too_many);
    Ok(Reply(state.models.rows(&values.0, permit).await?.as_ref().clone()))
}

/// Since when the 3D models have something to show.
#[utoipa::path(get, path = "/api/model/span", tag = "model", operation_id = "modelSpan",
    responses((status = 200, body = Success<ModelSpan>), (status = "default", body = Failure)))]
async fn span(state: State<App>) -> Answer<ModelSpan> {
    Ok(Reply(ModelSpan { first: state.models.first().await? }))
}
