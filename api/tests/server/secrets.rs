//! What must not get out: into the log, into an answer, to another site.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::http::{Method, header};
use serde_json::{Value, json};
use tracing_subscriber::filter::LevelFilter;

use crate::harness::{PASSWORD, Server, png, request, secret, text};

/// What was logged.
#[derive(Debug, Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn no_secret_is_written_to_the_log() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE).with_ansi(false);
    tracing::subscriber::set_global_default(subscriber.with_writer(move || writer.clone()).finish()).unwrap();
    let server = Server::start().await;
    let token = server.register("ada").await;
    server.login("ada", "a-wrong-guess").await.failure(401, "wrong_login");
    let second = text(&server.login("ada", PASSWORD).await.data()["token"]);
    let path = text(&server.upload("/api/file/upload/feedback", Some(&token), "a.png", &png(8, 8)).await.data());
    let asked = json!({"purpose": "download", "path": path});
    let ticket = text(&server.post("/api/file/ticket", Some(&token), asked).await.data()["ticket"]);
    let socket = text(&server.post("/api/ws/ticket", Some(&token), Value::Null).await.data()["ticket"]);
    for asked in [format!("ticket={ticket}"), format!("token={second}")] {
        assert_eq!(server.get(&format!("/api/file/download?path={path}&{asked}"), None).await.status, 200);
    }
    let key = text(&server.post("/api/user/api-key/create", Some(&token), json!({"name": "x"})).await.data()["key"]);
    server.get(&format!("/api/v1/metrics/fees/gas-used-total?api_key={key}"), None).await;
    server.get("/api/v1/metrics/fees/gas-used-total?api_key=qk_a-wrong-guess", None).await;
    server.get(&format!("/api/user/info?token={token}"), Some("a-wrong-guess")).await;
    let change = json!({"current": PASSWORD, "password": "new_s3cret", "repeat": "new_s3cret"});
    server.post("/api/user/password/reset", Some(&token), change).await.data();
    sqlx::query("drop table feedback").execute(server.app.db.pool()).await.unwrap();
    let admin = server.admin("root").await;
    server.get("/api/system/feedback/list", Some(&admin)).await.failure(500, "internal_error");
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("path=\"/api/file/download\"") && log.contains("feedback"), "something is logged: {log}");
    let mine = secret(server.home.path());
    for secret in
        [PASSWORD, "new_s3cret", "a-wrong-guess", &token, &second, &ticket, &socket, &key, &admin, mine.as_str()]
    {
        let line = log.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "a secret is in the log");
    }
}

#[tokio::test]
async fn a_failure_of_ours_says_nothing_of_our_inside() {
    let server = Server::start().await;
    let (admin, ada) = (server.admin("root").await, server.register("ada").await);
    for table in ["feedback", "route_events", "drafts"] {
        sqlx::query(sqlx::AssertSqlSafe(format!("drop table {table}"))).execute(server.app.db.pool()).await.unwrap();
    }
    let home = server.home.path().to_str().unwrap();
    for (path, token) in [
        ("/api/system/feedback/list", &admin),
        ("/api/system/web-access/list", &admin),
        ("/api/query/draft/list", &ada),
    ] {
        let answer = server.get(path, Some(token)).await;
        answer.failure(500, "internal_error");
        let told = format!("{:?} {}", answer.headers, String::from_utf8_lossy(&answer.body)).to_lowercase();
        for inside in ["feedback", "route_events", "drafts", "select", "no such table", "sqlx", "sqlite", home, ".rs:"]
        {
            assert!(!told.contains(inside), "{path}: {told}");
        }
    }
}

#[tokio::test]
async fn other_sites_get_no_answer_and_browsers_send_no_login_by_themselves() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let from = |method: Method, path: &str, token: Option<&str>| {
        request(method, path, token).header(header::ORIGIN, "https://evil.example")
    };
    let login = json!({"userName": "ada", "password": PASSWORD}).to_string();
    let login =
        from(Method::POST, "/api/user/login", None).header(header::CONTENT_TYPE, "application/json").body(login.into());
    let info = from(Method::GET, "/api/user/info", Some(&token)).body(Body::empty());
    let asking = from(Method::OPTIONS, "/api/user/info", None)
        .header(header::ACCESS_CONTROL_REQUEST_METHOD, "GET")
        .header(header::ACCESS_CONTROL_REQUEST_HEADERS, "authorization")
        .body(Body::empty());
    for call in [login, info, asking] {
        let answer = server.send(call.unwrap()).await;
        let told: Vec<&str> = answer.headers.keys().map(|name| name.as_str()).collect();
        assert!(!told.iter().any(|name| name.starts_with("access-control-")), "{told:?}");
        // The one cookie says that somebody logged in from this browser before; other sites can't have it sent, and it is no login.
        for cookie in answer.headers.get_all(header::SET_COOKIE) {
            let cookie = cookie.to_str().unwrap();
            assert!(cookie.starts_with("quarry_device=") && cookie.contains("; SameSite=Strict"), "{cookie}");
            let with_it = request(Method::GET, "/api/user/info", None).header(header::COOKIE, cookie);
            server.send(with_it.body(Body::empty()).unwrap()).await.failure(401, "unauthenticated");
        }
    }
    // What a form of another site could send: no header of its own, and whatever cookies there are.
    let form = from(Method::POST, "/api/user/logout", None)
        .header(header::COOKIE, format!("Admin-Token={token}; token={token}"))
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    server.send(form.body(Body::empty()).unwrap()).await.failure(401, "unauthenticated");
    server.get("/api/user/info", Some(&token)).await.data();
}
