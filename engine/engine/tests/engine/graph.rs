//! GRAPH jobs: the address graph of the chain, results with nodes and edges, limits and cancellation.

use std::time::{Duration, Instant};

use quarry_labels::{DappContract, KnownLabel, Source};
use quarry_runtime::job::{JobHandle, JobKind, JobRequest, JobSnapshot, JobState};
use serde_json::{Value, json};

use crate::fixture::Home;

fn submit(home: &Home, id: &str, text: &str, parameters: Value) -> JobHandle {
    let request = JobRequest {
        id: id.into(),
        kind: JobKind::Graph,
        text: text.into(),
        owner: "someone".into(),
        parameters: parameters.as_object().cloned().unwrap_or_default().into_iter().collect(),
        ..JobRequest::default()
    };
    home.engine.submit(request).unwrap()
}

async fn rows(home: &Home, id: &str, text: &str) -> Vec<Vec<Value>> {
    let job: JobSnapshot = submit(home, id, text, json!({})).wait().await;
    assert_eq!(job.error, None, "{text}");
    home.engine.result(id).unwrap().page(0, u64::MAX).unwrap()
}

#[tokio::test]
async fn labels_of_addresses_are_labels_of_nodes() {
    let home = Home::chain().await;
    let sender = "0x0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b";
    let said = KnownLabel {
        address: [0x0b; 20],
        label: "cold-exchange".into(),
        label_type: "EOA".into(),
        entity: "Northgate".into(),
        note: String::new(),
        source: Source::Admin,
        author: "admin".into(),
        created: 0,
    };
    let contract = DappContract { name: "Swap".into(), dapp_type: "finance".into(), address: [0xc1; 20] };
    home.engine.labels().put(None, "known", &[said]).unwrap();
    home.engine.labels().put_dapps(&[contract]).unwrap();
    let found = rows(&home, "said", "MATCH (a:ColdExchange) RETURN a.address").await;
    assert_eq!(found, [[json!(sender)]]);
    let found = rows(&home, "dapp", "MATCH (a:Dapp) RETURN a.address").await;
    assert_eq!(found, [[json!(format!("0x{}", "c1".repeat(20)))]]);
    let trace = format!(
        "CALL quarry.khop('0x{}', 1, {{direction: 'IN', stopAt: ['ColdExchange']}}) YIELD node, stopped
         WHERE stopped RETURN node.address, stopped",
        "c1".repeat(20)
    );
    assert_eq!(rows(&home, "trace", &trace).await, [[json!(sender), json!(true)]]);
    let unknown = submit(&home, "unknown", "MATCH (a:ColdExchang) RETURN a", json!({})).wait().await.error.unwrap();
    assert!(unknown.message.contains("ColdExchange"), "{}", unknown.message);
}

#[tokio::test]
async fn new_blocks_are_added_to_the_graph_in_memory() {
    let edges = "MATCH (a)-[t]->(b) RETURN a.address, labels(a), type(t), t.value, t.time, t.hash, b.address, labels(b)
        ORDER BY type(t), t.time, t.hash, a.address, b.address, t.value";
    let grown = Home::chain().await;
    let before = rows(&grown, "before", edges).await.len();
    grown.grow().await;
    let job = submit(&grown, "after", edges, json!({}));
    assert_eq!(job.wait().await.error, None);
    let log = format!("{:?}", job.logs());
    assert!(log.contains("Extended the address graph"), "{log}");
    let whole = Home::chain().await;
    whole.grow().await;
    let expected = rows(&whole, "whole", edges).await;
    assert!(expected.len() > before, "{} edges", expected.len());
    assert_eq!(grown.engine.result("after").unwrap().page(0, u64::MAX).unwrap(), expected);
}

#[tokio::test]
async fn the_chain_is_a_graph_of_addresses() {
    let home = Home::chain().await;
    let kinds = "MATCH (a) RETURN labels(a) AS labels, count(*) AS n ORDER BY n DESC, labels";
    // Two senders, eleven receivers, the zero address, and one token.
    let found = rows(&home, "kinds", kinds).await;
    assert!(found.contains(&vec![json!(["Address", "Contract", "Token"]), json!("1")]), "{found:?}");
    let text = "MATCH (a {address: '0x0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b'})-[t:TRANSFER]->(b)
        RETURN b.address, t.value, t.time, t.hash ORDER BY t.value LIMIT 1";
    let expected = vec![
        json!(format!("0x{}", "c1".repeat(20))),
        json!("2000000000000000000"),
        json!("2024-01-01 00:00:00"),
        json!(format!("0x{}", "f1".repeat(32))),
    ];
    assert_eq!(rows(&home, "first", text).await, [expected]);
    // Every fifth transaction failed, and the third has no receiver.
    assert_eq!(rows(&home, "count", "MATCH ()-[t:TRANSFER]->() RETURN count(t)").await, [[json!("9")]]);
    let bounds = [
        ("t.value >= 9000000000000000000", "3"),
        ("t.time > '2024-01-01 00:00:12'", "3"),
        ("t.time < '2024-01-01'", "0"),
    ];
    for (index, (bound, count)) in bounds.into_iter().enumerate() {
        let text = format!("MATCH ()-[t:TRANSFER]->() WHERE {bound} RETURN count(t)");
        assert_eq!(rows(&home, &format!("bound-{index}"), &text).await, [[json!(count)]], "{bound}");
    }
    let text = "MATCH ()-[t:TOKEN_TRANSFER]->() RETURN max(t.value)";
    let largest = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
    assert_eq!(rows(&home, "largest", text).await, [[json!(largest)]]);
}

