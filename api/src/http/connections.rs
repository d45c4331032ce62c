//! Serves HTTP on a listener until it is asked to stop. It speaks HTTP/1.1, and gives a client only so long for the head of a
//! request: whoever sends one letter of it now and then would keep a connection for ever, and there are only so many.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::serve::Listener;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::Service;

use super::bounded::{Bounded, Counted};

/// For the head of a request, and between two of them: longer than proxies keep a connection that they do not use.
pub const HEAD: Duration = Duration::from_secs(90);

/// Bytes of the head of a request: a token, a filter and what browsers add are a tenth of it.
const HEAD_BYTES: usize = 64 * 1024;

/// Takes connections until `stop`, then waits for the answers that are under way.
pub async fn serve(mut listener: Bounded, router: Router, head: Duration, stop: CancellationToken) {
    let tasks = TaskTracker::new();
    while let Some((stream, address)) = stop.run_until_cancelled(listener.accept()).await {
        tasks.spawn(answer(stream, address, router.clone(), head, stop.clone()));
    }
    tasks.close();
    tasks.wait().await;
}

async fn answer(stream: Counted, address: SocketAddr, router: Router, head: Duration, stop: CancellationToken) {
    let intake = stream.intake();
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(address));
        request.extensions_mut().insert(intake.clone());
        // A router is always ready.
        router.clone().call(request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(head).max_header_size(HEAD_BYTES);
    let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    // The client went, or said what is no HTTP.
    if let Err(error) = ended {
        tracing::trace!(%error, %address, "a connection ended");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::http::StatusCode;
    use axum::middleware::from_fn;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};
    use tokio::sync::Notify;
    use tokio::task::JoinSet;
    use tokio::time::timeout;

    use super::*;
    use crate::http::slow;

    const SOON: Duration = Duration::from_secs(20);

    #[tokio::test]
    async fn a_head_that_does_not_come_ends_the_connection() {
        let stop = CancellationToken::new();
        let router = Router::new().route(
            "/",
            axum::routing::get(|ConnectInfo(from): ConnectInfo<SocketAddr>| async move { from.ip().to_string() }),
        );
        let mut server = JoinSet::new();
        let mut addresses = Vec::new();
        for head in [HEAD, Duration::from_millis(300)] {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            addresses.push(listener.local_addr().unwrap());
            server.spawn(serve(Bounded::new(listener, 10), router.clone(), head, stop.clone()));
        }

        let mut whole = TcpStream::connect(addresses[0]).await.unwrap();
        whole.write_all(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await.unwrap();
        let mut answer = String::new();
        timeout(SOON, whole.read_to_string(&mut answer)).await.unwrap().unwrap();
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("127.0.0.1"), "{answer}");

        for begun in ["", "GET / HT", "GET / HTTP/1.1\r\nHost: a\r\nX-Slow: "] {
            let mut slow = TcpStream::connect(addresses[1]).await.unwrap();
            slow.write_all(begun.as_bytes()).await.unwrap();
            let mut rest = Vec::new();
            timeout(SOON, slow.read_to_end(&mut rest)).await.expect(begun).unwrap();
            assert!(!rest.starts_with(b"HTTP/1.1 200"), "{begun}");
        }

        stop.cancel();
        timeout(SOON, server.join_all()).await.unwrap();
    }

    #[tokio::test]
    async fn a_body_that_nobody_reads_does_not_end_the_connection() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, asked) = (CancellationToken::new(), Arc::new(Notify::new()));
        let refuse = axum::routing::post({
            let asked = asked.clone();
            async move || {
                asked.notify_one();
                StatusCode::UNAUTHORIZED
            }
        });
        let router = Router::new().route("/", refuse).layer(from_fn(slow::bound));
        let mut server = JoinSet::new();
        server.spawn(serve(Bounded::new(listener, 10), router, HEAD, stop.clone()));

        let mut client = TcpStream::connect(address).await.unwrap();
        // The head and the body come one after the other, as from many libraries; now and then the answer would be faster.
        for _ in 0..50 {
            client.write_all(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n").await.unwrap();
            asked.notified().await;
            client.write_all(b"hello").await.unwrap();
            let mut answer = Vec::new();
            while !answer.ends_with(b"\r\n\r\n") {
                let read = timeout(SOON, client.read_buf(&mut answer)).await.unwrap().unwrap();
                assert!(read > 0, "{}", String::from_utf8_lossy(&answer));
            }
            assert!(answer.starts_with(b"HTTP/1.1 401"), "{}", String::from_utf8_lossy(&answer));
        }

        drop(client);
        stop.cancel();
        timeout(SOON, server.join_all()).await.unwrap();
    }
}
