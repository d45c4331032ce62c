//! Official dashboards and what visitors see of them, projects, creators, addresses, and the content that ships.

use quarry::starter;
use quarry_ingest::sample::{self, FEWEST_TRANSACTIONS, SampleConfig};
use serde_json::{Value, json};

use crate::creations::chart_widget;
use crate::harness::{Server, text};

const TIMES: &str = "select cast(d as date) as day, n from (values ('2020-01-01', 1), ('2999-01-01', 2)) t(d, n)";

#[tokio::test]
async fn visitors_see_official_metrics_up_to_30_days_before_now() {
    let server = Server::start().await;
    let (root, ada) = (server.admin("root").await, server.register("ada").await);
    let query = text(&server.new_query(&ada, "times", TIMES, "public").await["id"]);
    let chart = text(&server.new_chart(&ada, &query, "chart").await["id"]);
    server.run_query(&ada, &query).await;
    let board = text(&server.new_dashboard(&ada, "official", json!([chart_widget("w", &chart)]), "public").await["id"]);
    let official = json!({"id": board, "official": true});
    server.post("/api/official/set", Some(&ada), official.clone()).await.failure(403, "forbidden");
    let path = format!("/api/official/visualization?dashboardId={board}&visualizationId={chart}&resolution=1%20Day");
    server.get(&path, None).await.failure(404, "not_found");
    server.post("/api/official/set", Some(&root), official).await.data();
    let all = server.get("/api/official/dashboards", None).await.data();
    assert_eq!(all[0]["charts"][0]["visualizationId"], chart);

    // Every way to the rows is cut for a visitor, and none for a user.
    let paths = [
        path.clone(),
        format!("/api/query/result?id={query}"),
        format!("/api/dashboard/widget/result?id={board}&widgetId=w"),
    ];
    for path in &paths {
        let rows = |answer: Value| if answer["result"].is_null() { answer } else { answer["result"].clone() };
        let seen = rows(server.get(path, None).await.data());
        assert_eq!((&seen["total"], &seen["rows"][0][0]), (&json!(1), &json!("2020-01-01")), "{path}");
        assert!(seen["cutAt"].is_string(), "{seen}");
        let seen = rows(server.get(path, Some(&ada)).await.data());
        assert_eq!((&seen["total"], &seen["cutAt"]), (&json!(2), &Value::Null), "{path}");
    }
    server.get(&path.replace("1%20Day", "1%20Year"), None).await.failure(400, "invalid_input");
    let other = text(&server.new_chart(&ada, &query, "elsewhere").await["id"]);
    server.get(&path.replace(&chart, &other), None).await.failure(404, "not_found");
    let hidden = text(&server.new_dashboard(&ada, "hidden", json!([]), "private").await["id"]);
    let hidden = json!({"id": hidden, "official": true});
    server.post("/api/official/set", Some(&root), hidden).await.failure(409, "not_public");
}

#[tokio::test]
async fn what_its_owner_takes_back_is_on_no_official_dashboard_of_another() {
    let server = Server::start().await;
    let (root, ada) = (server.admin("root").await, server.register("ada").await);
    let query = text(&server.new_query(&ada, "times", TIMES, "public").await["id"]);
    let chart = text(&server.new_chart(&ada, &query, "chart").await["id"]);
    server.run_query(&ada, &query).await;
    let widgets = json!([chart_widget("w", &chart)]);
    let mut boards = Vec::new();
    for token in [&ada, &root] {
        boards.push(text(&server.new_dashboard(token, "official", widgets.clone(), "public").await["id"]));
    }
    for id in boards.iter().chain([&query]) {
        server.post("/api/official/set", Some(&root), json!({"id": id, "official": true})).await.data();
    }
    let charts = async || {
        let all = server.get("/api/official/dashboards", Some(&root)).await.data();
        all.as_array().unwrap().iter().map(|one| one["charts"].as_array().unwrap().len()).collect::<Vec<_>>()
    };
    assert_eq!(charts().await, [1, 1]);
    let private = json!({"id": query, "visibility": "private"});
    server.post("/api/creation/visibility/set", Some(&ada), private).await.data();
    assert_eq!(charts().await, [1, 0], "ada still shows her own");
    let at = |board: &str| {
        format!("/api/official/visualization?dashboardId={board}&visualizationId={chart}&resolution=1%20Day")
    };
    server.get(&at(&boards[0]), None).await.data();
    server.get(&at(&boards[1]), None).await.failure(404, "not_found");
    let rows = format!("/api/dashboard/widget/result?id={}&widgetId=w", boards[1]);
    server.get(&rows, None).await.failure(404, "not_found");
}

#[tokio::test]
async fn a_project_shows_what_its_reader_may_see() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let project = server.post("/api/project/create", Some(&ada), json!({"title": "p", "visibility": "public"})).await;
    let id = text(&project.data()["id"]);
    let open = text(&server.new_query(&ada, "open", "select 1", "public").await["id"]);
    let secret = text(&server.new_query(&ada, "secret", "select 1", "private").await["id"]);
    let theirs = text(&server.new_query(&eve, "theirs", "select 1", "private").await["id"]);
    let add = async |token: &str, item: &str| {
        server.post("/api/project/item/add", Some(token), json!({"id": id, "itemId": item})).await
    };
    add(&ada, &open).await.data();
    add(&ada, &secret).await.data();
    add(&ada, &theirs).await.failure(404, "not_found");
    add(&ada, &id).await.failure(404, "not_found");
    add(&eve, &theirs).await.failure(403, "forbidden");
    let titles = async |token: Option<&str>| {
        let seen = server.get(&format!("/api/project/detail?id={id}"), token).await.data();
        let items = seen["items"].as_array().unwrap().clone();
        items.iter().map(|item| text(&item["title"])).collect::<Vec<_>>()
    };
    assert_eq!(titles(Some(&ada)).await, ["open", "secret"]);
    assert_eq!(titles(Some(&eve)).await, ["open"]);
    assert_eq!(titles(None).await, ["open"]);
    let order = json!({"id": id, "items": [secret]});
    server.post("/api/project/item/arrange", Some(&ada), order).await.data();
    assert_eq!(titles(Some(&ada)).await, ["secret", "open"]);
    server.post("/api/project/item/remove", Some(&ada), json!({"id": id, "itemId": open})).await.data();
    assert_eq!(titles(None).await, [""; 0]);
}

