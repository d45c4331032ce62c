//! The data monitor over a lake with blocks: its growth, and checking it again.

use std::time::Instant;

use quarry_ingest::sample::{self, FEWEST_TRANSACTIONS, SampleConfig};
use serde_json::{Value, json};

use crate::harness::{SOON, Server};

const STATUS: &str = "/api/system/dataLink/status";
const START: &str = "/api/system/dataLink/check/start";
const STOP: &str = "/api/system/dataLink/check/stop";
const HISTORY: &str = "/api/system/dataLink/history";

/// The check once it is not under way any more.
async fn ended(server: &Server, root: &str) -> Value {
    let begun = Instant::now();
    loop {
        let check = server.get(STATUS, Some(root)).await.data()["check"].clone();
        if check["state"] != "running" {
            return check;
        }
        assert!(begun.elapsed() < SOON, "{check}");
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lake_is_checked_when_an_administrator_asks() {
    let server = Server::start().await;
    let (root, eve) = (server.admin("root").await, server.register("eve").await);
    server.post(START, Some(&eve), json!({})).await.failure(403, "forbidden");
    server.post(START, Some(&root), json!({"blocks": 0})).await.failure(400, "invalid_input");
    assert_eq!(server.post(STOP, Some(&root), json!({})).await.data(), false);
    assert_eq!(server.get(STATUS, Some(&root)).await.data()["check"], Value::Null);

    assert_eq!(server.post(START, Some(&root), json!({})).await.data(), true);
    let check = ended(&server, &root).await;
    assert_eq!((&check["state"], &check["trouble"]), (&json!("failed"), &json!("The lake holds no blocks.")));

    let config = SampleConfig { transactions: FEWEST_TRANSACTIONS, seed: 1, days: None };
    sample::write(server.app.engine.lake(), config, |_| ()).await.unwrap();
    let head = server.get(STATUS, Some(&root)).await.data()["head"].as_i64().unwrap();
    assert_eq!(server.post(START, Some(&root), json!({"blocks": 20})).await.data(), true);
    let check = ended(&server, &root).await;
    assert_eq!(check["state"], "done", "{check}");
    assert_eq!(check["blocks"], json!({"from": head - 19, "to": head}));
    assert_eq!((&check["blocksTotal"], &check["blocksDone"]), (&json!(20), &json!(20)));
    assert_eq!((&check["mismatches"], &check["found"]), (&json!(0), &json!([])));

    let log = server.get("/api/system/audit/list", Some(&root)).await.data().to_string();
    assert!(log.contains("a check of the lake was started"), "{log}");
    server.app.close().await;
}

#[tokio::test]
async fn the_growth_of_the_lake_is_seen_from_the_start_on() {
    let server = Server::start().await;
    let (root, eve) = (server.admin("root").await, server.register("eve").await);
    server.get(HISTORY, Some(&eve)).await.failure(403, "forbidden");
    let begun = Instant::now();
    let looks = loop {
        let looks = server.get(HISTORY, Some(&root)).await.data();
        if looks != json!([]) {
            break looks;
        }
        assert!(begun.elapsed() < SOON);
        tokio::task::yield_now().await;
    };
    assert_eq!((&looks[0]["blocks"], &looks[0]["headTime"]), (&json!(0), &Value::Null));
}
