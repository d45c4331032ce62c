//! The call for a creator's page.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use sqlx::Row;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::creations::access::Reader;
use crate::creations::model::EntityKind;
use crate::creations::{favorites, tags};
use crate::http::{Answer, ApiError, Failure, Query, Reply, Success};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(detail))
}

/// Which creator.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct CreatorParams {
    pub user_name: String,
}

/// What everybody sees of a creator.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Creator {
    pub user_name: String,
    pub head_photo: String,
    /// Favourites received.
    pub star_count: i64,
    /// Public ones.
    pub dashboard_count: i64,
    pub query_count: i64,
    pub tags: Vec<String>,
    pub favorited: bool,
    /// When the account was made.
    pub creator_since: i64,
}

/// A creator; what they made is at `/api/creation/ofUser`.
#[utoipa::path(get, path = "/api/creator/detail", tag = "creator", operation_id = "creator", params(CreatorParams),
    security(("bearer" = []), ()),
    responses((status = 200, body = Success<Creator>), (status = "default", body = Failure)))]
async fn detail(state: State<App>, reader: Reader, params: Query<CreatorParams>) -> Answer<Creator> {
    let db = &state.db;
    let row = sqlx::query(
        "select u.user_name, u.head_photo, u.created_at, f.stars, f.dashboards, f.queries
         from users u left join creator_figures f on f.user_id = u.id where u.user_name = $1 and u.disabled = 0",
    )
    .bind(&params.0.user_name)
    .fetch_optional(db.pool())
    .await?;
    let row = row.ok_or_else(ApiError::no_such_user)?;
    let figure = |name: &str| row.try_get::<Option<i64>, _>(name).map(Option::unwrap_or_default);
    let user_name: String = row.try_get("user_name")?;
    let kind = EntityKind::User.name();
    Ok(Reply(Creator {
        head_photo: row.try_get("head_photo")?,
        star_count: figure("stars")?,
        dashboard_count: figure("dashboards")?,
        query_count: figure("queries")?,
        tags: tags::of_entity(db.pool(), kind, &user_name).await?,
        favorited: favorites::is_marked(db, reader.id(), kind, &user_name).await?,
        creator_since: row.try_get("created_at")?,
        user_name,
    }))
}
