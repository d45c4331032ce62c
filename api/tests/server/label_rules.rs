//! Every rule of the label catalogue on a sample chain, against what is planted there.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use quarry::labels::{shipped, truth};
use quarry_engine::Engine;
use quarry_ingest::sample::{self, FEWEST_TRANSACTIONS, SampleConfig};
use quarry_label_rules::catalogue;
use quarry_lake::Lake;
use quarry_runtime::EngineConfig;
use quarry_runtime::job::{JobKind, JobRequest, JobState, Schemas};
use serde_json::{Value, json};

/// A home with the smallest sample chain, and its truth.
pub async fn sample_home(home: &Path) -> Value {
    let lake = Lake::open(&home.join("lake")).await.unwrap();
    let config = SampleConfig { transactions: FEWEST_TRANSACTIONS, seed: 5, days: None };
    sample::write(&lake, config, |_| ()).await.unwrap();
    serde_json::from_slice(&std::fs::read(home.join("truth.json")).unwrap()).unwrap()
}

/// The rows of a job that succeeds.
async fn rows(engine: &Arc<Engine>, request: JobRequest) -> Vec<Vec<Value>> {
    let (id, what) = (request.id.clone(), format!("{} {:?}", request.text, request.spec));
    let job = engine.submit(request).unwrap();
    let ended = job.wait().await;
    assert_eq!(ended.state, JobState::Succeeded, "{what}: {:?}", ended.error);
    assert!(!job.logs().is_empty(), "{what} says what it does");
    let stored = engine.result(&id).unwrap();
    stored.page(0, stored.total()).unwrap()
}

/// A bigint of a result travels as a text.
fn number(value: &Value) -> i64 {
    value.as_str().unwrap().parse().unwrap()
}

fn label(id: &str, owner: Option<&str>, spec: Value) -> JobRequest {
    let schemas =
        Schemas { own: owner.map(|name| format!("user_{name}")), curator: owner.is_none(), ..Schemas::default() };
    JobRequest { id: id.into(), kind: JobKind::Label, schemas, spec: Some(spec), ..JobRequest::default() }
}

fn sql(id: &str, owner: Option<&str>, text: &str) -> JobRequest {
    let schemas = Schemas { own: owner.map(|name| format!("user_{name}")), ..Schemas::default() };
    JobRequest { id: id.into(), text: text.into(), schemas, ..JobRequest::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_rule_finds_what_is_planted() {
    let home = tempfile::tempdir().unwrap();
    let planted = sample_home(home.path()).await;
    let engine = Engine::open(EngineConfig::at(home.path())).unwrap();
    shipped::load(&engine).await.unwrap();
    let (mut findings, mut checked) = (Vec::new(), 0);
    for rule in catalogue() {
        let mut checks = truth::checks(rule.name, &planted);
        if checks.is_empty() {
            // Nothing is planted for it: it has to run, at least.
            let nothing = BTreeSet::new();
            checks.push(truth::Check { label: "*", spec: json!({}), planted: nothing, complete: false });
        }
        for (number, check) in checks.iter().enumerate() {
            let mut spec = check.spec.clone();
            spec["label"] = json!(rule.name);
            let found = rows(&engine, label(&format!("{}-{number}", rule.id), None, spec)).await;
            let known = found.iter().all(|row| rule.labels.contains(&row[1].as_str().unwrap()));
            assert!(known, "{} gives only labels that it announces", rule.id);
            let found = found.iter().filter(|row| check.is_of(row[1].as_str().unwrap()));
            let found: BTreeSet<String> = found.map(|row| row[0].as_str().unwrap().to_string()).collect();
            let score = check.score(&found);
            checked += score.planted;
            if score.recall < 1.0 || score.precision.is_some_and(|precision| precision < 1.0) {
                findings.push(format!("{} {}: {score:?}", rule.id, check.label));
            }
        }
    }
    assert!(findings.is_empty(), "{}", findings.join("\n"));
    assert!(checked > 4_000, "{checked} addresses are planted");

    labels_join_and_replace(&engine).await;
}

/// What jobs found is a table of every query, and a job that is run again takes the place of its rows.
async fn labels_join_and_replace(engine: &Arc<Engine>) {
    let pools = "select count(*), count(distinct b.miner) from blocks b join labels.addresses l on l.address = \
                 b.miner where l.label = 'miner-pool'";
    let before = rows(engine, sql("joined", None, pools)).await;
    assert!(number(&before[0][0]) > 0, "{before:?}");
    rows(engine, label("again", None, json!({ "label": "miner" }))).await;
    assert_eq!(rows(engine, sql("joined-again", None, pools)).await, before, "a second run adds nothing");
    let all_pools = json!({ "label": "miner", "parameters": { "pool_share": "0.0001" } });
    rows(engine, label("all-pools", None, all_pools)).await;
    let after = rows(engine, sql("joined-anew", None, pools)).await;
    assert_ne!(after, before, "what the new run says takes the place of the old");

    let text = "select label(miner), labels(miner)[1], count(*) from blocks group by 1, 2 order by 3 desc";
    let named = rows(engine, sql("named", None, text)).await;
    assert_eq!((named[0][0].as_str(), named[0][1].as_str()), (Some("miner-pool"), Some("miner-pool")));
    let bad = engine.submit(sql("bad", None, "select label('0x12')")).unwrap().wait().await;
    assert_eq!(bad.error.unwrap().message, "'0x12' is not a valid address.");

    // What a user finds is the user's alone.
    let whales = json!({ "label": "balance-tier", "parameters": { "whale_eth": 1 } });
    let found = rows(engine, label("own", Some("ada"), whales)).await.len();
    let mine = "select count(*) from labels.addresses where job_id = 'own' and author = 'ada'";
    let count = async |id: &str, owner| number(&rows(engine, sql(id, owner, mine)).await[0][0]) as usize;
    assert_eq!((count("ada", Some("ada")).await, count("eve", Some("eve")).await), (found, 0));
    let facts = "select why from labels.addresses where label = 'whale' and job_id = 'own' limit 1";
    let why: Value =
        serde_json::from_str(rows(engine, sql("why", Some("ada"), facts)).await[0][0].as_str().unwrap()).unwrap();
    assert_eq!(why["inputs"]["parameters"]["whale_eth"], "1");
}