#[tokio::test]
async fn sums_of_edges_are_exact() {
    let home = Home::chain().await;
    let text = "MATCH (a {address: '0x0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a'})-[t:TOKEN_TRANSFERS]->(b)
        WHERE b.address = '0xc0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0' RETURN t.value, t.count, t.first";
    let expected = [json!("1000000000000000000"), json!("1"), json!("2024-01-01 00:00:00")];
    assert_eq!(rows(&home, "sum", text).await, [expected]);
    let text = "MATCH ()-[r]->() RETURN DISTINCT type(r) AS type ORDER BY type";
    let found = rows(&home, "types", text).await;
    assert_eq!(found, [[json!("CALL")], [json!("TOKEN_TRANSFER")], [json!("TRANSFER")]]);
}

#[tokio::test]
async fn unknown_names_have_suggestions() {
    let home = Home::chain().await;
    for (id, text, code, says) in [
        ("label", "MATCH (a:Adress) RETURN a", "unknown_table", "Did you mean Address?"),
        ("type", "MATCH ()-[:TRANSFR]->() RETURN 1", "unknown_table", "Did you mean TRANSFER?"),
        ("property", "MATCH (a) RETURN a.adress", "unknown_column", "Did you mean address?"),
        ("projected", "MATCH (a) RETURN a{.adress}", "unknown_column", "Did you mean address?"),
        ("projected-edge", "MATCH ()-[t]->() RETURN t{.nope}", "unknown_column", "no property nope"),
        ("start", "CALL quarry.khop('0x1', 2) YIELD node RETURN node", "not_found", "0x1"),
        ("option", "MATCH (a) CALL quarry.khop(a, 2, {hop: 1}) YIELD node RETURN node", "invalid_query", "hop"),
    ] {
        let error = submit(&home, id, text, json!({})).wait().await.error.unwrap();
        assert_eq!(error.code, code, "{error:?}");
        assert!(error.message.contains(says) && error.position.is_some(), "{error:?}");
    }
}

#[tokio::test]
async fn procedures_follow_the_given_edges() {
    let home = Home::chain().await;
    let from = |options: &str| {
        format!(
            "CALL quarry.khop('0x0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a', 2, {options})
            YIELD node, hop RETURN hop, count(node) AS n ORDER BY hop"
        )
    };
    // Even transactions that succeeded and have a receiver: 0, 6, 8 and 10.
    assert_eq!(rows(&home, "all", &from("{types: 'TRANSFER'}")).await, [[json!("1"), json!("4")]]);
    let large = from("{types: 'TRANSFER', minValue: '9000000000000000000'}");
    assert_eq!(rows(&home, "large", &large).await, [[json!("1"), json!("2")]]);
    let late = from("{types: 'TRANSFER', from: '2024-01-01 00:00:24'}");
    assert_eq!(rows(&home, "late", &late).await, [[json!("1"), json!("2")]]);
    let text = "CALL quarry.wcc({types: 'TRANSFER'}) YIELD size RETURN max(size)";
    assert_eq!(rows(&home, "wcc", text).await, [[json!("6")]]);
    let text = "CALL quarry.scc() YIELD size RETURN max(size)";
    assert_eq!(rows(&home, "scc", text).await, [[json!("1")]]);
    let text = "CALL quarry.pagerank() YIELD score RETURN abs(sum(score) - 1.0) < 0.000001 AS whole";
    assert_eq!(rows(&home, "rank", text).await, [[json!(true)]]);
    let text = "CALL quarry.communities() YIELD node, size RETURN count(node) = sum(1) AS all";
    assert_eq!(rows(&home, "communities", text).await, [[json!(true)]]);
}

