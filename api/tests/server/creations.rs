//! What people make, as two users and a visitor see it: who may read and change which kind, share links, conflicts,
//! versions, forks, and the results that viewers see.

use axum::body::Body;
use axum::http::{Method, header};
use serde_json::{Value, json};

use crate::harness::{Answer, Server, request, text};

impl Server {
    pub async fn patch(&self, path: &str, token: Option<&str>, body: Value) -> Answer {
        let request = request(Method::PATCH, path, token).header(header::CONTENT_TYPE, "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    pub async fn new_query(&self, token: &str, title: &str, sql: &str, visibility: &str) -> Value {
        let body = json!({"title": title, "what": {"kind": "SQL", "text": sql}, "visibility": visibility});
        self.post("/api/query/create", Some(token), body).await.data()
    }

    pub async fn new_chart(&self, token: &str, query: &str, title: &str) -> Value {
        let body =
            json!({"queryId": query, "title": title, "viz": {"type": "line", "options": {"x": "x", "y": ["x"]}}});
        self.post("/api/visualization/create", Some(token), body).await.data()
    }

    pub async fn new_dashboard(&self, token: &str, title: &str, widgets: Value, visibility: &str) -> Value {
        let body = json!({"title": title, "content": {"widgets": widgets}, "visibility": visibility});
        self.post("/api/dashboard/create", Some(token), body).await.data()
    }

    /// Runs a saved query to its end; answers the job.
    pub async fn run_query(&self, token: &str, id: &str) -> String {
        let job = text(&self.post("/api/query/run/start", Some(token), json!({"id": id})).await.data()["jobId"]);
        self.wait_for(token, &job, "SUCCEEDED").await;
        self.until_written(token, id, &job).await;
        job
    }

    /// Waits until the history knows that the job has succeeded: it is written a moment after the job has ended.
    async fn until_written(&self, token: &str, id: &str, job: &str) {
        loop {
            let runs = self.get(&format!("/api/query/run/list?id={id}"), Some(token)).await.data();
            let items = runs["items"].as_array().unwrap().clone();
            if items.iter().any(|run| run["jobId"] == job && run["state"] == "SUCCEEDED") {
                return;
            }
            tokio::task::yield_now().await;
        }
    }
}

pub fn chart_widget(id: &str, chart: &str) -> Value {
    json!({"id": id, "layout": {"x": 0, "y": 0, "w": 6, "h": 8},
        "content": {"type": "visualization", "visualizationId": chart}})
}

/// One creation of each kind, made by the token's user; kind and id.
async fn one_of_each(server: &Server, token: &str, visibility: &str) -> Vec<(&'static str, String)> {
    let query = text(&server.new_query(token, "mine", "select 1 as x", visibility).await["id"]);
    let body = json!({"queryId": query, "title": "chart", "viz": {"type": "table", "options": {}},
        "visibility": visibility});
    let chart = text(&server.post("/api/visualization/create", Some(token), body).await.data()["id"]);
    let graph = json!({"title": "graph", "visibility": visibility, "content": {"nodes": [{"id": "a"}]}});
    let graph = text(&server.post("/api/graph/create", Some(token), graph).await.data()["id"]);
    let dashboard = text(&server.new_dashboard(token, "board", json!([]), visibility).await["id"]);
    let project = json!({"title": "project", "visibility": visibility});
    let project = text(&server.post("/api/project/create", Some(token), project).await.data()["id"]);
    vec![("query", query), ("visualization", chart), ("graph", graph), ("dashboard", dashboard), ("project", project)]
}

#[tokio::test]
async fn what_is_private_is_its_owners_alone() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    for (kind, id) in one_of_each(&server, &ada, "private").await {
        let path = format!("/api/{kind}/detail?id={id}");
        assert_eq!(server.get(&path, Some(&ada)).await.data()["editable"], true, "{kind}");
        server.get(&path, Some(&eve)).await.failure(404, "not_found");
        server.get(&path, None).await.failure(404, "not_found");
        let change = json!({"id": id, "revision": 1, "title": "taken"});
        server.patch(&format!("/api/{kind}/update"), Some(&eve), change.clone()).await.failure(404, "not_found");
        server.patch(&format!("/api/{kind}/update"), None, change).await.failure(401, "unauthenticated");
        server.post(&format!("/api/{kind}/delete"), Some(&eve), json!({"id": id})).await.failure(404, "not_found");
        for call in ["visibility/set", "share/create", "share/revoke"] {
            let body = json!({"id": id, "visibility": "public"});
            server.post(&format!("/api/creation/{call}"), Some(&eve), body).await.failure(404, "not_found");
        }
        server.get(&format!("/api/creation/share/link?id={id}"), Some(&eve)).await.failure(404, "not_found");
        assert_eq!(
            server.get(&path, Some(&ada)).await.data()["title"],
            server.get(&path, Some(&ada)).await.data()["title"]
        );
    }
}

