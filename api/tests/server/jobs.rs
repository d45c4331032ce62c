//! Running queries: their life, their results, who may see them, and what is refused.

use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::Method;
use quarry::auth::{ROLE_ADMIN, accounts};
use quarry::jobs::remove_results;
use serde_json::{Value, json};

use crate::harness::{ENDLESS, PASSWORD, Server, request, text};

#[tokio::test]
async fn a_query_runs_and_its_rows_come_in_pages() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let sql = "select x, x * 9007199254740993 as big from (values (1), (2), (3)) t(x) order by x";
    let id = server.execute(&token, sql).await;
    let job = server.wait_for(&token, &id, "SUCCEEDED").await;
    assert_eq!(job["jobId"], id.as_str());
    assert_eq!((&job["kind"], &job["progress"], &job["rows"]), (&json!("SQL"), &json!(100.0), &json!(3)));
    assert_eq!((&job["message"], &job["text"]), (&json!(""), &json!(sql)));
    assert!(job["finishTime"].as_i64() >= job["startTime"].as_i64(), "{job}");

    let page = server.get(&format!("/api/job/{id}/result?offset=1&limit=1"), Some(&token)).await.data();
    assert_eq!(page["total"], 3);
    assert_eq!(page["rows"].as_array().unwrap().len(), 1);
    assert_eq!(page["rows"][0][1], "18014398509481986");
    assert_eq!(page["columns"][1]["name"], "big");
    assert!(page["columns"][1]["type"].is_string());
    let log = server.get(&format!("/api/job/{id}/log"), Some(&token)).await.data();
    assert!(log["lines"].is_array());
}

#[tokio::test]
async fn a_query_that_is_wrong_fails_with_its_place() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let id = server.execute(&token, "select 1\nfrom blocks where )").await;
    let job = server.wait_for(&token, &id, "FAILED").await;
    assert_eq!(job["code"], "syntax_error", "{job}");
    assert_eq!(job["position"]["line"], 2, "{job}");
    assert!(!job["message"].as_str().unwrap().is_empty());
    server.get(&format!("/api/job/{id}/result"), Some(&token)).await.failure(409, "job_failed");
}

#[tokio::test]
async fn only_the_owner_and_an_administrator_reach_a_job() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let id = server.execute(&ada, "select 1").await;
    server.wait_for(&ada, &id, "SUCCEEDED").await;
    for path in ["", "/result", "/log", "/download?format=csv"] {
        server.get(&format!("/api/job/{id}{path}"), Some(&eve)).await.failure(404, "not_found");
        server.get(&format!("/api/job/{id}{path}"), None).await.failure(401, "unauthenticated");
    }
    server.post(&format!("/api/job/{id}/kill"), Some(&eve), Value::Null).await.failure(404, "not_found");
    let ticket = json!({"purpose": "download", "jobId": id});
    server.post("/api/file/ticket", Some(&eve), ticket).await.failure(404, "not_found");
    assert_eq!(server.get("/api/job/list", Some(&eve)).await.data()["total"], 0);
    server.get("/api/job/list?all=true", Some(&eve)).await.failure(403, "forbidden");

    let hash = server.app.auth.passwords.hash(PASSWORD).await.unwrap();
    accounts::reset(&server.app.db, "eve", &hash, ROLE_ADMIN).await.unwrap();
    let admin = text(&server.login("eve", PASSWORD).await.data()["token"]);
    assert_eq!(server.get(&format!("/api/job/{id}"), Some(&admin)).await.data()["userName"], "ada");
    assert_eq!(server.get("/api/job/list?all=true", Some(&admin)).await.data()["total"], 1);
}

#[tokio::test]
async fn a_running_query_is_killed() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let id = server.execute(&token, ENDLESS).await;
    server.wait_for(&token, &id, "RUNNING").await;
    server.get(&format!("/api/job/{id}/result"), Some(&token)).await.failure(409, "job_running");
    let killed = server.post(&format!("/api/job/{id}/kill"), Some(&token), Value::Null).await.data();
    assert_eq!(killed["jobId"], id.as_str());
    let job = server.wait_for(&token, &id, "KILLED").await;
    assert!(job["elapsedMs"].as_i64().unwrap() > 0, "{job}");
    server.get(&format!("/api/job/{id}/result"), Some(&token)).await.failure(409, "job_killed");
}