#[tokio::test]
async fn lists_by_owner_keep_private_things_to_the_owner() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    server.new_query(&ada, "open", "select 1", "public").await;
    server.new_query(&ada, "secret", "select 1", "private").await;
    server.new_dashboard(&ada, "board", json!([]), "public").await;
    assert_eq!(server.get("/api/creation/mine", Some(&ada)).await.data()["total"], 3);
    assert_eq!(server.get("/api/creation/mine?kind=query&search=SEC", Some(&ada)).await.data()["total"], 1);
    assert_eq!(server.get("/api/creation/mine", Some(&eve)).await.data()["total"], 0);
    let path = "/api/creation/ofUser?userName=ada";
    for reader in [Some(eve.as_str()), Some(ada.as_str()), None] {
        assert_eq!(server.get(path, reader).await.data()["total"], 2);
    }
    server.get("/api/creation/ofUser?userName=nobody", None).await.failure(404, "no_such_user");
    let creator = server.get("/api/creator/detail?userName=ada", None).await.data();
    assert_eq!((&creator["queryCount"], &creator["dashboardCount"]), (&json!(1), &json!(1)));
}

#[tokio::test]
async fn an_address_is_looked_up_in_the_lake() {
    let server = Server::start().await;
    let address = format!("0x{}", "Ab".repeat(20));
    let seen = server.get(&format!("/api/address/detail?address={address}"), None).await.data();
    assert_eq!((&seen["address"], &seen["figures"]["balance"]), (&json!(address.to_lowercase()), &json!("0")));
    assert_eq!(seen["figures"]["transactions"], json!([]));
    server.get("/api/address/detail?address=0x12", None).await.failure(400, "invalid_input");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_content_that_ships_is_loaded_once_and_its_queries_run() {
    let server = Server::start().await;
    let config = SampleConfig { transactions: FEWEST_TRANSACTIONS, seed: 1, days: None };
    sample::write(server.app.engine.lake(), config, |_| ()).await.unwrap();
    let root = server.admin("root").await;
    let load = async || starter::load(&server.app.db, &server.app.auth.passwords).await.unwrap();
    assert!(load().await > 100);
    assert_eq!(load().await, 0);
    let official = server.get("/api/official/dashboards", None).await.data();
    assert!(official.as_array().unwrap().len() >= 8, "{official}");
    assert!(official.as_array().unwrap().iter().all(|board| board["dashboard"]["titleZh"].is_string()));
    let found = server.get("/api/discover/queries?search=%E4%BA%A4%E6%98%93", None).await.data();
    assert!(found["total"].as_i64().unwrap() > 0, "{found}");
    let jobs = server.app.scheduler.run_due(quarry::time::now_ms() + 3_600_000).await.unwrap();
    assert!(jobs.len() >= 60, "{}", jobs.len());
    for job in &jobs {
        let done = server.wait_for(&root, job, "SUCCEEDED").await;
        assert!(done["rows"].as_i64().unwrap() > 0, "a chart would be empty: {done}");
    }
    another_resolution(&server, &root, &official[0]).await;
    // What an administrator removes does not come back.
    let id = text(&official[0]["dashboard"]["id"]);
    server.post("/api/dashboard/delete", Some(&root), json!({"id": id})).await.data();
    assert_eq!(load().await, 0);
    server.get(&format!("/api/dashboard/detail?id={id}"), None).await.failure(404, "not_found");
}

/// A chart over time by hour, week and month: rows are computed when they are first asked for.
async fn another_resolution(server: &Server, token: &str, board: &Value) {
    let charts = board["charts"].as_array().unwrap();
    let ask = async |chart: &str, resolution: &str| {
        let id = text(&board["dashboard"]["id"]);
        let chart = charts.iter().find(|one| one["title"] == chart).unwrap();
        let chart = text(&chart["visualizationId"]);
        let path =
            format!("/api/official/visualization?dashboardId={id}&visualizationId={chart}&resolution=1%20{resolution}");
        let found = server.get(&path, Some(token)).await.data();
        let total = found["result"]["total"].as_u64().unwrap();
        (text(&found["resolution"]), found["resolutions"].as_array().unwrap().len(), total)
    };
    let days = ask("Transactions", "Day").await;
    assert_eq!(days, ("1 Day".to_string(), 4, 90));
    for (resolution, rows) in [("Hour", 500..2_161), ("Week", 13..15), ("Month", 3..4)] {
        let found = ask("Transactions", resolution).await;
        assert_eq!((found.0, found.1), (format!("1 {resolution}"), 4));
        assert!(rows.contains(&found.2), "{resolution}: {}", found.2);
        assert_eq!(ask("Transactions", resolution).await.2, found.2);
    }
    // A chart without a time says which one it has.
    let found = ask("Activity by hour and weekday", "Month").await;
    assert_eq!((found.0, found.1), ("1 Day".to_string(), 1));
    // The smallest chain has hours in which nothing happened.
    assert!((100..=168).contains(&found.2), "{}", found.2);
}
