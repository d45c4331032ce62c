//! What administrators do for users: accounts, schedules, answers to feedback, and figures per day.

use serde_json::{Value, json};

use crate::harness::{Server, text};

async fn scheduled(server: &Server, token: &str, title: &str, sql: &str) -> String {
    let body = json!({"title": title, "what": {"kind": "SQL", "text": sql}, "updateStrategy": "hourly"});
    text(&server.post("/api/query/create", Some(token), body).await.data()["id"])
}

#[tokio::test]
async fn an_account_is_made_for_somebody() {
    let server = Server::start().await;
    let admin = server.admin("root").await;
    let make = async |name: &str, password: &str, role: &str| {
        let body = json!({"userName": name, "password": password, "role": role, "email": " "});
        server.post("/api/system/user/create", Some(&admin), body).await
    };
    make("Ada", "long-enough", "ROLE_DEFAULT").await.failure(400, "invalid_input");
    make("ada", "short", "ROLE_DEFAULT").await.failure(400, "invalid_input");
    assert_eq!(make("ada", "long-enough", "nothing").await.failure(400, "invalid_input")["param"], "role");
    make("ada", "long-enough", "ROLE_DEFAULT").await.data();
    assert_eq!(make("ada", "long-enough", "ROLE_DEFAULT").await.failure(409, "taken")["param"], "userName");
    server.login("ada", "long-enough").await.data();
    // A role of few permissions gives away no more than it holds.
    let role = json!({"name": "helpers", "note": "", "permissions": ["system.user"]});
    server.post("/api/system/role/create", Some(&admin), role).await.data();
    let id = make("eve", "long-enough", "helpers").await.data();
    assert!(id.as_i64().unwrap() > 0);
    let eve = text(&server.login("eve", "long-enough").await.data()["token"]);
    let body = json!({"userName": "mallory", "password": "long-enough", "role": "admin"});
    server.post("/api/system/user/create", Some(&eve), body).await.failure(403, "forbidden");
}

#[tokio::test]
async fn schedules_of_everybody_are_seen_run_and_rest() {
    let server = Server::start().await;
    let (admin, ada) = (server.admin("root").await, server.register("ada").await);
    let good = scheduled(&server, &ada, "good", "select 1 as x").await;
    let bad = scheduled(&server, &ada, "bad", "select nothing from nowhere").await;
    let titles = async |filter: &str| {
        let list = server.get(&format!("/api/system/schedule/list?{filter}"), Some(&admin)).await.data();
        let items = list["items"].as_array().unwrap().clone();
        let mut titles: Vec<String> = items.iter().map(|item| text(&item["title"])).collect();
        titles.sort();
        (titles, items)
    };
    assert_eq!(titles("").await.0, ["bad", "good"]);
    assert_eq!(titles("title=OO").await.0, ["good"]);
    assert_eq!(titles("userName=root").await.0, Vec::<String>::new());
    for (id, state) in [(&good, "SUCCEEDED"), (&bad, "FAILED")] {
        let started = server.post("/api/system/schedule/run", Some(&admin), json!({"id": id})).await.data();
        server.wait_for(&ada, &text(&started["jobId"]), state).await;
        while quarry::jobs::of_query::unfinished(&server.app.db, id).await.unwrap().is_some() {
            tokio::task::yield_now().await;
        }
    }
    let (failed, items) = titles("state=failed").await;
    assert_eq!(failed, ["bad"]);
    assert_eq!((&items[0]["runs"][0]["state"], &items[0]["runsOfDay"]), (&json!("FAILED"), &json!(1)));
    let (run, succeeded) = (&items[0]["runs"][0], &titles("title=good").await.1[0]["runs"][0]);
    assert!(run["startTime"].as_i64().unwrap() <= run["finishTime"].as_i64().unwrap(), "{run}");
    assert_eq!(succeeded["progress"], 100.0, "{succeeded}");
    // The owner's job, though an administrator asked for it: viewers see its result.
    let shown = server.get(&format!("/api/query/result?id={good}"), Some(&ada)).await.data();
    assert_eq!(shown["rows"][0][0], "1");
    let rest = async |paused: bool| {
        server.put("/api/system/schedule/pause", Some(&admin), json!({"id": good, "paused": paused})).await.data();
    };
    rest(true).await;
    assert_eq!(titles("state=paused").await.0, ["good"]);
    let summary = server.get("/api/system/schedule/summary", Some(&admin)).await.data();
    assert_eq!(summary, json!({"schedules": 2, "running": 0, "late": 0, "failed": 1, "paused": 1, "runsOfDay": 2}));
    rest(false).await;
    assert_eq!(titles("state=paused").await.0, Vec::<String>::new());
    server.post("/api/system/schedule/run", Some(&admin), json!({"id": "nothing"})).await.failure(404, "not_found");
}

#[tokio::test]
async fn an_answer_to_feedback_is_a_letter_and_comes_once() {
    let server = Server::start().await;
    let (admin, ada) = (server.admin("root").await, server.register("ada").await);
    let form = json!({"feedbackTitle": "Colours", "feedbackContent": "More of them.", "feedbackUrl": "/home"});
    assert!(server.post("/api/feedback/upload", Some(&ada), form).await.status.is_success());
    let id = server.get("/api/system/feedback/list", Some(&admin)).await.data()["items"][0]["id"].clone();
    let answer = async |answer: &str, state: &str| {
        let body = json!({"state": state, "answer": answer});
        server.put(&format!("/api/system/feedback/{id}"), Some(&admin), body).await.data();
        server.get("/api/private/letter/chat/content?commentFrom=root", Some(&ada)).await.data()
    };
    assert_eq!(answer("", "rejected").await, json!([]));
    let letters = answer("They are coming.", "handled").await;
    assert_eq!(letters[0]["comment"], "“Colours”\n\nThey are coming.");
    assert_eq!(answer("They are coming.", "handled").await.as_array().map(Vec::len), Some(1));
    assert_eq!(server.get("/api/private/letter/is-exist-not-read-message", Some(&ada)).await.data(), Value::Bool(true));
}

#[tokio::test]
async fn figures_per_day_count_what_happened() {
    let server = Server::start().await;
    let admin = server.admin("root").await;
    server.register("ada").await;
    let days = server.get("/api/system/platform-user/days", Some(&admin)).await.data();
    let sum = |field: &str| days.as_array().unwrap().iter().map(|day| day[field].as_i64().unwrap()).sum::<i64>();
    assert_eq!((sum("newUsers"), sum("logins")), (2, 2), "{days}");
    for points in [5, -2] {
        let entry = json!({"userName": "ada", "points": points, "note": "x"});
        server.post("/api/system/score/entry/create", Some(&admin), entry).await.data();
    }
    let credits = server.get("/api/system/revenue/days", Some(&admin)).await.data();
    let points: i64 = credits.as_array().unwrap().iter().map(|day| day["points"].as_i64().unwrap()).sum();
    assert_eq!((points, &credits[0]["ruleKey"]), (3, &json!("manual")));
}
