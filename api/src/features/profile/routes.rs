//! Calls for profiles.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::avatar;
use super::model::{Profile, ProfileChange};
use super::store::{self, ProfileRow, Whose};
use crate::app::App;
use crate::auth::{CurrentUser, rules};
use crate::credits;
use crate::http::{Answer, ApiError, Failure, Path, Query, Reply, Success};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(by_id)).routes(routes!(by_name)).routes(routes!(change)).merge(avatar::routes())
}

/// A profile by the user's id. Open to visitors, who see the public part.
#[utoipa::path(get, path = "/api/system/user/userId/new/ui/{id}", tag = "profile", operation_id = "profileById",
    params(("id" = i64, Path)), security(("bearer" = []), ()),
    responses((status = 200, body = Success<Profile>), (status = "default", body = Failure)))]
async fn by_id(state: State<App>, user: Option<CurrentUser>, id: Path<String>) -> Answer<Profile> {
    // What is no number is nobody's id.
    let id = id.0.parse().map_err(|_| ApiError::no_such_user())?;
    profile(&state, user.as_ref(), Whose::Id(id)).await
}

/// A profile by the user's name. Open to visitors, who see the public part.
#[utoipa::path(get, path = "/api/system/user/userName/{name}", tag = "profile", operation_id = "profileByName",
    params(("name" = String, Path)), security(("bearer" = []), ()),
    responses((status = 200, body = Success<Profile>), (status = "default", body = Failure)))]
async fn by_name(state: State<App>, user: Option<CurrentUser>, name: Path<String>) -> Answer<Profile> {
    profile(&state, user.as_ref(), Whose::Name(&name.0)).await
}

/// Changes the caller's own profile.
#[utoipa::path(put, path = "/api/system/user/updateUserInfo", tag = "profile", operation_id = "updateUserInfo",
    params(ProfileChange), security(("bearer" = [])),
    responses((status = 200, body = Success<Profile>), (status = "default", body = Failure)))]
async fn change(state: State<App>, user: CurrentUser, query: Query<ProfileChange>) -> Answer<Profile> {
    let ProfileChange { career, address, tag } = query.0;
    let fits = |text: &Option<String>, most: usize| {
        text.as_ref().is_none_or(|text| text.chars().count() <= most && rules::plain(text))
    };
    if !fits(&career, 100) {
        return Err(ApiError::invalid("career", "A career has at most 100 characters."));
    }
    if !fits(&address, 200) {
        return Err(ApiError::invalid("address", "An address has at most 200 characters."));
    }
    let tags = tag.as_deref().map(|text| {
        let tags = rules::tags(text).map(|tags| tags.join(","));
        tags.ok_or_else(|| ApiError::invalid("tag", "A tag has 1 to 15 characters, and a profile at most 20 tags."))
    });
    let tags = tags.transpose()?;
    store::change(&state.db, user.id, career.as_deref(), address.as_deref(), tags.as_deref()).await?;
    profile(&state, Some(&user), Whose::Id(user.id)).await
}

async fn profile(app: &App, reader: Option<&CurrentUser>, whose: Whose<'_>) -> Answer<Profile> {
    let row = store::find(&app.db, whose).await?;
    let row = row.ok_or_else(ApiError::no_such_user)?;
    let credits = credits::balance(&app.db, row.id).await?;
    let private = reader.is_some_and(|reader| reader.id == row.id || reader.is_admin());
    Ok(Reply(view(row, credits, private)))
}

fn view(row: ProfileRow, credit_count: i64, private: bool) -> Profile {
    let tags = row.tags.split(',').filter(|tag| !tag.is_empty()).map(str::to_string).collect();
    Profile {
        user_id: row.id,
        user_name: row.user_name,
        head_photo: row.head_photo,
        star_count: row.stars,
        dashboard_count: row.dashboards,
        query_count: row.queries,
        credit_count,
        creator_since: row.created_at,
        phone_number: private.then(|| row.phone.unwrap_or_default()),
        email: private.then(|| row.email.unwrap_or_default()),
        career: private.then_some(row.career),
        address: private.then_some(row.address),
        tags: private.then_some(tags),
        api_key: private.then(|| row.api_key.unwrap_or_default()),
        role: private.then_some(row.role),
    }
}
