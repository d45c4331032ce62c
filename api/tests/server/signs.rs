//! Servers with separate homes may share a platform database. When one stops sending heartbeats, the others end its jobs. The tests run
//! on SQLite and on PostgreSQL.

use std::sync::Arc;

use quarry::auth::accounts;
use quarry::db::Db;
use quarry::jobs::model::{Kind, State};
use quarry::jobs::signs::{PATIENCE, Signs};
use quarry::jobs::store::{self, Beginning, Ended, JobRow};
use quarry::ws::hub::Notice;
use quarry::ws::message::ServerMessage;
use quarry_engine::Engine;
use quarry_runtime::EngineConfig;
use serde_json::json;
use tempfile::TempDir;
use tokio::time::timeout;

use crate::harness::{ENDLESS, SOON, Server};
use crate::stores::{account, on_both, postgres, sqlite};

on_both!(jobs_of_a_home_without_signs_are_ended, a_sign_in_between_saves_a_home);

fn engine(folder: &TempDir) -> Arc<Engine> {
    Engine::open(EngineConfig::at(folder.path())).unwrap()
}

async fn begin(db: &Db, owner: i64, id: &str, home: &str) {
    let row = JobRow {
        id: id.to_string(),
        owner_id: owner,
        owner_name: "ada".to_string(),
        kind: Kind::Sql,
        state: State::Queued,
        title: String::new(),
        text: "select 1".to_string(),
        created_at: 5,
        ended: Ended::default(),
    };
    store::insert(db, &row, &Beginning { home, given: "", of: None }).await.unwrap();
}

async fn state(db: &Db, id: &str) -> (State, Option<String>) {
    let row = store::find(db, id, None).await.unwrap().unwrap();
    (row.state, row.ended.code)
}

async fn turns(signs: &mut Signs, count: u32) {
    for _ in 0..count {
        signs.turn().await.unwrap();
    }
}

async fn jobs_of_a_home_without_signs_are_ended(db: Db) {
    let folder = tempfile::tempdir().unwrap();
    let ada = account(&db, "ada").await;
    for (id, home) in [("own", "here"), ("waits", "gone"), ("runs", "gone"), ("ended", "gone"), ("before", "")] {
        begin(&db, ada, id, home).await;
    }
    assert!(store::update(&db, "runs", State::Running, &Ended::default()).await.unwrap());
    assert!(store::update(&db, "ended", State::Succeeded, &Ended::default()).await.unwrap());
    let mut here = Signs::new(db.clone(), engine(&folder), "here".into());
    turns(&mut here, PATIENCE).await;
    assert_eq!(state(&db, "waits").await, (State::Queued, None));
    turns(&mut here, 1).await;
    for id in ["waits", "runs"] {
        assert_eq!(state(&db, id).await, (State::Failed, Some("server_lost".to_string())));
    }
    let row = store::find(&db, "runs", None).await.unwrap().unwrap();
    assert!(row.ended.finished_at.is_some() && row.ended.message.contains("no heartbeat"), "{row:?}");
    assert_eq!(state(&db, "ended").await, (State::Succeeded, None));
    // Its own, and those of before jobs had a home, end when a server starts.
    for id in ["own", "before"] {
        assert_eq!(state(&db, id).await, (State::Queued, None));
    }
    // What its server says of it afterwards comes too late.
    assert!(!store::update(&db, "runs", State::Succeeded, &Ended::default()).await.unwrap());
    assert_eq!(state(&db, "runs").await.0, State::Failed);
}

async fn a_sign_in_between_saves_a_home(db: Db) {
    let folder = tempfile::tempdir().unwrap();
    let ada = account(&db, "ada").await;
    begin(&db, ada, "slow", "there").await;
    let engine = engine(&folder);
    let mut here = Signs::new(db.clone(), engine.clone(), "here".into());
    let mut there = Signs::new(db.clone(), engine, "there".into());
    for _ in 0..3 {
        turns(&mut here, PATIENCE).await;
        there.turn().await.unwrap();
    }
    turns(&mut here, PATIENCE).await;
    assert_eq!(state(&db, "slow").await, (State::Queued, None));
    turns(&mut here, 1).await;
    assert_eq!(state(&db, "slow").await.0, State::Failed);
}

