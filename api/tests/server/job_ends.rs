//! Jobs whose caller goes away, or whose end can't be written down: none of them is left behind.

use std::fs::File;
use std::future::Future;
use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, SystemTime};

use quarry::auth::{CurrentUser, accounts};
use quarry::jobs::model::{Kind, Work};
use quarry::jobs::{ask, remove_results};
use quarry_runtime::job::{JobRequest, Parameters, Schemas};
use serde_json::json;
use tokio::time::timeout;

use crate::harness::{ENDLESS, SOON, Server, text};

/// Waits until it is so.
async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let wait = async {
        while !holds().await {
            tokio::task::yield_now().await;
        }
    };
    timeout(SOON, wait).await.unwrap_or_else(|_| panic!("{what}"));
}

async fn count(server: &Server, of: &'static str) -> i64 {
    let statement = format!("select count(*) from jobs where {of}");
    sqlx::query_scalar(sqlx::AssertSqlSafe(statement)).fetch_one(server.app.db.pool()).await.unwrap()
}

#[tokio::test]
async fn a_caller_that_goes_away_leaves_no_job_that_nothing_runs() {
    let server = Server::start().await;
    server.register("ada").await;
    let id = accounts::find(&server.app.db, "ada").await.unwrap().unwrap().id;
    let ada = CurrentUser::of_account(&server.app.db, id).await.unwrap();
    // Cut off after as many steps of the call as there are.
    for steps in 0..60 {
        let work = Work {
            kind: Kind::Sql,
            text: "select 1".to_string(),
            spec: None,
            parameters: Parameters::new(),
            title: String::new(),
        };
        let mut call = pin!(server.app.jobs.submit(&ada, work, None));
        let mut left = steps;
        std::future::poll_fn(|context| {
            if left == 0 || call.as_mut().poll(context).is_ready() {
                return Poll::Ready(());
            }
            left -= 1;
            Poll::Pending
        })
        .await;
    }
    assert!(count(&server, "1 = 1").await > 0);
    until("every job ends", async || count(&server, "state in ('QUEUED', 'RUNNING')").await == 0).await;
}

#[tokio::test]
async fn the_end_of_a_job_is_written_down_as_soon_as_the_database_takes_it() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let refuse = "create trigger stuck before update on jobs begin select raise(abort, 'stuck'); end";
    sqlx::query(refuse).execute(server.app.db.pool()).await.unwrap();
    let id = server.execute(&ada, "select 1").await;
    server.app.jobs.handle(&id).unwrap().wait().await;
    assert_eq!(count(&server, "state = 'SUCCEEDED'").await, 0);
    sqlx::query("drop trigger stuck").execute(server.app.db.pool()).await.unwrap();
    until("it is written down", async || count(&server, "state = 'SUCCEEDED'").await == 1).await;
}

/// Otherwise a server that is killed in this moment would say later that a job failed which it had said to have succeeded.
#[tokio::test]
async fn an_end_is_told_only_once_it_is_written_down() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    for number in 0..30 {
        let job = json!({"kind": "SQL", "text": format!("select {number}"), "wait": 30_000});
        let ended = server.post("/api/query/execute", Some(&ada), job).await.data();
        assert_eq!(ended["job"]["state"], "SUCCEEDED", "{ended}");
        let state: String = sqlx::query_scalar("select state from jobs where id = $1")
            .bind(text(&ended["jobId"]))
            .fetch_one(server.app.db.pool())
            .await
            .unwrap();
        assert_eq!(state, "SUCCEEDED");
    }
}

#[tokio::test]
async fn a_question_that_nobody_waits_for_any_more_is_stopped() {
    let server = Server::start().await;
    let engine = server.app.engine.clone();
    let asked = ask::rows(&engine, "nobody", Schemas::default(), ENDLESS.to_string());
    tokio::select! {
        rows = asked => panic!("{rows:?}"),
        () = until("it runs", async || !engine.active_jobs().is_empty()) => {}
    }
    until("it is stopped", async || engine.active_jobs().is_empty()).await;
    let rows = ask::rows(&engine, "nobody", Schemas::default(), "select 1".to_string()).await.unwrap();
    assert_eq!((rows.len(), engine.results().unwrap()), (1, Vec::<String>::new()));
}

#[tokio::test]
async fn results_of_no_job_are_removed_when_they_are_old() {
    let server = Server::start().await;
    let engine = &server.app.engine;
    // Of one text they would be one file.
    for (id, text) in [("old", "select 1"), ("new", "select 2")] {
        let request = JobRequest { id: id.to_string(), text: text.to_string(), ..JobRequest::default() };
        engine.submit(request).unwrap().wait().await;
    }
    let told = File::options().write(true).open(server.home.path().join("results/old.json")).unwrap();
    told.set_modified(SystemTime::now() - Duration::from_secs(2 * 3600)).unwrap();
    assert_eq!(remove_results(&server.app.db, engine, i64::MAX).await.unwrap(), 1);
    assert_eq!(engine.results().unwrap(), ["new"]);
}

#[tokio::test]
async fn a_job_tells_the_values_it_ran_with_to_those_who_may_see_it() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let values = json!({"n": 41, "who": ["a", "b"]});
    let body = json!({"kind": "GRAPH", "text": "RETURN $n AS n, $who AS who", "parameters": values});
    let id = text(&server.post("/api/query/execute", Some(&ada), body).await.data()["jobId"]);
    let path = format!("/api/job/{id}");
    assert_eq!(server.get(&path, Some(&ada)).await.data()["parameters"], values);
    server.get(&path, Some(&eve)).await.failure(404, "not_found");
    let list = server.get("/api/job/list", Some(&ada)).await.data();
    assert_eq!(list["items"][0].get("parameters"), None);
    let plain = server.execute(&ada, "select 1").await;
    assert_eq!(server.get(&format!("/api/job/{plain}"), Some(&ada)).await.data().get("parameters"), None);
    // The defaults of a saved query are among them.
    let what = json!({"kind": "SQL", "text": "select {{n}} as x", "parameters": [{"name": "n", "type": "number", "default": 5}]});
    let query = server.post("/api/query/create", Some(&ada), json!({"title": "q", "what": what})).await.data();
    let run = server.post("/api/query/run/start", Some(&ada), json!({"id": query["id"]})).await.data();
    let job = server.get(&format!("/api/job/{}", text(&run["jobId"])), Some(&ada)).await.data();
    let again = json!({"kind": "SQL", "text": job["text"], "parameters": job["parameters"]});
    let again = text(&server.post("/api/query/execute", Some(&ada), again).await.data()["jobId"]);
    server.wait_for(&ada, &again, "SUCCEEDED").await;
    let page = server.get(&format!("/api/job/{again}/result"), Some(&ada)).await.data();
    assert_eq!(page["rows"], json!([["5"]]));
}
