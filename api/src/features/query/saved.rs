//! Calls for saved queries.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{Lineage, NewQuery, QueryChange, QueryView};
use super::store;
use crate::app::App;
use crate::auth::CurrentUser;
use crate::creations::access::Reader;
use crate::creations::model::{Chosen, CreationKind, Origin, Target};
use crate::creations::store as creations;
use crate::http::{Answer, Failure, Json, Query, Reply, Success};

/// Ancestors that a lineage goes back.
const LONGEST_LINEAGE: usize = 20;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create))
        .routes(routes!(detail))
        .routes(routes!(update))
        .routes(routes!(delete))
        .routes(routes!(fork))
        .routes(routes!(lineage))
}

/// Saves a new query.
#[utoipa::path(post, path = "/api/query/create", tag = "query", operation_id = "createQuery", request_body = NewQuery,
    security(("bearer" = [])),
    responses((status = 200, body = Success<QueryView>), (status = "default", body = Failure)))]
async fn create(state: State<App>, user: CurrentUser, body: Json<NewQuery>) -> Answer<QueryView> {
    let id = store::create(&state.db, &user, &body.0).await?;
    state.scheduler.changed();
    Ok(Reply(store::view(&state.db, &Reader::of(&user), &id).await?))
}

/// A saved query with its visualizations. Visitors see public ones; a share link opens others.
#[utoipa::path(get, path = "/api/query/detail", tag = "query", operation_id = "query", params(Target),
    security(("bearer" = []), ()),
    responses((status = 200, body = Success<QueryView>), (status = "default", body = Failure)))]
async fn detail(state: State<App>, reader: Reader, target: Query<Target>) -> Answer<QueryView> {
    let Target { id, share } = target.0;
    Ok(Reply(store::view(&state.db, &reader.with(share), &id).await?))
}

/// Changes a saved query; every change of what it runs is a new version.
#[utoipa::path(patch, path = "/api/query/update", tag = "query", operation_id = "updateQuery",
    request_body = QueryChange, security(("bearer" = [])),
    responses((status = 200, body = Success<QueryView>), (status = "default", body = Failure)))]
async fn update(state: State<App>, user: CurrentUser, body: Json<QueryChange>) -> Answer<QueryView> {
    store::update(&state.db, &user, &body.0).await?;
    state.scheduler.changed();
    Ok(Reply(store::view(&state.db, &Reader::of(&user), &body.0.id).await?))
}

/// Removes a saved query with its visualizations, versions and schedule.
#[utoipa::path(post, path = "/api/query/delete", tag = "query", operation_id = "deleteQuery", request_body = Chosen,
    security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn delete(state: State<App>, user: CurrentUser, body: Json<Chosen>) -> Answer<bool> {
    creations::remove(&state.db, &user, CreationKind::Query, &body.0.id).await?;
    Ok(Reply(true))
}

/// Copies a query that the caller may read, with its visualizations, into a private one of their own.
#[utoipa::path(post, path = "/api/query/fork", tag = "query", operation_id = "forkQuery", request_body = Target,
    security(("bearer" = [])),
    responses((status = 200, body = Success<QueryView>), (status = "default", body = Failure)))]
async fn fork(state: State<App>, user: CurrentUser, body: Json<Target>) -> Answer<QueryView> {
    let Target { id, share } = body.0;
    let reader = Reader::of(&user);
    let origin = creations::readable(&state.db, &reader.clone().with(share), CreationKind::Query, &id).await?;
    let id = store::fork(&state.db, &user, &origin).await?;
    Ok(Reply(store::view(&state.db, &reader, &id).await?))
}

/// What a query was forked from, and that from what, the nearest first.
#[utoipa::path(get, path = "/api/query/lineage", tag = "query", operation_id = "queryLineage", params(Target),
    security(("bearer" = []), ()),
    responses((status = 200, body = Success<Lineage>), (status = "default", body = Failure)))]
async fn lineage(state: State<App>, reader: Reader, target: Query<Target>) -> Answer<Lineage> {
    let Target { id, share } = target.0;
    let reader = reader.with(share);
    let mut creation = creations::readable(&state.db, &reader, CreationKind::Query, &id).await?;
    let mut ancestors = Vec::new();
    while let Some(id) = creation.forked_from.take().filter(|_| ancestors.len() < LONGEST_LINEAGE) {
        // What the reader may not read ends the line: its own origin is not theirs to know.
        let Ok(found) = creations::readable(&state.db, &reader, CreationKind::Query, &id).await else {
            ancestors.push(Origin { id, title: None, user_name: None });
            break;
        };
        ancestors.push(Origin { id, title: Some(found.title.clone()), user_name: Some(found.owner_name.clone()) });
        creation = found;
    }
    Ok(Reply(Lineage { ancestors }))
}
