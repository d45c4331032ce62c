//! The decoder, the node behind the server, and following a chain.

use std::net::SocketAddr;
use std::time::Instant;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::routing::post;
use quarry::app::{App, AppOptions};
use quarry::db::{Db, sqlite_url};
use quarry::node::NodeOptions;
use quarry::router::router;
use quarry_engine::Engine;
use quarry_ingest::sample::{self, FEWEST_TRANSACTIONS, SampleConfig};
use quarry_ingest::{FollowConfig, NodeConfig};
use quarry_runtime::EngineConfig;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::harness::{SOON, Server, text};

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_is_decoded_by_its_hash() {
    let server = Server::start().await;
    let config = SampleConfig { transactions: FEWEST_TRANSACTIONS, seed: 1, days: None };
    sample::write(server.app.engine.lake(), config, |_| ()).await.unwrap();
    let ada = server.register("ada").await;
    let sql = "select cast(t.hash as varchar), count(*) from transactions t join logs l on l.transaction_hash = t.hash \
        where bytearray_substring(t.input, 1, 4) = selector('transfer(address,uint256)') group by 1 order by 1 limit 1";
    let job = server.execute(&ada, sql).await;
    server.wait_for(&ada, &job, "SUCCEEDED").await;
    let row = server.get(&format!("/api/job/{job}/result"), Some(&ada)).await.data()["rows"][0].clone();
    let hash = text(&row[0]);
    let unknown = format!("0x{}", "0".repeat(64));
    let user = quarry::auth::accounts::find(&server.app.db, "ada").await.unwrap().unwrap().id;
    let mut told = server.app.hub.listen(user, 1).unwrap();
    let body = json!({"hashes": [hash, unknown], "requestId": "mine"});
    let answer = server.post("/api/decoder/decode", Some(&ada), body).await.data();
    let first = &answer["transactions"][0]["decodedResult"];
    assert_eq!(first["call"]["decoded"]["signature"], "function transfer(address to, uint256 amount)");
    assert_eq!(first["call"]["selector"], "0xa9059cbb");
    let (call, log) = (&first["call"]["decoded"], &first["logs"][0]["decoded"]);
    assert_eq!(log["name"], "Transfer");
    assert_eq!(call["arguments"][1]["value"], log["arguments"][2]["value"], "the event says what the call asked for");
    assert_eq!((&answer["count"], &answer["transactions"][1]["decodedResult"]), (&json!(1), &Value::Null));
    // The job above may still say that it ended.
    let mut decoded = std::iter::from_fn(|| match told.try_recv().ok()? {
        quarry::ws::hub::Notice::Message(message) => Some(serde_json::to_value(message).unwrap()),
        _ => panic!("a message"),
    })
    .filter(|message| message["type"] == "decoder.state");
    for wanted in [hash, unknown] {
        let message = decoded.next().unwrap();
        assert_eq!(message["data"]["hash"], json!(wanted));
        assert_eq!((&message["data"]["requestId"], &message["data"]["count"]), (&json!("mine"), &json!(1)));
    }
}

