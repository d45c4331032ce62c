//! Requests and subscriptions over a Unix socket such as `geth.ipc`.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;

use super::timeout::timed_out;
use crate::rpc::byte_budget::ByteBudget;
use crate::rpc::failure::{Failure, Remedy};

/// A pool of connections with one request at a time each, as over WebSocket.
pub(in crate::rpc) struct Ipc {
    path: PathBuf,
    timeout: Duration,
    idle: Mutex<Vec<Connection>>,
}

/// A connection and the bytes after the last complete message.
pub(in crate::rpc) struct Connection {
    stream: UnixStream,
    received: Vec<u8>,
}

impl Ipc {
    pub(super) fn new(path: PathBuf, timeout: Duration) -> Ipc {
        Ipc { path, timeout, idle: Mutex::default() }
    }

    pub(super) async fn send(&self, body: String, budget: &ByteBudget) -> Result<Vec<u8>, Failure> {
        match tokio::time::timeout(self.timeout, self.exchange(body, budget)).await {
            Ok(Ok((answer, connection))) => {
                self.idle().push(connection);
                Ok(answer)
            }
            // Only this connection has an unread response.
            Ok(Err(failure)) if failure.remedy == Remedy::TooLarge => Err(failure),
            // The others are probably broken too: the node restarted or is unreachable.
            Ok(Err(failure)) => {
                self.idle().clear();
                Err(failure)
            }
            Err(_) => {
                self.idle().clear();
                Err(timed_out(self.timeout))
            }
        }
    }

    /// A dedicated connection with a subscription.
    pub(super) async fn subscribe(&self, body: String) -> Result<Connection, Failure> {
        let mut connection = self.connect().await?;
        connection.write(&body).await?;
        Ok(connection)
    }

    async fn exchange(&self, body: String, budget: &ByteBudget) -> Result<(Vec<u8>, Connection), Failure> {
        let rested = self.idle().pop();
        let mut connection = match rested {
            Some(connection) => connection,
            None => self.connect().await?,
        };
        connection.write(&body).await?;
        let answer = connection.receive(budget).await?;
        Ok((answer, connection))
    }

    async fn connect(&self) -> Result<Connection, Failure> {
        let stream = UnixStream::connect(&self.path)
            .await
            .map_err(|error| Failure::new(Remedy::Unreachable, format!("can't be reached: {error}")))?;
        Ok(Connection { stream, received: Vec::new() })
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        // The list is consistent even if the lock is poisoned.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connection {
    async fn write(&mut self, body: &str) -> Result<(), Failure> {
        self.stream.write_all(body.as_bytes()).await.map_err(|error| broken(&error))
    }

    /// The next complete message within the size limit.
    pub(super) async fn receive(&mut self, budget: &ByteBudget) -> Result<Vec<u8>, Failure> {
        let mut end = JsonEnd::default();
        let mut looked_at = 0;
        loop {
            if let Some(length) = end.find(&self.received[looked_at..]) {
                let rest = self.received.split_off(looked_at + length);
                return Ok(std::mem::replace(&mut self.received, rest));
            }
            looked_at = self.received.len();
            if looked_at > budget.left() {
                return Err(budget.exceeded());
            }
            self.received.reserve(1 << 16);
            match self.stream.read_buf(&mut self.received).await {
                Ok(0) => return Err(Failure::new(Remedy::Unreachable, "closed the socket")),
                Ok(_) => {}
                Err(error) => return Err(broken(&error)),
            }
        }
    }
}

fn broken(error: &std::io::Error) -> Failure {
    Failure::new(Remedy::Unreachable, format!("broke the socket: {error}"))
}

/// Finds the end of a JSON object or array that arrives in chunks, as messages have no delimiter.
#[derive(Default)]
struct JsonEnd {
    depth: usize,
    in_text: bool,
    escaped: bool,
}

impl JsonEnd {
    /// Length up to the end, `None` if it is not in this chunk. Other values end with their line.
    fn find(&mut self, part: &[u8]) -> Option<usize> {
        for (at, &byte) in part.iter().enumerate() {
            if self.in_text {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => self.in_text = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => self.in_text = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(at + 1);
                    }
                }
                b'\n' if self.depth == 0 && !part[..at].trim_ascii().is_empty() => return Some(at + 1),
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_end_with_the_outermost_bracket() {
        let text = r#"{"a":"]}\"{","b":[{}]}{"next":1}"#;
        assert_eq!(JsonEnd::default().find(text.as_bytes()), Some(text.find("{\"next").unwrap()));
        for cut in 1..20 {
            let mut end = JsonEnd::default();
            let (before, after) = text.as_bytes().split_at(cut);
            assert_eq!(end.find(before), None);
            assert_eq!(end.find(after).map(|length| cut + length), Some(text.find("{\"next").unwrap()), "cut at {cut}");
        }
        assert_eq!(JsonEnd::default().find(b"\n [1, 2]\n"), Some(8));
        assert_eq!(JsonEnd::default().find(b"no JSON\nat all"), Some(8));
    }
}
