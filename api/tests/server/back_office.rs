//! The back office beside rights: users, credits, white papers, web access, dapps, jobs, the data monitor.

use std::time::Instant;

use serde_json::{Value, json};

use crate::harness::{ENDLESS, SOON, Server, png};

const PDF: &[u8] = b"%PDF-1.7\n1 0 obj\nendobj\n%%EOF\n";

#[tokio::test]
async fn users_are_filtered_and_paged() {
    let server = Server::start().await;
    let admin = server.admin("root").await;
    for name in ["ada", "adele", "bob_1", "bobx1"] {
        server.register(name).await;
    }
    let list = async |query: &str| {
        let data = server.get(&format!("/api/system/user/list?{query}"), Some(&admin)).await.data();
        let names = data["items"].as_array().unwrap().iter();
        (names.map(|item| item["userName"].as_str().unwrap().to_string()).collect::<Vec<_>>(), data["total"].clone())
    };
    assert_eq!(list("userName=AD").await, (vec!["adele".to_string(), "ada".to_string()], json!(2)));
    assert_eq!(list("userName=b_1").await.1, 1, "a letter that databases take for any other means itself");
    assert_eq!(list("role=admin").await.0, ["root"]);
    assert_eq!(list("size=2&page=2").await, (vec!["adele".to_string(), "ada".to_string()], json!(5)));
    assert_eq!(list("disabled=true").await.1, 0);
    server.get("/api/system/user/list?page=x", Some(&admin)).await.failure(400, "invalid_input");
    let summary = server.get("/api/system/platform-user/summary", Some(&admin)).await.data();
    assert_eq!((&summary["users"], &summary["onlineUsers"]), (&json!(5), &json!(5)));
    let file = server.get("/api/system/platform-user/export?userName=ada", Some(&admin)).await;
    assert_eq!(file.headers["content-type"], "text/csv; charset=utf-8");
    assert_eq!(String::from_utf8(file.body).unwrap().lines().count(), 2);
}

#[tokio::test]
async fn credits_follow_rules_that_are_edited() {
    let server = Server::start().await;
    let (admin, ada) = (server.admin("root").await, server.register("ada").await);
    let rules = server.get("/api/system/score/rule/list", Some(&admin)).await.data();
    let points: Vec<(&str, i64)> = rules
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| (rule["ruleKey"].as_str().unwrap(), rule["points"].as_i64().unwrap()))
        .collect();
    assert_eq!(points, [("dashboard", 5), ("favourite", 1), ("fork", 2)]);
    let rule = json!({"points": 3, "enabled": true, "note": "more"});
    server.put("/api/system/score/rule/fork", Some(&admin), rule.clone()).await.data();
    server.put("/api/system/score/rule/nothing", Some(&admin), rule).await.failure(404, "not_found");
    let id = server.get("/api/user/info", Some(&ada)).await.data()["user"]["userId"].as_i64().unwrap();
    quarry::credits::award(&server.app.db, id, quarry::credits::Rule::Fork, "query:1:by:9").await.unwrap();
    let entry = json!({"userName": "ada", "points": -1, "note": "correction"});
    server.post("/api/system/score/entry/create", Some(&admin), entry).await.data();
    let nobody = json!({"userName": "nobody", "points": 1, "note": "x"});
    server.post("/api/system/score/entry/create", Some(&admin), nobody).await.failure(404, "no_such_user");
    assert_eq!(server.get("/api/system/user/userName/ada", None).await.data()["creditCount"], 2);
    let own = server.get("/api/user/credit/list", Some(&ada)).await.data();
    assert_eq!((&own["total"], &own["items"][0]["points"]), (&json!(2), &json!(-1)));
    let revenue = server.get("/api/system/revenue/list?userName=ada", Some(&admin)).await.data();
    assert_eq!((&revenue["items"][0]["credits"], &revenue["items"][0]["entries"]), (&json!(2), &json!(2)));
    assert_eq!(
        server.get("/api/system/revenue/summary", Some(&admin)).await.data(),
        json!({"credits": 2, "holders": 1})
    );
    let board = json!({"title": "Fees", "visibility": "public"});
    server.post("/api/dashboard/create", Some(&ada), board).await.data();
    let newest = server.get("/api/user/credit/list", Some(&ada)).await.data()["items"][0].clone();
    assert_eq!((&newest["title"], &newest["points"]), (&json!("Fees"), &json!(5)));
}

