use std::sync::Arc;

use axum::http::StatusCode;
use axum::middleware::from_fn;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::*;
use crate::http::places::Bounds;
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
    let short = Duration::from_millis(300);
    for patience in [Patience::default(), Patience { first: short, between: short }] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        addresses.push(listener.local_addr().unwrap());
        server.spawn(serve(Bounded::new(listener, Bounds::of(10)), router.clone(), None, patience, stop.clone()));
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
    server.spawn(serve(Bounded::new(listener, Bounds::of(10)), router, None, Patience::default(), stop.clone()));

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

/// Reads one answer of an open connection.
async fn answer(client: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    while !answer.ends_with(b"ok") {
        let read = timeout(SOON, client.read_buf(&mut answer)).await.unwrap().unwrap();
        assert!(read > 0, "{}", String::from_utf8_lossy(&answer));
    }
    String::from_utf8(answer).unwrap()
}

const GET: &[u8] = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n";

#[tokio::test]
async fn unfinished_heads_from_many_addresses_keep_nobody_out() {
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let stop = CancellationToken::new();
    let router = Router::new().route("/", axum::routing::get(async || "ok"));
    let bounds = Bounds { most: 20, unfinished: 40, of_one: 4 };
    let mut server = JoinSet::new();
    server.spawn(serve(Bounded::new(listener, bounds), router, None, Patience::default(), stop.clone()));

    let from = async |last: u8| {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::from(([127, 0, 1, last], 0))).unwrap();
        timeout(SOON, socket.connect(SocketAddr::from(([127, 0, 0, 1], port)))).await.unwrap().unwrap()
    };
    // One that was answered, and waits for its next request.
    let mut kept = from(250).await;
    kept.write_all(GET).await.unwrap();
    answer(&mut kept).await;
    let mut open = Vec::new();
    for round in 0..10 {
        for last in 1..=20 {
            let mut slow = from(last).await;
            // One that was cut already refuses this.
            let _ = slow.write_all(b"GET / HTTP/1.1\r\nX-Slow: ").await;
            open.push(slow);
        }
        // Somebody else, and somebody at an address of the attack.
        for last in [251, 1] {
            let mut whole = from(last).await;
            whole.write_all(GET).await.unwrap();
            assert!(answer(&mut whole).await.starts_with("HTTP/1.1 200"), "{round}");
        }
    }
    kept.write_all(GET).await.unwrap();
    assert!(answer(&mut kept).await.starts_with("HTTP/1.1 200"), "it kept its place");

    drop(open);
    drop(kept);
    stop.cancel();
    timeout(SOON, server.join_all()).await.unwrap();
}

#[tokio::test]
async fn a_connection_between_requests_makes_room_and_has_longer() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    let router = Router::new().route("/", axum::routing::get(async || "ok"));
    let bounds = Bounds { most: 1, unfinished: 4, of_one: 4 };
    let patience = Patience { first: Duration::from_millis(300), between: SOON };
    let mut server = JoinSet::new();
    server.spawn(serve(Bounded::new(listener, bounds), router, None, patience, stop.clone()));

    let mut first = TcpStream::connect(address).await.unwrap();
    first.write_all(GET).await.unwrap();
    answer(&mut first).await;
    // This one is cut for want of a head; the first one, of the same age, is not.
    let mut silent = TcpStream::connect(address).await.unwrap();
    assert_eq!(timeout(SOON, silent.read(&mut [0; 8])).await.unwrap().unwrap(), 0);
    first.write_all(GET).await.unwrap();
    answer(&mut first).await;
    // The only place goes to whoever has a request.
    let mut second = TcpStream::connect(address).await.unwrap();
    second.write_all(GET).await.unwrap();
    answer(&mut second).await;
    assert_eq!(timeout(SOON, first.read(&mut [0; 8])).await.unwrap().unwrap(), 0);

    drop(second);
    stop.cancel();
    timeout(SOON, server.join_all()).await.unwrap();
}

#[tokio::test]
async fn https_is_answered_and_a_handshake_that_does_not_come_ends_the_connection() {
    use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
    use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, pem::PemObject};
    use tokio_rustls::rustls::{ClientConfig, RootCertStore};

    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("own.pem");
    let acceptor = crate::tls::self_made(&file).unwrap().acceptor(&["http/1.1"]).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    let router = Router::new().route("/", axum::routing::get(async || "ok"));
    let patience = Patience { first: Duration::from_secs(2), between: SOON };
    let mut server = JoinSet::new();
    let bounded = Bounded::new(listener, Bounds::of(10));
    server.spawn(serve(bounded, router, Some(acceptor), patience, stop.clone()));

    let mut silent = TcpStream::connect(address).await.unwrap();
    silent.write_all(&[0x16, 3, 1]).await.unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(&file).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let connector = tokio_rustls::TlsConnector::from(Arc::new(config));
    let plain = TcpStream::connect(address).await.unwrap();
    let mut client = connector.connect(ServerName::try_from("localhost").unwrap(), plain).await.unwrap();
    client.write_all(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await.unwrap();
    let mut answer = String::new();
    timeout(SOON, client.read_to_string(&mut answer)).await.unwrap().unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("ok"), "{answer}");
    let ended = timeout(SOON, silent.read(&mut [0; 8])).await.unwrap();
    assert!(matches!(ended, Ok(0) | Err(_)), "{ended:?}");

    stop.cancel();
    timeout(SOON, server.join_all()).await.unwrap();
}