#[tokio::test]
async fn a_call_that_waits_answers_with_the_end_of_the_job() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let id = server.execute(&ada, ENDLESS).await;
    let path = format!("/api/job/{id}?wait=");
    // Nobody waits longer than asked, for a job of another, or for more than half a minute.
    let job = server.get(&format!("{path}1"), Some(&ada)).await.data();
    assert!(["QUEUED", "RUNNING"].contains(&job["state"].as_str().unwrap()), "{job}");
    server.get(&format!("{path}30000"), Some(&eve)).await.failure(404, "not_found");
    for wrong in ["30001", "-1", "1.5", "soon"] {
        server.get(&format!("{path}{wrong}"), Some(&ada)).await.failure(400, "invalid_input");
    }
    // The second call kills what the first waits for, so the first only ends in time when it is told.
    let waiting = format!("{path}30000");
    let kill = format!("/api/job/{id}/kill");
    let (began, killing) = (Instant::now(), server.post(&kill, Some(&ada), Value::Null));
    let (job, _) = tokio::join!(server.get(&waiting, Some(&ada)), killing);
    assert_eq!(job.data()["state"], "KILLED");
    assert!(began.elapsed() < Duration::from_secs(25), "{:?}", began.elapsed());
    // An ended job is answered at once.
    assert_eq!(server.get(&waiting, Some(&ada)).await.data()["state"], "KILLED");
}

#[tokio::test]
async fn one_call_runs_a_query_and_brings_its_first_rows() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let execute = async |text: &str, more: Value| {
        let mut body = json!({"kind": "SQL", "text": text});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.post("/api/query/execute", Some(&token), body).await
    };
    let text = "select x from unnest(sequence(1, 1000)) t(x)";
    let answer = execute(text, json!({"wait": 30000, "limit": 2})).await.data();
    assert_eq!((&answer["job"]["state"], &answer["job"]["jobId"]), (&json!("SUCCEEDED"), &answer["jobId"]));
    assert_eq!(answer["result"]["total"], 1000);
    let path = format!("/api/job/{}/result?limit=2", answer["jobId"].as_str().unwrap());
    assert_eq!(server.get(&path, Some(&token)).await.data(), answer["result"]);
    // One that fails says why; one that goes on is told as it is, and can be asked for as any other.
    let failed = execute("select 1 / 0", json!({"wait": 30000})).await.data();
    assert_eq!((&failed["job"]["state"], &failed["result"]), (&json!("FAILED"), &Value::Null));
    assert_eq!(failed["job"]["code"], "arithmetic_error");
    let running = execute(ENDLESS, json!({"wait": 1})).await.data();
    assert!(["QUEUED", "RUNNING"].contains(&running["job"]["state"].as_str().unwrap()), "{running}");
    assert_eq!(running["result"], Value::Null);
    server
        .post(&format!("/api/job/{}/kill", running["jobId"].as_str().unwrap()), Some(&token), Value::Null)
        .await
        .data();
    // Without `wait` nothing is waited for and nothing comes along.
    assert_eq!(execute("select 1", json!({"limit": 5})).await.data().as_object().unwrap().len(), 1);
    for wrong in [json!({"wait": 30001}), json!({"wait": 1, "limit": 0}), json!({"limit": 10001})] {
        execute("select 1", wrong).await.failure(400, "invalid_input");
    }
    execute("select 1", json!({"wait": -1})).await.failure(400, "invalid_json");
}

#[tokio::test]
async fn a_run_is_called_as_it_was_asked_or_as_its_query() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let execute = async |more: Value| {
        let mut body = json!({"kind": "SQL", "text": "with a as (select 1) select * from a"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.post("/api/query/execute", Some(&token), body).await
    };
    let title = async |job: Value| {
        let path = format!("/api/job/{}", job["jobId"].as_str().unwrap());
        server.get(&path, Some(&token)).await.data()["title"].clone()
    };
    assert_eq!(title(execute(json!({"title": " Governance: votes "})).await.data()).await, "Governance: votes");
    let saved = json!({"title": "Fees by day", "what": {"kind": "SQL", "text": "select 1"}});
    let id = server.post("/api/query/create", Some(&token), saved).await.data()["id"].clone();
    assert_eq!(title(execute(json!({"queryId": id, "title": "Other"})).await.data()).await, "Fees by day");
    let run = server.post("/api/query/run/start", Some(&token), json!({"id": id})).await.data();
    assert_eq!(title(run).await, "Fees by day");
    execute(json!({"title": "x".repeat(201)})).await.failure(400, "invalid_input");
}

#[tokio::test]
async fn the_list_filters_and_pages_newest_first() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let mut ids = Vec::new();
    for sql in ["select 1", "select 2", "select nonsense"] {
        let id = server.execute(&token, sql).await;
        server.wait_for(&token, &id, if sql.ends_with("nonsense") { "FAILED" } else { "SUCCEEDED" }).await;
        ids.push(id);
    }
    let page = server.get("/api/job/list?page=2&size=1", Some(&token)).await.data();
    assert_eq!((&page["total"], &page["items"][0]["jobId"]), (&json!(3), &json!(ids[1])));
    assert_eq!(page["items"][0]["title"], "select 2");
    assert_eq!(page["items"][0].get("text"), None);
    // The state in the list's filter is the database's, which is written a moment after the job has ended.
    let failed = loop {
        let page = server.get("/api/job/list?state=FAILED&kind=SQL", Some(&token)).await.data();
        if page["total"] == 1 {
            break page;
        }
    };
    assert_eq!(failed["items"][0]["jobId"], ids[2]);
    assert_eq!(server.get("/api/job/list?kind=HIVE", Some(&token)).await.data()["total"], 0);
    for wrong in ["page=0", "size=0", "size=101", "state=DONE", "page=x"] {
        server.get(&format!("/api/job/list?{wrong}"), Some(&token)).await.failure(400, "invalid_input");
    }
}

