//! Calls for which addresses belong to which dapp.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{AddressForm, DappAddress, DappParams};
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

/// Addresses of dapps.
#[utoipa::path(get, path = "/api/system/dapp/reflect/list", tag = "system", operation_id = "dappAddresses",
    params(DappParams), security(("bearer" = [])),
    responses((status = 200, body = Success<Paged<DappAddress>>), (status = "default", body = Failure)))]
async fn list(state: State<App>, _by: Allowed<Dapps>, query: Query<DappParams>) -> Answer<Paged<DappAddress>> {
    let params = query.0;
    let list = List::new("address, dapp_name, note, updated_at", "dapp_addresses", "dapp_name, address")
        .contains("dapp_name", params.name.as_deref())
        .contains("address", params.address.as_deref())
        .found("dapp_name", "select name from dapps where dapp_type", params.dapp_type.map(DappType::name));
    Ok(Reply(list.page(&state.db, Page { page: params.page, size: params.size }).await?))
}

/// Says that an address belongs to a dapp, in place of what was said before.
#[utoipa::path(put, path = "/api/system/dapp/reflect", tag = "system", operation_id = "saveDappAddress",
    request_body = AddressForm, security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn save(state: State<App>, by: Allowed<Dapps>, body: Json<AddressForm>) -> Answer<bool> {
    let form = checked(body.0).map_err(|(field, why)| ApiError::invalid(field, format!("{why}.")))?;
    write(&state.db, std::slice::from_ref(&form)).await?;
    registry::copy(&state).await?;
    by.note(Deed::DappAddressSaved, &[("address", &form.address), ("dapp", &form.dapp_name)]);
    Ok(Reply(true))
}

/// Removes an address.
#[utoipa::path(delete, path = "/api/system/dapp/reflect/{address}", tag = "system", operation_id = "deleteDappAddress",
    params(("address" = String, Path)), security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn delete(state: State<App>, by: Allowed<Dapps>, address: Path<String>) -> Answer<bool> {
    let removed = sqlx::query("delete from dapp_addresses where address = $1")
        .bind(address.0.to_lowercase())
        .execute(state.db.pool())
        .await?;
    if removed.rows_affected() == 0 {
        return Err(ApiError::not_found("address"));
    }
    registry::copy(&state).await?;
    by.note(Deed::DappAddressRemoved, &[("address", &address.0)]);
    Ok(Reply(true))
}

/// Takes a CSV file with the columns `address,dappName,note`: all rows, or none.
#[utoipa::path(post, path = "/api/system/dapp/reflect/import", tag = "system", operation_id = "importDappAddresses",
    request_body(content = FileForm, content_type = "multipart/form-data"), security(("bearer" = [])),
    responses((status = 200, body = Success<Imported>), (status = "default", body = Failure)))]
async fn upload(state: State<App>, by: Allowed<Dapps>, file: Upload<{ import::LARGEST }>) -> Answer<Imported> {
    let rows: Vec<AddressForm> = import::rows(&file.bytes)?;
    let mut forms = Vec::with_capacity(rows.len());
    for (row, form) in rows.into_iter().enumerate() {
        forms.push(checked(form).map_err(|(_, why)| import::wrong(row, why))?);
    }
    write(&state.db, &forms).await?;
    registry::copy(&state).await?;
    by.note(Deed::DappAddressesImported, &[("rows", &forms.len())]);
    Ok(Reply(Imported { rows: forms.len() }))
}

/// The form with its address in lower case, or field and reason.
fn checked(mut form: AddressForm) -> Result<AddressForm, (&'static str, &'static str)> {
    form.address = form.address.to_lowercase();
    let digits = form.address.strip_prefix("0x").unwrap_or_default();
    if digits.len() != 40 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(("address", "An address is 0x and 40 hexadecimal digits"));
    }
    let name = &form.dapp_name;
    if name.chars().count() > 50 || name.trim() != name || !rules::one_line(name) {
        return Err(("dappName", "A dapp's name has 1 to 50 characters on one line and no space around it"));
    }
    if form.note.chars().count() > 200 {
        return Err(("note", "A note has at most 200 characters"));
    }
    Ok(form)
}

async fn write(db: &Db, forms: &[AddressForm]) -> Result<(), sqlx::Error> {
    let now = now_ms();
    let mut transaction = db.begin().await?;
    for form in forms {
        sqlx::query(
            "insert into dapp_addresses (address, dapp_name, note, updated_at) values ($1, $2, $3, $4)
             on conflict (address) do update set dapp_name = $2, note = $3, updated_at = $4",
        )
        .bind(&form.address)
        .bind(&form.dapp_name)
        .bind(&form.note)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
    }
    transaction.commit().await
}
