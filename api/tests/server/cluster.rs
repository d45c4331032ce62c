//! The cluster of workers in the back office and in the figures of the server.

use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quarry::app::App;
use quarry::http::counts;
use quarry_cluster::{
    Access, CoordinatorOptions, StageRuntime, TlsFiles, WorkerOptions, run_worker, start_coordinator,
};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::harness::{SOON, Server, text};

const LIST: &str = "/api/system/cluster";
const DRAIN: &str = "/api/system/cluster/drain";

async fn listen() -> (TcpListener, Url) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
    (listener, url)
}

fn stage_runtime(app: &App) -> StageRuntime {
    StageRuntime::new(app.engine.config(), app.engine.sessions().runtime(), Handle::current())
}

/// Starts the cluster of a server with these workers.
async fn start_cluster(app: &App, workers: Vec<Url>, access: Access) {
    let (listener, advertise) = listen().await;
    let options = CoordinatorOptions {
        listener,
        advertise,
        workers,
        access,
        min_bytes: u64::MAX,
        retries: 0,
        stop: app.stop.clone(),
    };
    let (engine, lake) = (&app.engine, app.engine.lake().without_catalogue());
    let members = start_coordinator(engine.sessions(), lake, &stage_runtime(app), engine.watchdog(), options).unwrap();
    assert!(app.cluster.set(members).is_ok());
}

/// A worker in this process.
fn start_worker(app: App, listener: TcpListener, advertise: Url, access: Access) -> JoinHandle<()> {
    let options = WorkerOptions {
        listener,
        advertise,
        coordinators: Vec::new(),
        access,
        drain: SOON,
        stop: CancellationToken::new(),
    };
    Handle::current().spawn(async move {
        let (engine, lake) = (&app.engine, app.engine.lake().without_catalogue());
        run_worker(engine.sessions(), lake, &stage_runtime(&app), engine.watchdog(), options).await.unwrap();
    })
}

/// The worker at this address.
async fn worker(server: &Server, root: &str, url: &str) -> Value {
    let cluster = server.get(LIST, Some(root)).await.data();
    assert_eq!(cluster["enabled"], true);
    cluster["workers"].as_array().unwrap().iter().find(|worker| worker["url"] == url).unwrap().clone()
}

#[tokio::test]
async fn a_server_without_a_cluster_has_no_workers() {
    let server = Server::start().await;
    let (root, eve) = (server.admin("root").await, server.register("eve").await);
    let form = json!({"url": "http://10.0.0.5:8790"});
    server.get(LIST, Some(&eve)).await.failure(403, "forbidden");
    server.post(DRAIN, Some(&eve), form.clone()).await.failure(403, "forbidden");
    assert_eq!(server.get(LIST, Some(&root)).await.data(), json!({"enabled": false, "workers": []}));
    server.post(DRAIN, Some(&root), form).await.failure(404, "not_found");
    server.post(DRAIN, Some(&root), json!({"url": "nowhere"})).await.failure(404, "not_found");
    assert!(!counts::text(&server.app).contains("quarry_cluster"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_is_drained_unless_it_is_lost() {
    let server = Server::start().await;
    let root = server.admin("root").await;
    let (listener, url) = listen().await;
    // Nobody answers there.
    let (_silent, silent_url) = listen().await;
    let working = start_worker(server.app.clone(), listener, url.clone(), Access::default());
    start_cluster(&server.app, vec![url.clone(), silent_url.clone()], Access::default()).await;
    let [url, silent] = [url, silent_url].map(|url| url.as_str().trim_end_matches('/').to_string());

    let begun = Instant::now();
    while worker(&server, &root, &url).await["state"] != "alive" {
        assert!(begun.elapsed() < SOON);
        tokio::task::yield_now().await;
    }
    let alive = worker(&server, &root, &url).await;
    assert!(!text(&alive["build"]).is_empty());
    assert_eq!(alive["runs"], 0);
    assert!(alive["memoryLimit"].as_u64().unwrap() > 0);
    assert_eq!(worker(&server, &root, &silent).await["state"], "lost");
    let figures = counts::text(&server.app);
    for figure in [
        "quarry_cluster_workers{state=\"alive\"} 1\n".to_string(),
        "quarry_cluster_workers{state=\"lost\"} 1\n".to_string(),
        format!("quarry_cluster_worker_runs{{worker=\"{url}\"}} 0\n"),
    ] {
        assert!(figures.contains(&figure), "{figures}");
    }

    server.post(DRAIN, Some(&root), json!({"url": "http://127.0.0.1:1"})).await.failure(404, "not_found");
    server.post(DRAIN, Some(&root), json!({"url": silent})).await.failure(502, "worker_lost");
    assert_eq!(server.post(DRAIN, Some(&root), json!({"url": url})).await.data(), true);
    assert_eq!(worker(&server, &root, &url).await["state"], "draining");
    let log = server.get("/api/system/audit/list", Some(&root)).await.data()["items"][0].clone();
    assert_eq!((&log["area"], &log["deed"]), (&json!("system.cluster"), &json!("workerDrained")));
    assert_eq!(log["detail"], format!("worker {url} drained"));
    timeout(SOON, working).await.unwrap().unwrap();
    server.app.close().await;
}

fn pem(label: &str, der: &[u8]) -> String {
    format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", STANDARD.encode(der))
}

/// An authority that signs certificates for this machine.
fn authority() -> (String, Issuer<'static, KeyPair>) {
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let certificate = pem("CERTIFICATE", params.self_signed(&key).unwrap().der());
    (certificate, Issuer::new(params, key))
}

/// The access of a process whose certificate `issuer` signed, and that trusts `authority`.
fn access(authority: &str, issuer: &Issuer<'static, KeyPair>) -> Access {
    let folder = tempfile::tempdir().unwrap();
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(vec!["127.0.0.1".to_string()]).unwrap();
    let certificate = pem("CERTIFICATE", params.signed_by(&key, issuer).unwrap().der());
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let files = TlsFiles {
        certificate: file("certificate", &certificate),
        key: file("key", &pem("PRIVATE KEY", &key.serialize_der())),
        authority: file("authority", authority),
    };
    Access::read(None, Some(&files)).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn only_certificates_of_the_authority_are_let_in() {
    let server = Server::start().await;
    let root = server.admin("root").await;
    let ((certificate, issuer), (_, other)) = (authority(), authority());
    let mut workers = Vec::new();
    for issuer in [&issuer, &other] {
        let (listener, mut url) = listen().await;
        url.set_scheme("https").unwrap();
        start_worker(server.app.clone(), listener, url.clone(), access(&certificate, issuer));
        workers.push(url);
    }
    start_cluster(&server.app, workers.clone(), access(&certificate, &issuer)).await;
    let [known, stranger] = [0, 1].map(|at: usize| workers[at].as_str().trim_end_matches('/').to_string());
    let begun = Instant::now();
    let failed = |worker: &Value| worker["lastFailure"].is_string();
    while worker(&server, &root, &known).await["state"] != "alive" || !failed(&worker(&server, &root, &stranger).await)
    {
        assert!(begun.elapsed() < SOON);
        tokio::task::yield_now().await;
    }
    assert_eq!(worker(&server, &root, &stranger).await["state"], "lost");
    server.app.close().await;
}
