//! Calls for the labels that somebody writes for themselves; nobody else sees them.

use axum::extract::State;
use quarry_labels::Source;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::CurrentUser;
use crate::db::list::{List, Page, Paged};
use crate::http::import::{self, Imported};
use crate::http::{Answer, ApiError, Failure, FileForm, Json, Query, Reply, Success, Upload};
use crate::labels::known::{self, COLUMNS, LabelForm, LabelRow};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(add)).routes(routes!(remove)).routes(routes!(upload))
}

/// Which labels.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LabelParams {
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
    /// Part of the label.
    pub label: Option<String>,
    /// Part of an address.
    pub address: Option<String>,
}

impl LabelParams {
    pub fn page(&self) -> Page {
        Page { page: self.page, size: self.size }
    }

    /// The labels of an owner, the newest first.
    pub fn list(&self, owner: i64) -> List {
        List::new(COLUMNS, "address_labels", "created_at desc, id desc")
            .number("owner_id", Some(owner))
            .contains("label", self.label.as_deref())
            .contains("address", self.address.as_deref())
    }
}

/// Which label.
#[derive(Debug, Deserialize, ToSchema)]
pub struct LabelTarget {
    pub id: i64,
}

/// The caller's own labels.
#[utoipa::path(get, path = "/api/label/own/list", tag = "label", operation_id = "ownLabels", params(LabelParams),
    security(("bearer" = [])),
    responses((status = 200, body = Success<Paged<LabelRow>>), (status = "default", body = Failure)))]
async fn list(state: State<App>, user: CurrentUser, query: Query<LabelParams>) -> Answer<Paged<LabelRow>> {
    Ok(Reply(query.0.list(user.id).page(&state.db, query.0.page()).await?))
}

/// Labels an address for the caller alone, in place of an equal label.
#[utoipa::path(post, path = "/api/label/own/add", tag = "label", operation_id = "addOwnLabel", request_body = LabelForm,
    security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn add(state: State<App>, user: CurrentUser, body: Json<LabelForm>) -> Answer<bool> {
    let form = known::checked(body.0).map_err(|(field, why)| ApiError::invalid(field, format!("{why}.")))?;
    known::write(&state, &user, user.id, Source::Hand, &[form]).await?;
    Ok(Reply(true))
}

/// Removes one of the caller's labels.
#[utoipa::path(post, path = "/api/label/own/remove", tag = "label", operation_id = "removeOwnLabel",
    request_body = LabelTarget, security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn remove(state: State<App>, user: CurrentUser, body: Json<LabelTarget>) -> Answer<bool> {
    match known::remove(&state, user.id, body.0.id).await? {
        true => Ok(Reply(true)),
        false => Err(ApiError::not_found("label")),
    }
}

/// Takes a CSV file with the columns `address,label,labelType,entity,note`: all rows, or none.
#[utoipa::path(post, path = "/api/label/own/import", tag = "label", operation_id = "importOwnLabels",
    request_body(content = FileForm, content_type = "multipart/form-data"), security(("bearer" = [])),
    responses((status = 200, body = Success<Imported>), (status = "default", body = Failure)))]
async fn upload(state: State<App>, user: CurrentUser, file: Upload<{ import::LARGEST }>) -> Answer<Imported> {
    let forms = forms(&file.bytes)?;
    known::write(&state, &user, user.id, Source::Csv, &forms).await?;
    Ok(Reply(Imported { rows: forms.len() }))
}

/// The labels of a file.
pub fn forms(bytes: &[u8]) -> Result<Vec<LabelForm>, ApiError> {
    let rows: Vec<LabelForm> = import::rows(bytes)?;
    let checked = |(row, form)| known::checked(form).map_err(|(_, why)| import::wrong(row, why));
    rows.into_iter().enumerate().map(checked).collect()
}
