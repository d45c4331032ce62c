//! MAPREDUCE over the API: what is refused, what a watcher hears, and the templates, run on the sample chain.

use quarry_engine::Engine;
use quarry_ingest::sample::{FEWEST_TRANSACTIONS, SampleConfig, write};
use quarry_lake::Lake;
use quarry_runtime::EngineConfig;
use quarry_runtime::job::{JobKind, JobRequest};
use serde_json::{Value, json};

use crate::harness::{Server, text};
use crate::live::{Live, next, send};

fn spec() -> Value {
    json!({
        "tableName": "blocks_seen",
        "driver": "{input: 'blocks', columns: ['number'], output: {n: 'bigint'}}",
        "mapper": "(row, emit) => { count('blocks'); emit(0, 1) }",
        "reducer": "(key, ones, emit) => emit(ones.toArray().length)",
    })
}

#[tokio::test]
async fn fields_that_can_not_be_used_are_named() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let execute = async |spec: Value| {
        server.post("/api/query/execute", Some(&token), json!({"kind": "MAPREDUCE", "spec": spec})).await
    };
    for (field, value) in [
        ("tableName", json!("2many")),
        ("tableName", json!("")),
        ("startDate", json!("x")),
        ("mapper", json!("")),
        ("reducer", Value::Null),
    ] {
        let mut spec = spec();
        spec[field] = value;
        assert_eq!(execute(spec).await.failure(400, "invalid_input")["param"], field);
    }
    assert_eq!(execute(json!("text")).await.failure(400, "invalid_input")["param"], "spec");
    assert_eq!(server.get("/api/job/list", Some(&token)).await.data()["total"], 0);
    // What the code does wrong is told of the part and its line.
    let mut wrong = spec();
    wrong["mapper"] = "(row, emit) => {\n  row.x.y;\n}".into();
    wrong["driver"] = "{input: 'blocks', output: {n: 'nothing'}}".into();
    let id = text(&execute(wrong).await.data()["jobId"]);
    let job = server.wait_for(&token, &id, "FAILED").await;
    assert_eq!((&job["param"], &job["title"]), (&json!("driver"), &json!("blocks_seen")), "{job}");
    assert_eq!(job["spec"]["tableName"], "blocks_seen");
    assert_eq!(job.get("text"), None);
}

#[tokio::test]
async fn a_job_tells_its_log_and_leaves_a_table() {
    let live = Live::start().await;
    let token = live.server.register("ada").await;
    let mut client = live.client(&token).await;
    let body = json!({"kind": "MAPREDUCE", "spec": spec()});
    let id = text(&live.server.post("/api/query/execute", Some(&token), body).await.data()["jobId"]);
    send(&mut client, json!({"type": "job.subscribe", "data": {"jobId": id}})).await;
    let (mut said, mut names) = (String::new(), Vec::new());
    while !said.contains("user_ada.blocks_seen") || names.is_empty() {
        let message = next(&mut client, &["mr.log", "yarn.application"]).await;
        assert_eq!(message["data"]["jobId"], id.as_str());
        match message["type"].as_str() {
            Some("mr.log") => said.push_str(&message["data"]["lines"].to_string()),
            _ => names.push(message["data"]["websocketContractName"].clone()),
        }
    }
    assert!(names.iter().all(|name| name == "MAPREDUCE"), "{names:?}");
    let job = live.server.wait_for(&token, &id, "SUCCEEDED").await;
    assert_eq!(job["spec"]["reducer"], spec()["reducer"]);
    assert_eq!(
        live.server.get("/api/job/list?kind=MAPREDUCE", Some(&token)).await.data()["items"][0]["title"],
        "blocks_seen"
    );
    let read = live.server.execute(&token, "select count(*) from user_ada.blocks_seen").await;
    live.server.wait_for(&token, &read, "SUCCEEDED").await;
    // The name is taken by anybody else only in a schema of their own.
    let eve = live.server.register("eve").await;
    let read = live.server.execute(&eve, "select * from user_ada.blocks_seen").await;
    assert_eq!(live.server.wait_for(&eve, &read, "FAILED").await["code"], "unknown_table");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_template_finds_something_on_the_sample_chain() {
    let server = Server::start().await;
    let templates = server.get("/api/engine/templates?kind=MAPREDUCE", None).await.data()["items"].clone();
    assert_eq!(server.get("/api/engine/templates?kind=SQL", None).await.data()["items"], json!([]));
    let home = tempfile::tempdir().unwrap();
    let lake = Lake::open(&home.path().join("lake")).await.unwrap();
    let config = SampleConfig { transactions: FEWEST_TRANSACTIONS, seed: 1, days: None };
    write(&lake, config, |_| ()).await.unwrap();
    drop(lake);
    let engine = Engine::open(EngineConfig::at(home.path())).unwrap();
    let taught = include_str!("../../../docs/mapreduce.md");
    let templates = templates.as_array().unwrap();
    assert!(templates.len() >= 12);
    for template in templates {
        let key = template["key"].as_str().unwrap();
        for field in ["titleEn", "titleZh", "descriptionEn", "descriptionZh"] {
            assert!(!template[field].as_str().unwrap().is_empty(), "{key} has no {field}");
        }
        for part in ["driver", "mapper", "reducer"] {
            let text = template["spec"][part].as_str().unwrap();
            assert!(taught.contains(text), "docs/mapreduce.md has another {part} of {key}");
        }
        let mut spec = template["spec"].clone();
        assert!(!text(&spec["tableName"]).is_empty(), "{key}");
        spec["result"] = "rows".into();
        spec["tableName"] = "".into();
        let request = JobRequest {
            id: key.to_string(),
            kind: JobKind::MapReduce,
            owner: "reader".to_string(),
            spec: Some(spec),
            ..JobRequest::default()
        };
        let job = engine.submit(request).unwrap().wait().await;
        assert_eq!(job.error, None, "{key}");
        assert!(engine.result(key).unwrap().total() > 0, "{key}");
    }
}