#[tokio::test]
async fn what_is_public_is_read_by_all_and_changed_by_its_owner() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    for (kind, id) in one_of_each(&server, &ada, "public").await {
        let path = format!("/api/{kind}/detail?id={id}");
        for reader in [Some(eve.as_str()), None] {
            let seen = server.get(&path, reader).await.data();
            assert_eq!((&seen["editable"], &seen["userName"]), (&json!(false), &json!("ada")), "{kind}");
        }
        let change = json!({"id": id, "revision": 1, "title": "taken"});
        server.patch(&format!("/api/{kind}/update"), Some(&eve), change).await.failure(403, "forbidden");
        server.post(&format!("/api/{kind}/delete"), Some(&eve), json!({"id": id})).await.failure(403, "forbidden");
        let body = json!({"id": id, "visibility": "private"});
        server.post("/api/creation/visibility/set", Some(&eve), body).await.failure(404, "not_found");
        let change = json!({"id": id, "revision": 1, "title": "renamed"});
        let changed = server.patch(&format!("/api/{kind}/update"), Some(&ada), change).await.data();
        assert_eq!((&changed["title"], &changed["revision"]), (&json!("renamed"), &json!(2)), "{kind}");
    }
    for (kind, id) in one_of_each(&server, &ada, "public").await {
        server.post(&format!("/api/{kind}/delete"), Some(&ada), json!({"id": id})).await;
        server.get(&format!("/api/{kind}/detail?id={id}"), Some(&ada)).await.failure(404, "not_found");
    }
}

#[tokio::test]
async fn a_share_link_opens_one_thing_until_it_is_taken_back() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let others = one_of_each(&server, &ada, "private").await;
    for (kind, id) in one_of_each(&server, &ada, "private").await {
        let link = server.post("/api/creation/share/create", Some(&ada), json!({"id": id})).await.data();
        let share = text(&link["share"]);
        let path = format!("/api/{kind}/detail?id={id}&share={share}");
        for reader in [Some(eve.as_str()), None] {
            assert_eq!(server.get(&path, reader).await.data()["visibility"], "link", "{kind}");
        }
        server.get(&format!("/api/{kind}/detail?id={id}"), Some(&eve)).await.failure(404, "not_found");
        server
            .get(&format!("/api/{kind}/detail?id={id}&share={}", "0".repeat(64)), None)
            .await
            .failure(404, "not_found");
        let other = &others.iter().find(|(other, _)| *other == kind).unwrap().1;
        server.get(&format!("/api/{kind}/detail?id={other}&share={share}"), None).await.failure(404, "not_found");
        server.post("/api/creation/share/revoke", Some(&ada), json!({"id": id})).await.data();
        server.get(&path, Some(&eve)).await.failure(404, "not_found");
        let again = server.post("/api/creation/share/create", Some(&ada), json!({"id": id})).await.data();
        assert_ne!(text(&again["share"]), share);
    }
}

#[tokio::test]
async fn a_change_on_an_older_state_is_answered_with_the_current_one() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    for (kind, id) in one_of_each(&server, &ada, "private").await {
        let path = format!("/api/{kind}/update");
        let change = |title: &str| json!({"id": id, "revision": 1, "title": title});
        server.patch(&path, Some(&ada), change("first")).await.data();
        let refused = server.patch(&path, Some(&ada), change("second")).await;
        let failure = refused.json();
        assert_eq!((refused.status.as_u16(), &failure["code"]), (409, &json!("conflict")), "{failure}");
        let current = &failure["data"];
        assert_eq!((&current["title"], &current["revision"]), (&json!("first"), &json!(2)), "{kind}");
    }
}

