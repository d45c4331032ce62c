//! A table from an uploaded file. The file is written aside while it arrives, never held in memory.

use std::path::Path;

use axum::extract::multipart::{Field, Multipart, MultipartError, MultipartRejection};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use quarry_runtime::user_tables::{UploadFormat, WriteMode};
use tempfile::NamedTempFile;
use tokio::io::AsyncWriteExt;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{UploadForm, UserTableView};
use crate::app::App;
use crate::auth::CurrentUser;
use crate::auth::at_once::Turn;
use crate::http::{Answer, ApiError, Failure, Reply, Success};
use crate::jobs::shares::{self, schema_of};

/// Characters that a field beside the file may have.
const FIELD_LIMIT: usize = 200;

pub(super) fn routes() -> OpenApiRouter<App> {
    // The size is bounded by the setting, which is counted while the file arrives.
    OpenApiRouter::new().routes(routes!(upload)).layer(DefaultBodyLimit::disable())
}

/// A file that is there, until its table is made: that goes on when the client goes.
struct Arrived {
    file: NamedTempFile,
    _turn: Turn,
}

impl AsRef<Path> for Arrived {
    fn as_ref(&self) -> &Path {
        self.file.path()
    }
}

/// Makes a table of a CSV or Parquet file; the types of a CSV file's columns follow from its values.
#[utoipa::path(post, path = "/api/table/upload", tag = "table", operation_id = "uploadTable",
    request_body(content = UploadForm, content_type = "multipart/form-data"), security(("bearer" = [])),
    responses((status = 200, body = Success<UserTableView>), (status = "default", body = Failure)))]
async fn upload(
    state: State<App>,
    user: CurrentUser,
    form: Result<Multipart, MultipartRejection>,
) -> Answer<UserTableView> {
    let arriving = state.limits.tables.begin(user.budget).ok_or_else(ApiError::too_many_uploads)?;
    let mut form = form.map_err(|_| {
        ApiError::new(StatusCode::BAD_REQUEST, "invalid_request", "The request is no form with a file.")
    })?;
    let (mut table, mut mode, mut file) = (String::new(), WriteMode::Create, None);
    while let Some(field) = form.next_field().await.map_err(broken)? {
        match field.name().unwrap_or_default() {
            "table" => table = short(field, "table").await?,
            "mode" => mode = parse_mode(&short(field, "mode").await?)?,
            "file" => {
                let format = format(field.file_name().unwrap_or_default())?;
                file = Some((format, receive(field, state.engine.config().table_upload_limit).await?));
            }
            _ => {}
        }
    }
    // The file may come before its table's name.
    let (format, file) = file.ok_or_else(|| ApiError::invalid("file", "There is no file in the form."))?;
    let schema = schema_of(&user.name);
    // One after another: what the first takes of the account's space is counted before the second begins to write.
    let turn = arriving.turn().await;
    let file = Arrived { file, _turn: turn };
    let made = state.engine.upload(&user.budget.to_string(), &schema, &table, file, format, mode).await?;
    let readers = shares::readers(&state.db, user.id, &made.name, made.created).await?;
    Ok(Reply(UserTableView::new(made, readers)))
}

/// The text of a field, read no further than one may be long.
async fn short(mut field: Field<'_>, param: &'static str) -> Result<String, ApiError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(broken)? {
        if bytes.len() + chunk.len() > FIELD_LIMIT {
            return Err(ApiError::invalid(param, format!("This field has at most {FIELD_LIMIT} characters.")));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(String::from_utf8_lossy(&bytes).trim().to_string())
}

fn parse_mode(text: &str) -> Result<WriteMode, ApiError> {
    match text {
        "create" | "" => Ok(WriteMode::Create),
        "replace" => Ok(WriteMode::Replace),
        "append" => Ok(WriteMode::Append),
        _ => Err(ApiError::invalid("mode", "The mode is create, replace or append.")),
    }
}

fn format(file_name: &str) -> Result<UploadFormat, ApiError> {
    let name = file_name.to_lowercase();
    match name.rsplit_once('.').map(|(_, end)| end) {
        Some("csv") => Ok(UploadFormat::Csv),
        Some("parquet") => Ok(UploadFormat::Parquet),
        _ => Err(ApiError::invalid("file", "The name of the file ends with .csv or .parquet.")),
    }
}

/// Writes a file aside as it arrives; it goes when the value is dropped.
async fn receive(mut field: Field<'_>, limit: u64) -> Result<NamedTempFile, ApiError> {
    let aside = NamedTempFile::new().map_err(ApiError::internal)?;
    let mut file = tokio::fs::File::from_std(aside.reopen().map_err(ApiError::internal)?);
    let mut seen = 0;
    while let Some(chunk) = field.chunk().await.map_err(broken)? {
        seen += chunk.len() as u64;
        if seen > limit {
            let msg = format!("The file is larger than {} MB.", limit / 1_000_000);
            return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", msg).param("file"));
        }
        file.write_all(&chunk).await.map_err(ApiError::internal)?;
    }
    file.flush().await.map_err(ApiError::internal)?;
    Ok(aside)
}

fn broken(error: MultipartError) -> ApiError {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", "The file is too large.").param("file");
    }
    let msg = "The form can't be read: it is cut off or its parts are not divided as its header says.";
    ApiError::new(StatusCode::BAD_REQUEST, "invalid_request", msg)
}