#[tokio::test]
async fn a_server_that_comes_back_stops_what_was_ended_and_tells_the_same_end() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let ada = accounts::find(&server.app.db, "ada").await.unwrap().unwrap().id;
    let id = server.execute(&token, ENDLESS).await;
    server.wait_for(&token, &id, "RUNNING").await;
    let folder = tempfile::tempdir().unwrap();
    let mut other = Signs::new(server.app.db.clone(), engine(&folder), "another".into());
    turns(&mut other, PATIENCE + 1).await;
    // It still runs here, and the page says how it ended all the same.
    let handle = server.app.jobs.handle(&id).unwrap();
    assert!(!State::from(handle.snapshot().state).is_final());
    let job = server.wait_for(&token, &id, "FAILED").await;
    assert_eq!(job["code"], "server_lost");
    server.post(&format!("/api/job/{id}/kill"), Some(&token), json!({})).await.data();

    let id = server.execute(&token, ENDLESS).await;
    server.wait_for(&token, &id, "RUNNING").await;
    turns(&mut other, PATIENCE + 1).await;
    let mut told = server.app.hub.listen(ada, 10).unwrap();
    let home = std::fs::read_to_string(server.home.path().join("home.id")).unwrap();
    let mut own = Signs::new(server.app.db.clone(), server.app.engine.clone(), home.into());
    own.turn().await.unwrap();
    let end = async {
        loop {
            if let Notice::Message(ServerMessage::State(job)) = told.recv().await.unwrap()
                && job.job_id == id
                && job.state.is_final()
            {
                return job;
            }
        }
    };
    let told = timeout(SOON, end).await.expect("the end is told");
    assert_eq!((told.state, told.code.as_deref()), (State::Failed, Some("server_lost")));
    assert!(State::from(server.app.jobs.handle(&id).unwrap().wait().await.state).is_final(), "it runs no more");
    assert_eq!(state(&server.app.db, &id).await, (State::Failed, Some("server_lost".to_string())));
}

#[tokio::test]
async fn a_job_is_stopped_on_any_server() {
    let server = Server::start().await;
    let (admin, token) = (server.admin("root").await, server.register("ada").await);
    let db = &server.app.db;
    let ada = accounts::find(db, "ada").await.unwrap().unwrap().id;
    let asked = async || {
        let asked = "select id from jobs where stop_asked = 1 order by id";
        sqlx::query_scalar::<_, String>(asked).fetch_all(db.pool()).await.unwrap()
    };
    for id in ["a", "b", "c"] {
        begin(db, ada, id, "there").await;
    }
    store::update(db, "c", State::Succeeded, &Ended::default()).await.unwrap();
    for id in ["a", "c"] {
        server.post(&format!("/api/job/{id}/kill"), Some(&token), json!({})).await.data();
    }
    assert_eq!(asked().await, ["a"], "one that has ended stays as it is");
    let disable = format!("/api/system/user/updateUserDisabled/{ada}?disabled=true");
    server.put(&disable, Some(&admin), json!(null)).await.data();
    assert_eq!(asked().await, ["a", "b"]);

    // The server that runs one finds it.
    let id = server.execute(&admin, ENDLESS).await;
    server.wait_for(&admin, &id, "RUNNING").await;
    store::ask_stop(db, &id).await.unwrap();
    let home = std::fs::read_to_string(server.home.path().join("home.id")).unwrap();
    Signs::new(db.clone(), server.app.engine.clone(), home.into()).turn().await.unwrap();
    server.wait_for(&admin, &id, "KILLED").await;
}