#[tokio::test]
async fn cycles_and_similar_nodes_are_found() {
    let home = Home::empty();
    home.engine
        .attach_graph(
            r#"{"nodes": [{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}], "edges": [
            {"type": "T", "source": 1, "target": 2}, {"type": "T", "source": 2, "target": 1},
            {"type": "T", "source": 2, "target": 3}, {"type": "T", "source": 3, "target": 1},
            {"type": "T", "source": 4, "target": 2}]}"#,
        )
        .unwrap();
    let text = "MATCH (a) WHERE id(a) = 1 CALL quarry.cycles(a) YIELD nodes
        RETURN [n IN nodes | id(n)] AS ids ORDER BY size(ids)";
    assert_eq!(rows(&home, "cycles", text).await, [[json!([1, 2])], [json!([1, 2, 3])]]);
    let text = "MATCH (a) WHERE id(a) = 4 CALL quarry.jaccard(a) YIELD node, similarity, common
        RETURN id(node), similarity, common";
    assert_eq!(rows(&home, "jaccard", text).await, [[json!("1"), json!(1.0), json!("1")]]);
    let text = "CALL quarry.scc() YIELD node, size RETURN id(node), size ORDER BY id(node)";
    let sizes: Vec<Value> = rows(&home, "scc", text).await.into_iter().map(|row| row[1].clone()).collect();
    assert_eq!(sizes, [json!("3"), json!("3"), json!("3"), json!("1")]);
}

#[tokio::test]
async fn results_keep_a_limited_number_of_nodes_and_edges() {
    let home = Home::empty();
    let nodes: Vec<Value> = (0..4_000).map(|id| json!({"id": id, "labels": ["N"]})).collect();
    let edges: Vec<Value> = (1..4_000).map(|id| json!({"type": "T", "source": 0, "target": id})).collect();
    home.engine.attach_graph(&json!({"nodes": nodes, "edges": edges}).to_string()).unwrap();
    let job = submit(&home, "drawn", "MATCH (a)-[r:T]->(b) RETURN r", json!({})).wait().await;
    assert_eq!(job.error, None);
    let drawn = home.engine.result("drawn").unwrap().graph().unwrap();
    assert_eq!((drawn.nodes.len(), drawn.nodes_total, drawn.edges_total), (3_000, 4_000, 3_999));
    assert!(drawn.edges.len() < 3_000 && !drawn.edges.is_empty());
    assert_eq!(drawn.edges[0]["source"], 0);
    let result = home.engine.result("drawn").unwrap();
    let column = &result.columns()[0];
    assert_eq!((column.name.as_str(), column.type_name.as_str()), ("r", "relationship"));
    home.engine.remove_result("drawn").unwrap();
    rows(&home, "plain", "MATCH (a) RETURN count(a)").await;
    assert_eq!(home.engine.result("plain").unwrap().graph().unwrap(), Default::default());
}

#[tokio::test]
async fn parameters_are_values_of_any_type() {
    let home = Home::empty();
    let parameters = json!({"ids": [1, 2], "who": {"name": "Ann"}});
    let job = submit(&home, "given", "UNWIND $ids AS id RETURN id + 1, $who.name", parameters).wait().await;
    assert_eq!(job.error, None);
    let found = home.engine.result("given").unwrap().page(0, 10).unwrap();
    assert_eq!(found, [[json!("2"), json!("Ann")], [json!("3"), json!("Ann")]]);
}

/// A query that runs until it is killed.
const ENDLESS: &str = "UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b RETURN count(*)";

#[tokio::test]
async fn a_killed_query_ends_at_once() {
    let home = Home::empty();
    let job = submit(&home, "endless", ENDLESS, json!({}));
    let mut changes = job.watch();
    changes.wait_for(|snapshot| snapshot.state == JobState::Running).await.unwrap();
    let killed = Instant::now();
    job.kill();
    assert_eq!(job.wait().await.state, JobState::Killed);
    assert!(killed.elapsed() < Duration::from_secs(2), "{:?}", killed.elapsed());
    assert!(home.engine.result("endless").is_err());
}

#[tokio::test]
async fn limits_end_a_query_with_a_clear_error() {
    let home = Home::with(|config| {
        config.result_rows_limit = 1_000;
        config.query_memory_limit = 32 << 20;
    });
    for (id, text, code) in [
        ("rows", "UNWIND range(1, 2000) AS x RETURN x", "result_limit"),
        ("memory", "UNWIND range(1, 3000000) AS x RETURN size(collect(toString(x)))", "memory_limit"),
    ] {
        let error = submit(&home, id, text, json!({})).wait().await.error.unwrap();
        assert_eq!(error.code, code, "{error:?}");
    }
    rows(&home, "after", "RETURN 1").await;
    let error =
        submit(&Home::empty(), "one", "RETURN range(1, 2000000) AS numbers", json!({})).wait().await.error.unwrap();
    assert_eq!(error.code, "result_limit", "{error:?}");
    assert!(error.message.contains("One value of the result is larger than"), "{error:?}");
    let home = Home::with(|config| config.time_limit = Duration::from_secs(1));
    let error = submit(&home, "time", ENDLESS, json!({})).wait().await.error.unwrap();
    assert_eq!(error.code, "time_limit", "{error:?}");
}
