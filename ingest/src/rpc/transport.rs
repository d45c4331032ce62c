//! Carries a request to the node and its answer back, over HTTP or websocket. One call, one try.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use alloy::transports::Authorization;
use alloy::transports::http::reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use alloy::transports::http::reqwest::{self, Url};
use futures::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error as WsError, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use super::failure::{Failure, Remedy};

/// Largest answer taken, in bytes: far above what a few blocks need, so a node can't fill the memory.
const LARGEST_ANSWER: usize = 1 << 29;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A way to the node.
pub(super) enum Transport {
    Http(Http),
    Ws(Ws),
}

impl Transport {
    /// For http, https, ws and wss; nothing is connected yet.
    pub(super) fn new(url: Url, timeout: Duration) -> Result<Transport, String> {
        match url.scheme() {
            "http" | "https" => Http::new(url, timeout).map(Transport::Http),
            "ws" | "wss" => Ok(Transport::Ws(Ws { url, timeout, idle: Mutex::default() })),
            other => Err(format!("{other}:// is not one of http, https, ws and wss")),
        }
    }

    /// Sends one JSON text and waits for the answer's.
    pub(super) async fn send(&self, body: String) -> Result<Vec<u8>, Failure> {
        match self {
            Transport::Http(http) => http.send(body).await,
            Transport::Ws(ws) => ws.send(body).await,
        }
    }
}

pub(super) struct Http {
    client: reqwest::Client,
    url: Url,
    timeout: Duration,
}

impl Http {
    fn new(url: Url, timeout: Duration) -> Result<Http, String> {
        let client = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIMEOUT.min(timeout))
            .timeout(timeout)
            .tcp_nodelay(true)
            .user_agent(concat!("quarry/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| format!("no HTTP client can be made: {error}"))?;
        Ok(Http { client, url, timeout })
    }

    async fn send(&self, body: String) -> Result<Vec<u8>, Failure> {
        let request = self.client.post(self.url.clone()).header(CONTENT_TYPE, "application/json").body(body);
        let mut response = request.send().await.map_err(|error| self.failure(error))?;
        let retry_after = response.headers().get(RETRY_AFTER).and_then(seconds);
        let mut answer = Vec::with_capacity(response.content_length().unwrap_or(0).min(LARGEST_ANSWER as u64) as usize);
        while let Some(chunk) = response.chunk().await.map_err(|error| self.failure(error))? {
            if answer.len() + chunk.len() > LARGEST_ANSWER {
                return Err(too_large());
            }
            answer.extend_from_slice(&chunk);
        }
        match response.status() {
            status if status.is_success() => Ok(answer),
            status => Err(Failure::status(status.as_u16(), retry_after, &answer)),
        }
    }

    fn failure(&self, error: reqwest::Error) -> Failure {
        if error.is_timeout() && !error.is_connect() {
            return timed_out(self.timeout);
        }
        let verb = if error.is_connect() { "can't be reached" } else { "broke off" };
        Failure::new(Remedy::Away, format!("{verb}: {}", root_cause(&error)))
    }
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Several sockets, each with one request under way: an answer needs no matching, and nodes that work through a socket
/// one request after the other still work on as many as there are sockets.
pub(super) struct Ws {
    url: Url,
    timeout: Duration,
    idle: Mutex<Vec<Socket>>,
}

impl Ws {
    async fn send(&self, body: String) -> Result<Vec<u8>, Failure> {
        // A socket that fails, times out or is dropped half-way never comes back to the others.
        match tokio::time::timeout(self.timeout, self.exchange(body)).await {
            Ok(Ok((answer, socket))) => {
                self.sockets().push(socket);
                Ok(answer)
            }
            Ok(Err(failure)) => {
                // The others are most likely broken too: the node restarted.
                self.sockets().clear();
                Err(failure)
            }
            Err(_) => Err(timed_out(self.timeout)),
        }
    }

    async fn exchange(&self, body: String) -> Result<(Vec<u8>, Socket), Failure> {
        let rested = self.sockets().pop();
        let mut socket = match rested {
            Some(socket) => socket,
            None => self.connect().await?,
        };
        socket.send(Message::text(body)).await.map_err(broken)?;
        loop {
            match socket.next().await {
                Some(Ok(Message::Text(text))) => return Ok((text.as_bytes().to_vec(), socket)),
                Some(Ok(Message::Binary(bytes))) => return Ok((bytes.to_vec(), socket)),
                Some(Ok(Message::Close(_))) | None => {
                    return Err(Failure::new(Remedy::Away, "closed the websocket"));
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(broken(error)),
            }
        }
    }

    async fn connect(&self) -> Result<Socket, Failure> {
        let unusable = |error: &dyn std::fmt::Display| Failure::new(Remedy::Nothing, format!("can't be used: {error}"));
        let mut request = self.url.as_str().into_client_request().map_err(|error| unusable(&error))?;
        if let Some(authorization) = Authorization::extract_from_url(&self.url) {
            let value = HeaderValue::from_str(&authorization.to_string()).map_err(|error| unusable(&error))?;
            request.headers_mut().insert(AUTHORIZATION, value);
        }
        let config =
            WebSocketConfig::default().max_message_size(Some(LARGEST_ANSWER)).max_frame_size(Some(LARGEST_ANSWER));
        let connecting = connect_async_with_config(request, Some(config), true);
        match tokio::time::timeout(CONNECT_TIMEOUT, connecting).await {
            Ok(Ok((socket, _))) => Ok(socket),
            Ok(Err(WsError::Http(response))) => {
                let after = response.headers().get(RETRY_AFTER).and_then(seconds);
                let body = response.body().as_deref().unwrap_or_default();
                Err(Failure::status(response.status().as_u16(), after, body))
            }
            Ok(Err(WsError::Io(error))) => Err(Failure::new(Remedy::Away, format!("can't be reached: {error}"))),
            Ok(Err(error)) => Err(Failure::new(Remedy::Nothing, format!("does not speak websocket: {error}"))),
            Err(_) => Err(timed_out(CONNECT_TIMEOUT)),
        }
    }

    fn sockets(&self) -> std::sync::MutexGuard<'_, Vec<Socket>> {
        // A list of sockets is whole after any panic elsewhere.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn broken(error: WsError) -> Failure {
    match error {
        WsError::Capacity(_) => too_large(),
        error => Failure::new(Remedy::Away, format!("broke the websocket: {error}")),
    }
}

fn too_large() -> Failure {
    Failure::new(Remedy::AskLess, format!("answers with over {} MiB at once", LARGEST_ANSWER >> 20))
}

fn timed_out(timeout: Duration) -> Failure {
    Failure::new(Remedy::Slow, format!("does not answer within {} s", timeout.as_secs_f32()))
}

fn seconds(value: &HeaderValue) -> Option<Duration> {
    value.to_str().ok()?.trim().parse().ok().map(Duration::from_secs)
}

/// The innermost reason, without the address (which may hold a key).
fn root_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
