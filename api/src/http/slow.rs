//! Bodies that come too slowly, and those that nobody reads. Somebody who sends a byte now and then would hold a connection,
//! and what was sent so far, for as long as they like. What a refused request still sends is read all the same: a connection
//! that ends under it loses its client the answer, or the next request.

use std::error::Error;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::EXPECT;
use axum::middleware::Next;
use axum::response::Response;
use bytes::Bytes;
use futures::{Stream, StreamExt, stream};
use tokio::time::{Instant, timeout_at};

use super::body::DRAIN_LIMIT;
use super::error::ApiError;

/// How slowly a body may come.
#[derive(Debug, Clone, Copy)]
struct Pace {
    /// Time that every body has.
    grace: Duration,
    /// For each of so many bytes there is a second more.
    per_second: u64,
}

/// A slow line on the road sends several times as many.
const PACE: Pace = Pace { grace: Duration::from_secs(30), per_second: 4 * 1024 };

impl Pace {
    /// The time that a body has of which so many bytes came.
    fn allows(self, seen: u64) -> Duration {
        self.grace + Duration::from_secs(seen / self.per_second)
    }
}

/// Lets no body come more slowly than a slow line sends, and reads what the handler left of it before the answer goes.
pub async fn bound(request: Request, next: Next) -> Response {
    if axum::body::HttpBody::is_end_stream(request.body()) {
        return next.run(request).await;
    }
    paced(request, PACE, |request| next.run(request)).await
}

/// The same at any pace, for whatever answers.
async fn paced<A: Future>(request: Request, pace: Pace, run: impl FnOnce(Request) -> A) -> A::Output {
    // Who waits to be asked for the body has not sent it.
    let waits = request.headers().contains_key(EXPECT);
    let (parts, body) = request.into_parts();
    let chunks: Chunks = Box::pin(in_time(body.into_data_stream(), pace));
    let shared = Shared(Arc::new(Mutex::new(chunks)));
    let response = run(Request::from_parts(parts, Body::from_stream(shared.clone()))).await;
    if !waits {
        shared.drain().await;
    }
    response
}

type Chunks = Pin<Box<dyn Stream<Item = Result<Bytes, io::Error>> + Send>>;

/// A body that a handler reads, and that is still there when it has answered.
#[derive(Clone)]
struct Shared(Arc<Mutex<Chunks>>);

impl Shared {
    async fn drain(mut self) {
        // Somebody may go on reading it beside the answer.
        if Arc::strong_count(&self.0) > 1 {
            return;
        }
        let mut seen = 0;
        while let Some(Ok(chunk)) = self.next().await {
            seen += chunk.len();
            if seen > DRAIN_LIMIT {
                return;
            }
        }
    }
}

impl Stream for Shared {
    type Item = Result<Bytes, io::Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        // A stream that panicked is not read on.
        self.0.lock().unwrap_or_else(PoisonError::into_inner).as_mut().poll_next(context)
    }
}

/// Ends with an error as soon as less came than should have.
fn in_time<E>(
    chunks: impl Stream<Item = Result<Bytes, E>> + Send + 'static,
    pace: Pace,
) -> impl Stream<Item = Result<Bytes, io::Error>> + Send + 'static
where
    E: Into<Box<dyn Error + Send + Sync>> + Send,
{
    let begin = Instant::now();
    stream::try_unfold((Box::pin(chunks), 0), move |(mut chunks, seen)| async move {
        let Ok(chunk) = timeout_at(begin + pace.allows(seen), chunks.next()).await else {
            return Err(io::ErrorKind::TimedOut.into());
        };
        let Some(chunk) = chunk.transpose().map_err(io::Error::other)? else { return Ok(None) };
        let seen = seen + chunk.len() as u64;
        Ok(Some((chunk, (chunks, seen))))
    })
}

/// The answer to a body that could not be read to its end.
pub(super) fn unread(error: &(dyn Error + 'static)) -> ApiError {
    let mut causes = std::iter::successors(Some(error), |&error| error.source());
    let slow = |error: &&(dyn Error + 'static)| {
        error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::TimedOut)
    };
    if causes.any(|error| slow(&error)) {
        return ApiError::new(StatusCode::REQUEST_TIMEOUT, "request_too_slow", "The request came too slowly.");
    }
    let msg = "The request ended before its body was complete.";
    ApiError::new(StatusCode::BAD_REQUEST, "invalid_request", msg)
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::routing::post;
    use tokio::time::timeout;
    use tokio_util::task::TaskTracker;
    use tower::ServiceExt;

    use super::*;

    #[tokio::test]
    async fn a_body_that_stops_in_the_middle_is_cut_off() {
        let pace = Pace { grace: Duration::from_millis(50), per_second: 1024 };
        let begun = stream::iter([Ok::<_, io::Error>(Bytes::from_static(b"x"))]).chain(stream::pending());
        let chunks: Vec<_> = in_time(begun, pace).collect().await;
        assert_eq!(chunks[0].as_ref().unwrap(), "x");
        let error = chunks[1].as_ref().unwrap_err();
        assert_eq!((chunks.len(), error.kind()), (2, io::ErrorKind::TimedOut));
        let told = unread(&axum::Error::new(io::Error::from(error.kind())));
        assert_eq!((told.status, &*told.code), (StatusCode::REQUEST_TIMEOUT, "request_too_slow"));
        assert_eq!(unread(&axum::Error::new(io::Error::other("reset"))).code, "invalid_request");
    }

    fn request(body: Body) -> Request {
        Request::builder().method("POST").body(body).unwrap()
    }

    #[tokio::test]
    async fn a_refused_client_that_never_sends_the_rest_is_answered() {
        let pace = Pace { grace: Duration::from_millis(50), per_second: 1024 };
        let begun = stream::iter([Ok::<_, io::Error>(Bytes::from_static(b"x"))]).chain(stream::pending());
        let refuse = Router::new().route("/", post(async || StatusCode::UNAUTHORIZED));
        let asked = paced(request(Body::from_stream(begun)), pace, |request| refuse.oneshot(request));
        let answer = timeout(Duration::from_secs(20), asked).await.unwrap().unwrap();
        assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    }

    #[tokio::test]
    async fn who_reads_beside_the_answer_gets_all_of_the_body() {
        let (sender, read) = tokio::sync::oneshot::channel();
        let sender = Arc::new(Mutex::new(Some(sender)));
        let readers = TaskTracker::new();
        let started = readers.clone();
        let begin = async move |body: Body| {
            let sender = sender.lock().unwrap().take().unwrap();
            started.spawn(async move { sender.send(axum::body::to_bytes(body, 100).await) });
            StatusCode::ACCEPTED
        };
        let chunks = stream::iter(["a", "b", "c"].map(|chunk| Ok::<_, io::Error>(Bytes::from(chunk))));
        let router = Router::new().route("/", post(begin)).layer(axum::middleware::from_fn(bound));
        let answer = router.oneshot(request(Body::from_stream(chunks))).await.unwrap();
        assert_eq!(answer.status(), StatusCode::ACCEPTED);
        assert_eq!(read.await.unwrap().unwrap(), "abc");
        readers.close();
        readers.wait().await;
    }

    #[test]
    fn what_came_earns_time() {
        assert_eq!(PACE.allows(0), PACE.grace);
        assert_eq!(PACE.allows(64 * 1024), PACE.grace + Duration::from_secs(16));
        // A letter now and then earns none.
        assert_eq!(PACE.allows(1_000), PACE.grace);
    }
}
