//! A listener that keeps only so many connections open (`places.rs`).

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

use super::intake::Intake;
use super::places::{Bounds, Place, Places};

/// Pause after a connection could not be accepted, for want of file handles, and none could be given up.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub struct Bounded {
    listener: TcpListener,
    places: Arc<Places>,
}

/// A new connection, of which nothing has been read.
#[derive(Debug)]
pub struct Accepted {
    pub stream: TcpStream,
    pub address: SocketAddr,
    pub place: Arc<Place>,
}

impl Bounded {
    pub fn new(listener: TcpListener, bounds: Bounds) -> Bounded {
        Bounded { listener, places: Places::new(bounds) }
    }

    pub async fn accept(&mut self) -> Accepted {
        loop {
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    if self.places.is_crowded(address.ip()) {
                        // Connections that came with a head are read first, and then are not among the unfinished.
                        tokio::task::yield_now().await;
                    }
                    // Small messages, one soon after the other, must not wait for the client's acknowledgement. A
                    // connection that ended meanwhile refuses this, and says so when it is read.
                    let _ = stream.set_nodelay(true);
                    let place = self.places.enter(address.ip());
                    return Accepted { stream, address, place };
                }
                // The client went before it was accepted.
                Err(error) if is_of_client(&error) => {}
                Err(error) => {
                    let given_up = self.places.give_up_one();
                    tracing::warn!(%error, given_up, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }
}

fn is_of_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

/// A connection whose bytes are counted, and that holds its place until it closes, after an upgrade too.
#[derive(Debug)]
pub struct Counted<S> {
    stream: S,
    intake: Intake,
    _place: Arc<Place>,
}

impl<S> Counted<S> {
    pub fn new(stream: S, place: Arc<Place>) -> Counted<S> {
        Counted { stream, intake: Intake::default(), _place: place }
    }

    /// What may still come over it.
    pub fn intake(&self) -> Intake {
        self.intake.clone()
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Counted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        let came = buffer.filled().len() - before;
        if came > 0 && !self.intake.take(came) {
            return Poll::Ready(Err(io::Error::other("more came than belongs to a message")));
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Counted<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
