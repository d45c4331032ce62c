//! A server on a home of its own, called without a network; the websocket gets a real one.

use std::path::Path;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use quarry::app::{App, AppOptions};
use quarry::auth::{ROLE_ADMIN, accounts};
use quarry::db::{Db, sqlite_url};
use quarry::router::router;
use quarry::sending::SendingOptions;
use quarry_engine::Engine;
use quarry_runtime::EngineConfig;
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt;

pub const PASSWORD: &str = "s3cret-enough";

/// Longest wait for something that should happen soon.
pub const SOON: Duration = Duration::from_secs(60);

/// A query that runs until it is stopped.
pub const ENDLESS: &str = "with v as (select * from (values (1),(2),(3),(4),(5),(6),(7),(8),(9),(10)) t(x)), \
    w as (select a.x + b.x as x from v a, v b, v c) \
    select sum(a.x + b.x + c.x + d.x) from w a, w b, w c, w d";

pub struct Server {
    pub app: App,
    pub router: Router,
    /// Goes with the last server on it.
    pub home: TempDir,
}

/// An answer of the server.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }

    /// The envelope of a failure, checked for its form.
    pub fn failure(&self, status: u16, code: &str) -> Value {
        let envelope = self.json();
        assert_eq!(self.status.as_u16(), status, "{envelope}");
        assert_eq!(envelope["status"], "fail", "{envelope}");
        assert_eq!(envelope["code"], code, "{envelope}");
        assert_eq!(envelope["data"], Value::Null, "{envelope}");
        assert!(!envelope["msg"].as_str().unwrap().is_empty(), "{envelope}");
        envelope
    }

    /// The data of a good answer.
    pub fn data(&self) -> Value {
        let mut envelope = self.json();
        assert_eq!(self.status, StatusCode::OK, "{envelope}");
        assert_eq!(envelope["status"], "success", "{envelope}");
        assert_eq!(envelope["msg"], "", "{envelope}");
        envelope["data"].take()
    }
}

impl Server {
    pub async fn start() -> Server {
        Server::on(tempfile::tempdir().unwrap()).await
    }

    /// A server on a home that another one may have used before.
    pub async fn on(home: TempDir) -> Server {
        Server::with(home, SendingOptions::default()).await
    }

    /// A server that can send what these options say.
    pub async fn with(home: TempDir, sending: SendingOptions) -> Server {
        Server::open(home, AppOptions { sending, ..AppOptions::default() }).await
    }

    /// A server with these options, as far as tests may choose them.
    pub async fn open(home: TempDir, options: AppOptions) -> Server {
        Server::tuned(home, options, |_| {}).await
    }

    /// The same with other settings of the engine.
    pub async fn tuned(home: TempDir, options: AppOptions, change: impl FnOnce(&mut EngineConfig)) -> Server {
        let mut config = EngineConfig::at(home.path());
        change(&mut config);
        let engine = Engine::open(config).unwrap();
        let db = Db::open(&sqlite_url(&home.path().join("platform.db"))).await.unwrap();
        let options = AppOptions { session: Duration::from_secs(3600), trust_forwarded_for: true, ..options };
        let app = App::open(engine, db, home.path(), options).await.unwrap();
        let router = router(app.clone());
        Server { app, router, home }
    }

    pub async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap().to_vec();
        Answer { status: parts.status, headers: parts.headers, body }
    }

    pub async fn get(&self, path: &str, token: Option<&str>) -> Answer {
        self.send(request(Method::GET, path, token).body(Body::empty()).unwrap()).await
    }

    pub async fn post(&self, path: &str, token: Option<&str>, body: Value) -> Answer {
        let request = request(Method::POST, path, token).header(header::CONTENT_TYPE, "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    pub async fn put(&self, path: &str, token: Option<&str>, body: Value) -> Answer {
        let request = request(Method::PUT, path, token).header(header::CONTENT_TYPE, "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    pub async fn delete(&self, path: &str, token: Option<&str>) -> Answer {
        self.send(request(Method::DELETE, path, token).body(Body::empty()).unwrap()).await
    }

    /// Sends a form with one file.
    pub async fn upload(&self, path: &str, token: Option<&str>, name: &str, bytes: &[u8]) -> Answer {
        let mut body = format!(
            "--frame\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n"
        )
        .into_bytes();
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n--frame--\r\n");
        let request = request(Method::POST, path, token);
        let request = request.header(header::CONTENT_TYPE, "multipart/form-data; boundary=frame");
        self.send(request.body(Body::from(body)).unwrap()).await
    }

    /// The token of a new administrator.
    pub async fn admin(&self, name: &str) -> String {
        let token = self.register(name).await;
        let account = accounts::find(&self.app.db, name).await.unwrap().unwrap();
        accounts::set_role(&self.app.db, account.id, ROLE_ADMIN).await.unwrap();
        token
    }

    /// The token of a new account.
    pub async fn register(&self, name: &str) -> String {
        let body = json!({"userName": name, "password": PASSWORD, "agree": true});
        text(&self.post("/api/user/register", None, body).await.data()["token"])
    }

    pub async fn login(&self, name: &str, password: &str) -> Answer {
        self.post("/api/user/login", None, json!({"userName": name, "password": password})).await
    }

    pub async fn execute(&self, token: &str, sql: &str) -> String {
        let body = json!({"kind": "SQL", "text": sql});
        text(&self.post("/api/query/execute", Some(token), body).await.data()["jobId"])
    }

    /// Asks for the job until it is in the state; the end of a job is waited for at the server.
    pub async fn wait_for(&self, token: &str, id: &str, state: &str) -> Value {
        let start = Instant::now();
        let wait = if ["QUEUED", "RUNNING"].contains(&state) { 0 } else { 20_000 };
        loop {
            let job = self.get(&format!("/api/job/{id}?wait={wait}"), Some(token)).await.data();
            if job["state"] == state {
                return job;
            }
            assert!(start.elapsed() < SOON, "job {id} is not {state}: {job}");
            tokio::task::yield_now().await;
        }
    }
}

pub fn request(method: Method, path: &str, token: Option<&str>) -> axum::http::request::Builder {
    let builder = Request::builder().method(method).uri(path);
    match token {
        Some(token) => builder.header(header::AUTHORIZATION, format!("Bearer {token}")),
        None => builder,
    }
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("a text: {value}")).to_string()
}

/// A small picture.
pub fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::DynamicImage::new_rgb8(width, height).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// The secret that signs the tokens of a home.
pub fn secret(home: &Path) -> String {
    std::fs::read_to_string(home.join("keys").join("jwt.secret")).unwrap()
}
