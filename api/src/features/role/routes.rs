//! Calls for roles and permissions.

use axum::extract::State;
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{Permission, PermissionForm, Role, RoleForm};
use super::store::{self, Removed};
use crate::app::App;
use crate::auth::deeds::Deed;
use crate::auth::rights::{self, PERMISSIONS, Permissions, Roles};
use crate::auth::{Allowed, ROLE_ADMIN};
use crate::http::{Answer, ApiError, Failure, Json, Path, Reply, Success};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(create))
        .routes(routes!(update))
        .routes(routes!(delete))
        .routes(routes!(permissions))
        .routes(routes!(rename))
}

/// Roles with their permissions.
#[utoipa::path(get, path = "/api/system/role/list", tag = "system", operation_id = "roles", security(("bearer" = [])),
    responses((status = 200, body = Success<Vec<Role>>), (status = "default", body = Failure)))]
async fn list(state: State<App>, _by: Allowed<Roles>) -> Answer<Vec<Role>> {
    Ok(Reply(store::roles(&state.db).await?))
}

/// Makes a role.
#[utoipa::path(post, path = "/api/system/role/create", tag = "system", operation_id = "createRole",
    request_body = RoleForm, security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn create(state: State<App>, by: Allowed<Roles>, body: Json<RoleForm>) -> Answer<bool> {
    let form = body.0;
    check(&state, &by, &form).await?;
    if !store::create(&state.db, &form.name, &form.note, &form.permissions).await? {
        let msg = "There is a role of this name.";
        return Err(ApiError::new(StatusCode::CONFLICT, "role_taken", msg).param("name"));
    }
    by.note(Deed::RoleMade, &[("role", &form.name), ("permissions", &form.permissions.join(" "))]);
    Ok(Reply(true))
}

/// Gives a role another note and exactly these permissions; takes effect with the next request of its users.
#[utoipa::path(put, path = "/api/system/role/update", tag = "system", operation_id = "updateRole",
    request_body = RoleForm, security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn update(state: State<App>, by: Allowed<Roles>, body: Json<RoleForm>) -> Answer<bool> {
    let form = body.0;
    check(&state, &by, &form).await?;
    if form.name == ROLE_ADMIN {
        let msg = "Administrators hold every permission.";
        return Err(ApiError::new(StatusCode::CONFLICT, "fixed_role", msg).param("name"));
    }
    // A role that holds more than the one who changes it is not theirs to cut.
    for permission in rights::of_role(&state.db, &form.name).await? {
        held(&state, &by, &permission).await?;
    }
    if !store::update(&state.db, &form.name, &form.note, &form.permissions).await? {
        return Err(ApiError::not_found("role"));
    }
    by.note(Deed::RoleChanged, &[("role", &form.name), ("permissions", &form.permissions.join(" "))]);
    Ok(Reply(true))
}

/// Removes a role that nobody has.
#[utoipa::path(delete, path = "/api/system/role/{name}", tag = "system", operation_id = "deleteRole",
    params(("name" = String, Path)), security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn delete(state: State<App>, by: Allowed<Roles>, name: Path<String>) -> Answer<bool> {
    let conflict = |code, msg| Err(ApiError::new(StatusCode::CONFLICT, code, msg));
    if store::is_fixed(&name.0) {
        return conflict("fixed_role", "This role is always there.");
    }
    for permission in rights::of_role(&state.db, &name.0).await? {
        held(&state, &by, &permission).await?;
    }
    match store::remove(&state.db, &name.0).await? {
        Removed::Done => {
            by.note(Deed::RoleRemoved, &[("role", &name.0)]);
            Ok(Reply(true))
        }
        Removed::Unknown => Err(ApiError::not_found("role")),
        Removed::InUse => conflict("role_in_use", "Users have this role; give them another one first."),
    }
}

/// Every permission, and the roles that hold it.
#[utoipa::path(get, path = "/api/system/permission/list", tag = "system", operation_id = "permissions",
    security(("bearer" = [])),
    responses((status = 200, body = Success<Vec<Permission>>), (status = "default", body = Failure)))]
async fn permissions(state: State<App>, _by: Allowed<Permissions>) -> Answer<Vec<Permission>> {
    Ok(Reply(store::permissions(&state.db).await?))
}

/// Changes what people call a permission; what it opens is the program's.
#[utoipa::path(put, path = "/api/system/permission/{key}", tag = "system", operation_id = "renamePermission",
    params(("key" = String, Path)), request_body = PermissionForm, security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn rename(
    state: State<App>,
    by: Allowed<Permissions>,
    key: Path<String>,
    body: Json<PermissionForm>,
) -> Answer<bool> {
    let note = body.0.note.trim();
    if !(1..=200).contains(&note.chars().count()) {
        return Err(ApiError::invalid("note", "A note has 1 to 200 characters."));
    }
    if !store::rename(&state.db, &key.0, note).await? {
        return Err(ApiError::not_found("permission"));
    }
    by.note(Deed::PermissionNamed, &[("permission", &key.0), ("note", &note)]);
    Ok(Reply(true))
}

async fn check(app: &App, by: &Allowed<Roles>, form: &RoleForm) -> Result<(), ApiError> {
    let letters = form.name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    if !(1..=30).contains(&form.name.len()) || !letters {
        return Err(ApiError::invalid("name", "The name of a role has 1 to 30 letters, digits, _ or -."));
    }
    if form.note.chars().count() > 200 {
        return Err(ApiError::invalid("note", "A note has at most 200 characters."));
    }
    for permission in &form.permissions {
        if !PERMISSIONS.iter().any(|(key, _)| key == permission) {
            return Err(ApiError::invalid("permissions", "There is no such permission."));
        }
        held(app, by, permission).await?;
    }
    Ok(())
}

/// Nobody gives or takes away what they do not hold.
async fn held(app: &App, by: &Allowed<Roles>, permission: &str) -> Result<(), ApiError> {
    if rights::holds(&app.db, &by.user, permission).await? {
        Ok(())
    } else {
        Err(ApiError::forbidden().param("permissions"))
    }
}
