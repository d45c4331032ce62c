//! Calls for visibility and share links, and lists of creations by owner.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::{CurrentUser, accounts};
use crate::creations::access::Reader;
use crate::creations::card::{self, Card};
use crate::creations::model::{Chosen, CreationKind, Visibility};
use crate::creations::paging::{Listing, PageParams};
use crate::creations::{lists, sources, store};
use crate::http::{Answer, ApiError, Failure, Json, Query, Reply, Success};
use crate::jobs::sources::SourceTable;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(set_visibility))
        .routes(routes!(create_link))
        .routes(routes!(revoke_link))
        .routes(routes!(link))
        .routes(routes!(tables))
        .routes(routes!(mine))
        .routes(routes!(of_user))
}

/// Who may read a creation from now on.
#[derive(Debug, Deserialize, ToSchema)]
pub struct VisibilityChange {
    pub id: String,
    pub visibility: Visibility,
}

/// The share link of a creation.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShareLink {
    /// Goes behind the page's address as `share=…`; null without a link.
    pub share: Option<String>,
}

/// Which creations.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct OwnedParams {
    /// All five when left out.
    pub kind: Option<CreationKind>,
    /// Part of the title.
    pub search: Option<String>,
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
}

/// Whose creations.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct UserParams {
    pub user_name: String,
    /// Dashboards and queries when left out.
    pub kind: Option<CreationKind>,
    /// Part of the title.
    pub search: Option<String>,
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
}

/// Makes a creation private, public, or readable by link. A query's visualizations become what it becomes.
#[utoipa::path(post, path = "/api/creation/visibility/set", tag = "creation", operation_id = "setVisibility",
    request_body = VisibilityChange, security(("bearer" = [])),
    responses((status = 200, body = Success<ShareLink>), (status = "default", body = Failure)))]
async fn set_visibility(state: State<App>, user: CurrentUser, body: Json<VisibilityChange>) -> Answer<ShareLink> {
    let VisibilityChange { id, visibility } = body.0;
    Ok(Reply(ShareLink { share: store::set_visibility(&state.db, &user, &id, visibility).await? }))
}

/// Makes a new share link; a link that was there before opens nothing any more. What is public needs none.
#[utoipa::path(post, path = "/api/creation/share/create", tag = "creation", operation_id = "createShareLink",
    request_body = Chosen, security(("bearer" = [])),
    responses((status = 200, body = Success<ShareLink>), (status = "default", body = Failure)))]
async fn create_link(state: State<App>, user: CurrentUser, body: Json<Chosen>) -> Answer<ShareLink> {
    Ok(Reply(ShareLink { share: store::share(&state.db, &user, &body.0.id, true).await? }))
}

/// Takes the share link back; the creation is private then, unless it is public.
#[utoipa::path(post, path = "/api/creation/share/revoke", tag = "creation", operation_id = "revokeShareLink",
    request_body = Chosen, security(("bearer" = [])),
    responses((status = 200, body = Success<ShareLink>), (status = "default", body = Failure)))]
async fn revoke_link(state: State<App>, user: CurrentUser, body: Json<Chosen>) -> Answer<ShareLink> {
    Ok(Reply(ShareLink { share: store::share(&state.db, &user, &body.0.id, false).await? }))
}

/// The share link there is.
#[utoipa::path(get, path = "/api/creation/share/link", tag = "creation", operation_id = "shareLink",
    params(("id" = String, Query)), security(("bearer" = [])),
    responses((status = 200, body = Success<ShareLink>), (status = "default", body = Failure)))]
async fn link(state: State<App>, user: CurrentUser, chosen: Query<Chosen>) -> Answer<ShareLink> {
    Ok(Reply(ShareLink { share: store::share_token(&state.db, &user, &chosen.0.id).await? }))
}

/// The tables of others that the results of a creation were computed from. Its readers see these results only as long as the
/// tables stay shared, so whoever publishes it needs to know.
#[utoipa::path(get, path = "/api/creation/tables", tag = "creation", operation_id = "creationTables",
    params(("id" = String, Query)), security(("bearer" = [])),
    responses((status = 200, body = Success<Vec<SourceTable>>), (status = "default", body = Failure)))]
async fn tables(state: State<App>, user: CurrentUser, chosen: Query<Chosen>) -> Answer<Vec<SourceTable>> {
    Ok(Reply(sources::of_creation(&state.db, &user, &chosen.0.id).await?))
}

/// The caller's own creations, the newest first.
#[utoipa::path(get, path = "/api/creation/mine", tag = "creation", operation_id = "myCreations", params(OwnedParams),
    security(("bearer" = [])),
    responses((status = 200, body = Success<Listing<Card>>), (status = "default", body = Failure)))]
async fn mine(state: State<App>, user: CurrentUser, params: Query<OwnedParams>) -> Answer<Listing<Card>> {
    let OwnedParams { kind, search, page, size } = params.0;
    let window = PageParams { page, size }.window()?;
    let kinds = kind.map_or(CreationKind::ALL.to_vec(), |kind| vec![kind]);
    let own = lists::own(user.id, &kinds, search.as_deref());
    Ok(Reply(card::list(&state.db, Some(user.id), &own, window).await?))
}

/// The public creations of a user, the newest first.
#[utoipa::path(get, path = "/api/creation/ofUser", tag = "creation", operation_id = "creationsOfUser",
    params(UserParams), security(("bearer" = []), ()),
    responses((status = 200, body = Success<Listing<Card>>), (status = "default", body = Failure)))]
async fn of_user(state: State<App>, reader: Reader, params: Query<UserParams>) -> Answer<Listing<Card>> {
    let UserParams { user_name, kind, search, page, size } = params.0;
    let window = PageParams { page, size }.window()?;
    let account = accounts::find(&state.db, &user_name).await?.ok_or_else(ApiError::no_such_user)?;
    let kinds = kind.map_or(vec![CreationKind::Dashboard, CreationKind::Query], |kind| vec![kind]);
    let public = lists::public_of(account.id, &kinds, search.as_deref());
    Ok(Reply(card::list(&state.db, reader.id(), &public, window).await?))
}
