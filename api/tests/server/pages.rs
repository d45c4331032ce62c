//! What every answer carries, and the addresses beside the calls.

use axum::body::Body;
use axum::http::{Method, StatusCode};

use crate::harness::{Server, request};

#[tokio::test]
async fn every_answer_carries_the_security_headers() {
    let server = Server::start().await;
    for path in ["/", "/healthz", "/api/nothing", "/api/docs/"] {
        let answer = server.get(path, None).await;
        let policy = answer.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("script-src 'self';") && policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
        assert_eq!(answer.headers["x-content-type-options"], "nosniff");
        assert_eq!(answer.headers["x-frame-options"], "DENY");
        assert_eq!(answer.headers["referrer-policy"], "same-origin");
        assert_eq!(answer.headers["x-request-id"].len(), 16);
    }
}

#[tokio::test]
async fn only_pages_made_for_it_are_shown_in_frames_of_other_sites() {
    let server = Server::start().await;
    let framed = server.get("/embed/dashboard", None).await;
    let policy = framed.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("script-src 'self';") && policy.contains("frame-ancestors *"), "{policy}");
    assert!(!framed.headers.contains_key("x-frame-options"));
    for path in ["/embed", "/embedded", "/user/dashboard?x=/embed/", "/api/embed/"] {
        let answer = server.get(path, None).await;
        assert_eq!(answer.headers["x-frame-options"], "DENY", "{path}");
        assert!(answer.headers["content-security-policy"].to_str().unwrap().contains("frame-ancestors 'none'"));
    }
}

#[tokio::test]
async fn the_server_tells_its_health() {
    let server = Server::start().await;
    assert!(server.get("/healthz", None).await.data()["version"].is_string());
    server.get("/readyz", None).await.data();
    server.app.close().await;
    server.get("/readyz", None).await.failure(503, "not_ready");
}

#[tokio::test]
async fn figures_are_not_on_the_public_listener() {
    let server = Server::start().await;
    let body = String::from_utf8(server.get("/metrics", None).await.body).unwrap();
    assert!(!body.contains("quarry_requests_total"), "{body}");
    let admin = quarry::router::admin_router(server.app.clone());
    let server = Server { router: admin, ..server };
    let body = String::from_utf8(server.get("/metrics", None).await.body).unwrap();
    assert!(body.contains("quarry_requests_total{status=\"2xx\"}"), "{body}");
    assert!(body.contains("quarry_request_seconds_bucket{le=\"+Inf\"} 1\n"), "{body}");
}

#[tokio::test]
async fn unknown_addresses_and_methods_speak_the_envelope() {
    let server = Server::start().await;
    server.get("/api/nothing", None).await.failure(404, "not_found");
    server.get("/assets/gone.js", None).await.failure(404, "not_found");
    let put = request(Method::PUT, "/api/user/login", None).body(Body::empty()).unwrap();
    server.send(put).await.failure(405, "method_not_allowed");
    let delete = request(Method::DELETE, "/home", None).body(Body::empty()).unwrap();
    server.send(delete).await.failure(405, "method_not_allowed");
}

#[tokio::test]
async fn pages_are_the_web_app_or_say_that_it_is_missing() {
    let server = Server::start().await;
    for path in ["/", "/user/query?id=x", "/no/such/page"] {
        let answer = server.get(path, None).await;
        let body = String::from_utf8(answer.body).unwrap();
        assert!(answer.headers["content-type"].to_str().unwrap().starts_with("text/html"), "{path}");
        let built = answer.status == StatusCode::OK && body.contains("<script");
        let missing = answer.status == StatusCode::NOT_FOUND && body.contains("built without its web pages");
        assert!(built || missing, "{path}: {body}");
    }
}

#[tokio::test]
async fn the_document_and_its_pages_are_served() {
    let server = Server::start().await;
    let document = server.get("/api/openapi.json", None).await.json();
    assert_eq!(document["openapi"], "3.1.0");
    assert!(document["paths"]["/api/query/execute"]["post"].is_object());
    let page = String::from_utf8(server.get("/api/docs/", None).await.body).unwrap();
    assert!(page.contains("swagger-ui"), "{page}");
}

#[tokio::test]
async fn visitors_see_the_chain_and_what_can_be_queried() {
    let server = Server::start().await;
    let status = server.get("/api/chain/status", None).await.data();
    assert_eq!(status["head"], serde_json::Value::Null);
    assert_eq!(status["tables"].as_array().unwrap().len(), 7);
    assert_eq!(status["recentBlocks"], serde_json::json!([]));
    let catalogue = server.get("/api/engine/catalogue", None).await.data();
    let tables = catalogue["schemas"][0]["tables"].as_array().unwrap();
    assert!(tables.iter().any(|table| table["name"] == "transactions"), "{tables:?}");
    assert!(tables[0]["columns"][0]["type"].is_string());
    assert!(catalogue["functions"].as_array().unwrap().len() > 10);
}
