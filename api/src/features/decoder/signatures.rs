//! Calls for the signatures that people add.

use axum::extract::State;
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{NewSignature, SignatureParams, SignatureView};
use super::store::{self, Added};
use crate::app::App;
use crate::auth::CurrentUser;
use crate::auth::deeds::Deed;
use crate::db::list::{Page, Paged};
use crate::http::{Answer, ApiError, Failure, Json, Path, Query, Reply, Success};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(create)).routes(routes!(delete))
}

/// The caller's signatures and everybody's, newest first. Those that ship are not in it.
#[utoipa::path(get, path = "/api/decoder/signature/list", tag = "decoder", operation_id = "signatures",
    params(SignatureParams, Page), security(("bearer" = [])),
    responses((status = 200, body = Success<Paged<SignatureView>>), (status = "default", body = Failure)))]
async fn list(
    state: State<App>,
    user: CurrentUser,
    params: Query<SignatureParams>,
    page: Query<Page>,
) -> Answer<Paged<SignatureView>> {
    let search = params.0.search.unwrap_or_default();
    Ok(Reply(store::list(&state.db, user.id, &search, page.0).await?))
}

/// Adds the signature of a function or an event for the caller, or for everybody; answers its id.
#[utoipa::path(post, path = "/api/decoder/signature/create", tag = "decoder", operation_id = "createSignature",
    request_body = NewSignature, security(("bearer" = [])),
    responses((status = 200, body = Success<i64>), (status = "default", body = Failure)))]
async fn create(state: State<App>, user: CurrentUser, body: Json<NewSignature>) -> Answer<i64> {
    let signature = body.0.read()?;
    if body.0.everybody && !user.is_admin() {
        return Err(ApiError::forbidden());
    }
    let id = match store::add(&state.db, user.id, &signature, body.0.everybody).await? {
        Added::New(id) => id,
        Added::Known => {
            let msg = "You have this signature already.";
            return Err(ApiError::new(StatusCode::CONFLICT, "exists", msg).param("signature"));
        }
        Added::Full => {
            let msg = format!("An account has at most {} signatures.", store::MOST);
            return Err(ApiError::invalid("signature", msg));
        }
    };
    if body.0.everybody {
        user.acts(Deed::SignatureForAll, &[("signature", &signature.text())]);
    }
    Ok(Reply(id))
}

/// Removes one of the caller's signatures, or for an administrator anybody's.
#[utoipa::path(post, path = "/api/decoder/signature/delete/{id}", tag = "decoder", operation_id = "deleteSignature",
    params(("id" = i64, Path)), security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn delete(state: State<App>, user: CurrentUser, id: Path<i64>) -> Answer<bool> {
    let owner = store::owner(&state.db, id.0).await?;
    if !store::remove(&state.db, &user, id.0).await? {
        return Err(ApiError::not_found("signature"));
    }
    if let Some((owner, name)) = owner {
        user.touches(owner, Deed::SignatureRemoved, &[("id", &id.0), ("owner", &name)]);
    }
    Ok(Reply(true))
}