#[tokio::test]
async fn a_viewer_sees_the_stored_result_without_running() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let id = text(&server.new_query(&ada, "answer", "select 42 as x", "public").await["id"]);
    let path = format!("/api/query/result?id={id}");
    server.get(&path, None).await.failure(404, "not_found");
    let job = server.run_query(&ada, &id).await;
    for reader in [Some(eve.as_str()), None] {
        let shown = server.get(&path, reader).await.data();
        assert_eq!((&shown["rows"][0][0], &shown["shown"]["jobId"]), (&json!("42"), &json!(job)));
    }
    // Eve's own run is hers; what viewers see stays ada's.
    server.run_query(&eve, &id).await;
    assert_eq!(server.get(&path, None).await.data()["shown"]["jobId"], job);
    server.get(&format!("/api/job/{job}/result"), Some(&eve)).await.failure(404, "not_found");
    let runs = |token: String| {
        let server = &server;
        let path = format!("/api/query/run/list?id={id}");
        async move { server.get(&path, Some(&token)).await.data()["total"].clone() }
    };
    assert_eq!((runs(ada.clone()).await, runs(eve.clone()).await), (json!(2), json!(1)));
    // A run in the editor belongs to the history; only the text as it is saved makes what viewers see.
    let run = async |sql: &str| {
        let body = json!({"kind": "SQL", "text": sql, "queryId": id});
        let job = text(&server.post("/api/query/execute", Some(&ada), body).await.data()["jobId"]);
        server.wait_for(&ada, &job, "SUCCEEDED").await;
        server.until_written(&ada, &id, &job).await;
        job
    };
    run("select 43 as x").await;
    assert_eq!(server.get(&path, None).await.data()["shown"]["jobId"], job);
    let job = run("select 42 as x").await;
    assert_eq!(server.get(&path, None).await.data()["shown"]["jobId"], job);
    // A result that is shown is not removed for its age.
    let removed = quarry::jobs::remove_results(&server.app.db, &server.app.engine, i64::MAX).await.unwrap();
    assert_eq!(removed, 3);
    assert_eq!(server.get(&path, None).await.data()["total"], 1);
    server.post("/api/creation/visibility/set", Some(&ada), json!({"id": id, "visibility": "private"})).await.data();
    server.get(&path, Some(&eve)).await.failure(404, "not_found");
}

#[tokio::test]
async fn a_saved_query_runs_with_values() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let what = json!({"kind": "SQL", "text": "select {{n}} + 1 as x", "parameters": [
        {"name": "n", "type": "number", "default": 1}]});
    let body = json!({"title": "n", "what": what, "visibility": "public"});
    let id = text(&server.post("/api/query/create", Some(&ada), body).await.data()["id"]);
    let job = server.run_query(&ada, &id).await;
    let path = format!("/api/query/result?id={id}");
    assert_eq!(server.get(&path, None).await.data()["rows"][0][0], "2");
    // A run with other values is in the history and is not what viewers see.
    let run = async |token: &str, parameters: Value| {
        server.post("/api/query/run/start", Some(token), json!({"id": id, "parameters": parameters})).await
    };
    let other = text(&run(&eve, json!({"n": "41"})).await.data()["jobId"]);
    server.wait_for(&eve, &other, "SUCCEEDED").await;
    let page = server.get(&format!("/api/job/{other}/result"), Some(&eve)).await.data();
    assert_eq!(page["rows"][0][0], "42");
    assert_eq!(server.get(&path, None).await.data()["shown"]["jobId"], job);
    run(&eve, json!({"m": 1})).await.failure(400, "invalid_input");
}

#[tokio::test]
async fn every_text_of_a_query_is_a_version() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let id = text(&server.new_query(&ada, "v", "select 1 as x", "public").await["id"]);
    let what = |sql: &str| json!({"kind": "SQL", "text": sql});
    let change = json!({"id": id, "revision": 1, "what": what("select 2 as x")});
    server.patch("/api/query/update", Some(&ada), change).await.data();
    // A new title is no new text.
    server.patch("/api/query/update", Some(&ada), json!({"id": id, "revision": 2, "title": "w"})).await.data();
    let list = server.get(&format!("/api/query/version/list?id={id}"), None).await.data();
    assert_eq!((&list["total"], &list["items"][0]["version"]), (&json!(2), &json!(2)));
    assert_eq!(list["items"][0]["userName"], "ada");
    let first = server.get(&format!("/api/query/version/detail?id={id}&version=1"), None).await.data();
    assert_eq!(first["what"]["text"], "select 1 as x");
    server.get(&format!("/api/query/version/detail?id={id}&version=9"), None).await.failure(404, "not_found");
    let choice = json!({"id": id, "version": 1});
    server.post("/api/query/version/restore", Some(&eve), choice.clone()).await.failure(403, "forbidden");
    let back = server.post("/api/query/version/restore", Some(&ada), choice).await.data();
    assert_eq!((&back["what"]["text"], &back["revision"]), (&json!("select 1 as x"), &json!(4)));
    assert_eq!(server.get(&format!("/api/query/version/list?id={id}"), None).await.data()["total"], 3);
}

