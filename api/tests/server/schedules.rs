//! Queries that run by themselves. The clock is given, so nothing here waits for time to pass.

use quarry::app::AppOptions;
use quarry::creations::queries::{self, Strategy};
use quarry_runtime::EngineConfig;
use serde_json::{Value, json};

use crate::harness::{ENDLESS, SOON, Server, text};

/// Milliseconds of an hour.
const HOUR: i64 = 3_600_000;

async fn scheduled(server: &Server, token: &str, sql: &str, strategy: &str, cron: &str) -> Value {
    let body = json!({"title": "hourly", "what": {"kind": "SQL", "text": sql}, "updateStrategy": strategy,
        "cron": cron, "visibility": "public"});
    server.post("/api/query/create", Some(token), body).await.data()
}

#[tokio::test]
async fn a_due_query_runs_once_and_its_result_is_shown() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let query = scheduled(&server, &ada, "select 3 as x", "hourly", "").await;
    let (id, due) = (text(&query["id"]), query["nextRunTime"].as_i64().unwrap());
    assert!(server.app.scheduler.run_due(due - 1).await.unwrap().is_empty());
    let started = server.app.scheduler.run_due(due).await.unwrap();
    assert_eq!(started.len(), 1);
    assert!(server.app.scheduler.run_due(due).await.unwrap().is_empty());
    server.wait_for(&ada, &started[0], "SUCCEEDED").await;
    let run = loop {
        let runs = server.get(&format!("/api/query/run/list?id={id}"), Some(&ada)).await.data();
        if runs["items"][0]["state"] == "SUCCEEDED" {
            break runs["items"][0].clone();
        }
        tokio::task::yield_now().await;
    };
    assert_eq!((&run["origin"], &run["jobId"]), (&json!("schedule"), &json!(started[0])));
    assert_eq!(server.get(&format!("/api/query/result?id={id}"), None).await.data()["rows"][0][0], "3");
    let view = server.get(&format!("/api/query/detail?id={id}"), Some(&ada)).await.data();
    assert_eq!(view["nextRunTime"], due + HOUR);
}

#[tokio::test]
async fn a_query_never_runs_twice_at_once() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let query = scheduled(&server, &ada, ENDLESS, "hourly", "").await;
    let due = query["nextRunTime"].as_i64().unwrap();
    let first = server.app.scheduler.run_due(due).await.unwrap();
    assert_eq!(first.len(), 1);
    // The next hour comes while it runs: that run is left out, and the one after it happens.
    assert!(server.app.scheduler.run_due(due + HOUR).await.unwrap().is_empty());
    server.wait_for(&ada, &first[0], "RUNNING").await;
    server.post(&format!("/api/job/{}/kill", first[0]), Some(&ada), json!({})).await.data();
    server.wait_for(&ada, &first[0], "KILLED").await;
    let id = text(&query["id"]);
    while quarry::jobs::of_query::unfinished(&server.app.db, &id).await.unwrap().is_some() {
        tokio::task::yield_now().await;
    }
    let third = server.app.scheduler.run_due(due + 2 * HOUR).await.unwrap();
    assert_eq!(third.len(), 1);
    server.post(&format!("/api/job/{}/kill", third[0]), Some(&ada), json!({})).await.data();
}

#[tokio::test]
async fn a_due_query_that_finds_no_place_comes_again() {
    let home = tempfile::tempdir().unwrap();
    let one = |config: &mut EngineConfig| (config.batch_concurrency, config.queue_limit) = (1, 1);
    let server = Server::tuned(home, AppOptions::default(), one).await;
    let ada = server.register("ada").await;
    let mut due = 0;
    for _ in 0..3 {
        // All at one moment: those by the hour would come at minutes of their own.
        due = scheduled(&server, &ada, ENDLESS, "cron", "0 */6 * * *").await["nextRunTime"].as_i64().unwrap().max(due);
    }
    // One runs, one waits, and for the last there is no room.
    let started = server.app.scheduler.run_due(due).await.unwrap();
    assert_eq!(started.len(), 2);
    // Queries that somebody waits for have places of their own.
    let asked = server.execute(&ada, "select 1").await;
    server.wait_for(&ada, &asked, "SUCCEEDED").await;
    assert!(server.app.scheduler.run_due(due + 59_999).await.unwrap().is_empty());
    for id in &started {
        server.post(&format!("/api/job/{id}/kill"), Some(&ada), json!({})).await.data();
        server.wait_for(&ada, id, "KILLED").await;
    }
    let later = server.app.scheduler.run_due(due + 60_000).await.unwrap();
    assert_eq!(later.len(), 1);
    server.post(&format!("/api/job/{}/kill", later[0]), Some(&ada), json!({})).await.data();
}

#[tokio::test]
async fn schedules_survive_a_restart_and_missed_runs_are_made_up_for_once() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let query = scheduled(&server, &ada, "select 1 as x", "cron", "0 */6 * * *").await;
    let due = query["nextRunTime"].as_i64().unwrap();
    server.app.close().await;
    server.app.db.close().await;
    let server = Server::on(server.home).await;
    let started = server.app.scheduler.run_due(due + 100 * HOUR).await.unwrap();
    assert_eq!(started.len(), 1);
    server.wait_for(&ada, &started[0], "SUCCEEDED").await;
    assert!(server.app.scheduler.run_due(due + 100 * HOUR).await.unwrap().is_empty());
}

