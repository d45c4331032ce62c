//! Calls for white papers.

use axum::extract::{FromRequest, Request, State};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{PaperParams, PublishedParam, WhitePaper};
use super::store;
use crate::app::App;
use crate::auth::deeds::Deed;
use crate::auth::rights::WhitePapers;
use crate::auth::{Allowed, rules};
use crate::db::list::{Page, Paged};
use crate::http::{Answer, ApiError, Failure, FileForm, Path, Query, Reply, Success, Upload};
use crate::uploads::{self, Incoming, LARGEST_DOCUMENT, Scene};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(published))
        .routes(routes!(list))
        .routes(routes!(upload))
        .routes(routes!(publish))
        .routes(routes!(delete))
}

/// Published white papers, newest first. Open to visitors.
#[utoipa::path(get, path = "/api/white-paper/list", tag = "white-paper", operation_id = "publishedWhitePapers",
    params(Page),
    responses((status = 200, body = Success<Paged<WhitePaper>>), (status = "default", body = Failure)))]
async fn published(state: State<App>, page: Query<Page>) -> Answer<Paged<WhitePaper>> {
    Ok(Reply(store::list(&state.db, true, page.0).await?))
}

/// All white papers, newest first.
#[utoipa::path(get, path = "/api/system/white-paper/list", tag = "system", operation_id = "whitePapers", params(Page),
    security(("bearer" = [])),
    responses((status = 200, body = Success<Paged<WhitePaper>>), (status = "default", body = Failure)))]
async fn list(state: State<App>, _by: Allowed<WhitePapers>, page: Query<Page>) -> Answer<Paged<WhitePaper>> {
    Ok(Reply(store::list(&state.db, false, page.0).await?))
}

/// Uploads a white paper: a PDF file of at most 20 MB. It is published by another call. Answers its id.
#[utoipa::path(post, path = "/api/system/white-paper/upload", tag = "system", operation_id = "uploadWhitePaper",
    params(PaperParams), request_body(content = FileForm, content_type = "multipart/form-data"),
    security(("bearer" = [])),
    responses((status = 200, body = Success<i64>), (status = "default", body = Failure)))]
async fn upload(
    state: State<App>,
    by: Allowed<WhitePapers>,
    query: Query<PaperParams>,
    request: Request,
) -> Answer<i64> {
    let _arriving = state.limits.files.begin(by.user.budget).ok_or_else(ApiError::too_many_uploads)?;
    let file = Upload::<LARGEST_DOCUMENT>::from_request(request, &state).await?;
    let title = query.0.title.trim();
    if title.chars().count() > 100 || !rules::one_line(title) {
        return Err(ApiError::invalid("title", "A title has 1 to 100 characters on one line."));
    }
    let language = query.0.language.as_deref().unwrap_or("en");
    if !matches!(language, "en" | "zh") {
        return Err(ApiError::invalid("language", "The language is en or zh."));
    }
    let incoming = Incoming { scene: Scene::WhitePaper, owner: by.user.id, name: file.name, bytes: file.bytes };
    let path = state.uploads.keep(&state.db, incoming).await?;
    let id = store::insert(&state.db, title, language, &path, &by.user.name).await?;
    by.note(Deed::PaperUploaded, &[("id", &id), ("title", &title)]);
    Ok(Reply(id))
}

/// Publishes or hides a white paper.
#[utoipa::path(put, path = "/api/system/white-paper/{id}/publish", tag = "system", operation_id = "publishWhitePaper",
    params(("id" = i64, Path), PublishedParam), security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn publish(
    state: State<App>,
    by: Allowed<WhitePapers>,
    id: Path<i64>,
    query: Query<PublishedParam>,
) -> Answer<bool> {
    let published = query.0.published;
    if !store::publish(&state.db, id.0, published).await? {
        return Err(ApiError::not_found("white paper"));
    }
    by.note(if published { Deed::PaperPublished } else { Deed::PaperHidden }, &[("id", &id.0)]);
    Ok(Reply(true))
}

/// Removes a white paper and its file.
#[utoipa::path(delete, path = "/api/system/white-paper/{id}", tag = "system", operation_id = "deleteWhitePaper",
    params(("id" = i64, Path)), security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn delete(state: State<App>, by: Allowed<WhitePapers>, id: Path<i64>) -> Answer<bool> {
    let paper = store::find(&state.db, id.0).await?.ok_or_else(|| ApiError::not_found("white paper"))?;
    store::remove(&state.db, paper.id).await?;
    if let Some(row) = uploads::find(&state.db, &paper.path).await? {
        state.uploads.remove(&state.db, &row).await?;
    }
    by.note(Deed::PaperRemoved, &[("id", &paper.id), ("title", &paper.title)]);
    Ok(Reply(true))
}
