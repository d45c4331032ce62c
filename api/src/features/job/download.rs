//! The whole result of a job as a file, streamed from where it is stored.

use axum::body::Body;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use quarry_runtime::results::Format;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{DownloadFormat, DownloadParams};
use super::routes::finished;
use crate::app::{App, FileAccess, FileUse};
use crate::auth::CurrentUser;
use crate::http::{ApiError, Failure, Path, Query};
use crate::jobs::result;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(download))
}

/// The whole result of a job that succeeded, as a file. Takes a ticket of `POST /api/file/ticket` in place of the header.
#[utoipa::path(get, path = "/api/job/{jobId}/download", tag = "job", operation_id = "downloadResult",
    params(("jobId" = String, Path), DownloadParams), security(("bearer" = []), ()),
    responses((status = 200, description = "The file.", content((String = "text/csv"), (serde_json::Value = "application/json"),
            (String = "application/vnd.apache.parquet"), (String = "application/vnd.apache.arrow.file"),
            (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        (status = "default", body = Failure)))]
async fn download(
    state: State<App>,
    id: Path<String>,
    query: Query<DownloadParams>,
    request: Request,
) -> Result<Response, ApiError> {
    let (app, params) = (state.0, query.0);
    let user = match params.ticket {
        Some(ticket) => by_ticket(&app, &ticket, &id.0).await?,
        None => CurrentUser::from_request_parts(&mut request.into_parts().0, &app).await?,
    };
    let going = app.limits.exports.begin(user.budget).ok_or_else(ApiError::too_many_exports)?;
    let (format, ending, media) = format(params.format);
    let row = app.jobs.find(&user, &id.0).await?;
    finished(&app.jobs.view(&row).await)?;
    let stored = result::whole(&app.db, &app.engine, Some(user.id), &row.id).await?;
    let name = format!("attachment; filename=\"quarry-{}-{}-rows.{ending}\"", id.0, stored.total());
    let name = HeaderValue::try_from(name).map_err(ApiError::internal)?;
    let file = app.engine.export(&user.budget.to_string(), &stored, format)?;
    let file = file.map(move |piece| {
        // It counts for as long as somebody reads it.
        let _going = &going;
        piece
    });
    let headers = [(header::CONTENT_TYPE, HeaderValue::from_static(media)), (header::CONTENT_DISPOSITION, name)];
    // Compressing asks once more after the end.
    Ok((headers, Body::from_stream(file.fuse())).into_response())
}

async fn by_ticket(app: &App, ticket: &str, job: &str) -> Result<CurrentUser, ApiError> {
    let access = app.file_tickets.take(ticket).ok_or_else(ApiError::unauthenticated)?;
    let FileAccess { session, to } = access;
    if to != FileUse::Result(job.to_string()) {
        return Err(ApiError::unauthenticated());
    }
    CurrentUser::of_session(app, &session).await
}

fn format(format: DownloadFormat) -> (Format, &'static str, &'static str) {
    match format {
        DownloadFormat::Csv => (Format::Csv, "csv", "text/csv; charset=utf-8"),
        DownloadFormat::Json => (Format::Json, "json", "application/json"),
        DownloadFormat::Parquet => (Format::Parquet, "parquet", "application/vnd.apache.parquet"),
        DownloadFormat::Arrow => (Format::Arrow, "arrow", "application/vnd.apache.arrow.file"),
        DownloadFormat::Xlsx => {
            (Format::Xlsx, "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
        }
    }
}
