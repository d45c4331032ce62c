//! Calls for favourites.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use sqlx::Row;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::CurrentUser;
use crate::creations::access::Reader;
use crate::creations::card::{self, Card};
use crate::creations::model::EntityKind;
use crate::creations::paging::{Listing, PageParams};
use crate::creations::{entities, favorites, lists};
use crate::http::{Answer, Failure, Json, Query, Reply, Success};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(add)).routes(routes!(remove)).routes(routes!(list)).routes(routes!(others))
}

/// What is marked.
#[derive(Debug, Deserialize, ToSchema)]
pub struct FavoriteOf {
    pub kind: EntityKind,
    /// Id of a creation, a user name, or an address.
    pub id: String,
    /// The token of a share link.
    pub share: Option<String>,
}

/// Whether it is marked now.
#[derive(Debug, Serialize, ToSchema)]
pub struct Favorited {
    pub favorited: bool,
}

/// Which favourites.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FavoriteParams {
    pub kind: EntityKind,
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
}

/// A user or an address that was marked.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FavoriteName {
    /// The user name or the address.
    pub id: String,
    /// When it was marked.
    pub create_time: i64,
}

/// Marks something as a favourite of the caller's.
#[utoipa::path(post, path = "/api/favorite/add", tag = "favorite", operation_id = "addFavorite",
    request_body = FavoriteOf, security(("bearer" = [])),
    responses((status = 200, body = Success<Favorited>), (status = "default", body = Failure)))]
async fn add(state: State<App>, user: CurrentUser, body: Json<FavoriteOf>) -> Answer<Favorited> {
    set(&state, &user, body.0, true).await
}

/// Takes the mark back.
#[utoipa::path(post, path = "/api/favorite/remove", tag = "favorite", operation_id = "removeFavorite",
    request_body = FavoriteOf, security(("bearer" = [])),
    responses((status = 200, body = Success<Favorited>), (status = "default", body = Failure)))]
async fn remove(state: State<App>, user: CurrentUser, body: Json<FavoriteOf>) -> Answer<Favorited> {
    set(&state, &user, body.0, false).await
}

/// The caller's favourite dashboards, queries or projects, the newest mark first.
#[utoipa::path(get, path = "/api/favorite/list", tag = "favorite", operation_id = "favorites", params(FavoriteParams),
    security(("bearer" = [])),
    responses((status = 200, body = Success<Listing<Card>>), (status = "default", body = Failure)))]
async fn list(state: State<App>, user: CurrentUser, params: Query<FavoriteParams>) -> Answer<Listing<Card>> {
    let FavoriteParams { kind, page, size } = params.0;
    let window = PageParams { page, size }.window()?;
    match kind.creation() {
        Some(kind) => Ok(Reply(card::list(&state.db, Some(user.id), &lists::favorites(user.id, kind), window).await?)),
        None => Ok(Reply(Listing { items: Vec::new(), total: 0 })),
    }
}

/// The caller's favourite users or addresses, the newest mark first.
#[utoipa::path(get, path = "/api/favorite/names", tag = "favorite", operation_id = "favoriteNames",
    params(FavoriteParams), security(("bearer" = [])),
    responses((status = 200, body = Success<Listing<FavoriteName>>), (status = "default", body = Failure)))]
async fn others(state: State<App>, user: CurrentUser, params: Query<FavoriteParams>) -> Answer<Listing<FavoriteName>> {
    let FavoriteParams { kind, page, size } = params.0;
    let window = PageParams { page, size }.window()?;
    let rows = sqlx::query(
        "select entity_id, created_at from favorites where user_id = $1 and entity_kind = $2
         order by created_at desc, entity_id limit $3 offset $4",
    )
    .bind(user.id)
    .bind(kind.name())
    .bind(window.limit)
    .bind(window.offset)
    .fetch_all(state.db.pool())
    .await?;
    let name = |row: &sqlx::any::AnyRow| {
        Ok(FavoriteName { id: row.try_get("entity_id")?, create_time: row.try_get("created_at")? })
    };
    let items = rows.iter().map(name).collect::<Result<_, sqlx::Error>>()?;
    let total = sqlx::query_scalar("select count(*) from favorites where user_id = $1 and entity_kind = $2")
        .bind(user.id)
        .bind(kind.name())
        .fetch_one(state.db.pool())
        .await?;
    Ok(Reply(Listing { items, total }))
}

async fn set(app: &App, user: &CurrentUser, of: FavoriteOf, marked: bool) -> Answer<Favorited> {
    let reader = Reader::of(user).with(of.share);
    let entity = entities::find(&app.db, &reader, of.kind, &of.id).await?;
    favorites::set(&app.db, user.id, &entity, marked).await?;
    Ok(Reply(Favorited { favorited: marked }))
}
