//! Calls that list files and make tickets for them.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::access::readable;
use super::model::{FileFilter, PathParam, Purpose, SceneView, Ticket, TicketRequest};
use super::transfer;
use crate::app::{App, FileAccess, FileUse};
use crate::auth::deeds::Deed;
use crate::auth::rights::{self, Area, Files};
use crate::auth::{Allowed, CurrentUser};
use crate::db::list::{Page, Paged};
use crate::http::{Answer, ApiError, Failure, Json, Query, Reply, Success};
use crate::uploads::{self, FileRow, Filter, LARGEST_DOCUMENT, LARGEST_PICTURE, Scene};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(ticket))
        .routes(routes!(scenes))
        .routes(routes!(list))
        .routes(routes!(delete))
        .merge(transfer::routes())
}

/// Makes a ticket for one download or upload; it works once, within 60 seconds, as `?ticket=` of the address.
#[utoipa::path(post, path = "/api/file/ticket", tag = "file", operation_id = "fileTicket", request_body = TicketRequest,
    security(("bearer" = [])),
    responses((status = 200, body = Success<Ticket>), (status = "default", body = Failure)))]
async fn ticket(state: State<App>, user: CurrentUser, body: Json<TicketRequest>) -> Answer<Ticket> {
    let TicketRequest { purpose, job_id, path } = body.0;
    let to = match (purpose, job_id, path) {
        (Purpose::Upload, _, _) => FileUse::Upload,
        (Purpose::Download, Some(job), _) => FileUse::Result(state.jobs.find(&user, &job).await?.id),
        (Purpose::Download, None, Some(path)) => FileUse::Download(readable(&state, Some(&user), &path).await?.path),
        (Purpose::Download, None, None) => {
            return Err(ApiError::invalid("jobId", "Which job's result or which file is meant?"));
        }
    };
    Ok(Reply(Ticket { ticket: state.file_tickets.issue(user.id, FileAccess { session: user.session, to }) }))
}

/// The kinds of files.
#[utoipa::path(get, path = "/api/file/scenes", tag = "file", operation_id = "fileScenes", security(("bearer" = [])),
    responses((status = 200, body = Success<Vec<SceneView>>), (status = "default", body = Failure)))]
async fn scenes(_user: CurrentUser) -> Answer<Vec<SceneView>> {
    let view = |scene| {
        let (media, largest) = match scene {
            Scene::Avatar | Scene::Feedback => (vec!["image/jpeg", "image/png", "image/gif"], LARGEST_PICTURE),
            Scene::WhitePaper => (vec!["application/pdf"], LARGEST_DOCUMENT),
        };
        SceneView { scene, media: media.into_iter().map(str::to_string).collect(), largest }
    };
    Ok(Reply(Scene::ALL.into_iter().map(view).collect()))
}

/// Files, newest first: the caller's own, or everybody's for the back office.
#[utoipa::path(post, path = "/api/file/list", tag = "file", operation_id = "files", request_body = FileFilter,
    security(("bearer" = [])),
    responses((status = 200, body = Success<Paged<FileRow>>), (status = "default", body = Failure)))]
async fn list(state: State<App>, user: CurrentUser, body: Json<FileFilter>) -> Answer<Paged<FileRow>> {
    let everybody = rights::holds(&state.db, &user, Files::PERMISSION).await?;
    let filter = Filter {
        owner: (!everybody).then_some(user.id),
        owner_name: body.0.user_name.as_deref(),
        scene: body.0.scene,
        name: body.0.name.as_deref(),
        from: body.0.from,
        to: body.0.to,
    };
    Ok(Reply(uploads::list(&state.db, &filter, Page { page: body.0.page, size: body.0.size }).await?))
}

/// Removes a file.
#[utoipa::path(delete, path = "/api/system/file", tag = "system", operation_id = "deleteFile", params(PathParam),
    security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn delete(state: State<App>, by: Allowed<Files>, query: Query<PathParam>) -> Answer<bool> {
    let row = uploads::find(&state.db, &query.0.path).await?.ok_or_else(|| ApiError::not_found("file"))?;
    if row.scene == Scene::WhitePaper.name() {
        return Err(ApiError::invalid("path", "A white paper is removed with its entry."));
    }
    state.uploads.remove(&state.db, &row).await?;
    by.note(Deed::FileRemoved, &[("path", &row.path), ("owner", &row.owner_name)]);
    Ok(Reply(true))
}
