//! The calls about the cluster of workers.

use axum::extract::State;
use quarry_cluster::Members;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{ClusterView, DrainForm, WorkerView};
use crate::app::App;
use crate::auth::Allowed;
use crate::auth::deeds::Deed;
use crate::auth::rights::Cluster;
use crate::config::{Address, Value};
use crate::http::{Answer, ApiError, Failure, Json, Reply, Success};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(workers)).routes(routes!(drain))
}

/// The workers of this server and how they are; none when it was started without a cluster.
#[utoipa::path(get, path = "/api/system/cluster", tag = "system", operation_id = "cluster",
    security(("bearer" = [])),
    responses((status = 200, body = Success<ClusterView>), (status = "default", body = Failure)))]
async fn workers(state: State<App>, _by: Allowed<Cluster>) -> Answer<ClusterView> {
    let members = state.cluster.get();
    let workers = members.map(Members::report).unwrap_or_default().into_iter().map(WorkerView::from).collect();
    Ok(Reply(ClusterView { enabled: members.is_some(), workers }))
}

/// Has a worker take no new queries, and end when those that it runs have ended.
#[utoipa::path(post, path = "/api/system/cluster/drain", tag = "system", operation_id = "drainWorker",
    security(("bearer" = [])), request_body = DrainForm,
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn drain(state: State<App>, by: Allowed<Cluster>, Json(form): Json<DrainForm>) -> Answer<bool> {
    let no_worker = || ApiError::not_found("worker");
    let members = state.cluster.get().ok_or_else(no_worker)?;
    let address = Address::parse(&form.url).map_err(|_| no_worker())?;
    members.drain(&address.0).await?;
    by.note(Deed::WorkerDrained, &[("worker", &address.show())]);
    Ok(Reply(true))
}
