//! The configured Ethereum node, reached for users: reads only, few at a time, and none of its secrets in any answer.

mod methods;

use std::time::Duration;

use anyhow::Context;
use axum::http::StatusCode;
use bytes::{Bytes, BytesMut};
use reqwest::header::CONTENT_TYPE;
use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use serde_json::Value;

use crate::http::ApiError;

pub use methods::ALLOWED;

/// Calls of one batch.
const MOST_CALLS: usize = 20;
/// Longest wait for the node.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Bytes of an answer.
const LARGEST: usize = 10 << 20;

/// Where the node is and how one signs in.
#[derive(Clone, Default)]
pub struct NodeOptions {
    /// `http://…` or `https://…`; none without it.
    pub url: Option<String>,
    pub user: Option<String>,
    pub password: Option<String>,
}

impl std::fmt::Debug for NodeOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NodeOptions").field("is_set", &self.url.is_some()).finish_non_exhaustive()
    }
}

/// The node, if there is one.
#[derive(Default)]
pub struct ChainNode {
    target: Option<Target>,
}

struct Target {
    client: Client,
    url: Url,
    user: Option<(String, Option<String>)>,
}

impl ChainNode {
    pub fn new(options: &NodeOptions) -> anyhow::Result<ChainNode> {
        let Some(url) = options.url.as_deref() else { return Ok(ChainNode::default()) };
        let url: Url = url.parse().context("the setting node_url must be an address")?;
        anyhow::ensure!(matches!(url.scheme(), "http" | "https"), "the setting node_url must be http:// or https://");
        // A node that sends us elsewhere must not learn who we are there.
        let client = Client::builder().timeout(TIMEOUT).redirect(Policy::none()).build()?;
        let user = options.user.clone().map(|user| (user, options.password.clone()));
        Ok(ChainNode { target: Some(Target { client, url, user }) })
    }

    /// Passes a JSON-RPC request on and its answer back.
    ///
    /// # Errors
    /// `node_not_configured`, `method_refused`, `invalid_input`, `node_unreachable`, `too_large`.
    pub async fn forward(&self, request: &Value) -> Result<Bytes, ApiError> {
        check(request)?;
        let Some(target) = &self.target else {
            let msg = "No node is configured here, so nothing can be asked of one.";
            return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "node_not_configured", msg));
        };
        let mut post = target.client.post(target.url.clone()).header(CONTENT_TYPE, "application/json");
        if let Some((user, password)) = &target.user {
            post = post.basic_auth(user, password.as_deref());
        }
        let mut answer = post.body(request.to_string()).send().await.map_err(unreachable)?;
        // A status of its own may come with a JSON-RPC error, which is the caller's to read; a page of a proxy is not.
        let is_json =
            answer.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
        if answer.status().is_redirection() || !is_json {
            let msg = format!("The node answered {} and no JSON.", answer.status().as_u16());
            return Err(ApiError::new(StatusCode::BAD_GATEWAY, "node_unreachable", msg));
        }
        let mut body = BytesMut::new();
        while let Some(chunk) = answer.chunk().await.map_err(unreachable)? {
            if body.len() + chunk.len() > LARGEST {
                let msg = "The node's answer has more than 10 MB; ask for less at once.";
                return Err(ApiError::new(StatusCode::BAD_GATEWAY, "too_large", msg));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body.freeze())
    }
}

/// The address of the node may hold a key, so failures are told without it.
fn unreachable(error: reqwest::Error) -> ApiError {
    let (status, msg) = match error.is_timeout() {
        true => (StatusCode::GATEWAY_TIMEOUT, "The node did not answer in time."),
        false => (StatusCode::BAD_GATEWAY, "The node can't be reached."),
    };
    tracing::warn!(error = %error.without_url(), "a request to the node failed");
    ApiError::new(status, "node_unreachable", msg)
}

/// Only reads, and not too many.
fn check(request: &Value) -> Result<(), ApiError> {
    let invalid = |msg: String| Err(ApiError::new(StatusCode::BAD_REQUEST, "invalid_input", msg));
    let calls = match request {
        Value::Array(calls) if calls.is_empty() || calls.len() > MOST_CALLS => {
            return invalid(format!("A batch has 1 to {MOST_CALLS} calls."));
        }
        Value::Array(calls) => calls.as_slice(),
        call => std::slice::from_ref(call),
    };
    for call in calls {
        let Some(method) = call["method"].as_str() else {
            return invalid("A call is an object with jsonrpc, id, method and params.".to_string());
        };
        if !ALLOWED.contains(&method) {
            let name: String = method.chars().take(60).collect();
            let msg = format!("The method {name} is not passed on: only those that read the chain are.");
            return Err(ApiError::new(StatusCode::FORBIDDEN, "method_refused", msg).param("method"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn code(request: &Value) -> String {
        check(request).map_or_else(|error| error.code.to_string(), |()| "good".to_string())
    }

    #[test]
    fn only_reads_are_passed_on() {
        let call = |method: &str| json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": []});
        assert_eq!(code(&call("eth_blockNumber")), "good");
        for method in
            ["eth_sendRawTransaction", "eth_sign", "personal_unlockAccount", "admin_addPeer", "debug_traceCall", ""]
        {
            assert_eq!(code(&call(method)), "method_refused", "{method}");
        }
        assert_eq!(code(&json!([call("eth_call"), call("miner_start")])), "method_refused");
        assert_eq!(code(&json!([call("eth_call"), call("eth_getLogs")])), "good");
        for bad in [json!([]), json!("eth_call"), json!({"method": 1}), json!(vec![call("eth_call"); 21]), json!([[]])]
        {
            assert_eq!(code(&bad), "invalid_input", "{bad}");
        }
    }

    #[tokio::test]
    async fn without_a_node_the_answer_says_so() {
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "eth_blockNumber", "params": []});
        assert_eq!(ChainNode::default().forward(&call).await.unwrap_err().code, "node_not_configured");
    }
}
