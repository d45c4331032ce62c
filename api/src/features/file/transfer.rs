//! Calls that carry the content of files. Nothing is ever served as a page: pictures and documents go out under the type
//! that was checked when they came in, as attachments.

use axum::extract::{FromRequest, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::access::{readable, who};
use super::model::{FileParams, PathParam, UploadParams};
use crate::app::{App, FileUse};
use crate::auth::CurrentUser;
use crate::http::{Answer, ApiError, Failure, FileForm, Query, Reply, Success, Upload};
use crate::uploads::{FileRow, Incoming, LARGEST_PICTURE, Scene};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(byte_array)).routes(routes!(download)).routes(routes!(upload))
}

/// A picture in Base64. Pictures of users are open to visitors.
#[utoipa::path(get, path = "/api/file/byte/array", tag = "file", operation_id = "fileBytes", params(PathParam),
    security(("bearer" = []), ()),
    responses((status = 200, body = Success<String>), (status = "default", body = Failure)))]
async fn byte_array(state: State<App>, user: Option<CurrentUser>, query: Query<PathParam>) -> Answer<String> {
    let row = readable(&state, user.as_ref(), &query.0.path).await?;
    if !row.media.starts_with("image/") {
        return Err(ApiError::not_found("picture"));
    }
    Ok(Reply(STANDARD.encode(state.uploads.read(&row).await?)))
}

/// A file. Takes a ticket or the bearer token in the address, or the header; pictures of users and published white papers
/// are open to visitors.
#[utoipa::path(get, path = "/api/file/download", tag = "file", operation_id = "downloadFile", params(FileParams),
    security(("bearer" = []), ()),
    responses((status = 200, description = "The file.", content((String = "image/png"), (String = "image/jpeg"),
            (String = "image/gif"), (String = "application/pdf"))),
        (status = "default", body = Failure)))]
async fn download(state: State<App>, query: Query<FileParams>, request: Request) -> Result<Response, ApiError> {
    let FileParams { path, token, ticket } = query.0;
    let mut parts = request.into_parts().0;
    let wanted = FileUse::Download(path.clone());
    let user = who(&state, &mut parts, ticket.as_deref(), token.as_deref(), &wanted).await?;
    let row = readable(&state, user.as_ref(), &path).await?;
    let bytes = state.uploads.read(&row).await?;
    Ok((headers(&row)?, bytes).into_response())
}

/// Uploads a screenshot for feedback: JPG, PNG or GIF, at most 2 MB. Takes a ticket or the bearer token in the address, or
/// the header. Answers the stored path.
#[utoipa::path(post, path = "/api/file/upload/feedback", tag = "file", operation_id = "uploadScreenshot",
    params(UploadParams), request_body(content = FileForm, content_type = "multipart/form-data"),
    security(("bearer" = []), ()),
    responses((status = 200, body = Success<String>), (status = "default", body = Failure)))]
async fn upload(state: State<App>, query: Query<UploadParams>, request: Request) -> Answer<String> {
    let UploadParams { token, ticket } = query.0;
    let (mut parts, body) = request.into_parts();
    let user = who(&state, &mut parts, ticket.as_deref(), token.as_deref(), &FileUse::Upload).await?;
    let user = user.ok_or_else(ApiError::unauthenticated)?;
    state.limits.uploads.take(user.budget).map_err(ApiError::too_many)?;
    let _arriving = state.limits.files.begin(user.budget).ok_or_else(ApiError::too_many_uploads)?;
    let file = Upload::<LARGEST_PICTURE>::from_request(Request::from_parts(parts, body), &state).await?;
    let incoming = Incoming { scene: Scene::Feedback, owner: user.id, name: file.name, bytes: file.bytes };
    Ok(Reply(state.uploads.keep(&state.db, incoming).await?))
}

fn headers(row: &FileRow) -> Result<HeaderMap, ApiError> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::try_from(&row.media).map_err(ApiError::internal)?);
    // The stored name has letters, digits and one dot only.
    let name = row.path.rsplit('/').next().unwrap_or_default();
    let disposition = HeaderValue::try_from(format!("attachment; filename=\"{name}\""));
    headers.insert(CONTENT_DISPOSITION, disposition.map_err(ApiError::internal)?);
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox"));
    // The name is new for every content.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, max-age=86400"));
    Ok(headers)
}
