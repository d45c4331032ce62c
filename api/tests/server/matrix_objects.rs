//! Two users and every call that names an object in its parameters or its body: a stranger and a visitor get nothing of it,
//! its owner gets in, and neither what a link has in its place nor a placeholder is an id.
//!
//! A new call that names an object is a finding until it stands in [`CALLS`] or [`OWN_NAMES`].

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::creations::chart_widget;
use crate::harness::{Server, png, text};
use crate::matrix::{Call, calls};

/// Parameters and fields that name an object.
const FIELDS: &[&str] = &[
    "id",
    "jobId",
    "path",
    "queryId",
    "itemId",
    "items",
    "dashboardId",
    "visualizationId",
    "parentId",
    "sessionId",
    "table",
];

/// What each call is asked, in the order in which an owner can do it all: `$name` is an object of the owner's.
const CALLS: &[(&str, &str)] = &[
    ("GET /api/query/detail", "id=$query"),
    ("GET /api/query/lineage", "id=$query"),
    ("GET /api/query/result", "id=$query"),
    ("GET /api/query/version/list", "id=$query"),
    ("GET /api/query/version/detail", "id=$query&version=1"),
    ("GET /api/query/run/list", "id=$query"),
    ("GET /api/visualization/detail", "id=$chart"),
    ("GET /api/graph/detail", "id=$graph"),
    ("GET /api/project/detail", "id=$project"),
    ("GET /api/dashboard/detail", "id=$dashboard"),
    ("GET /api/dashboard/version/list", "id=$dashboard"),
    ("GET /api/dashboard/version/detail", "id=$dashboard&version=1"),
    ("GET /api/dashboard/widget/result", "id=$dashboard&widgetId=w"),
    ("GET /api/dashboard/comment/list", "id=$dashboard"),
    ("GET /api/creation/share/link", "id=$query"),
    ("GET /api/creation/tables", "id=$dashboard"),
    ("GET /api/official/visualization", "dashboardId=$dashboard&visualizationId=$chart"),
    ("GET /api/file/byte/array", "path=$file"),
    ("GET /api/file/download", "path=$file"),
    ("GET /api/table/describe", "schema=user_ada&table=$table"),
    ("POST /api/file/ticket", r#"{"purpose": "download", "path": "$file"}"#),
    ("POST /api/file/ticket", r#"{"purpose": "download", "jobId": "$job"}"#),
    ("POST /api/query/execute", r#"{"kind": "SQL", "text": "select 1", "queryId": "$query"}"#),
    ("POST /api/query/run/start", r#"{"id": "$query"}"#),
    ("POST /api/query/schedule/pause", r#"{"id": "$query", "paused": true}"#),
    ("POST /api/favorite/add", r#"{"kind": "query", "id": "$query"}"#),
    ("POST /api/favorite/remove", r#"{"kind": "query", "id": "$query"}"#),
    ("POST /api/tag/add", r#"{"entity": "dashboard", "id": "$dashboard", "tag": "mine"}"#),
    ("POST /api/tag/remove", r#"{"entity": "dashboard", "id": "$dashboard", "tag": "mine"}"#),
    ("POST /api/dashboard/widget/filter", r#"{"id": "$dashboard", "widgetId": "w", "values": {}}"#),
    ("POST /api/dashboard/comment/create", r#"{"id": "$dashboard", "content": "so"}"#),
    ("POST /api/dashboard/comment/create", r#"{"id": "$dashboard", "content": "so", "parentId": "$comment"}"#),
    ("POST /api/dashboard/comment/delete", r#"{"id": "$comment"}"#),
    ("POST /api/dashboard/refresh", r#"{"id": "$dashboard"}"#),
    ("PATCH /api/query/update", r#"{"id": "$query", "revision": 1, "title": "renamed"}"#),
    ("PATCH /api/visualization/update", r#"{"id": "$chart", "revision": 1, "title": "renamed"}"#),
    ("PATCH /api/graph/update", r#"{"id": "$graph", "revision": 1, "title": "renamed"}"#),
    ("PATCH /api/dashboard/update", r#"{"id": "$dashboard", "revision": 1, "title": "renamed"}"#),
    ("PATCH /api/project/update", r#"{"id": "$project", "revision": 1, "title": "renamed"}"#),
    ("POST /api/query/version/restore", r#"{"id": "$query", "version": 1}"#),
    ("POST /api/query/run/restore", r#"{"id": "$query", "jobId": "$job"}"#),
    ("POST /api/dashboard/version/restore", r#"{"id": "$dashboard", "version": 1}"#),
    (
        "POST /api/visualization/create",
        r#"{"queryId": "$query", "title": "v", "viz": {"type": "table", "options": {}}}"#,
    ),
    ("POST /api/project/item/add", r#"{"id": "$project", "itemId": "$query"}"#),
    ("POST /api/project/item/arrange", r#"{"id": "$project", "items": ["$query"]}"#),
    ("POST /api/project/item/remove", r#"{"id": "$project", "itemId": "$query"}"#),
    ("POST /api/query/fork", r#"{"id": "$query"}"#),
    ("POST /api/dashboard/fork", r#"{"id": "$dashboard"}"#),
    ("POST /api/creation/share/create", r#"{"id": "$query"}"#),
    ("POST /api/creation/share/revoke", r#"{"id": "$query"}"#),
    ("POST /api/creation/visibility/set", r#"{"id": "$query", "visibility": "private"}"#),
    ("POST /api/dashboard/publish", r#"{"id": "$dashboard"}"#),
    ("POST /api/label/own/remove", r#"{"id": $label}"#),
    ("POST /api/project/delete", r#"{"id": "$project"}"#),
    ("POST /api/dashboard/delete", r#"{"id": "$dashboard"}"#),
    ("POST /api/graph/delete", r#"{"id": "$graph"}"#),
    ("POST /api/visualization/delete", r#"{"id": "$chart"}"#),
    ("POST /api/query/delete", r#"{"id": "$query"}"#),
];

/// Calls whose names are looked for among the caller's own things only.
const OWN_NAMES: &[&str] = &[
    "GET /api/table/dependents",
    "GET /api/tag/mine",
    "POST /api/query/draft/save",
    "POST /api/query/draft/delete",
    "POST /api/table/upload",
    "POST /api/table/drop",
    "POST /api/table/share",
];

/// Calls that show what is official, which nothing here is.
const OFFICIAL: &str = "GET /api/official/visualization";

impl Call {
    /// Whether a parameter or a field of the body names an object.
    fn asks_for_an_object(&self, document: &Value) -> bool {
        let parameters = self.operation["parameters"].as_array().into_iter().flatten();
        let asked = parameters.filter_map(|parameter| parameter["name"].as_str().map(str::to_string));
        let bodies = self.operation["requestBody"]["content"].as_object();
        let schemas = bodies.into_iter().flatten().map(|(_, body)| match body["schema"]["$ref"].as_str() {
            Some(name) => document.pointer(name.trim_start_matches('#')).unwrap(),
            None => &body["schema"],
        });
        let fields = schemas.filter_map(|schema| schema["properties"].as_object()).flat_map(|fields| fields.keys());
        asked.chain(fields.cloned()).any(|name| FIELDS.contains(&name.as_str()))
    }
}

/// One private thing of each kind: what `$name` stands for.
async fn owned(server: &Server, token: &str) -> Vec<(&'static str, String)> {
    let what = json!({"kind": "SQL", "text": "select 1 as x"});
    let query = json!({"title": "q", "what": what, "visibility": "private", "updateStrategy": "daily"});
    let query = text(&server.post("/api/query/create", Some(token), query).await.data()["id"]);
    let job = server.run_query(token, &query).await;
    let chart = text(&server.new_chart(token, &query, "chart").await["id"]);
    let graph = json!({"title": "g", "visibility": "private", "content": {"nodes": [{"id": "a"}]}});
    let graph = text(&server.post("/api/graph/create", Some(token), graph).await.data()["id"]);
    let dashboard = server.new_dashboard(token, "board", json!([chart_widget("w", &chart)]), "private").await;
    let dashboard = text(&dashboard["id"]);
    let comment = json!({"id": dashboard, "content": "first"});
    let comment = text(&server.post("/api/dashboard/comment/create", Some(token), comment).await.data()["id"]);
    let project = json!({"title": "p", "visibility": "private"});
    let project = text(&server.post("/api/project/create", Some(token), project).await.data()["id"]);
    let file = text(&server.upload("/api/file/upload/feedback", Some(token), "a.png", &png(8, 8)).await.data());
    let label = json!({"address": format!("0x{}", "ab".repeat(20)), "label": "mine", "labelType": "EOA"});
    server.post("/api/label/own/add", Some(token), label).await.data();
    let label = server.get("/api/label/own/list", Some(token)).await.data()["items"][0]["id"].to_string();
    let script = json!({"kind": "HIVE", "text": "create table t (a int)"});
    let made = text(&server.post("/api/query/execute", Some(token), script).await.data()["jobId"]);
    server.wait_for(token, &made, "SUCCEEDED").await;
    vec![
        ("$query", query),
        ("$job", job),
        ("$chart", chart),
        ("$graph", graph),
        ("$dashboard", dashboard),
        ("$comment", comment),
        ("$project", project),
        ("$file", file),
        ("$label", label),
        ("$table", "t".to_string()),
    ]
}

/// Address and body of a call with `object` in the place of each name.
fn asked(call: &Call, words: &str, mut object: impl FnMut(&'static str) -> String) -> (String, Value) {
    const NAMES: [&str; 10] =
        ["$query", "$job", "$chart", "$graph", "$dashboard", "$comment", "$project", "$file", "$label", "$table"];
    let filled = NAMES.into_iter().fold(words.to_string(), |words, name| words.replace(name, &object(name)));
    match call.name.starts_with("GET") {
        true => (format!("{}?{filled}", call.path), Value::Null),
        false => (call.path.clone(), serde_json::from_str(&filled).unwrap()),
    }
}

#[tokio::test]
async fn nobody_reaches_what_a_parameter_or_a_body_names() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let (calls, document) = calls(&server).await;
    let mut findings = Vec::new();
    for call in calls.iter().filter(|call| !call.is_back_office() && call.asks_for_an_object(&document)) {
        let name = call.name.as_str();
        if !call.names_an_object() && !OWN_NAMES.contains(&name) && !CALLS.iter().any(|(known, _)| *known == name) {
            findings.push(format!("{name}: it names an object, and neither CALLS nor OWN_NAMES says which"));
        }
    }
    let owned = owned(&server, &ada).await;
    let object = |name: &str| owned.iter().find(|(known, _)| *known == name).unwrap().1.clone();
    let walked: Vec<(&Call, &str)> = CALLS
        .iter()
        .filter_map(|(name, words)| match calls.iter().find(|call| call.name == *name) {
            Some(call) => Some((call, *words)),
            None => {
                findings.push(format!("{name}: there is no such call any more"));
                None
            }
        })
        .collect();
    for (call, words) in &walked {
        let (address, body) = asked(call, words, object);
        for (who, token) in [("a stranger", Some(eve.as_str())), ("a visitor", None)] {
            let status = call.send(&server, &address, token, &body).await.status.as_u16();
            if !matches!((token, status), (Some(_), 403 | 404) | (None, 401 | 404)) {
                findings.push(format!("{} {words}: {who} gets {status}", call.name));
            }
        }
        // What links have in the place of an id is no id, and neither is a part of an address that nobody filled in.
        for wrong in [|id: String| URL_SAFE_NO_PAD.encode(id), |_: String| ":id".to_string()] {
            if call.name.starts_with("GET") {
                let (address, body) = asked(call, words, |name| wrong(object(name)));
                let status = call.send(&server, &address, Some(&ada), &body).await.status.as_u16();
                if status != 404 {
                    findings.push(format!("{} {words}: {address} gets {status}", call.name));
                }
            }
        }
    }
    for (call, words) in &walked {
        let (address, body) = asked(call, words, object);
        let answer = call.send(&server, &address, Some(&ada), &body).await;
        if answer.status != 200 && call.name != OFFICIAL {
            let told = String::from_utf8_lossy(&answer.body).into_owned();
            findings.push(format!("{} {words}: the owner gets {} {told}", call.name, answer.status));
        }
    }
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}
