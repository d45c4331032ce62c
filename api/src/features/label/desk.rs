//! Calls of the back office for the labels that everybody sees.

use axum::extract::State;
use quarry_labels::Source;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::own::{LabelParams, forms};
use crate::app::App;
use crate::auth::Allowed;
use crate::auth::deeds::Deed;
use crate::auth::rights::Labels;
use crate::db::list::Paged;
use crate::http::import::{self, Imported};
use crate::http::{Answer, ApiError, Failure, FileForm, Json, Path, Query, Reply, Success, Upload};
use crate::labels::known::{self, EVERYBODY, LabelForm, LabelRow};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(save)).routes(routes!(delete)).routes(routes!(upload))
}

/// The labels that everybody sees and somebody wrote.
#[utoipa::path(get, path = "/api/system/label/list", tag = "system", operation_id = "labels", params(LabelParams),
    security(("bearer" = [])),
    responses((status = 200, body = Success<Paged<LabelRow>>), (status = "default", body = Failure)))]
async fn list(state: State<App>, _by: Allowed<Labels>, query: Query<LabelParams>) -> Answer<Paged<LabelRow>> {
    Ok(Reply(query.0.list(EVERYBODY).page(&state.db, query.0.page()).await?))
}

/// Labels an address for everybody, in place of an equal label.
#[utoipa::path(put, path = "/api/system/label", tag = "system", operation_id = "saveLabel", request_body = LabelForm,
    security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn save(state: State<App>, by: Allowed<Labels>, body: Json<LabelForm>) -> Answer<bool> {
    let form = known::checked(body.0).map_err(|(field, why)| ApiError::invalid(field, format!("{why}.")))?;
    known::write(&state, &by.user, EVERYBODY, Source::Admin, std::slice::from_ref(&form)).await?;
    by.note(Deed::LabelSaved, &[("address", &form.address), ("label", &form.label)]);
    Ok(Reply(true))
}

/// Removes a label for everybody.
#[utoipa::path(delete, path = "/api/system/label/{id}", tag = "system", operation_id = "deleteLabel",
    params(("id" = i64, Path)), security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn delete(state: State<App>, by: Allowed<Labels>, id: Path<i64>) -> Answer<bool> {
    if !known::remove(&state, EVERYBODY, id.0).await? {
        return Err(ApiError::not_found("label"));
    }
    by.note(Deed::LabelRemoved, &[("id", &id.0)]);
    Ok(Reply(true))
}

/// Takes a CSV file with the columns `address,label,labelType,entity,note`, for everybody: all rows, or none.
#[utoipa::path(post, path = "/api/system/label/import", tag = "system", operation_id = "importLabels",
    request_body(content = FileForm, content_type = "multipart/form-data"), security(("bearer" = [])),
    responses((status = 200, body = Success<Imported>), (status = "default", body = Failure)))]
async fn upload(state: State<App>, by: Allowed<Labels>, file: Upload<{ import::LARGEST }>) -> Answer<Imported> {
    let forms = forms(&file.bytes)?;
    known::write(&state, &by.user, EVERYBODY, Source::Admin, &forms).await?;
    by.note(Deed::LabelsImported, &[("rows", &forms.len())]);
    Ok(Reply(Imported { rows: forms.len() }))
}
