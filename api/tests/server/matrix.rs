//! Two users and every call of the OpenAPI document: who is let in, and whose objects are whose.
//!
//! A new call is walked by itself. When it is open to visitors it belongs on [`PUBLIC`], when it names an object in its path
//! [`object`] has to say how a user comes to own one; the test says so by its failure.

use axum::body::Body;
use axum::http::{Method, header};
use serde_json::{Value, json};

use crate::harness::{Answer, PASSWORD, Server, request, text};

/// Calls that answer visitors.
const PUBLIC: &[&str] = &[
    "GET /api/address/detail",
    "GET /api/chain/status",
    "GET /api/creation/ofUser",
    "GET /api/creator/detail",
    "GET /api/dapp/ranking",
    "GET /api/dashboard/comment/list",
    "GET /api/dashboard/detail",
    "GET /api/dashboard/version/detail",
    "GET /api/dashboard/version/list",
    "GET /api/dashboard/widget/result",
    "GET /api/discover/addresses",
    "GET /api/discover/counts",
    "GET /api/discover/creators",
    "GET /api/discover/dashboards",
    "GET /api/discover/projects",
    "GET /api/discover/queries",
    "GET /api/engine/catalogue",
    "GET /api/engine/templates",
    "GET /api/file/byte/array",
    "GET /api/file/download",
    "GET /api/graph/detail",
    "GET /api/label/catalogue",
    "GET /api/label/ofAddress",
    "GET /api/model/queries",
    "GET /api/model/rows",
    "GET /api/model/span",
    "GET /api/official/dashboards",
    "GET /api/official/visualization",
    "GET /api/project/detail",
    "GET /api/query/detail",
    "GET /api/query/lineage",
    "GET /api/query/result",
    "GET /api/query/version/detail",
    "GET /api/query/version/list",
    "GET /api/system/user/userId/new/ui/{id}",
    "GET /api/system/user/userName/{name}",
    "GET /api/tag/list",
    "GET /api/tag/trending",
    "GET /api/user/code/channels",
    "GET /api/user/login-options",
    "GET /api/user/registration",
    "GET /api/visualization/detail",
    "GET /api/white-paper/list",
    "GET /api/v1/metrics/metadata",
    "GET /healthz",
    "GET /readyz",
    "POST /api/dashboard/widget/filter",
    "POST /api/front-track/route",
    "POST /api/front-track/trigger",
    "POST /api/user/code/email",
    "POST /api/user/code/login",
    "POST /api/user/code/phone",
    "POST /api/user/login",
    "POST /api/user/password/forget",
    "POST /api/user/password/judge",
    "POST /api/user/provider/begin",
    "POST /api/user/provider/login",
    "POST /api/user/register",
];

/// Calls that take a ticket, a token or a key in the address in place of the header, and refuse whoever has none of them.
const BY_TICKET: &[&str] = &[
    "GET /api/job/{jobId}/download",
    "GET /api/v1/metrics/bulk",
    "GET /api/v1/metrics/{category}/{metric}",
    "GET /api/ws",
    "POST /api/file/upload/feedback",
];

/// Calls whose path names what belongs to nobody.
const NOBODYS: &[&str] = &["GET /api/v1/metrics/{category}/{metric}"];

/// Calls beside `/api/system/…` that need a permission of the back office.
const BACK_OFFICE: &[&str] = &["/api/interceptor/", "/api/chain/monitor", "/api/dashboard/all", "/api/official/set"];

/// Calls under `/api/system/` for everybody.
const FOR_USERS: &[&str] = &["PUT /api/system/user/updateUserInfo"];

/// A call of the document.
pub struct Call {
    /// Method and path.
    pub name: String,
    pub method: Method,
    /// The path with its parts in braces.
    pub path: String,
    pub operation: Value,
}

