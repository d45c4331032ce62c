//! Carries a request to the node and its answer back, over HTTP, a websocket or a socket of this machine. One call, one
//! try.

mod http;
mod ipc;
mod timeout;
mod ws;

use std::path::PathBuf;
use std::time::Duration;

use alloy::transports::http::reqwest::Url;

use super::allowance::Allowance;
use super::failure::Failure;
use http::Http;
use ipc::Ipc;
use ws::Ws;

/// A way to the node.
pub(super) enum Transport {
    Http(Http),
    Ws(Ws),
    Ipc(Ipc),
}

/// Messages that a node sends by itself.
pub(super) enum Messages {
    Ws(Box<ws::Socket>),
    Ipc(Box<ipc::Connection>),
}

impl Transport {
    /// For http, https, ws, wss and ipc; nothing is connected yet.
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

    /// Sends one JSON text and waits for the answer's, which may be as large as is allowed.
    pub(super) async fn send(&self, body: String, allowance: &Allowance) -> Result<Vec<u8>, Failure> {
        match self {
            Transport::Http(http) => http.send(body, allowance).await,
            Transport::Ws(ws) => ws.send(body, allowance).await,
            Transport::Ipc(ipc) => ipc.send(body, allowance).await,
        }
    }

    /// Opens a connection of its own, asks for what is to come, and hands on the messages; `None` over HTTP.
    pub(super) async fn subscribe(&self, body: String) -> Result<Option<Messages>, Failure> {
        match self {
            Transport::Http(_) => Ok(None),
            Transport::Ws(ws) => ws.subscribe(body).await.map(|socket| Some(Messages::Ws(Box::new(socket)))),
            Transport::Ipc(ipc) => ipc.subscribe(body).await.map(|stream| Some(Messages::Ipc(Box::new(stream)))),
        }
    }
}

/// The path of a socket of this machine.
pub(super) fn socket_path(url: &Url) -> Option<PathBuf> {
    let path = url.as_str().strip_prefix("ipc:")?;
    Url::parse(&format!("file:{path}")).ok()?.to_file_path().ok()
}

impl Messages {
    /// The next one; waits as long as it takes.
    pub(super) async fn next(&mut self) -> Result<Vec<u8>, Failure> {
        match self {
            Messages::Ws(socket) => ws::receive(socket, &Allowance::default()).await,
            Messages::Ipc(connection) => connection.receive(&Allowance::default()).await,
        }
    }
}