#[tokio::test]
async fn schedules_rest_and_odd_ones_are_refused() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let query = scheduled(&server, &ada, "select 1 as x", "daily", "").await;
    let (id, due) = (text(&query["id"]), query["nextRunTime"].as_i64().unwrap());
    let pause = async |token: &str, paused: bool| {
        server.post("/api/query/schedule/pause", Some(token), json!({"id": id, "paused": paused})).await
    };
    pause(&eve, true).await.failure(403, "forbidden");
    pause(&ada, true).await.data();
    assert!(server.app.scheduler.run_due(due).await.unwrap().is_empty());
    let list = server.get("/api/query/schedule/list", Some(&ada)).await.data();
    assert_eq!((&list["total"], &list["items"][0]["paused"]), (&json!(1), &json!(true)));
    assert_eq!(server.get("/api/query/schedule/list", Some(&eve)).await.data()["total"], 0);
    server.get("/api/query/schedule/list?all=true", Some(&eve)).await.failure(403, "forbidden");
    pause(&ada, false).await.data();
    assert_eq!(server.app.scheduler.run_due(due).await.unwrap().len(), 1);
    for cron in ["", "* * * * *", "every day", "0 0 31 2 *"] {
        let body = json!({"title": "x", "what": {"kind": "SQL", "text": "select 1"}, "updateStrategy": "cron",
            "cron": cron});
        let failure = server.post("/api/query/create", Some(&ada), body).await.failure(400, "invalid_input");
        assert_eq!(failure["param"], "cron");
    }
}

#[tokio::test]
async fn a_graph_query_that_runs_by_itself_has_its_values() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let wei = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
    let what = json!({"kind": "GRAPH", "text": "UNWIND $some AS one RETURN one, $n + 1 AS n, $wei AS wei, $none AS none",
        "parameters": [{"name": "some", "type": "list", "multiple": true, "default": ["a", "b"]},
            {"name": "n", "type": "number", "default": 41}, {"name": "wei", "type": "number", "default": wei},
            {"name": "none", "type": "text"}]});
    let body = json!({"title": "graph", "what": what, "updateStrategy": "hourly"});
    let query = server.post("/api/query/create", Some(&ada), body).await.data();
    let due = query["nextRunTime"].as_i64().unwrap();
    let started = server.app.scheduler.run_due(due).await.unwrap();
    server.wait_for(&ada, &started[0], "SUCCEEDED").await;
    let result = server.get(&format!("/api/job/{}/result", started[0]), Some(&ada)).await.data();
    assert_eq!(result["rows"], json!([["a", "42", wei, null], ["b", "42", wei, null]]));
}

#[tokio::test]
async fn a_database_that_takes_no_change_is_not_asked_without_end() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let due = scheduled(&server, &ada, "select 1 as x", "hourly", "").await["nextRunTime"].as_i64().unwrap();
    let refuse = "create trigger stuck before update of next_run_at on queries begin select raise(abort, 'stuck'); end";
    sqlx::query(refuse).execute(server.app.db.pool()).await.unwrap();
    let outcome = tokio::time::timeout(SOON, server.app.scheduler.run_due(due)).await.expect("it gives up");
    assert!(outcome.is_err(), "{outcome:?}");
    sqlx::query("drop trigger stuck").execute(server.app.db.pool()).await.unwrap();
    assert_eq!(server.app.scheduler.run_due(due).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_query_that_many_start_at_once_runs_once() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let query = scheduled(&server, &ada, ENDLESS, "hourly", "").await;
    let (id, due) = (text(&query["id"]), query["nextRunTime"].as_i64().unwrap());
    let scheduler = &server.app.scheduler;
    let by_hand = futures::future::join_all((0..4).map(|_| scheduler.run_now(&id)));
    let (by_hand, by_clock) = tokio::join!(by_hand, scheduler.run_due(due));
    let started: Vec<String> = by_hand.into_iter().flatten().chain(by_clock.unwrap()).collect();
    assert_eq!(started.len(), 1, "{started:?}");
    server.post(&format!("/api/job/{}/kill", started[0]), Some(&ada), json!({})).await.data();
}

#[tokio::test]
async fn a_change_of_the_text_leaves_the_next_moment_to_the_clock() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let query = scheduled(&server, &ada, "select 1 as x", "hourly", "").await;
    let (id, due) = (text(&query["id"]), query["nextRunTime"].as_i64().unwrap());
    let db = &server.app.db;
    // Read, moved on by the clock, and only then written.
    let mut row = queries::find(db, &id).await.unwrap();
    row.what.text = "select 2 as x".to_string();
    assert_eq!(server.app.scheduler.run_due(due).await.unwrap().len(), 1);
    let write = async |row: &queries::QueryRow| {
        queries::update(&mut db.pool().acquire().await.unwrap(), row).await.unwrap();
        queries::find(db, &id).await.unwrap()
    };
    let kept = write(&row).await;
    assert_eq!((kept.what.text.as_str(), kept.next_run_at), ("select 2 as x", Some(due + HOUR)));
    row.strategy = Strategy::Daily;
    row.next_run_at = Some(7);
    assert_eq!(write(&row).await.next_run_at, Some(7), "another schedule has another moment");
}
