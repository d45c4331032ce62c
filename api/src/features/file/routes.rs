//! The call that makes a ticket for a file.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{Purpose, Ticket, TicketRequest};
use crate::app::{App, FileAccess};
use crate::auth::CurrentUser;
use crate::http::{Answer, ApiError, Failure, Json, Reply, Success};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(ticket))
}

/// Makes a ticket for one download; it works once, within 60 seconds, as `?ticket=` of the file's address.
#[utoipa::path(post, path = "/api/file/ticket", tag = "file", operation_id = "fileTicket", request_body = TicketRequest,
    security(("bearer" = [])),
    responses((status = 200, body = Success<Ticket>), (status = "default", body = Failure)))]
async fn ticket(state: State<App>, user: CurrentUser, body: Json<TicketRequest>) -> Answer<Ticket> {
    let Purpose::Download = body.0.purpose;
    let job = body.0.job_id.ok_or_else(|| ApiError::invalid("jobId", "Which job's result is meant?"))?;
    let row = state.jobs.find(&user, &job).await?;
    let access = FileAccess { session: user.session, job: row.id };
    Ok(Reply(Ticket { ticket: state.file_tickets.issue(access) }))
}
