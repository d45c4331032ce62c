//! The examples of `docs/graph.md`, run on the sample chain.

use quarry_engine::Engine;
use quarry_lake::Lake;
use quarry_runtime::EngineConfig;
use quarry_runtime::job::{JobKind, JobRequest};

use quarry_ingest::sample::{FEWEST_TRANSACTIONS, SampleConfig, write};

#[tokio::test(flavor = "multi_thread")]
async fn every_example_of_the_documentation_finds_something() {
    let home = tempfile::tempdir().unwrap();
    let lake = Lake::open(&home.path().join("lake")).await.unwrap();
    let config = SampleConfig { transactions: FEWEST_TRANSACTIONS, seed: 1, days: None };
    write(&lake, config, |_| ()).await.unwrap();
    drop(lake);
    let engine = Engine::open(EngineConfig::at(home.path())).unwrap();
    let examples: Vec<&str> = include_str!("../../../docs/graph.md")
        .split("```cypher\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    assert!(examples.len() >= 8);
    for (index, text) in examples.into_iter().enumerate() {
        let id = format!("example-{index}");
        let request = JobRequest {
            id: id.clone(),
            kind: JobKind::Graph,
            text: text.to_string(),
            owner: "reader".to_string(),
            ..JobRequest::default()
        };
        let job = engine.submit(request).unwrap().wait().await;
        assert_eq!(job.error, None, "{text}");
        assert!(engine.result(&id).unwrap().total() > 0, "{text}");
    }
}
