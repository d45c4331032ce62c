//! Calls for what was sent.

use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Allowed;
use crate::auth::rights::MessageRecords;
use crate::db::list::{Page, Paged};
use crate::http::{Answer, ApiError, Failure, Query, Reply, Success};
use crate::sending::Channel;
use crate::sending::records::{self, Filter, SentMessage};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(mails)).routes(routes!(messages))
}

/// Which messages.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SentParams {
    /// Counted from 1.
    page: Option<i64>,
    /// 1 to 100; 20 when left out.
    size: Option<i64>,
    /// Part of the address or number.
    target: Option<String>,
    /// `sent` or `failed`.
    state: Option<String>,
    /// At or after this moment, in milliseconds since 1970.
    from: Option<i64>,
    /// Before this moment.
    to: Option<i64>,
}

/// Mails, newest first.
#[utoipa::path(get, path = "/api/system/message-record/mail", tag = "system", operation_id = "sentMails",
    params(SentParams), security(("bearer" = [])),
    responses((status = 200, body = Success<Paged<SentMessage>>), (status = "default", body = Failure)))]
async fn mails(
    state: State<App>,
    _by: Allowed<MessageRecords>,
    query: Query<SentParams>,
) -> Answer<Paged<SentMessage>> {
    Ok(Reply(list(&state, Channel::Mail, &query.0).await?))
}

/// Text messages, newest first.
#[utoipa::path(get, path = "/api/system/message-record/message", tag = "system", operation_id = "sentMessages",
    params(SentParams), security(("bearer" = [])),
    responses((status = 200, body = Success<Paged<SentMessage>>), (status = "default", body = Failure)))]
async fn messages(
    state: State<App>,
    _by: Allowed<MessageRecords>,
    query: Query<SentParams>,
) -> Answer<Paged<SentMessage>> {
    Ok(Reply(list(&state, Channel::Text, &query.0).await?))
}

async fn list(app: &App, channel: Channel, params: &SentParams) -> Result<Paged<SentMessage>, ApiError> {
    let filter = Filter {
        channel,
        target: params.target.as_deref(),
        state: params.state.as_deref(),
        from: params.from,
        to: params.to,
    };
    Ok(records::list(&app.db, &filter, Page { page: params.page, size: params.size }).await?)
}