#[tokio::test]
async fn a_white_paper_is_read_by_everybody_once_it_is_published() {
    let server = Server::start().await;
    let admin = server.admin("root").await;
    let upload = "/api/system/white-paper/upload?title=Quarry";
    server.upload(upload, Some(&admin), "paper.pdf", &png(8, 8)).await.failure(400, "not_a_document");
    let id = server.upload(upload, Some(&admin), "paper.pdf", PDF).await.data();
    let list = server.get("/api/system/white-paper/list", Some(&admin)).await.data();
    let download = format!("/api/file/download?path={}", list["items"][0]["path"].as_str().unwrap());
    server.get(&download, None).await.failure(404, "not_found");
    assert_eq!(server.get("/api/white-paper/list", None).await.data()["total"], 0);
    let publish = |yes: bool| format!("/api/system/white-paper/{id}/publish?published={yes}");
    server.put(&publish(true), Some(&admin), Value::Null).await.data();
    assert_eq!(server.get("/api/white-paper/list", None).await.data()["items"][0]["title"], "Quarry");
    let file = server.get(&download, None).await;
    assert_eq!((file.headers["content-type"].to_str().unwrap(), file.body.as_slice()), ("application/pdf", PDF));
    server.put(&publish(false), Some(&admin), Value::Null).await.data();
    server.get(&download, None).await.failure(404, "not_found");
    server.delete(&format!("/api/system/white-paper/{id}"), Some(&admin)).await.data();
    server.get(&download, Some(&admin)).await.failure(404, "not_found");
}

#[tokio::test]
async fn visits_are_counted() {
    let server = Server::start().await;
    let (admin, ada) = (server.admin("root").await, server.register("ada").await);
    let visit = |url: &str, ms: i64, who: &str| {
        json!({"preUrl": "/home", "preTitle": "Home", "currentUrl": url, "currentTitle": "x",
            "prepageBrowseTimeMs": ms, "prepageBrowseTimeS": ms / 1000, "fingerprint": who, "user": "root", "anonymous": false})
    };
    let route =
        async |token: Option<&str>, body: Value| server.post("/api/front-track/route", token, body).await.data();
    route(None, visit("/start?token=secret", 1000, "f1")).await;
    route(None, visit("/projects", 3000, "f1")).await;
    route(Some(&ada), visit("/projects", 0, "f2")).await;
    route(Some("forged"), visit("/projects", -5, "")).await;
    let first = json!({"preUrl": null, "preTitle": null, "currentUrl": "/start", "prepageBrowseTimeMs": null,
        "fingerprint": "f1", "user": null, "anonymous": null});
    route(None, first).await;
    let click = json!({"currentUrl": "/projects", "triggerType": "click", "title": "Fork", "behavior": "fork", "fingerprint": "f1"});
    server.post("/api/front-track/trigger", None, click).await.data();
    let data = server.get("/api/system/web-access/summary", Some(&admin)).await.data();
    let summary = json!({"views": 5, "visitors": 3, "users": 1, "meanBrowseMs": 2000, "clicks": 1});
    assert_eq!(data["summary"], summary);
    assert_eq!(data["days"].as_array().unwrap().iter().map(|day| day["views"].as_i64().unwrap()).sum::<i64>(), 5);
    let pages = server.get("/api/system/web-access/pages", Some(&admin)).await.data();
    assert_eq!(pages["items"][0], json!({"url": "/projects", "views": 3, "visitors": 3, "meanBrowseMs": 0}));
    assert_eq!(pages["items"][1]["url"], "/start", "what follows the ? is not kept");
    let visits = server.get("/api/system/web-access/list?userName=ada", Some(&admin)).await.data();
    assert_eq!(visits["total"], 1, "the server knows who is logged in; the page's word is not taken");
}

