//! Calls for the versions of a saved query.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{QueryVersion, QueryView, VersionChoice, VersionList, VersionTarget};
use super::store;
use crate::app::App;
use crate::auth::CurrentUser;
use crate::creations::access::Reader;
use crate::creations::model::CreationKind;
use crate::creations::paging::{Listing, PageParams};
use crate::creations::queries::QueryText;
use crate::creations::store::{self as creations, Creation};
use crate::creations::versions::{self, VersionView};
use crate::http::{Answer, ApiError, Failure, Json, Query, Reply, Success};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(detail)).routes(routes!(restore))
}

/// The versions of a query, newest first.
#[utoipa::path(get, path = "/api/query/version/list", tag = "query", operation_id = "queryVersions",
    params(VersionList), security(("bearer" = []), ()),
    responses((status = 200, body = Success<Listing<VersionView>>), (status = "default", body = Failure)))]
async fn list(state: State<App>, reader: Reader, params: Query<VersionList>) -> Answer<Listing<VersionView>> {
    let VersionList { id, share, page, size } = params.0;
    let reader = reader.with(share);
    let of = creations::readable(&state.db, &reader, CreationKind::Query, &id).await?;
    let window = PageParams { page, size }.window()?;
    Ok(Reply(versions::list(&state.db, &reader, &of, window).await?))
}

/// One version with its text, to read or to compare.
#[utoipa::path(get, path = "/api/query/version/detail", tag = "query", operation_id = "queryVersion",
    params(VersionTarget), security(("bearer" = []), ()),
    responses((status = 200, body = Success<QueryVersion>), (status = "default", body = Failure)))]
async fn detail(state: State<App>, reader: Reader, target: Query<VersionTarget>) -> Answer<QueryVersion> {
    let VersionTarget { id, version, share } = target.0;
    let reader = reader.with(share);
    let of = creations::readable(&state.db, &reader, CreationKind::Query, &id).await?;
    Ok(Reply(find(&state, &reader, &of, version).await?))
}

/// Makes a former version the current one; that is a new version again.
#[utoipa::path(post, path = "/api/query/version/restore", tag = "query", operation_id = "restoreQueryVersion",
    request_body = VersionChoice, security(("bearer" = [])),
    responses((status = 200, body = Success<QueryView>), (status = "default", body = Failure)))]
async fn restore(state: State<App>, user: CurrentUser, body: Json<VersionChoice>) -> Answer<QueryView> {
    let VersionChoice { id, version } = body.0;
    let of = creations::editable(&state.db, &user, CreationKind::Query, &id).await?;
    let former = find(&state, &Reader::of(&user), &of, version).await?;
    store::put_back(&state.db, &user, &id, former.what).await?;
    Ok(Reply(store::view(&state.db, &Reader::of(&user), &id).await?))
}

async fn find(app: &App, reader: &Reader, of: &Creation, version: i64) -> Result<QueryVersion, ApiError> {
    let (version, content) = versions::find(&app.db, reader, of, version).await?;
    let what: QueryText = serde_json::from_str(&content).map_err(ApiError::internal)?;
    Ok(QueryVersion { version, what })
}