impl Call {
    fn needs_login(&self) -> bool {
        let security = self.operation["security"].as_array();
        security.is_some_and(|ways| !ways.is_empty() && ways.iter().all(|way| way.get("bearer").is_some()))
    }

    pub fn is_back_office(&self) -> bool {
        let inside =
            self.path.starts_with("/api/system/") || BACK_OFFICE.iter().any(|room| self.path.starts_with(room));
        inside && self.needs_login() && !FOR_USERS.contains(&self.name.as_str())
    }

    pub fn names_an_object(&self) -> bool {
        self.path.contains('{')
    }

    /// The address with `object` in the place of every part in braces, and every required parameter filled in.
    fn address(&self, object: &str, document: &Value) -> String {
        let mut address = String::new();
        for (number, part) in self.path.split('/').enumerate() {
            if number > 0 {
                address.push('/');
            }
            address.push_str(if part.starts_with('{') { object } else { part });
        }
        let parameters = self.operation["parameters"].as_array().into_iter().flatten();
        let required = parameters.filter(|parameter| parameter["in"] == "query" && parameter["required"] == true);
        let filled: Vec<String> = required
            .map(|parameter| {
                format!("{}={}", parameter["name"].as_str().unwrap(), sample(&parameter["schema"], document))
            })
            .collect();
        if filled.is_empty() { address } else { format!("{address}?{}", filled.join("&")) }
    }

    pub async fn send(&self, server: &Server, address: &str, token: Option<&str>, body: &Value) -> Answer {
        let request = request(self.method.clone(), address, token).header(header::CONTENT_TYPE, "application/json");
        let body = if self.method == Method::GET { Body::empty() } else { Body::from(body.to_string()) };
        server.send(request.body(body).unwrap()).await
    }
}

/// A value that fits a parameter's schema.
fn sample(schema: &Value, document: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        return sample(document.pointer(name.trim_start_matches('#')).unwrap(), document);
    }
    if let Some(first) = schema["enum"].get(0) {
        return text(first);
    }
    match schema["type"].as_str() {
        Some("integer" | "number") => "1".to_string(),
        Some("boolean") => "true".to_string(),
        _ => "x".to_string(),
    }
}

pub async fn calls(server: &Server) -> (Vec<Call>, Value) {
    let document = server.get("/api/openapi.json", None).await.json();
    let mut calls = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let Ok(method) = Method::from_bytes(method.to_uppercase().as_bytes()) else { continue };
            let name = format!("{method} {path}");
            calls.push(Call { name, method, path: path.clone(), operation: operation.clone() });
        }
    }
    assert!(calls.len() > 20, "the document names its calls");
    (calls, document)
}

/// A new object of this user that the path names, and a body that the call takes; `None` for a call that this test does not
/// know.
async fn object(server: &Server, token: &str, path: &str) -> Option<(String, Value)> {
    if path.starts_with("/api/job/{jobId}") {
        return Some((server.execute(token, "select 1").await, Value::Null));
    }
    if path.starts_with("/api/decoder/signature/") {
        let body = json!({"signature": "function mine(uint256 n)"});
        let made = server.post("/api/decoder/signature/create", Some(token), body).await.data();
        return Some((made.to_string(), Value::Null));
    }
    if path.starts_with("/api/user/api-key/") {
        let made = server.post("/api/user/api-key/create", Some(token), json!({"name": "x"})).await.data();
        return Some((made["id"].to_string(), json!({"name": "y", "restrictions": {}})));
    }
    if path.starts_with("/api/user/session/end/") {
        // The one that asks goes on.
        server.login("ada", PASSWORD).await.data();
        let other = server.get("/api/user/session/list", Some(token)).await.data();
        let other = other.as_array()?.iter().find(|session| session["current"] == false)?["sessionId"].clone();
        return Some((text(&other), Value::Null));
    }
    None
}

