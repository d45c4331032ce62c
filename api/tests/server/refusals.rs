//! What is refused is refused in our words, and says which field is meant.

use axum::body::Body;
use axum::http::Method;
use serde_json::{Value, json};

use crate::harness::{Server, request, text};

/// Words of libraries, which a person can do nothing with.
const FOREIGN: [&str; 8] =
    ["deserialize", "invalid digit", "variant", "expected", "i64", "`", "missing field", "at line"];

fn told(envelope: &Value, param: &str, msg: &str) {
    assert_eq!((&envelope["param"], &envelope["msg"]), (&json!(param), &json!(msg)), "{envelope}");
}

#[tokio::test]
async fn a_parameter_that_can_not_be_used_is_named() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    for (path, param, msg) in [
        ("/api/v1/metrics/transactions/transaction-count?s=abc", "s", "s is not a whole number."),
        ("/api/v1/metrics/transactions/transaction-count?u=", "u", "u is not a whole number."),
        ("/api/v1/metrics/transactions/transaction-count?s=99999999999999999999", "s", "s is too large."),
        ("/api/job/list?page=x", "page", "page is not a whole number."),
        ("/api/job/list?page=1&page=2", "page", "page is given twice."),
        ("/api/job/list?all=perhaps", "all", "all is neither true nor false."),
        ("/api/job/list?state=DONE", "state", "state is one of QUEUED, RUNNING, SUCCEEDED, FAILED, KILLED."),
        ("/api/job/x/download?format=xml", "format", "format is one of csv, xlsx, json, parquet, arrow."),
        ("/api/job/x/download", "format", "format is missing."),
        ("/api/job/x/result?offset=-1", "offset", "offset is below 0."),
        ("/api/job/x/result?limit=abc", "limit", "limit is not a whole number."),
    ] {
        let answer = server.get(path, Some(&token)).await;
        told(&answer.failure(400, "invalid_input"), param, msg);
    }
    for (path, param) in [
        ("/api/discover/dashboards?sort=nope", "sort"),
        ("/api/discover/dashboards?range=nope", "range"),
        ("/api/dapp/ranking?period=year", "period"),
    ] {
        let envelope = server.get(path, None).await.failure(400, "invalid_input");
        assert_eq!(envelope["param"], param, "{path}: {envelope}");
        assert!(text(&envelope["msg"]).starts_with(&format!("{param} is one of ")), "{path}: {envelope}");
        assert!(!FOREIGN.iter().any(|word| text(&envelope["msg"]).contains(word)), "{path}: {envelope}");
    }
    for page in ["0", "999999999999"] {
        let envelope = server.get(&format!("/api/job/list?page={page}"), Some(&token)).await;
        told(&envelope.failure(400, "invalid_input"), "page", "Pages count from 1 to 1,000,000,000.");
    }
}

#[tokio::test]
async fn a_field_of_a_body_that_can_not_be_used_is_named() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    for (body, param, msg) in [
        (json!({}), "name", "name is missing."),
        (json!({"name": 5}), "name", "name is not a text."),
        (json!({"name": "x", "expiresInDays": "soon"}), "expiresInDays", "expiresInDays is not a whole number."),
        (
            json!({"name": "x", "restrictions": {"metrics": "fees"}}),
            "restrictions.metrics",
            "restrictions.metrics is not a list.",
        ),
        (
            json!({"name": "x", "restrictions": {"ips": ["10.0.0.1"]}}),
            "restrictions.ips",
            "restrictions.ips is not known here.",
        ),
        (json!({"name": "x", "expireInDays": 1}), "expireInDays", "expireInDays is not known here."),
    ] {
        let envelope = server.post("/api/user/api-key/create", Some(&token), body).await.failure(400, "invalid_json");
        told(&envelope, param, msg);
    }
    for broken in ["{\"name\":", "{\"name\": \"x\"} and more", "name=x"] {
        let request = request(Method::POST, "/api/user/api-key/create", Some(&token));
        let answer = server.send(request.body(Body::from(broken)).unwrap()).await;
        let envelope = answer.failure(400, "invalid_json");
        let msg = text(&envelope["msg"]);
        assert!(msg.starts_with("The request is no JSON that can be read: line 1, column "), "{envelope}");
        assert!(!FOREIGN.iter().any(|word| msg.contains(word)), "{envelope}");
    }
}

#[tokio::test]
async fn a_key_is_restricted_to_metrics_that_there_are() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let create = async |metric: &str| {
        let body = json!({"name": "x", "restrictions": {"metrics": [metric]}});
        server.post("/api/user/api-key/create", Some(&token), body).await
    };
    for unknown in ["nope/x", "nope", "transactions/nope"] {
        let envelope = create(unknown).await.failure(400, "invalid_input");
        told(&envelope, "metrics", &format!("There is no metric and no category of metrics called \"{unknown}\"."));
    }
    for known in ["transactions", "transactions/transaction-count"] {
        create(known).await.data();
    }
}

#[tokio::test]
async fn an_option_that_a_visualization_does_not_have_is_refused() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let query = json!({"title": "q", "what": {"kind": "SQL", "text": "select 1 as x"}});
    let query = server.post("/api/query/create", Some(&token), query).await.data()["id"].clone();
    let create = async |options: Value| {
        let body = json!({"queryId": query, "title": "v", "viz": {"type": "radar", "options": options}});
        server.post("/api/visualization/create", Some(&token), body).await
    };
    let envelope = create(json!({"zzz": 1})).await.failure(400, "invalid_input");
    told(&envelope, "options", "There is no option zzz of the type radar.");
    create(json!({"filled": true})).await.data();
}

#[tokio::test]
async fn a_text_with_a_zero_byte_is_refused() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let create = async |title: &str| {
        let query = json!({"title": title, "what": {"kind": "SQL", "text": "select 1 as x"}});
        server.post("/api/query/create", Some(&token), query).await
    };
    let envelope = create("a\0b").await.failure(400, "invalid_input");
    assert_eq!(envelope["msg"], "A text must not contain a zero byte.");
    // How one is written in a programming language is no zero byte.
    assert_eq!(create("\\u0000").await.data()["title"], "\\u0000");
}
