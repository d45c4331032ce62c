//! The call that reaches the configured node.

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::CurrentUser;
use crate::http::{ApiError, Failure, Json};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(rpc))
}

/// Passes a JSON-RPC call, or a batch of at most 20, on to the configured node: methods that read the chain only. The answer
/// is the node's own, bare; what this server refuses is in the envelope.
#[utoipa::path(post, path = "/api/chain/rpc", tag = "chain", operation_id = "chainRpc",
    request_body(content = Value, description = "A JSON-RPC 2.0 request, or a list of them."),
    security(("bearer" = [])),
    responses((status = 200, body = Value, description = "What the node answered."),
        (status = "default", body = Failure)))]
async fn rpc(state: State<App>, user: CurrentUser, body: Json<Value>) -> Result<Response, ApiError> {
    state.limits.node_calls.take(user.budget).map_err(ApiError::too_many)?;
    let answer = state.node.forward(&body.0).await?;
    Ok(([(CONTENT_TYPE, "application/json")], answer).into_response())
}