#[tokio::test]
async fn signatures_that_users_add_serve_them_and_those_of_administrators_everybody() {
    let server = Server::start().await;
    let (ada, eve, root) = (server.register("ada").await, server.register("eve").await, server.admin("root").await);
    let input = json!({"input": format!("0x{}{}", "f15d7fc5", "00".repeat(32))});
    let call =
        async |token: &str| server.post("/api/decoder/decode", Some(token), input.clone()).await.data()["call"].clone();
    assert_eq!(call(&ada).await["reason"], "unknown_selector");
    let add = async |token: &str, body: Value| server.post("/api/decoder/signature/create", Some(token), body).await;
    // The selector of this function is worked out by the server; the input above is made to fit.
    let own = json!({"signature": "function dance(uint256 steps)"});
    let id = add(&ada, own.clone()).await.data();
    let listed = server.get("/api/decoder/signature/list", Some(&ada)).await.data();
    let selector = text(&listed["items"][0]["hash"]);
    let fitting = json!({"input": format!("{selector}{}", "00".repeat(31) + "07")});
    let decoded = server.post("/api/decoder/decode", Some(&ada), fitting.clone()).await.data();
    assert_eq!(decoded["call"]["decoded"]["arguments"][0], json!({"name": "steps", "type": "uint256", "value": "7"}));
    let foreign = server.post("/api/decoder/decode", Some(&eve), fitting.clone()).await.data();
    assert_eq!(foreign["call"]["reason"], "unknown_selector", "it is ada's alone");
    assert_eq!(server.get("/api/decoder/signature/list?search=dance", Some(&eve)).await.data()["total"], 0);
    add(&ada, own.clone()).await.failure(409, "exists");
    add(&ada, json!({"signature": "function dance(uint256 steps", "everybody": false}))
        .await
        .failure(400, "invalid_input");
    add(&ada, json!({"signature": "function sing()", "everybody": true})).await.failure(403, "forbidden");
    add(&root, json!({"signature": "function dance(uint256 steps)", "everybody": true})).await.data();
    let shared = server.post("/api/decoder/decode", Some(&eve), fitting).await.data();
    assert_eq!(shared["call"]["decoded"]["name"], "dance");
    let delete = format!("/api/decoder/signature/delete/{id}");
    server.post(&delete, Some(&eve), json!({})).await.failure(404, "not_found");
    server.post(&delete, Some(&root), json!({})).await.data();

    let log = json!({"log": {"topics": [format!("0x{}", "11".repeat(32))], "data": "0x"}});
    let answer = server.post("/api/decoder/decode", Some(&ada), log).await.data();
    assert_eq!(answer["log"]["reason"], "unknown_event");
    let empty = server.post("/api/decoder/decode", Some(&ada), json!({"input": "0x"})).await.data();
    assert_eq!(empty["call"]["reason"], "empty");
    for bad in [
        json!({}),
        json!({"hashes": ["0x12"]}),
        json!({"input": "0xzz"}),
        json!({"input": "0x", "hashes": [format!("0x{}", "1".repeat(64))]}),
        json!({"hashes": vec![format!("0x{}", "1".repeat(64)); 51]}),
        json!({"log": {"topics": vec![format!("0x{}", "1".repeat(64)); 5]}}),
    ] {
        server.post("/api/decoder/decode", Some(&ada), bad).await.failure(400, "invalid_input");
    }
}

/// A server with a node behind it.
async fn with_node(node: NodeOptions, follow: FollowConfig) -> Server {
    let home = tempfile::tempdir().unwrap();
    let engine = Engine::open(EngineConfig::at(home.path())).unwrap();
    let db = Db::open(&sqlite_url(&home.path().join("platform.db"))).await.unwrap();
    let app = App::open(engine, db, home.path(), AppOptions { node, follow, ..AppOptions::default() }).await.unwrap();
    Server { router: router(app.clone()), app, home }
}

