//! Calls for projects.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{NewProject, ProjectChange, ProjectItem, ProjectOrder, ProjectView};
use super::store;
use crate::app::App;
use crate::auth::CurrentUser;
use crate::creations::access::Reader;
use crate::creations::card::{self, Card};
use crate::creations::model::{Chosen, CreationKind, Target};
use crate::creations::paging::{Listing, PageParams};
use crate::creations::{lists, store as creations};
use crate::http::{Answer, Failure, Json, Query, Reply, Success};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create))
        .routes(routes!(detail))
        .routes(routes!(update))
        .routes(routes!(delete))
        .routes(routes!(mine))
        .routes(routes!(add))
        .routes(routes!(remove))
        .routes(routes!(arrange))
}

/// Makes a project.
#[utoipa::path(post, path = "/api/project/create", tag = "project", operation_id = "createProject",
    request_body = NewProject, security(("bearer" = [])),
    responses((status = 200, body = Success<ProjectView>), (status = "default", body = Failure)))]
async fn create(state: State<App>, user: CurrentUser, body: Json<NewProject>) -> Answer<ProjectView> {
    let id = store::create(&state.db, &user, &body.0).await?;
    view(&state, &user, &id).await
}

/// A project and what is in it.
#[utoipa::path(get, path = "/api/project/detail", tag = "project", operation_id = "project", params(Target),
    security(("bearer" = []), ()),
    responses((status = 200, body = Success<ProjectView>), (status = "default", body = Failure)))]
async fn detail(state: State<App>, reader: Reader, target: Query<Target>) -> Answer<ProjectView> {
    let Target { id, share } = target.0;
    Ok(Reply(store::view(&state.db, &reader.with(share), &id).await?))
}

/// Changes a project.
#[utoipa::path(patch, path = "/api/project/update", tag = "project", operation_id = "updateProject",
    request_body = ProjectChange, security(("bearer" = [])),
    responses((status = 200, body = Success<ProjectView>), (status = "default", body = Failure)))]
async fn update(state: State<App>, user: CurrentUser, body: Json<ProjectChange>) -> Answer<ProjectView> {
    store::update(&state.db, &user, &body.0).await?;
    view(&state, &user, &body.0.id).await
}

/// Removes a project; what was in it stays.
#[utoipa::path(post, path = "/api/project/delete", tag = "project", operation_id = "deleteProject",
    request_body = Chosen, security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn delete(state: State<App>, user: CurrentUser, body: Json<Chosen>) -> Answer<bool> {
    creations::remove(&state.db, &user, CreationKind::Project, &body.0.id).await?;
    Ok(Reply(true))
}

/// The caller's projects, the newest first.
#[utoipa::path(get, path = "/api/project/list", tag = "project", operation_id = "projects", params(PageParams),
    security(("bearer" = [])),
    responses((status = 200, body = Success<Listing<Card>>), (status = "default", body = Failure)))]
async fn mine(state: State<App>, user: CurrentUser, page: Query<PageParams>) -> Answer<Listing<Card>> {
    let own = lists::own(user.id, &[CreationKind::Project], None);
    Ok(Reply(card::list(&state.db, Some(user.id), &own, page.0.window()?).await?))
}

/// Puts something into a project of the caller's.
#[utoipa::path(post, path = "/api/project/item/add", tag = "project", operation_id = "addProjectItem",
    request_body = ProjectItem, security(("bearer" = [])),
    responses((status = 200, body = Success<ProjectView>), (status = "default", body = Failure)))]
async fn add(state: State<App>, user: CurrentUser, body: Json<ProjectItem>) -> Answer<ProjectView> {
    store::add(&state.db, &user, &body.0.id, &body.0.item_id).await?;
    view(&state, &user, &body.0.id).await
}

/// Takes something out of a project.
#[utoipa::path(post, path = "/api/project/item/remove", tag = "project", operation_id = "removeProjectItem",
    request_body = ProjectItem, security(("bearer" = [])),
    responses((status = 200, body = Success<ProjectView>), (status = "default", body = Failure)))]
async fn remove(state: State<App>, user: CurrentUser, body: Json<ProjectItem>) -> Answer<ProjectView> {
    store::remove(&state.db, &user, &body.0.id, &body.0.item_id).await?;
    view(&state, &user, &body.0.id).await
}

/// Orders what is in a project.
#[utoipa::path(post, path = "/api/project/item/arrange", tag = "project", operation_id = "arrangeProject",
    request_body = ProjectOrder, security(("bearer" = [])),
    responses((status = 200, body = Success<ProjectView>), (status = "default", body = Failure)))]
async fn arrange(state: State<App>, user: CurrentUser, body: Json<ProjectOrder>) -> Answer<ProjectView> {
    store::arrange(&state.db, &user, &body.0.id, &body.0.items).await?;
    view(&state, &user, &body.0.id).await
}

async fn view(app: &App, user: &CurrentUser, id: &str) -> Answer<ProjectView> {
    Ok(Reply(store::view(&app.db, &Reader::of(user), id).await?))
}
