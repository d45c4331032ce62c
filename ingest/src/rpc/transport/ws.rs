//! Requests and subscriptions over WebSocket.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use alloy::transports::Authorization;
use alloy::transports::http::reqwest::Url;
use alloy::transports::http::reqwest::header::{AUTHORIZATION, HeaderValue, RETRY_AFTER};
use futures::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error as WsError, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use super::timeout::{CONNECT_TIMEOUT, seconds, timed_out};
use crate::rpc::byte_budget::ByteBudget;
use crate::rpc::failure::{Failure, Remedy};

pub(in crate::rpc) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A pool of connections with one request at a time each: responses need no matching, and nodes that serve a connection
/// sequentially still work on several requests.
pub(in crate::rpc) struct Ws {
    url: Url,
    timeout: Duration,
    idle: Mutex<Vec<Socket>>,
}

impl Ws {
    pub(super) fn new(url: Url, timeout: Duration) -> Ws {
        Ws { url, timeout, idle: Mutex::default() }
    }

    /// A dedicated connection with a subscription.
    pub(super) async fn subscribe(&self, body: String) -> Result<Socket, Failure> {
        let budget = ByteBudget::default();
        let mut socket = self.connect(&budget).await?;
        socket.send(Message::text(body)).await.map_err(|error| broken(error, &budget))?;
        Ok(socket)
    }

    pub(super) async fn send(&self, body: String, budget: &ByteBudget) -> Result<Vec<u8>, Failure> {
        // A connection that failed, timed out or was dropped during a request is not returned to the pool.
        match tokio::time::timeout(self.timeout, self.exchange(body, budget)).await {
            Ok(Ok((answer, socket))) => {
                self.sockets().push(socket);
                Ok(answer)
            }
            // Only this connection has an unread response.
            Ok(Err(failure)) if failure.remedy == Remedy::TooLarge => Err(failure),
            // The others are probably broken too: the node restarted or is unreachable.
            Ok(Err(failure)) => {
                self.sockets().clear();
                Err(failure)
            }
            Err(_) => {
                self.sockets().clear();
                Err(timed_out(self.timeout))
            }
        }
    }

    async fn exchange(&self, body: String, budget: &ByteBudget) -> Result<(Vec<u8>, Socket), Failure> {
        let mut socket = match self.rested(budget) {
            Some(socket) => socket,
            None => self.connect(budget).await?,
        };
        socket.send(Message::text(body)).await.map_err(|error| broken(error, budget))?;
        let answer = receive(&mut socket, budget).await?;
        Ok((answer, socket))
    }

    /// A connection for responses of this size, which is fixed when it is opened.
    fn rested(&self, budget: &ByteBudget) -> Option<Socket> {
        let mut sockets = self.sockets();
        let place = sockets.iter().rposition(|socket| socket.get_config().max_message_size == Some(budget.most()))?;
        Some(sockets.swap_remove(place))
    }

    async fn connect(&self, budget: &ByteBudget) -> Result<Socket, Failure> {
        let unusable = |error: &dyn std::fmt::Display| Failure::new(Remedy::Nothing, format!("can't be used: {error}"));
        let mut request = self.url.as_str().into_client_request().map_err(|error| unusable(&error))?;
        if let Some(authorization) = Authorization::extract_from_url(&self.url) {
            let value = HeaderValue::from_str(&authorization.to_string()).map_err(|error| unusable(&error))?;
            request.headers_mut().insert(AUTHORIZATION, value);
        }
        let most = Some(budget.most());
        let config = WebSocketConfig::default().max_message_size(most).max_frame_size(most);
        let connecting = connect_async_with_config(request, Some(config), true);
        match tokio::time::timeout(CONNECT_TIMEOUT, connecting).await {
            Ok(Ok((socket, _))) => Ok(socket),
            Ok(Err(WsError::Http(response))) => {
                let after = response.headers().get(RETRY_AFTER).and_then(seconds);
                let body = response.body().as_deref().unwrap_or_default();
                Err(Failure::status(response.status().as_u16(), after, body))
            }
            Ok(Err(error)) if is_closed(&error) => {
                Err(Failure::new(Remedy::Unreachable, format!("can't be reached: {error}")))
            }
            Ok(Err(error)) => Err(Failure::new(Remedy::Nothing, format!("does not speak websocket: {error}"))),
            Err(_) => Err(timed_out(CONNECT_TIMEOUT)),
        }
    }

    fn sockets(&self) -> std::sync::MutexGuard<'_, Vec<Socket>> {
        // The list is consistent even if the lock is poisoned.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The next message.
pub(super) async fn receive(socket: &mut Socket, budget: &ByteBudget) -> Result<Vec<u8>, Failure> {
    loop {
        match socket.next().await {
            Some(Ok(message @ (Message::Text(_) | Message::Binary(_)))) => return Ok(message.into_data().into()),
            Some(Ok(Message::Close(_))) | None => {
                return Err(Failure::new(Remedy::Unreachable, "closed the websocket"));
            }
            Some(Ok(_)) => {}
            Some(Err(error)) => return Err(broken(error, budget)),
        }
    }
}

/// Whether the connection was closed during the handshake, as by a node that starts or stops.
fn is_closed(error: &WsError) -> bool {
    use ProtocolError::{HandshakeIncomplete, ResetWithoutClosingHandshake};
    matches!(
        error,
        WsError::Io(_)
            | WsError::ConnectionClosed
            | WsError::AlreadyClosed
            | WsError::Protocol(HandshakeIncomplete | ResetWithoutClosingHandshake)
    )
}

fn broken(error: WsError, budget: &ByteBudget) -> Failure {
    match error {
        WsError::Capacity(_) => budget.exceeded(),
        error => Failure::new(Remedy::Unreachable, format!("broke the websocket: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn connection_closed_during_handshake_is_unreachable() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("ws://{}", listener.local_addr().expect("an address"));
        let ws = Ws::new(Url::parse(&url).expect("a URL"), Duration::from_secs(5));
        let budget = ByteBudget::default();
        let closing = async {
            let (mut stream, _) = listener.accept().await.expect("a connection");
            // Unread data would reset the connection.
            stream.read(&mut [0; 4096]).await.expect("a request")
        };
        let (answer, _) = tokio::join!(ws.send("{}".to_string(), &budget), closing);
        assert_eq!(answer.expect_err("it was closed").remedy, Remedy::Unreachable);
    }
}