#[tokio::test]
async fn what_was_written_in_private_stays_so() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let id = text(&server.new_query(&ada, "q", "select 'secret' as x", "private").await["id"]);
    let save = async |revision: i64, sql: &str| {
        let change = json!({"id": id, "revision": revision, "what": {"kind": "SQL", "text": sql}});
        server.patch("/api/query/update", Some(&ada), change).await.data();
    };
    let show = async |visibility: &str| {
        let choice = json!({"id": id, "visibility": visibility});
        server.post("/api/creation/visibility/set", Some(&ada), choice).await.data();
    };
    save(1, "select 2 as x").await;
    show("public").await;
    save(2, "select 3 as x").await;
    show("private").await;
    save(3, "select 'again' as x").await;
    save(4, "select 5 as x").await;
    show("public").await;
    // Versions 1 and 4 were never the newest while others could read.
    let list = server.get(&format!("/api/query/version/list?id={id}"), None).await.data();
    let numbers: Vec<_> = list["items"].as_array().unwrap().iter().map(|item| item["version"].clone()).collect();
    assert_eq!((json!(numbers), &list["total"]), (json!([5, 3, 2]), &json!(3)));
    server.get(&format!("/api/query/version/detail?id={id}&version=1"), None).await.failure(404, "not_found");
    server.get(&format!("/api/query/version/detail?id={id}&version=3"), None).await.data();
    // Who wrote it sees all.
    assert_eq!(server.get(&format!("/api/query/version/list?id={id}"), Some(&ada)).await.data()["total"], 5);
    server.get(&format!("/api/query/version/detail?id={id}&version=1"), Some(&ada)).await.data();
}

#[tokio::test]
async fn a_fork_is_a_copy_that_knows_where_it_came_from() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let origin = text(&server.new_query(&ada, "origin", "select 1 as x", "public").await["id"]);
    server.new_chart(&ada, &origin, "chart").await;
    let fork = server.post("/api/query/fork", Some(&eve), json!({"id": origin})).await.data();
    let id = text(&fork["id"]);
    assert_eq!((&fork["userName"], &fork["visibility"]), (&json!("eve"), &json!("private")));
    assert_eq!((&fork["forkedFrom"]["id"], &fork["forkedFrom"]["userName"]), (&json!(origin), &json!("ada")));
    assert_eq!(fork["visualizations"][0]["title"], "chart");
    assert_eq!(server.get(&format!("/api/query/detail?id={origin}"), None).await.data()["forks"], 1);
    let line = server.get(&format!("/api/query/lineage?id={id}"), Some(&eve)).await.data();
    assert_eq!(line["ancestors"][0]["title"], "origin");
    server
        .post("/api/creation/visibility/set", Some(&ada), json!({"id": origin, "visibility": "private"}))
        .await
        .data();
    let line = server.get(&format!("/api/query/lineage?id={id}"), Some(&eve)).await.data();
    assert_eq!(line["ancestors"][0]["title"], Value::Null);
    server.post("/api/query/fork", Some(&eve), json!({"id": origin})).await.failure(404, "not_found");
}

#[tokio::test]
async fn drafts_are_kept_per_user_and_tab() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let draft = |id: &str, sql: &str| json!({"id": id, "what": {"kind": "SQL", "text": sql}, "state": {"charts": []}});
    for (id, sql) in [("tab-1", "select 1"), ("tab-2", "select 2"), ("tab-1", "select 3")] {
        server.post("/api/query/draft/save", Some(&ada), draft(id, sql)).await.data();
    }
    let list = server.get("/api/query/draft/list", Some(&ada)).await.data();
    let texts: Vec<&Value> = list["items"].as_array().unwrap().iter().map(|item| &item["what"]["text"]).collect();
    assert_eq!(texts.len(), 2, "{list}");
    assert!(texts.contains(&&json!("select 3")) && texts.contains(&&json!("select 2")), "{list}");
    assert_eq!(server.get("/api/query/draft/list", Some(&eve)).await.data()["items"], json!([]));
    server.post("/api/query/draft/delete", Some(&eve), json!({"id": "tab-1"})).await.data();
    server.post("/api/query/draft/delete", Some(&ada), json!({"id": "tab-2"})).await.data();
    let list = server.get("/api/query/draft/list", Some(&ada)).await.data();
    assert_eq!(list["items"].as_array().unwrap().len(), 1);
    server.post("/api/query/draft/save", Some(&ada), draft("a/b", "x")).await.failure(400, "invalid_input");
}

#[tokio::test]
async fn searches_of_any_length_are_answered() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    server.new_query(&ada, "Blocks", "select 1", "public").await;
    let long = "b".repeat(60_000);
    for path in [
        "/api/creation/ofUser?userName=ada&search=",
        "/api/creation/mine?search=",
        "/api/visualization/list?search=",
        "/api/decoder/signature/list?search=",
    ] {
        assert_eq!(server.get(&format!("{path}{long}"), Some(&ada)).await.data()["total"], 0, "{path}");
    }
    assert_eq!(server.get("/api/creation/mine?search=BLO", Some(&ada)).await.data()["total"], 1);
}
