//! The call that decodes.

use std::collections::BTreeSet;

use axum::extract::State;
use quarry_engine::raw_transaction::RawTransaction;
use quarry_functions::decoder::{DecodeLimit, Signatures};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{
    CallView, CheckedRequest, DecodeAnswer, DecodeRequest, DecodedTransaction, LogView, TransactionView,
};
use super::store;
use crate::app::App;
use crate::auth::CurrentUser;
use crate::http::{Answer, ApiError, Failure, Json, Reply, Success};
use crate::ws::message::{DecoderState, ServerMessage};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(decode))
}

/// Decodes the calls and logs of transactions of the lake by their hashes, or one call or one log given by hand. Each
/// transaction is also told to the caller's websockets as `decoder.state` as soon as it is done.
#[utoipa::path(post, path = "/api/decoder/decode", tag = "decoder", operation_id = "decode",
    request_body = DecodeRequest, security(("bearer" = [])),
    responses((status = 200, body = Success<DecodeAnswer>), (status = "default", body = Failure)))]
async fn decode(state: State<App>, user: CurrentUser, body: Json<DecodeRequest>) -> Answer<DecodeAnswer> {
    let CheckedRequest { hashes, input, log, request_id } = body.0.check()?;
    let shipped = Signatures::shipped();
    let mut answer = DecodeAnswer::default();
    // One limit for the whole request.
    let mut limit = DecodeLimit::default();
    if let Some(input) = input {
        let added = store::known(&state.db, user.id, &selector(&input)).await?;
        let shipped = shipped.clone();
        answer.call = Some(
            decode_blocking(&mut limit, move |limit| CallView::decode(&input, false, &[&added, &shipped], limit))
                .await?,
        );
    }
    if let Some((topics, data)) = log {
        let first: Vec<String> = topics.iter().take(1).map(hash).collect();
        let added = store::known(&state.db, user.id, &first).await?;
        let shipped = shipped.clone();
        answer.log = Some(
            decode_blocking(&mut limit, move |limit| LogView::decode(&topics, &data, &[&added, &shipped], limit))
                .await?,
        );
    }
    for wanted in hashes {
        let found = state.engine.transaction(wanted).await?;
        answer.count += usize::from(found.is_some());
        let decoded_result = match found {
            Some(found) => {
                let added = store::known(&state.db, user.id, &hashes_in(&found)).await?;
                let shipped = shipped.clone();
                let view = move |limit: &mut DecodeLimit| TransactionView::decode(&found, &[&added, &shipped], limit);
                Some(decode_blocking(&mut limit, view).await?)
            }
            None => None,
        };
        let decoded = DecodedTransaction { hash: hash(&wanted), decoded_result };
        state.hub.send(
            user.id,
            ServerMessage::Decoder(DecoderState {
                request_id: request_id.clone(),
                hash: decoded.hash.clone(),
                decoded_result: serde_json::to_value(&decoded.decoded_result).unwrap_or_default(),
                count: answer.count,
            }),
        );
        answer.transactions.push(decoded);
    }
    Ok(Reply(answer))
}

/// Decodes on a thread for blocking work.
async fn decode_blocking<T: Send + 'static>(
    limit: &mut DecodeLimit,
    decode: impl FnOnce(&mut DecodeLimit) -> T + Send + 'static,
) -> Result<T, ApiError> {
    let mut left = *limit;
    let decoded = tokio::task::spawn_blocking(move || (decode(&mut left), left));
    let (view, left) = decoded.await.map_err(ApiError::internal)?;
    *limit = left;
    Ok(view)
}

fn hash(bytes: &[u8; 32]) -> String {
    format!("0x{}", hex::encode(bytes))
}

fn selector(input: &[u8]) -> Vec<String> {
    input.get(..4).map(|selector| format!("0x{}", hex::encode(selector))).into_iter().collect()
}

/// Selector and first topics of a transaction.
fn hashes_in(transaction: &RawTransaction) -> Vec<String> {
    let topics = transaction.logs.iter().filter_map(|log| log.topics.first()).map(|topic| hash(&topic.0));
    topics.chain(selector(&transaction.input)).collect::<BTreeSet<_>>().into_iter().collect()
}
