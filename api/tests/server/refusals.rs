//! What is refused is refused in our words, and says which field is meant.

use axum::body::Body;
use axum::http::Method;
use serde_json::{Value, json};

use crate::harness::{PASSWORD, Server, request, text};

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
        ("/api/v1/metrics/transactions/transaction-count?s=abc", "s", "s is not an integer."),
        ("/api/v1/metrics/transactions/transaction-count?u=", "u", "u is not an integer."),
        ("/api/v1/metrics/transactions/transaction-count?s=99999999999999999999", "s", "s is too large."),
        ("/api/job/list?page=x", "page", "page is not an integer."),
        ("/api/job/list?page=1&page=2", "page", "page is given twice."),
        ("/api/job/list?all=perhaps", "all", "all is neither true nor false."),
        ("/api/job/list?state=DONE", "state", "state is one of QUEUED, RUNNING, SUCCEEDED, FAILED, KILLED."),
        ("/api/job/x/download?format=xml", "format", "format is one of csv, xlsx, json, parquet, arrow."),
        ("/api/job/x/download", "format", "format is missing."),
        ("/api/job/x/result?offset=-1", "offset", "offset is below 0."),
        ("/api/job/x/result?limit=abc", "limit", "limit is not an integer."),
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
        (json!({"name": 5}), "name", "name is not a string."),
        (json!({"name": "x", "expiresInDays": "soon"}), "expiresInDays", "expiresInDays is not an integer."),
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

#[tokio::test]
async fn an_object_is_no_list_of_its_fields() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    for (path, body) in [
        ("/api/user/login", json!(["ada", PASSWORD])),
        ("/api/user/password/reset", json!([PASSWORD, "other-s3cret", "other-s3cret"])),
        ("/api/query/execute", json!(["SQL", "select 1"])),
        ("/api/user/api-key/create", json!({"name": "x", "restrictions": [["fees"]]})),
        ("/api/query/create", json!({"title": "q", "what": ["SQL", "select 1"]})),
        ("/api/dashboard/create", json!({"title": "d", "content": {"widgets": [["w", [0, 0, 1, 1]]]}})),
    ] {
        let envelope = server.post(path, Some(&token), body).await.failure(400, "invalid_json");
        assert!(text(&envelope["msg"]).ends_with(" is not an object."), "{path}: {envelope}");
    }
}

#[tokio::test]
async fn numbers_and_depths_that_nothing_can_hold_are_refused() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(100_000), close.repeat(100_000));
    for body in [
        deep("[", "]"),
        format!("{{\"kind\":\"SQL\",\"text\":\"select 1\",\"spec\":{}}}", deep("[", "]")),
        format!(
            "{{\"kind\":\"SQL\",\"text\":\"select 1\",\"spec\":{}1{}}}",
            "{\"a\":".repeat(90_000),
            "}".repeat(90_000)
        ),
        "{\"kind\":\"SQL\",\"text\":\"select 1\",\"parameters\":{\"a\":1e400}}".to_string(),
        "{\"kind\":\"SQL\",\"text\":\"select 1\",\"text\":\"select 2\"}".to_string(),
    ] {
        let request = request(Method::POST, "/api/query/execute", Some(&token));
        let answer = server.send(request.body(Body::from(body)).unwrap()).await;
        answer.failure(400, "invalid_json");
    }
}

#[tokio::test]
async fn no_name_turns_a_line_around() {
    let server = Server::start().await;
    let admin = server.admin("ada").await;
    let address = format!("0x{}", "ab".repeat(20));
    for bad in ["\u{202e}paws", "a\u{2066}b", "a\nb", "a\u{85}b", "\u{200b}"] {
        for (path, body) in [
            ("/api/system/dapp/info", json!({"name": bad, "dappType": "finance"})),
            ("/api/system/dapp/reflect", json!({"address": address, "dappName": bad})),
        ] {
            server.put(path, Some(&admin), body).await.failure(400, "invalid_input");
        }
        for (path, body) in [
            ("/api/label/own/add", json!({"address": address, "label": bad, "labelType": "EOA"})),
            (
                "/api/feedback/upload",
                json!({"feedbackTitle": format!("x{bad}y"), "feedbackContent": "x", "feedbackUrl": "/", "feedbackPhoto": ""}),
            ),
            ("/api/query/execute", json!({"kind": "SQL", "text": "select 1", "title": format!("x{bad}y")})),
        ] {
            if bad != "\u{200b}" || path.ends_with("add") {
                server.post(path, Some(&admin), body).await.failure(400, "invalid_input");
            }
        }
    }
    server.put("/api/system/dapp/info", Some(&admin), json!({"name": "交换 Swap", "dappType": "finance"})).await.data();
}

#[tokio::test]
async fn a_body_of_another_type_is_no_json() {
    let server = Server::start().await;
    server.register("ada").await;
    let login = json!({"userName": "ada", "password": PASSWORD}).to_string();
    for (kind, status) in [
        ("application/json", 200),
        ("Application/JSON; charset=utf-8", 200),
        ("application/problem+json", 200),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("multipart/form-data; boundary=x", 415),
        ("", 415),
    ] {
        let request = request(Method::POST, "/api/user/login", None).header("content-type", kind);
        let answer = server.send(request.body(Body::from(login.clone())).unwrap()).await;
        assert_eq!(answer.status, status, "{kind}");
    }
}

#[tokio::test]
async fn a_list_of_fields_is_no_object_wherever_it_stands() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let query = json!({"title": "q", "what": {"kind": "SQL", "text": "select 1 as x"}});
    let query = server.post("/api/query/create", Some(&token), query).await.data()["id"].clone();
    let id = text(&query);
    // Written as text: which of two fields comes first decides what the reader keeps until it knows what it is for.
    let series = r#""options": {"x": "x", "y": ["x"], "series": [["x", "X", 1, false]]}"#;
    let line = r#""options": {"referenceLines": [["1", "one"]]}"#;
    let rich = r#"{"type": "richText", "blocks": [LIST]}"#;
    let mut bodies: Vec<(&str, String)> = Vec::new();
    for viz in [
        format!(r#""type": "bar", {series}"#),
        format!(r#"{series}, "type": "bar""#),
        format!(r#"{line}, "type": "line""#),
    ] {
        bodies.push(("/api/visualization/create", format!(r#"{{"queryId": "{id}", "title": "v", "viz": {{{viz}}}}}"#)));
    }
    for blocks in [
        r#"["paragraph", [{"text": "a"}]]"#,
        r#"{"type": "paragraph", "spans": [["a", true]]}"#,
        r#"{"spans": [["a", true]], "type": "quote"}"#,
        r#"{"type": "list", "ordered": true, "items": [[["a"]]]}"#,
    ] {
        let content = rich.replace("LIST", blocks);
        let widget = format!(r#"{{"id": "a", "layout": {{"x": 0, "y": 0, "w": 3, "h": 3}}, "content": {content}}}"#);
        bodies.push(("/api/dashboard/create", format!(r#"{{"title": "d", "content": {{"widgets": [{widget}]}}}}"#)));
    }
    for (path, body) in bodies {
        let answer =
            server.send(request(Method::POST, path, Some(&token)).body(Body::from(body.clone())).unwrap()).await;
        let envelope = answer.json();
        assert_eq!((answer.status.as_u16(), &envelope["code"]), (400, &json!("invalid_json")), "{body}: {envelope}");
    }
}