#[tokio::test]
async fn dapps_are_edited_and_imported() {
    let server = Server::start().await;
    let admin = server.admin("root").await;
    let info = "/api/system/dapp/info";
    let dapp = json!({"name": "Swap", "dappType": "high-risk", "website": "https://swap.example"});
    server.put(info, Some(&admin), dapp).await.data();
    let bad = json!({"name": "Swap", "dappType": "finance", "website": "javascript:alert(1)"});
    server.put(info, Some(&admin), bad).await.failure(400, "invalid_input");
    let csv = b"name,dappType,website,note\nSwap,finance,,new\nDice,betting,,\"a, b\"\n";
    let imported = server.upload(&format!("{info}/import"), Some(&admin), "a.csv", csv).await.data();
    assert_eq!(imported, json!({"rows": 2}));
    let bad = b"name,dappType,website,note\nOther,finance,,\nDice,gambling,,\n";
    let failure =
        server.upload(&format!("{info}/import"), Some(&admin), "a.csv", bad).await.failure(400, "invalid_csv");
    assert!(failure["msg"].as_str().unwrap().starts_with("Line 3 "), "{failure}");
    let address = format!("0xAB{}", "0".repeat(38));
    let csv = format!("address,dappName,note\n{address},Swap,router\n");
    server.upload("/api/system/dapp/reflect/import", Some(&admin), "a.csv", csv.as_bytes()).await.data();
    let short = json!({"address": "0x12", "dappName": "Swap"});
    server.put("/api/system/dapp/reflect", Some(&admin), short).await.failure(400, "invalid_input");
    let list = server.get(&format!("{info}/list"), Some(&admin)).await.data();
    let seen: Vec<(&str, &str, i64)> = list["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            let field = |name: &str| item[name].as_str().unwrap();
            (field("name"), field("dappType"), item["addresses"].as_i64().unwrap())
        })
        .collect();
    assert_eq!(seen, [("Dice", "betting", 0), ("Swap", "finance", 1)], "a file with a bad row changes nothing");
    let reflect = server.get("/api/system/dapp/reflect/list?name=swap", Some(&admin)).await.data();
    assert_eq!(reflect["items"][0]["address"], address.to_lowercase());
    for (filtered, total) in [
        ("info/list?dappType=finance", 1),
        ("info/list?address=0xaB0", 1),
        ("info/list?address=0x1", 0),
        ("info/list?name=dice&address=0xab", 0),
        ("reflect/list?dappType=finance", 1),
        ("reflect/list?dappType=betting", 0),
        ("reflect/list?address=0xaB&dappType=finance", 1),
    ] {
        let found = server.get(&format!("/api/system/dapp/{filtered}"), Some(&admin)).await.data();
        assert_eq!(found["total"], total, "{filtered}");
    }
    server.delete(&format!("/api/system/dapp/reflect/{address}"), Some(&admin)).await.data();
    server.delete(&format!("{info}/Dice"), Some(&admin)).await.data();
    server.delete(&format!("{info}/Dice"), Some(&admin)).await.failure(404, "not_found");
}

#[tokio::test]
async fn anybodys_job_is_listed_and_stopped() {
    let server = Server::start().await;
    let (admin, ada) = (server.admin("root").await, server.register("ada").await);
    let id = server.execute(&ada, ENDLESS).await;
    server.wait_for(&ada, &id, "RUNNING").await;
    // The list reads what is written down, which follows what the job itself tells.
    let start = Instant::now();
    let list = loop {
        let list = server.get("/api/system/job/list?userName=ad&kind=SQL&state=RUNNING", Some(&admin)).await.data();
        if list["total"] != 0 || start.elapsed() > SOON {
            break list;
        }
    };
    assert_eq!((&list["total"], &list["items"][0]["jobId"]), (&json!(1), &json!(id)));
    assert_eq!(server.get("/api/system/job/list?userName=eve", Some(&admin)).await.data()["total"], 0);
    server.post(&format!("/api/system/job/kill/{id}"), Some(&ada), Value::Null).await.failure(403, "forbidden");
    server.post(&format!("/api/system/job/kill/{id}"), Some(&admin), Value::Null).await.data();
    server.wait_for(&ada, &id, "KILLED").await;
}

#[tokio::test]
async fn an_account_that_is_disabled_runs_nothing_more() {
    let server = Server::start().await;
    let (admin, ada) = (server.admin("root").await, server.register("ada").await);
    let id = server.execute(&ada, ENDLESS).await;
    server.wait_for(&ada, &id, "RUNNING").await;
    let user = &server.get("/api/user/info", Some(&ada)).await.data()["user"]["userId"];
    let disable = format!("/api/system/user/updateUserDisabled/{user}?disabled=true");
    server.put(&disable, Some(&admin), Value::Null).await.data();
    server.wait_for(&admin, &id, "KILLED").await;
}

#[tokio::test]
async fn the_data_monitor_tells_what_there_is() {
    let server = Server::start().await;
    let admin = server.admin("root").await;
    let status = server.get("/api/system/dataLink/status", Some(&admin)).await.data();
    assert_eq!((&status["head"], &status["lagMs"]), (&Value::Null, &Value::Null));
    assert_eq!(status["tables"].as_array().unwrap().len(), 7);
}