#[tokio::test]
async fn visitors_are_let_in_only_where_they_should_be() {
    let server = Server::start().await;
    let (calls, document) = calls(&server).await;
    let mut findings = Vec::new();
    for call in &calls {
        let name = call.name.as_str();
        let open = PUBLIC.contains(&name);
        if !call.needs_login() && !open && !BY_TICKET.contains(&name) {
            findings.push(format!("{name}: the document asks for no login, and the call is not on the list PUBLIC"));
        }
        let answer = call.send(&server, &call.address("1", &document), None, &json!({})).await;
        if !open && answer.status != 401 {
            findings.push(format!("{name}: a visitor gets {}", answer.status));
        }
        if open && matches!(answer.status.as_u16(), 401 | 403 | 500..) {
            findings.push(format!("{name}: a visitor gets {}", answer.status));
        }
    }
    for name in PUBLIC.iter().chain(BY_TICKET).chain(FOR_USERS) {
        if !calls.iter().any(|call| call.name == *name) {
            findings.push(format!("{name}: there is no such call any more"));
        }
    }
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

#[tokio::test]
async fn the_back_office_is_closed_to_users_and_open_to_administrators() {
    let server = Server::start().await;
    let (admin, ada) = (server.admin("root").await, server.register("ada").await);
    let (calls, document) = calls(&server).await;
    let mut findings = Vec::new();
    let mut walked = 0;
    for call in calls.iter().filter(|call| call.is_back_office()) {
        let address = call.address("0", &document);
        let user = call.send(&server, &address, Some(&ada), &json!({})).await;
        if user.status != 403 {
            findings.push(format!("{}: a user gets {}", call.name, user.status));
        }
        let staff = call.send(&server, &address, Some(&admin), &json!({})).await;
        if matches!(staff.status.as_u16(), 401 | 403 | 405 | 500..) {
            findings.push(format!("{}: an administrator gets {}", call.name, staff.status));
        }
        walked += 1;
    }
    assert!(walked > 30, "{walked}");
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

#[tokio::test]
async fn nobody_reaches_an_object_of_somebody_else() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let (calls, document) = calls(&server).await;
    let mut findings = Vec::new();
    let walked = calls.iter().filter(|call| call.names_an_object() && !call.is_back_office());
    let open = |call: &&Call| [PUBLIC, NOBODYS].iter().any(|list| list.contains(&call.name.as_str()));
    for call in walked.filter(|call| !open(call)) {
        let Some((id, body)) = object(&server, &ada, &call.path).await else {
            findings.push(format!("{}: say in `object` how a user comes to own what the path names", call.name));
            continue;
        };
        let address = call.address(&id, &document);
        let stranger = call.send(&server, &address, Some(&eve), &body).await;
        if !matches!(stranger.status.as_u16(), 403 | 404) {
            findings.push(format!("{}: a stranger gets {}", call.name, stranger.status));
        }
        // The owner gets in, so what kept the stranger out was not a wrong address.
        let owner = call.send(&server, &address, Some(&ada), &body).await;
        if matches!(owner.status.as_u16(), 401 | 403 | 404 | 500..) {
            findings.push(format!("{}: the owner gets {}", call.name, owner.status));
        }
    }
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

#[tokio::test]
async fn a_path_that_is_no_text_is_refused_in_the_envelope() {
    let server = Server::start().await;
    let admin = server.admin("root").await;
    let (calls, document) = calls(&server).await;
    let mut findings = Vec::new();
    let walked: Vec<&Call> = calls.iter().filter(|call| call.names_an_object()).collect();
    assert!(walked.len() > 10, "{}", walked.len());
    for call in walked {
        let answer = call.send(&server, &call.address("%FF", &document), Some(&admin), &json!({})).await;
        let envelope: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        if !answer.status.is_client_error() || envelope["status"] != "fail" || !envelope["code"].is_string() {
            let body = String::from_utf8_lossy(&answer.body).into_owned();
            findings.push(format!("{}: {} {body}", call.name, answer.status));
        }
    }
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}
