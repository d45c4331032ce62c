//! Labels over the API: the catalogue, jobs, what an address is known as, and what people say.

use serde_json::{Value, json};

use crate::harness::{Server, text};
use crate::label_rules::sample_home;

/// An address that nothing on the chain knows.
const NOBODY: &str = "0x00000000000000000000000000000000000abcde";

async fn of(server: &Server, token: Option<&str>, address: &str) -> Vec<(String, String)> {
    let labels = server.get(&format!("/api/label/ofAddress?address={address}"), token).await.data();
    labels.as_array().unwrap().iter().map(|one| (text(&one["label"]), text(&one["source"]))).collect()
}

fn said(label: &str) -> Value {
    json!({"address": NOBODY, "label": label, "labelType": "EOA", "entity": "Ada", "note": "told me so"})
}

#[tokio::test]
async fn visitors_read_the_catalogue_in_both_languages() {
    let server = Server::start().await;
    let catalogue = server.get("/api/label/catalogue", None).await.data();
    let counts: Vec<(String, usize)> = catalogue["categories"]
        .as_array()
        .unwrap()
        .iter()
        .map(|shelf| (text(&shelf["name"]), shelf["rules"].as_array().unwrap().len()))
        .collect();
    let expected = [("basic", 9), ("monthly-report", 6), ("dapp-monthly-report", 6), ("algorithm", 16)];
    assert_eq!(counts, expected.map(|(name, count)| (name.to_string(), count)));
    let holder = &catalogue["categories"][0]["rules"][6];
    assert_eq!((text(&holder["id"]), text(&holder["name"])), ("B7".to_string(), "top-holder".to_string()));
    assert_eq!(holder["inputs"][0], json!({"field": "contractAddress", "required": true}));
    assert_eq!(
        (text(&holder["parameters"][0]["default"]), text(&holder["title"]["zh"])),
        ("100".into(), "头部持有者".into())
    );
}

#[tokio::test]
async fn what_somebody_says_is_theirs_alone() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    server.post("/api/label/own/add", Some(&ada), said("my cold wallet")).await.data();
    assert_eq!(of(&server, Some(&ada), NOBODY).await, [("my cold wallet".to_string(), "hand".to_string())]);
    assert_eq!(of(&server, Some(&eve), NOBODY).await, []);
    assert_eq!(of(&server, None, NOBODY).await, []);
    // The address page shows it with why, to its author.
    let page = format!("/api/address/detail?address={NOBODY}");
    let shown = server.get(&page, Some(&ada)).await.data()["figures"]["labels"][0].clone();
    assert_eq!(
        (&shown["why"]["note"], &shown["author"], &shown["entity"]),
        (&json!("told me so"), &json!("ada"), &json!("Ada"))
    );
    assert_eq!(server.get(&page, None).await.data()["figures"]["labels"], json!([]));
    // A query of its author joins it.
    let count = "select count(*), min(label(address)) from labels.addresses where label = 'my cold wallet'";
    for (token, seen) in [(&ada, json!(["1", "my cold wallet"])), (&eve, json!(["0", null]))] {
        let job = server.execute(token, count).await;
        server.wait_for(token, &job, "SUCCEEDED").await;
        assert_eq!(server.get(&format!("/api/job/{job}/result"), Some(token)).await.data()["rows"][0], seen);
    }

    let id = server.get("/api/label/own/list", Some(&ada)).await.data()["items"][0]["id"].clone();
    server.post("/api/label/own/remove", Some(&eve), json!({"id": id})).await.failure(404, "not_found");
    server.post("/api/label/own/remove", Some(&ada), json!({"id": id})).await.data();
    assert_eq!(of(&server, Some(&ada), NOBODY).await, []);
}

#[tokio::test]
async fn labels_of_administrators_are_everybodys() {
    let server = Server::start().await;
    let (root, ada) = (server.admin("root").await, server.register("ada").await);
    server.put("/api/system/label", Some(&ada), said("exchange")).await.failure(403, "forbidden");
    server.put("/api/system/label", Some(&root), said("exchange")).await.data();
    assert_eq!(of(&server, None, NOBODY).await, [("exchange".to_string(), "admin".to_string())]);
    // The same words again are the same label, by whoever said them last.
    server.put("/api/system/label", Some(&root), said("exchange")).await.data();
    let list = server.get("/api/system/label/list?label=exch", Some(&root)).await.data();
    assert_eq!((&list["total"], &list["items"][0]["author"]), (&json!(1), &json!("root")));
    // Nobody removes it as their own.
    let id = list["items"][0]["id"].clone();
    server.post("/api/label/own/remove", Some(&ada), json!({"id": id})).await.failure(404, "not_found");
    server.delete(&format!("/api/system/label/{id}"), Some(&root)).await.data();
    assert_eq!(of(&server, None, NOBODY).await, []);
}