/// A node that answers everything alike and tells who asked; gone with the runtime.
async fn node() -> (SocketAddr, mpsc::Receiver<(HeaderMap, String)>) {
    let (seen, asked) = mpsc::channel(10);
    let answer = async |State(seen): State<mpsc::Sender<(HeaderMap, String)>>, headers: HeaderMap, body: String| {
        let redirect = body.contains("eth_syncing");
        seen.send((headers, body)).await.unwrap();
        let json = [(header::CONTENT_TYPE, "application/json")];
        match redirect {
            true => (StatusCode::FOUND, [(header::LOCATION, "http://127.0.0.1:1/")], "").into_response(),
            false => (json, r#"{"jsonrpc":"2.0","id":1,"result":"0x10"}"#).into_response(),
        }
    };
    use axum::response::IntoResponse;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new().route("/key/secret", post(answer)).with_state(seen);
    #[expect(clippy::disallowed_methods, reason = "it ends with the runtime of the test")]
    tokio::spawn(async move { axum::serve(listener, router).await });
    (address, asked)
}

#[tokio::test]
async fn the_node_is_asked_with_its_password_and_nobody_sees_it() {
    let (address, mut asked) = node().await;
    let options = NodeOptions {
        url: Some(format!("http://{address}/key/secret")),
        user: Some("quarry".to_string()),
        password: Some("hush".to_string()),
    };
    let server = with_node(options, FollowConfig { nodes: Vec::new(), from: None, allow_deep_reorg: false }).await;
    let ada = server.register("ada").await;
    let call = |method: &str| json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": []});
    server.post("/api/chain/rpc", None, call("eth_blockNumber")).await.failure(401, "unauthenticated");
    let answer = server.post("/api/chain/rpc", Some(&ada), call("eth_blockNumber")).await;
    assert_eq!(answer.json()["result"], "0x10", "the node's answer is bare");
    let (headers, body) = asked.recv().await.unwrap();
    assert_eq!(headers[header::AUTHORIZATION], "Basic cXVhcnJ5Omh1c2g=");
    assert!(body.contains("eth_blockNumber"));
    server.post("/api/chain/rpc", Some(&ada), call("eth_sendRawTransaction")).await.failure(403, "method_refused");
    assert!(asked.try_recv().is_err(), "what is refused never reaches the node");
    let lost = server.post("/api/chain/rpc", Some(&ada), call("eth_syncing")).await;
    let failure = lost.failure(502, "node_unreachable").to_string();
    assert!(!failure.contains("secret") && !failure.contains("hush") && !failure.contains(&address.to_string()));

    let server = Server::start().await;
    let ada = server.register("ada").await;
    server.post("/api/chain/rpc", Some(&ada), call("eth_blockNumber")).await.failure(503, "node_not_configured");
}

#[tokio::test]
async fn following_is_started_and_stopped_by_the_back_office() {
    let server = Server::start().await;
    let root = server.admin("root").await;
    server.post("/api/system/dataLink/follow/start", Some(&root), json!({})).await.failure(409, "node_not_configured");

    // A node that is not there: following goes on trying and says so.
    let nodes = vec![NodeConfig::new("http://127.0.0.1:1/key").unwrap()];
    let server = with_node(NodeOptions::default(), FollowConfig { nodes, from: None, allow_deep_reorg: false }).await;
    let (root, eve) = (server.admin("root").await, server.register("eve").await);
    server.post("/api/system/dataLink/follow/start", Some(&eve), json!({})).await.failure(403, "forbidden");
    let follow = async || server.get("/api/system/dataLink/status", Some(&root)).await.data()["follow"].clone();
    let idle = follow().await;
    assert_eq!((&idle["configured"], &idle["running"]), (&json!(true), &json!(false)));
    assert_eq!(idle["nodes"], json!(["http://127.0.0.1:1"]), "without what may be a key");
    let start = "/api/system/dataLink/follow/start";
    assert_eq!(server.post(start, Some(&root), json!({})).await.data(), true);
    assert_eq!(server.post(start, Some(&root), json!({})).await.data(), false);
    let begun = Instant::now();
    while follow().await["trouble"].is_null() {
        assert!(begun.elapsed() < SOON, "{}", follow().await);
        tokio::task::yield_now().await;
    }
    assert_eq!(follow().await["running"], true);
    assert_eq!(server.post("/api/system/dataLink/follow/stop", Some(&root), json!({})).await.data(), true);
    assert_eq!(follow().await["running"], false);
    let log = server.get("/api/system/audit/list", Some(&root)).await.data().to_string();
    assert!(log.contains("following was started") && log.contains("following was stopped"), "{log}");
    server.app.close().await;
}

#[tokio::test]
async fn a_small_input_that_stands_for_gigabytes_is_not_decoded() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let own = json!({"signature": "function dance(uint256[][] steps)"});
    server.post("/api/decoder/signature/create", Some(&ada), own).await.data();
    let listed = server.get("/api/decoder/signature/list", Some(&ada)).await.data();
    let selector = text(&listed["items"][0]["hash"]);
    let word = |number: usize| format!("{number:064x}");
    // As many lists as are named, each of them the same one of as many numbers.
    let lists = |count: usize| {
        let offsets = word(32 * count).repeat(count);
        format!("{selector}{}{}{offsets}{}{}", word(32), word(count), word(count), word(7).repeat(count))
    };
    let call = async |input: String| {
        server.post("/api/decoder/decode", Some(&ada), json!({"input": input})).await.data()["call"].clone()
    };
    let small = call(lists(3)).await;
    assert_eq!(small["decoded"]["arguments"][0]["value"], json!([["7", "7", "7"], ["7", "7", "7"], ["7", "7", "7"]]));
    let large = call(lists(2_000)).await;
    assert_eq!((&large["decoded"], &large["reason"]), (&Value::Null, &json!("too_much")));
    // SQL knows no more of it, and goes on.
    let sql = format!("select decode_input('dance(uint256[][] steps)', {}) is null", lists(2_000));
    let job = server.execute(&ada, &sql).await;
    server.wait_for(&ada, &job, "SUCCEEDED").await;
    let page = server.get(&format!("/api/job/{job}/result"), Some(&ada)).await.data();
    assert_eq!(page["rows"], json!([[true]]));
}

#[tokio::test]
async fn signatures_that_are_added_at_once_are_as_many_as_there_may_be() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    sqlx::query(
        "with recursive n (i) as (select 1 union all select i + 1 from n where i < 1999)
         insert into signatures (id, user_id, kind, hash, signature, created_at)
         select -i, (select id from users where user_name = 'ada'), 'function', '0x', 'function f' || i || '()', i from n",
    )
    .execute(server.app.db.pool())
    .await
    .unwrap();
    let add = async |number: usize| {
        let body = json!({"signature": format!("function dance{number}()")});
        server.post("/api/decoder/signature/create", Some(&ada), body).await
    };
    let answers = futures::future::join_all((0..4).map(add)).await;
    let (added, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status.is_success());
    assert_eq!((added.len(), refused.len()), (1, 3));
    for answer in refused {
        assert_eq!(answer.failure(400, "invalid_input")["msg"], "An account has at most 2000 signatures.");
    }
}
