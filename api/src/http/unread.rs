//! Limits the memory of large responses that clients have not read yet. Together they get a share of the query memory, and a client
//! that reads nothing for a minute is disconnected. Without this, clients that request large pages and never read them could fill
//! the memory.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::ApiError;
use crate::app::App;

/// Smaller responses are not counted; the number of connections bounds them.
const LARGE: usize = 1 << 20;
/// Bytes passed to a connection at a time.
const PIECE: usize = 256 << 10;
/// How long a client may take for one piece.
const SLOWEST_PIECE: Duration = Duration::from_secs(60);
/// Unread responses may take 1/8 of the query memory.
const SHARE: usize = 8;

/// Memory left for unread responses, in KiB.
#[derive(Debug, Clone)]
pub struct Unread {
    free: Arc<Semaphore>,
    all: usize,
}

impl Unread {
    /// `memory` is the memory limit of queries in bytes.
    pub fn new(memory: usize) -> Unread {
        let all = (memory / SHARE / 1024).clamp(1, Semaphore::MAX_PERMITS);
        Unread { free: Arc::new(Semaphore::new(all)), all }
    }

    /// Reserves memory for a response, or `None` if too little is left. A single response of any size is always allowed.
    fn take(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        let wanted = u32::try_from(bytes.div_ceil(1024).min(self.all)).unwrap_or(u32::MAX);
        self.free.clone().try_acquire_many_owned(wanted).ok()
    }
}

/// Counts a large response until its client has read it, or responds with 503 if too much is unread.
pub async fn bound(app: State<App>, request: Request, next: Next) -> Response {
    let is_call = request.uri().path().starts_with("/api/");
    let response = next.run(request).await;
    let whole = response.body().size_hint().exact().and_then(|bytes| usize::try_from(bytes).ok());
    match whole {
        Some(bytes) if is_call && bytes > LARGE => {
            let Some(room) = app.limits.unread.take(bytes) else { return ApiError::busy().into_response() };
            let (parts, body) = response.into_parts();
            // The body is a single buffer, so this does not copy.
            match axum::body::to_bytes(body, bytes).await {
                Ok(bytes) => {
                    let (to, body) = in_pieces(bytes.len());
                    app.tasks.spawn(hand_over(bytes, to, SLOWEST_PIECE, room));
                    Response::from_parts(parts, body)
                }
                Err(error) => ApiError::internal(error).into_response(),
            }
        }
        _ => response,
    }
}

/// Sends a response to its connection in pieces, and drops the rest if one takes too long.
async fn hand_over(mut answer: Bytes, to: Sender<Bytes>, slowest: Duration, _room: OwnedSemaphorePermit) {
    while !answer.is_empty() {
        let piece = answer.split_to(PIECE.min(answer.len()));
        if to.send_timeout(piece, slowest).await.is_err() {
            return;
        }
    }
}

fn in_pieces(bytes: usize) -> (Sender<Bytes>, Body) {
    let (to, pieces) = channel(1);
    (to, Body::new(Pieces { pieces, left: bytes as u64 }))
}

struct Pieces {
    pieces: Receiver<Bytes>,
    left: u64,
}

impl HttpBody for Pieces {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        self.pieces.poll_recv(context).map(|piece| match piece {
            Some(piece) => {
                self.left -= piece.len() as u64;
                Some(Ok(Frame::data(piece)))
            }
            None => {
                self.left = 0;
                Some(Err(io::ErrorKind::TimedOut.into()))
            }
        })
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;

    #[tokio::test]
    async fn what_is_read_makes_room() {
        let unread = Unread::new(8 * (3 << 20));
        let (first, second) = (unread.take(2 << 20).unwrap(), unread.take(1 << 20).unwrap());
        assert!(unread.take(1).is_none());
        let (to, body) = in_pieces(1_000_000);
        let answer = Bytes::from(vec![b'x'; 1_000_000]);
        let (read, ()) = tokio::join!(to_bytes(body, usize::MAX), hand_over(answer.clone(), to, SLOWEST_PIECE, first));
        assert_eq!(read.unwrap(), answer);
        assert!(unread.take(2 << 20).is_some());
        drop(second);
        assert!(unread.take(usize::MAX).is_some(), "one alone has room, however large");
    }

    #[tokio::test]
    async fn a_client_that_reads_nothing_loses_its_answer_and_sees_an_error() {
        let unread = Unread::new(8 << 20);
        let room = unread.take(1 << 20).unwrap();
        let (to, body) = in_pieces(4 * PIECE);
        hand_over(Bytes::from(vec![b'x'; 4 * PIECE]), to, Duration::from_millis(10), room).await;
        assert!(unread.take(1 << 20).is_some());
        assert_eq!(HttpBody::size_hint(&body).exact(), Some(4 * PIECE as u64), "the length that was promised");
        assert!(to_bytes(body, usize::MAX).await.is_err());
    }
}
