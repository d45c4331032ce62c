//! Calls for what dapps are.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{Dapp, DappForm, DappParams};
use crate::app::App;
use crate::auth::deeds::Deed;
use crate::auth::rights::Dapps;
use crate::auth::{Allowed, rules};
use crate::db::Db;
use crate::db::list::{List, Page, Paged};
use crate::http::import::{self, Imported};
use crate::http::{Answer, ApiError, Failure, FileForm, Json, Path, Query, Reply, Success, Upload};
use crate::labels::registry::{self, DappType};
use crate::time::now_ms;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(save)).routes(routes!(delete)).routes(routes!(upload))
}

/// Dapps by name.
#[utoipa::path(get, path = "/api/system/dapp/info/list", tag = "system", operation_id = "dapps", params(DappParams),
    security(("bearer" = [])),
    responses((status = 200, body = Success<Paged<Dapp>>), (status = "default", body = Failure)))]
async fn list(state: State<App>, _by: Allowed<Dapps>, query: Query<DappParams>) -> Answer<Paged<Dapp>> {
    let params = query.0;
    let list = List::new(
        "name, dapp_type, website, note, updated_at,
         (select count(*) from dapp_addresses where dapp_name = dapps.name) as addresses",
        "dapps",
        "name",
    )
    .contains("name", params.name.as_deref())
    .text("dapp_type", params.dapp_type.map(DappType::name))
    .among("name", "select dapp_name from dapp_addresses where address", params.address.as_deref());
    Ok(Reply(list.page(&state.db, Page { page: params.page, size: params.size }).await?))
}

/// Makes a dapp, or replaces the one of this name.
#[utoipa::path(put, path = "/api/system/dapp/info", tag = "system", operation_id = "saveDapp", request_body = DappForm,
    security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn save(state: State<App>, by: Allowed<Dapps>, body: Json<DappForm>) -> Answer<bool> {
    let form = body.0;
    check(&form).map_err(|(field, why)| ApiError::invalid(field, format!("{why}.")))?;
    write(&state.db, std::slice::from_ref(&form)).await?;
    registry::copy(&state).await?;
    by.note(Deed::DappSaved, &[("dapp", &form.name)]);
    Ok(Reply(true))
}

/// Removes a dapp; its addresses stay until they are removed too.
#[utoipa::path(delete, path = "/api/system/dapp/info/{name}", tag = "system", operation_id = "deleteDapp",
    params(("name" = String, Path)), security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn delete(state: State<App>, by: Allowed<Dapps>, name: Path<String>) -> Answer<bool> {
    let removed = sqlx::query("delete from dapps where name = $1").bind(&name.0).execute(state.db.pool()).await?;
    if removed.rows_affected() == 0 {
        return Err(ApiError::not_found("dapp"));
    }
    registry::copy(&state).await?;
    by.note(Deed::DappRemoved, &[("dapp", &name.0)]);
    Ok(Reply(true))
}

/// Takes a CSV file with the columns `name,dappType,website,note`: all rows, or none.
#[utoipa::path(post, path = "/api/system/dapp/info/import", tag = "system", operation_id = "importDapps",
    request_body(content = FileForm, content_type = "multipart/form-data"), security(("bearer" = [])),
    responses((status = 200, body = Success<Imported>), (status = "default", body = Failure)))]
async fn upload(state: State<App>, by: Allowed<Dapps>, file: Upload<{ import::LARGEST }>) -> Answer<Imported> {
    let forms: Vec<DappForm> = import::rows(&file.bytes)?;
    for (row, form) in forms.iter().enumerate() {
        check(form).map_err(|(_, why)| import::wrong(row, why))?;
    }
    write(&state.db, &forms).await?;
    registry::copy(&state).await?;
    by.note(Deed::DappsImported, &[("rows", &forms.len())]);
    Ok(Reply(Imported { rows: forms.len() }))
}

/// Field and reason.
fn check(form: &DappForm) -> Result<(), (&'static str, &'static str)> {
    let length = form.name.chars().count();
    if length > 50 || form.name.trim() != form.name || !rules::one_line(&form.name) {
        return Err(("name", "A dapp's name has 1 to 50 characters on one line and no space around it"));
    }
    let link = form.website.starts_with("http://") || form.website.starts_with("https://");
    if !(form.website.is_empty() || link) || form.website.len() > 500 || !rules::plain(&form.website) {
        return Err(("website", "A website starts with http:// or https://"));
    }
    if form.note.chars().count() > 1_000 {
        return Err(("note", "A note has at most 1,000 characters"));
    }
    Ok(())
}

async fn write(db: &Db, forms: &[DappForm]) -> Result<(), sqlx::Error> {
    let first = db.next_ids("dapps", i64::try_from(forms.len()).unwrap_or(i64::MAX)).await?;
    let now = now_ms();
    let mut transaction = db.begin().await?;
    for (id, form) in (first..).zip(forms) {
        sqlx::query(
            "insert into dapps (id, name, dapp_type, website, note, updated_at) values ($1, $2, $3, $4, $5, $6)
             on conflict (name) do update set dapp_type = $3, website = $4, note = $5, updated_at = $6",
        )
        .bind(id)
        .bind(&form.name)
        .bind(form.dapp_type.name())
        .bind(&form.website)
        .bind(&form.note)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
    }
    transaction.commit().await
}
