//! The 3D models: visitors see all of them, and reach nothing else this way.

use axum::body::Body;
use axum::http::Method;
use quarry::auth::limit::Limit;
use quarry::http::Network;
use quarry_ingest::sample::{self, FEWEST_TRANSACTIONS, SampleConfig};
use serde_json::{Value, json};

use crate::harness::{Answer, Server, request, text};
use crate::tables::upload;

/// Every model with what it needs; the dates are filled in.
const MODELS: [&str; 16] = [
    "overview",
    "token",
    "networkCurve&day=DAY",
    "networkCurve3d&day=DAY",
    "dappRelation&day=DAY",
    "dappUser&month=MONTH",
    "realtime",
    "realtime3d",
    "dao",
    "miner",
    "vampire",
    "airDrop",
    "airdrop&similarity=2&poor=0",
    "uniswap&days=30",
    "threeHop&hops=2&direction=both&least=0",
    "graph",
];

async fn with_sample() -> Server {
    let server = Server::start().await;
    let config = SampleConfig { transactions: FEWEST_TRANSACTIONS, seed: 1, days: None };
    sample::write(server.app.engine.lake(), config, |_| ()).await.unwrap();
    server
}

fn rows(model: &str) -> String {
    format!("/api/model/rows?model={model}")
}

async fn get_from(server: &Server, address: &str, path: &str) -> Answer {
    let request = request(Method::GET, path, None).header("x-forwarded-for", address);
    server.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn visitors_see_in_every_model_what_its_queries_answer_anybody() {
    let server = with_sample().await;
    let ada = server.register("ada").await;
    let first = text(&server.get("/api/model/span", None).await.data()["first"]);
    let (day, month) = (&first[..10], &first[..7]);
    for model in MODELS {
        let model = model.replace("DAY", day).replace("MONTH", month);
        let seen = server.get(&rows(&model), None).await.data();
        let queries = server.get(&format!("/api/model/queries?model={model}"), None).await.data();
        assert_eq!(seen["queries"], queries, "{model}");
        let kind = text(&queries["kind"]);
        for part in ["nodes", "links"] {
            if queries[part].is_null() {
                continue;
            }
            let body = json!({"kind": kind, "text": queries[part]});
            let job = text(&server.post("/api/query/execute", Some(&ada), body).await.data()["jobId"]);
            server.wait_for(&ada, &job, "SUCCEEDED").await;
            let (own, shown) = if kind == "GRAPH" {
                (server.get(&format!("/api/job/{job}/graph"), Some(&ada)).await.data(), &seen["graph"])
            } else {
                let path = format!("/api/job/{job}/result?limit=10000");
                (server.get(&path, Some(&ada)).await.data(), &seen[part])
            };
            assert_eq!(*shown, own, "{part} of {model}");
        }
    }
    let drawn = server.get(&rows("overview&largest=500"), None).await.data();
    assert!(
        !drawn["nodes"]["rows"].as_array().unwrap().is_empty()
            && !drawn["links"]["rows"].as_array().unwrap().is_empty()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_runs_no_other_query_this_way_and_reads_nothing_of_others() {
    let server = with_sample().await;
    let ada = server.register("ada").await;
    upload(&server, &ada, "transactions", "t.csv", "hash\n0x01\n").await.data();
    let plain = server.get(&rows("miner"), None).await.data();
    for path in ["other", "", "Overview", "../overview"] {
        server.get(&rows(path), None).await.failure(400, "invalid_input");
    }
    for wrong in [
        "overview&largest=1%3Bselect%201",
        "realtime&blocks=24%20or%20true",
        "token&token=(select%20token_address%20from%20token_transfers)",
        "threeHop&address=0x00000000000000000000000000000000000000a'%7D)%20MATCH",
        "networkCurve&day=2026-01-01'%20or%20true%20--",
        "dappUser&month=2026-01-01'",
        "networkCurve",
        "dappUser",
    ] {
        server.get(&rows(wrong), None).await.failure(400, "invalid_input");
    }
    // Whatever else is sent changes nothing: not the text, and not whose rights it has.
    let more = "miner&text=select%201&sql=select%201&nodes=select%201&cypher=MATCH%20(a)%20RETURN%20a&kind=HIVE&owner=ada&share=x";
    assert_eq!(server.get(&rows(more), None).await.data(), plain);
    assert_eq!(server.get(&rows("miner"), Some(&ada)).await.data(), plain);
    assert_eq!(server.post(&rows("miner"), None, json!({"text": "select 1"})).await.status, 405);
    for (path, body) in [
        ("/api/query/execute", json!({"kind": "SQL", "text": plain["queries"]["nodes"]})),
        ("/api/query/execute", json!({"kind": "GRAPH", "text": "MATCH (a) RETURN a LIMIT 1"})),
    ] {
        server.post(path, None, body).await.failure(401, "unauthenticated");
    }
    // It left no job that somebody could open, and no result.
    let admin = server.admin("root").await;
    assert_eq!(server.get("/api/job/list?all=true", Some(&admin)).await.data()["total"], 0);
    server.get("/api/job/list", None).await.failure(401, "unauthenticated");
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_are_limited_per_address_and_kept_rows_are_not() {
    let server = with_sample().await;
    let token = |number: usize| rows(&format!("token&token=0x{number:040x}"));
    get_from(&server, "192.0.2.7", &token(1)).await.data();
    let limit: &Limit<Network> = &server.app.limits.visitor_runs;
    let here: std::net::IpAddr = "192.0.2.7".parse().unwrap();
    while limit.take(here.into()).is_ok() {}
    let refused = get_from(&server, "192.0.2.7", &token(2)).await;
    refused.failure(429, "too_many_attempts");
    assert!(refused.headers["retry-after"].to_str().unwrap().parse::<u64>().unwrap() <= 61);
    get_from(&server, "192.0.2.7", &token(1)).await.data();
    get_from(&server, "192.0.2.8", &token(2)).await.data();
    // Somebody else had it run: now it costs nothing.
    get_from(&server, "192.0.2.7", &token(2)).await.data();
}

#[tokio::test]
async fn an_empty_lake_has_no_models() {
    let server = Server::start().await;
    assert_eq!(server.get("/api/model/span", None).await.data(), json!({"first": Value::Null}));
    server.get(&rows("overview"), None).await.failure(404, "not_found");
}
