//! The call that gives a user another picture.

use axum::extract::{FromRequest, Request, State};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::store;
use crate::app::App;
use crate::auth::CurrentUser;
use crate::http::{Answer, ApiError, Failure, FileForm, Reply, Success, Upload};
use crate::uploads::{self, Incoming, LARGEST_PICTURE, Scene};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(upload))
}

/// Gives the caller another picture: JPG, PNG or GIF, at most 2 MB. Answers its path.
#[utoipa::path(post, path = "/api/user/avatar", tag = "profile", operation_id = "uploadAvatar",
    request_body(content = FileForm, content_type = "multipart/form-data"), security(("bearer" = [])),
    responses((status = 200, body = Success<String>), (status = "default", body = Failure)))]
async fn upload(state: State<App>, user: CurrentUser, request: Request) -> Answer<String> {
    state.limits.uploads.take(user.budget).map_err(ApiError::too_many)?;
    // Before the file is read into memory.
    let _arriving = state.limits.files.begin(user.budget).ok_or_else(ApiError::too_many_uploads)?;
    let file = Upload::<LARGEST_PICTURE>::from_request(request, &state).await?;
    let incoming = Incoming { scene: Scene::Avatar, owner: user.id, name: file.name, bytes: file.bytes };
    let path = state.uploads.keep(&state.db, incoming).await?;
    let before = store::set_head_photo(&state.db, user.id, &path).await?;
    if let Some(row) = uploads::find(&state.db, &before).await? {
        state.uploads.remove(&state.db, &row).await?;
    }
    Ok(Reply(path))
}