#[tokio::test]
async fn a_file_of_labels_is_taken_as_a_whole_or_not() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let head = "address,label,labelType,entity,note\n";
    let good =
        format!("{head}{NOBODY},cold wallet,EOA,Ada,\n0x00000000000000000000000000000000000ABCDF,dex,CONTRACT,,\n");
    let path = "/api/label/own/import";
    assert_eq!(server.upload(path, Some(&ada), "labels.csv", good.as_bytes()).await.data()["rows"], 2);
    assert_eq!(of(&server, Some(&ada), NOBODY).await, [("cold wallet".to_string(), "csv".to_string())]);
    for (line, bad) in [(3, "0x12,dex,EOA,,"), (3, "0x12"), (3, &format!("{NOBODY},dex,PLANET,,"))] {
        let file = format!("{head}{NOBODY},warm wallet,EOA,,\n{bad}\n");
        let failure = server.upload(path, Some(&ada), "labels.csv", file.as_bytes()).await.failure(400, "invalid_csv");
        assert!(text(&failure["msg"]).contains(&format!("Line {line}")), "{failure}");
    }
    assert_eq!(server.get("/api/label/own/list", Some(&ada)).await.data()["total"], 2);
}

#[tokio::test]
async fn a_label_that_says_nothing_is_refused_by_its_field() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    for (param, field, value) in [
        ("address", "address", json!("0x12")),
        ("label", "label", json!("  ")),
        ("label", "label", json!("x".repeat(41))),
        ("label", "label", json!("two\nlines")),
        ("entity", "entity", json!("x".repeat(81))),
        ("note", "note", json!("x".repeat(501))),
    ] {
        let mut label = said("exchange");
        label[field] = value;
        let failure = server.post("/api/label/own/add", Some(&ada), label).await.failure(400, "invalid_input");
        assert_eq!(failure["param"], param, "{failure}");
    }
    let wrong = server.get("/api/label/ofAddress?address=0x12", None).await;
    assert_eq!(wrong.failure(400, "invalid_input")["param"], "address");
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_run_as_jobs_and_dapps_are_ranked() {
    let home = tempfile::tempdir().unwrap();
    let planted = sample_home(home.path()).await;
    let server = Server::on(home).await;
    let (root, ada, eve) = (server.admin("root").await, server.register("ada").await, server.register("eve").await);
    let run = async |token: &str, spec: Value| {
        server.post("/api/query/execute", Some(token), json!({"kind": "LABEL", "spec": spec})).await
    };
    for (param, spec) in [
        ("label", json!({"label": "no-such-label"})),
        ("month", json!({"label": "newcomer", "month": "2019-01"})),
        ("endDate", json!({"label": "miner", "startDate": "2026-10-02", "endDate": "2026-10-01"})),
        ("contractAddress", json!({"label": "top-holder", "contractAddress": "0x12"})),
        ("parameters", json!({"label": "miner", "parameters": {"pool_share": "2"}})),
        ("dappName", json!({"label": "dapp-user", "dappName": "No such DApp"})),
    ] {
        assert_eq!(run(&ada, spec).await.failure(400, "invalid_input")["param"], param);
    }
    run("", json!({"label": "miner"})).await.failure(401, "unauthenticated");

    // A user's run is the user's, an administrator's is everybody's.
    let pool =
        text(&planted["proposers"].as_array().unwrap().iter().find(|one| one["pool"] == true).unwrap()["address"]);
    let found = [("miner-pool".to_string(), "rule".to_string())];
    let job = text(&run(&ada, json!({"label": "miner"})).await.data()["jobId"]);
    let ended = server.wait_for(&ada, &job, "SUCCEEDED").await;
    assert_eq!((&ended["progress"], ended["rows"].as_u64() > Some(0)), (&json!(100.0), true), "{ended}");
    server.get(&format!("/api/job/{job}"), Some(&eve)).await.failure(404, "not_found");
    server.get(&format!("/api/job/{job}/result"), Some(&eve)).await.failure(404, "not_found");
    assert_eq!(of(&server, Some(&ada), &pool).await, found);
    assert_eq!(of(&server, None, &pool).await, []);
    let job = text(&run(&root, json!({"label": "miner"})).await.data()["jobId"]);
    server.wait_for(&root, &job, "SUCCEEDED").await;
    assert_eq!(of(&server, None, &pool).await, found);
    let shown =
        server.get(&format!("/api/address/detail?address={pool}"), None).await.data()["figures"]["labels"][0].clone();
    assert_eq!((&shown["rule"], &shown["jobId"], &shown["category"]), (&json!("B4"), &json!(job), &json!("basic")));
    assert!(shown["why"]["blocks_of_period"].is_string() && shown["value"].is_string(), "{shown}");

    // The registry of the sample chain is there, and feeds the ranking.
    let ranking =
        async |query: &str| server.get(&format!("/api/dapp/ranking{query}"), None).await.data()["items"].clone();
    let all = ranking("?period=month").await;
    assert_eq!(all.as_array().unwrap().len(), planted["names"]["dapps"].as_array().unwrap().len());
    let users =
        |list: &Value| list.as_array().unwrap().iter().map(|one| one["users"].as_i64().unwrap()).collect::<Vec<_>>();
    assert!(users(&all).is_sorted_by(|a, b| a >= b) && users(&all)[0] > 0, "{all}");
    let games = ranking("?period=month&type=games&sort=transactions").await;
    assert!(games.as_array().unwrap().iter().all(|one| one["dappType"] == "games") && games[0]["rank"] == 1, "{games}");
    server.get("/api/dapp/ranking?type=planets", None).await.failure(400, "invalid_input");
    // A change of the registry shows at once.
    let name = text(&all[0]["name"]);
    server.delete(&format!("/api/system/dapp/info/{}", name.replace(' ', "%20")), Some(&root)).await.data();
    assert!(ranking("?period=month").await.as_array().unwrap().iter().all(|one| one["name"] != json!(name)));
}
