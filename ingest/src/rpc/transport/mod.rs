//! Transports for JSON-RPC: HTTP, WebSocket and Unix sockets. Each call is one attempt.

mod http;
mod ipc;
mod timeout;
mod ws;

use std::path::PathBuf;
use std::time::Duration;

use alloy::transports::http::reqwest::Url;

use super::byte_budget::ByteBudget;
use super::failure::Failure;
use http::Http;
use ipc::Ipc;
use ws::Ws;

/// A transport.
pub(super) enum Transport {
    Http(Http),
    Ws(Ws),
    Ipc(Ipc),
}

/// The messages of a subscription.
pub(super) enum Messages {
    Ws(Box<ws::Socket>),
    Ipc(Box<ipc::Connection>),
}

impl Transport {
    /// A transport for http, https, ws, wss and ipc; connects lazily.
    pub(super) fn new(url: Url, timeout: Duration) -> Result<Transport, String> {
        match url.scheme() {
            "http" | "https" => Http::new(url, timeout).map(Transport::Http),
            "ws" | "wss" => Ok(Transport::Ws(Ws::new(url, timeout))),
            "ipc" => {
                let path = socket_path(&url).ok_or("it names no path, as ipc:///run/node.ipc does")?;
                Ok(Transport::Ipc(Ipc::new(path, timeout)))
            }
            other => Err(format!("{other}:// is not one of http, https, ws, wss and ipc")),
        }
    }

    /// Sends a JSON text and returns the response within the size limit.
    pub(super) async fn send(&self, body: String, budget: &ByteBudget) -> Result<Vec<u8>, Failure> {
        match self {
            Transport::Http(http) => http.send(body, budget).await,
            Transport::Ws(ws) => ws.send(body, budget).await,
            Transport::Ipc(ipc) => ipc.send(body, budget).await,
        }
    }

    /// Subscribes over a dedicated connection; `None` over HTTP.
    pub(super) async fn subscribe(&self, body: String) -> Result<Option<Messages>, Failure> {
        match self {
            Transport::Http(_) => Ok(None),
            Transport::Ws(ws) => ws.subscribe(body).await.map(|socket| Some(Messages::Ws(Box::new(socket)))),
            Transport::Ipc(ipc) => ipc.subscribe(body).await.map(|stream| Some(Messages::Ipc(Box::new(stream)))),
        }
    }
}

/// The path of a Unix socket.
pub(super) fn socket_path(url: &Url) -> Option<PathBuf> {
    let path = url.as_str().strip_prefix("ipc:")?;
    Url::parse(&format!("file:{path}")).ok()?.to_file_path().ok()
}

impl Messages {
    /// Waits for the next message without a timeout.
    pub(super) async fn next(&mut self) -> Result<Vec<u8>, Failure> {
        match self {
            Messages::Ws(socket) => ws::receive(socket, &ByteBudget::default()).await,
            Messages::Ipc(connection) => connection.receive(&ByteBudget::default()).await,
        }
    }
}