#[tokio::test]
async fn the_whole_result_is_downloaded_with_the_header_or_a_ticket() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let id = server.execute(&token, "select x, 'ü,\"' as t from (values (1), (2)) v(x) order by x").await;
    server.wait_for(&token, &id, "SUCCEEDED").await;
    let path = format!("/api/job/{id}/download?format=csv");
    let file = server.get(&path, Some(&token)).await;
    let rows: Vec<String> = String::from_utf8(file.body).unwrap().lines().map(str::to_string).collect();
    assert_eq!(rows, ["x,t", "1,\"ü,\"\"\"", "2,\"ü,\"\"\""]);
    let name = format!("attachment; filename=\"quarry-{id}-2-rows.csv\"");
    assert_eq!(file.headers["content-disposition"], name.as_str());
    assert_eq!(file.headers["x-content-type-options"], "nosniff");

    let packed = request(Method::GET, &path, Some(&token)).header("accept-encoding", "gzip");
    let packed = server.send(packed.body(Body::empty()).unwrap()).await;
    assert_eq!(packed.headers["content-encoding"], "gzip");
    assert!(packed.body.starts_with(&[0x1f, 0x8b]), "a browser gets the file packed, to its end");

    let ticket = async || {
        let body = json!({"purpose": "download", "jobId": id});
        text(&server.post("/api/file/ticket", Some(&token), body).await.data()["ticket"])
    };
    let key = ticket().await;
    let by_ticket = format!("/api/job/{id}/download?format=json&ticket={key}");
    let rows: Value = server.get(&by_ticket, None).await.json();
    assert_eq!(rows.as_array().unwrap().len(), 2, "{rows}");
    server.get(&by_ticket, None).await.failure(401, "unauthenticated");

    let (parquet, arrow) = (server.get(&path.replace("csv", "parquet"), Some(&token)).await, ticket().await);
    assert!(parquet.body.starts_with(b"PAR1") && parquet.body.ends_with(b"PAR1"));
    let arrow = server.get(&format!("/api/job/{id}/download?format=arrow&ticket={arrow}"), None).await;
    assert!(arrow.body.starts_with(b"ARROW1"));
    let xlsx = server.get(&path.replace("csv", "xlsx"), Some(&token)).await;
    assert!(xlsx.body.starts_with(b"PK"));
    assert!(xlsx.headers["content-type"].to_str().unwrap().contains("spreadsheetml"));
    server.get(&path.replace("csv", "exe"), Some(&token)).await.failure(400, "invalid_input");

    let other = server.execute(&token, "select 1").await;
    server.wait_for(&token, &other, "SUCCEEDED").await;
    let key = ticket().await;
    let foreign = format!("/api/job/{other}/download?format=csv&ticket={key}");
    server.get(&foreign, None).await.failure(401, "unauthenticated");
}

#[tokio::test]
async fn parameters_reach_the_query_as_values() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let values = json!({"n": 41, "who": "' or true --"});
    let body = json!({"kind": "SQL", "text": "select {{n}} + 1 as n, {{who}} as w", "parameters": values});
    let id = text(&server.post("/api/query/execute", Some(&token), body).await.data()["jobId"]);
    server.wait_for(&token, &id, "SUCCEEDED").await;
    let page = server.get(&format!("/api/job/{id}/result"), Some(&token)).await.data();
    assert_eq!(page["rows"], json!([["42", "' or true --"]]));
}

