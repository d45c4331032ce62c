//! Calls for graphs.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{GraphChange, GraphView, NewGraph};
use crate::app::App;
use crate::auth::CurrentUser;
use crate::creations::access::Reader;
use crate::creations::card::{self, Card};
use crate::creations::conflict::conflict;
use crate::creations::model::{Chosen, CreationKind, Target};
use crate::creations::paging::{Listing, PageParams};
use crate::creations::store::{self, Change, New, new_id};
use crate::creations::{graphs, lists, rules};
use crate::db::Db;
use crate::http::{Answer, ApiError, Failure, Json, Query, Reply, Success};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create))
        .routes(routes!(detail))
        .routes(routes!(update))
        .routes(routes!(delete))
        .routes(routes!(mine))
}

/// Saves a new graph.
#[utoipa::path(post, path = "/api/graph/create", tag = "graph", operation_id = "createGraph", request_body = NewGraph,
    security(("bearer" = [])),
    responses((status = 200, body = Success<GraphView>), (status = "default", body = Failure)))]
async fn create(state: State<App>, user: CurrentUser, body: Json<NewGraph>) -> Answer<GraphView> {
    let (db, graph) = (&state.db, body.0);
    graph.content.check()?;
    let new = New {
        kind: CreationKind::Graph,
        title: rules::title(&graph.title)?,
        notes: rules::notes(&graph.notes)?,
        tags: &[],
        visibility: graph.visibility,
        forked_from: None,
    };
    let (id, number) = (new_id(), db.next_id("creations").await?);
    let mut transaction = db.begin().await?;
    store::insert(&mut transaction, user.id, &id, number, &new).await?;
    graphs::insert(&mut transaction, &id, &graph.content).await?;
    transaction.commit().await?;
    Ok(Reply(view(db, &Reader::of(&user), &id).await?))
}

/// One graph.
#[utoipa::path(get, path = "/api/graph/detail", tag = "graph", operation_id = "graph", params(Target),
    security(("bearer" = []), ()),
    responses((status = 200, body = Success<GraphView>), (status = "default", body = Failure)))]
async fn detail(state: State<App>, reader: Reader, target: Query<Target>) -> Answer<GraphView> {
    let Target { id, share } = target.0;
    Ok(Reply(view(&state.db, &reader.with(share), &id).await?))
}

/// Changes a graph.
#[utoipa::path(patch, path = "/api/graph/update", tag = "graph", operation_id = "updateGraph",
    request_body = GraphChange, security(("bearer" = [])),
    responses((status = 200, body = Success<GraphView>), (status = "default", body = Failure)))]
async fn update(state: State<App>, user: CurrentUser, body: Json<GraphChange>) -> Answer<GraphView> {
    let (db, graph) = (&state.db, body.0);
    store::editable(db, &user, CreationKind::Graph, &graph.id).await?;
    if let Some(content) = &graph.content {
        content.check()?;
    }
    let change = Change {
        revision: Some(graph.revision),
        title: graph.title.as_deref().map(rules::title).transpose()?,
        notes: graph.notes.as_deref().map(rules::notes).transpose()?,
        tags: None,
    };
    let reader = Reader::of(&user);
    let mut transaction = db.begin().await?;
    if !store::update(&mut transaction, &user, CreationKind::Graph, &graph.id, &change).await? {
        transaction.rollback().await?;
        return Err(conflict(&view(db, &reader, &graph.id).await?));
    }
    if let Some(content) = &graph.content {
        graphs::update(&mut transaction, &graph.id, content).await?;
    }
    transaction.commit().await?;
    Ok(Reply(view(db, &reader, &graph.id).await?))
}

/// Removes a graph.
#[utoipa::path(post, path = "/api/graph/delete", tag = "graph", operation_id = "deleteGraph", request_body = Chosen,
    security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn delete(state: State<App>, user: CurrentUser, body: Json<Chosen>) -> Answer<bool> {
    store::remove(&state.db, &user, CreationKind::Graph, &body.0.id).await?;
    Ok(Reply(true))
}

/// The caller's graphs, the newest first.
#[utoipa::path(get, path = "/api/graph/list", tag = "graph", operation_id = "graphs", params(PageParams),
    security(("bearer" = [])),
    responses((status = 200, body = Success<Listing<Card>>), (status = "default", body = Failure)))]
async fn mine(state: State<App>, user: CurrentUser, page: Query<PageParams>) -> Answer<Listing<Card>> {
    let own = lists::own(user.id, &[CreationKind::Graph], None);
    Ok(Reply(card::list(&state.db, Some(user.id), &own, page.0.window()?).await?))
}

async fn view(db: &Db, reader: &Reader, id: &str) -> Result<GraphView, ApiError> {
    let creation = store::readable(db, reader, CreationKind::Graph, id).await?;
    let content = graphs::find(db, id).await?;
    Ok(GraphView { head: store::head(db, reader, creation).await?, content })
}
