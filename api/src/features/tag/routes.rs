//! Calls for tags.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::store::{self, Own, TagFilter};
use crate::app::App;
use crate::auth::CurrentUser;
use crate::auth::deeds::Deed;
use crate::creations::access::Reader;
use crate::creations::model::EntityKind;
use crate::creations::paging::{Listing, PageParams};
use crate::creations::ranges::Range;
use crate::creations::tags::{self, TagCount, TagRow};
use crate::creations::{entities, index, rules, store as creations};
use crate::http::{Answer, ApiError, Failure, Json, Query, Reply, Success};

/// Tags that one thing may have.
const MOST: usize = 20;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(mine))
        .routes(routes!(trending))
        .routes(routes!(add))
        .routes(routes!(remove))
}

/// Which tags.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TagParams {
    pub entity: Option<EntityKind>,
    /// The tag as a whole.
    pub tag: Option<String>,
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
}

/// Which of the caller's tags.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OwnTagParams {
    pub entity: Option<EntityKind>,
    /// Of one thing alone: the id of a creation, a user name, or an address.
    pub id: Option<String>,
    /// The tag as a whole.
    pub tag: Option<String>,
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
}

/// How far back.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TrendingParams {
    /// All time when left out.
    #[serde(default)]
    #[param(inline)]
    pub range: Range,
    /// 1 to 100; 10 when left out.
    pub size: Option<i64>,
}

/// A tag of a thing.
#[derive(Debug, Deserialize, ToSchema)]
pub struct TagOf {
    pub entity: EntityKind,
    /// Id of a creation, a user name, or an address.
    pub id: String,
    /// 1 to 15 characters.
    pub tag: String,
}

/// Tags and the public things they belong to, the newest first.
#[utoipa::path(get, path = "/api/tag/list", tag = "tag", operation_id = "tags", params(TagParams),
    security(("bearer" = []), ()),
    responses((status = 200, body = Success<Listing<TagRow>>), (status = "default", body = Failure)))]
async fn list(state: State<App>, params: Query<TagParams>) -> Answer<Listing<TagRow>> {
    let TagParams { entity, tag, page, size } = params.0;
    let window = PageParams { page, size }.window()?;
    Ok(Reply(store::list(&state.db, &TagFilter { entity, tag, own: None }, window).await?))
}

/// The tags that the caller gave, the newest first.
#[utoipa::path(get, path = "/api/tag/mine", tag = "tag", operation_id = "myTags", params(OwnTagParams),
    security(("bearer" = [])),
    responses((status = 200, body = Success<Listing<TagRow>>), (status = "default", body = Failure)))]
async fn mine(state: State<App>, user: CurrentUser, params: Query<OwnTagParams>) -> Answer<Listing<TagRow>> {
    let OwnTagParams { entity, id, tag, page, size } = params.0;
    let window = PageParams { page, size }.window()?;
    let own = Some(Own { creator: user.id, id });
    Ok(Reply(store::list(&state.db, &TagFilter { entity, tag, own }, window).await?))
}

/// The tags that most public things got in a range of time.
#[utoipa::path(get, path = "/api/tag/trending", tag = "tag", operation_id = "trendingTags", params(TrendingParams),
    security(("bearer" = []), ()),
    responses((status = 200, body = Success<Vec<TagCount>>), (status = "default", body = Failure)))]
async fn trending(state: State<App>, params: Query<TrendingParams>) -> Answer<Vec<TagCount>> {
    let size = params.0.size.unwrap_or(10);
    if !(1..=100).contains(&size) {
        return Err(ApiError::invalid("size", "There are 1 to 100 trending tags."));
    }
    Ok(Reply(store::trending(&state.db, params.0.range.since(), size).await?))
}

/// Tags a creation or a profile of the caller's own, or any address.
#[utoipa::path(post, path = "/api/tag/add", tag = "tag", operation_id = "addTag", request_body = TagOf,
    security(("bearer" = [])),
    responses((status = 200, body = Success<Vec<String>>), (status = "default", body = Failure)))]
async fn add(state: State<App>, user: CurrentUser, body: Json<TagOf>) -> Answer<Vec<String>> {
    let TagOf { entity, id, tag } = body.0;
    let tag = rules::tag(&tag)?;
    let id = allowed(&state, &user, entity, &id, tag).await?;
    let mut transaction = state.db.begin().await?;
    // Asked in the transaction: what was found before may be gone, and others may have added tags.
    if entity.creation().is_some() && !creations::exists(&mut transaction, &id).await? {
        return Err(ApiError::not_found(entity.name()));
    }
    let there = tags::of_entity(&mut *transaction, entity.name(), &id).await?;
    let new = !there.iter().any(|other| rules::tag_key(other) == rules::tag_key(tag));
    if new && there.len() >= MOST {
        let msg = format!("There are at most {MOST} tags.");
        return Err(ApiError::new(StatusCode::CONFLICT, "too_many_tags", msg).param("tag"));
    }
    tags::add(&mut transaction, entity.name(), &id, user.id, tag).await?;
    if entity == EntityKind::Address {
        tags::know_address(&mut transaction, &id).await?;
    }
    index::refresh(&state.db, &mut transaction, &id).await?;
    transaction.commit().await?;
    Ok(Reply(tags::of_entity(state.db.pool(), entity.name(), &id).await?))
}

/// Takes a tag away from a creation or a profile of the caller's own, or one that the caller gave to an address.
#[utoipa::path(post, path = "/api/tag/remove", tag = "tag", operation_id = "removeTag", request_body = TagOf,
    security(("bearer" = [])),
    responses((status = 200, body = Success<Vec<String>>), (status = "default", body = Failure)))]
async fn remove(state: State<App>, user: CurrentUser, body: Json<TagOf>) -> Answer<Vec<String>> {
    let TagOf { entity, id, tag } = body.0;
    let id = allowed(&state, &user, entity, &id, &tag).await?;
    let creator = (entity == EntityKind::Address && !user.is_admin()).then_some(user.id);
    let mut transaction = state.db.begin().await?;
    if entity == EntityKind::Address
        && let Some(giver) = store::creator(&mut transaction, entity, &id, &tag).await?
    {
        user.touches(giver, Deed::TagOfOther, &[("tag", &tag), ("id", &id)]);
    }
    if !store::remove(&mut transaction, entity, &id, &tag, creator).await? {
        return Err(ApiError::not_found("tag"));
    }
    index::refresh(&state.db, &mut transaction, &id).await?;
    transaction.commit().await?;
    Ok(Reply(tags::of_entity(state.db.pool(), entity.name(), &id).await?))
}

/// What names the thing, if this user may tag it.
async fn allowed(app: &App, user: &CurrentUser, entity: EntityKind, id: &str, tag: &str) -> Result<String, ApiError> {
    if let Some(kind) = entity.creation() {
        return Ok(creations::editable(&app.db, user, kind, id).await?.id);
    }
    let found = entities::find(&app.db, &Reader::of(user), entity, id).await?;
    if entity == EntityKind::User && found.receiver != Some(user.id) && !user.is_admin() {
        let msg = "Only the user tags their own profile.";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "forbidden", msg));
    }
    if let (EntityKind::User, Some(owner)) = (entity, found.receiver) {
        user.touches(owner, Deed::TagOfOther, &[("tag", &tag), ("id", &found.id)]);
    }
    Ok(found.id)
}