#[tokio::test]
async fn what_can_not_be_run_is_refused() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let execute = async |body: Value| server.post("/api/query/execute", Some(&token), body).await;
    execute(json!({"kind": "SQL", "text": "  "})).await.failure(400, "invalid_input");
    execute(json!({"kind": "SQL"})).await.failure(400, "invalid_input");
    let parameters = json!({"kind": "LABEL", "spec": {"label": "account-kind"}, "parameters": {"a": 1}});
    execute(parameters).await.failure(400, "invalid_input");
    execute(json!({"kind": "LABEL", "text": "select 1"})).await.failure(400, "invalid_input");
    assert_eq!(server.get("/api/job/list", Some(&token)).await.data()["total"], 0);
    execute(json!({"kind": "COBOL", "text": "select 1"})).await.failure(400, "invalid_json");
    let long = "select 1 -- ".to_string() + &"x".repeat(10_000_000);
    execute(json!({"kind": "SQL", "text": long})).await.failure(413, "too_large");
    server
        .post("/api/query/execute", None, json!({"kind": "SQL", "text": "select 1"}))
        .await
        .failure(401, "unauthenticated");
    let broken = request(Method::POST, "/api/query/execute", Some(&token)).body(Body::from("{\"kind\":")).unwrap();
    server.send(broken).await.failure(400, "invalid_json");
}

#[tokio::test]
async fn a_graph_query_takes_parameters_and_says_what_there_is_to_draw() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let body =
        json!({"kind": "GRAPH", "text": "UNWIND $ids AS id RETURN id * 2 AS twice", "parameters": {"ids": [1, 2]}});
    let id = text(&server.post("/api/query/execute", Some(&token), body).await.data()["jobId"]);
    let job = server.wait_for(&token, &id, "SUCCEEDED").await;
    assert_eq!(job["kind"], "GRAPH");
    let result = server.get(&format!("/api/job/{id}/result"), Some(&token)).await.data();
    assert_eq!(result["rows"], json!([["2"], ["4"]]));
    let graph = server.get(&format!("/api/job/{id}/graph"), Some(&token)).await.data();
    assert_eq!(graph, json!({"nodes": [], "edges": [], "nodesTotal": 0, "edgesTotal": 0}));
    let other = server.register("bob").await;
    server.get(&format!("/api/job/{id}/graph"), Some(&other)).await.failure(404, "not_found");
    let body = json!({"kind": "GRAPH", "text": "MATCH (n)\nDELETE n"});
    let id = text(&server.post("/api/query/execute", Some(&token), body).await.data()["jobId"]);
    let job = server.wait_for(&token, &id, "FAILED").await;
    assert_eq!(job["code"], "not_allowed", "{job}");
    server.get(&format!("/api/job/{id}/graph"), Some(&token)).await.failure(409, "job_failed");
}

#[tokio::test]
async fn old_results_are_removed_and_their_jobs_stay() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let mut ids = Vec::new();
    for sql in ["select 1", "select 2"] {
        let id = server.execute(&token, sql).await;
        server.wait_for(&token, &id, "SUCCEEDED").await;
        ids.push(id);
    }
    server.app.close().await;
    let age = "update jobs set finished_at = 1000 where id = $1";
    sqlx::query(age).bind(&ids[0]).execute(server.app.db.pool()).await.unwrap();
    assert_eq!(remove_results(&server.app.db, &server.app.engine, 2_000).await.unwrap(), 1);
    server.get(&format!("/api/job/{}/result", ids[0]), Some(&token)).await.failure(404, "not_found");
    server.get(&format!("/api/job/{}/result", ids[1]), Some(&token)).await.data();
    assert_eq!(server.get("/api/job/list", Some(&token)).await.data()["total"], 2);
}

#[tokio::test]
async fn a_job_that_was_running_when_the_server_stopped_is_marked_as_failed() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let done = server.execute(&token, "select 42 as answer").await;
    server.wait_for(&token, &done, "SUCCEEDED").await;
    let stopped = server.execute(&token, ENDLESS).await;
    server.wait_for(&token, &stopped, "RUNNING").await;
    server.app.close().await;
    // What a power cut leaves: a row that says the job runs.
    let cut = "update jobs set state = 'RUNNING', error_code = null, message = '' where id = $1";
    sqlx::query(cut).bind(&stopped).execute(server.app.db.pool()).await.unwrap();
    server.app.db.close().await;

    let server = Server::on(server.home).await;
    let job = server.wait_for(&token, &stopped, "FAILED").await;
    assert_eq!(job["code"], "server_stopped");
    assert!(job["message"].as_str().unwrap().contains("stopped"), "{job}");
    let page = server.get(&format!("/api/job/{done}/result"), Some(&token)).await.data();
    assert_eq!(page["total"], 1);
}
