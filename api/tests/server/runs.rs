//! Runs of a query by people it does not belong to: what its owner learns of them, and what they can't hold up.

use quarry::jobs::remove_results;
use serde_json::{Value, json};

use crate::creations::chart_widget;
use crate::harness::{ENDLESS, Server, text};

async fn hourly(server: &Server, token: &str, sql: &str) -> (String, i64) {
    let body = json!({"title": "hourly", "what": {"kind": "SQL", "text": sql}, "updateStrategy": "hourly",
        "visibility": "public"});
    let query = server.post("/api/query/create", Some(token), body).await.data();
    (text(&query["id"]), query["nextRunTime"].as_i64().unwrap())
}

/// Runs a text in the editor of a saved query; answers the job.
async fn edit(server: &Server, token: &str, query: &str, sql: &str) -> String {
    let values = if sql.contains("{{secret}}") { json!({"secret": "s3cret"}) } else { json!({}) };
    let body = json!({"kind": "SQL", "text": sql, "queryId": query, "parameters": values});
    text(&server.post("/api/query/execute", Some(token), body).await.data()["jobId"])
}

#[tokio::test]
async fn what_somebody_tries_in_the_editor_is_not_told_to_the_owner_of_the_query() {
    let server = Server::start().await;
    let (ada, eve, root) = (server.register("ada").await, server.register("eve").await, server.admin("root").await);
    let (id, _) = hourly(&server, &ada, "select 1 as x").await;
    let theirs = edit(&server, &eve, &id, "select {{secret}} from nothing_of_that_name").await;
    server.wait_for(&eve, &theirs, "FAILED").await;
    let run = async |token: &str| loop {
        let runs = server.get(&format!("/api/query/run/list?id={id}"), Some(token)).await.data();
        let run = runs["items"].as_array().unwrap().iter().find(|run| run["jobId"] == theirs.as_str()).unwrap().clone();
        if run["state"] == "FAILED" {
            return ["text", "parameters", "message"].map(|field| text(&run[field]).is_empty());
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(run(&ada).await, [true; 3]);
    assert_eq!((run(&eve).await, run(&root).await), ([false; 3], [false; 3]));
    let restore = async |token: &str, job: &str| {
        server.post("/api/query/run/restore", Some(token), json!({"id": id, "jobId": job})).await
    };
    restore(&ada, &theirs).await.failure(404, "not_found");
    let own = edit(&server, &ada, &id, "select 2 as x").await;
    assert_eq!(restore(&ada, &own).await.data()["what"]["text"], "select 2 as x");
}

#[tokio::test]
async fn the_run_of_a_stranger_holds_up_no_run_of_the_owner() {
    let server = Server::start().await;
    let (ada, eve, root) = (server.register("ada").await, server.register("eve").await, server.admin("root").await);
    let (id, due) = hourly(&server, &ada, "select 3 as x").await;
    let endless = edit(&server, &eve, &id, ENDLESS).await;
    server.wait_for(&eve, &endless, "RUNNING").await;
    let started = server.app.scheduler.run_due(due).await.unwrap();
    assert_eq!(started.len(), 1);
    server.wait_for(&ada, &started[0], "SUCCEEDED").await;
    while quarry::jobs::of_query::unfinished(&server.app.db, &id).await.unwrap().is_some() {
        tokio::task::yield_now().await;
    }
    server.app.scheduler.run_now(&id).await.unwrap();
    let chart = text(&server.new_chart(&ada, &id, "chart").await["id"]);
    let board = server.new_dashboard(&ada, "board", json!([chart_widget("w", &chart)]), "private").await["id"].clone();
    while quarry::jobs::of_query::unfinished(&server.app.db, &id).await.unwrap().is_some() {
        tokio::task::yield_now().await;
    }
    let refreshed = server.post("/api/dashboard/refresh", Some(&ada), json!({"id": board})).await.data();
    assert_eq!(refreshed["started"].as_array().unwrap().len(), 1, "{refreshed}");
    server.post(&format!("/api/job/{endless}/kill"), Some(&root), Value::Null).await.data();
}

#[tokio::test]
async fn results_at_values_that_readers_ask_for_do_not_stay_for_ever() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let board = async |what: Value| {
        let query = json!({"title": "q", "what": what, "visibility": "private"});
        let query = text(&server.post("/api/query/create", Some(&ada), query).await.data()["id"]);
        let chart = text(&server.new_chart(&ada, &query, "chart").await["id"]);
        let mut widget = chart_widget("w", &chart);
        widget["content"]["parameters"] = json!({"number": "n"});
        let content = json!({"widgets": [widget], "parameters": [{"name": "number", "type": "number"}]});
        let board = json!({"title": "b", "visibility": "public", "content": content});
        (text(&server.post("/api/dashboard/create", Some(&ada), board).await.data()["id"]), query)
    };
    let parameters = json!([{"name": "n", "type": "number", "default": 5}]);
    let ask = async |board: &str, number: i64| {
        let asked = json!({"id": board, "widgetId": "w", "values": {"number": number}});
        server.post("/api/dashboard/widget/filter", None, asked).await
    };
    let (numbers, query) = board(json!({"kind": "SQL", "text": "select {{n}} as x", "parameters": parameters})).await;
    server.run_query(&ada, &query).await;
    let first = ask(&numbers, 7).await.data();
    // Once it is written down that it has ended, it is old.
    while remove_results(&server.app.db, &server.app.engine, i64::MAX).await.unwrap() == 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(server.get(&format!("/api/query/result?id={query}"), Some(&ada)).await.data()["total"], 1);
    let again = ask(&numbers, 7).await.data();
    assert_eq!(again["result"]["rows"], first["result"]["rows"]);
    assert_ne!(again["result"]["shown"]["jobId"], first["result"]["shown"]["jobId"], "it is run anew");

    let (tables, _) = board(json!({"kind": "HIVE", "text": "select {{n}} as x", "parameters": parameters})).await;
    ask(&tables, 7).await.failure(403, "forbidden");
}
