//! Serves HTTP on a listener until it is asked to stop. It speaks HTTP/1.1, with or without TLS, and gives a client only so
//! long for the head of its first request: whoever sends one letter of it now and then would keep a connection for ever.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::{ConnectInfo, Request};
use axum::http::StatusCode;
use axum::http::header::{CONNECTION, HeaderValue};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::Service;

use super::ApiError;
use super::bounded::{Accepted, Bounded, Counted};
use super::places::Place;

/// How long a client may take.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// From the connection to the end of its first head, TLS included.
    pub first: Duration,
    /// From an answer to the end of the next head.
    pub between: Duration,
}

impl Default for Patience {
    /// Between two requests it is longer than proxies keep a connection that they do not use.
    fn default() -> Patience {
        Patience { first: Duration::from_secs(10), between: Duration::from_secs(90) }
    }
}

/// How long the last answer of a connection that makes room for another may take to be read.
const LAST_ANSWER: Duration = Duration::from_secs(10);

/// Bytes of the head of a request: a token, a filter and what browsers add are a tenth of it.
const HEAD_BYTES: usize = 64 * 1024;

/// What every connection of a listener needs.
#[derive(Clone)]
struct Serving {
    router: Router,
    tls: Option<TlsAcceptor>,
    patience: Patience,
    stop: CancellationToken,
}

/// Takes connections until `stop`, then waits for the answers that are under way.
pub async fn serve(
    mut listener: Bounded,
    router: Router,
    tls: Option<TlsAcceptor>,
    patience: Patience,
    stop: CancellationToken,
) {
    let serving = Serving { router, tls, patience, stop: stop.clone() };
    let tasks = TaskTracker::new();
    while let Some(accepted) = stop.run_until_cancelled(listener.accept()).await {
        let serving = serving.clone();
        tasks.spawn(async move {
            let place = accepted.place.clone();
            let late = async {
                tokio::time::sleep(serving.patience.first).await;
                if !place.is_unfinished() {
                    std::future::pending::<()>().await;
                }
            };
            // One with a request behind it ends by itself, after its last answer.
            let cut = async {
                place.cut().await;
                if !place.is_unfinished() {
                    std::future::pending::<()>().await;
                }
            };
            tokio::select! {
                () = serving.answer(accepted) => {}
                () = cut => {}
                () = late => {}
            }
        });
    }
    tasks.close();
    tasks.wait().await;
}

impl Serving {
    async fn answer(&self, accepted: Accepted) {
        let Accepted { stream, address, place } = accepted;
        let Some(tls) = &self.tls else {
            return self.speak(stream, address, place).await;
        };
        let shaken = self.stop.run_until_cancelled(tls.accept(stream)).await;
        match shaken {
            Some(Ok(stream)) => self.speak(stream, address, place).await,
            Some(Err(error)) => tracing::trace!(%error, %address, "a connection did not speak TLS"),
            None => {}
        }
    }

    async fn speak<S>(&self, stream: S, address: SocketAddr, place: Arc<Place>)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let (stream, own) = (Counted::new(stream, place.clone()), place.clone());
        let intake = stream.intake();
        let service = service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(address));
            request.extensions_mut().insert(intake.clone());
            let (mut router, place) = (self.router.clone(), place.clone());
            async move {
                // Whether the server lives is answered without a place, also when there is none.
                let is_probe = matches!(request.uri().path(), "/healthz" | "/readyz");
                if !is_probe && !place.begin() {
                    return Ok(full());
                }
                // A router is always ready.
                router.call(request).await.map(|response| until_sent(response, place))
            }
        });
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(self.patience.between).max_header_size(HEAD_BYTES);
        let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
        let mut connection = std::pin::pin!(connection);
        let ended = tokio::select! {
            ended = connection.as_mut() => ended,
            () = self.stop.cancelled() => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
            () = own.cut() => {
                connection.as_mut().graceful_shutdown();
                // A slow reader may not have the end of the last answer yet.
                match timeout(LAST_ANSWER, connection).await {
                    Ok(ended) => ended,
                    Err(_) => return,
                }
            }
        };
        // The client went, or said what is no HTTP.
        if let Err(error) = ended {
            tracing::trace!(%error, %address, "a connection ended");
        }
    }
}

/// The answer when every place is taken by a request under way.
fn full() -> Response {
    let mut response = ApiError::busy().into_response();
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

/// An answer whose connection rests when it is sent. One that becomes a websocket never does.
fn until_sent(response: Response, place: Arc<Place>) -> Response {
    if response.status() == StatusCode::SWITCHING_PROTOCOLS {
        return response;
    }
    response.map(|body| Body::new(Sent { body, place }))
}

/// The body of an answer, dropped when it is sent or given up.
struct Sent {
    body: Body,
    place: Arc<Place>,
}

impl HttpBody for Sent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Sent {
    fn drop(&mut self) {
        self.place.rest();
    }
}

#[cfg(test)]
mod tests;
