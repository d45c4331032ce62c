//! The metrics API and its keys.

use axum::body::Body;
use axum::http::{Method, header};
use quarry::app::{App, AppOptions};
use quarry::db::{Db, sqlite_url};
use quarry::router::router;
use quarry_engine::Engine;
use quarry_ingest::sample::{self, FEWEST_TRANSACTIONS, SampleConfig};
use quarry_runtime::EngineConfig;
use serde_json::{Value, json};

use crate::harness::{Answer, PASSWORD, Server, request, text};

const DAILY: &str = "/api/v1/metrics/transactions/transaction-count";
const DAY: i64 = 86_400_000;

async fn with_sample() -> Server {
    let server = Server::start().await;
    let config = SampleConfig { transactions: FEWEST_TRANSACTIONS, seed: 1, days: None };
    sample::write(server.app.engine.lake(), config, |_| ()).await.unwrap();
    server.app.engine.metrics().update().await.unwrap();
    server
}

async fn new_key(server: &Server, token: &str, body: Value) -> (String, i64) {
    let made = server.post("/api/user/api-key/create", Some(token), body).await.data();
    (text(&made["key"]), made["id"].as_i64().unwrap())
}

async fn ask(server: &Server, path: &str, headers: &[(&str, &str)]) -> Answer {
    let asked =
        headers.iter().fold(request(Method::GET, path, None), |asked, (name, value)| asked.header(*name, *value));
    server.send(asked.body(Body::empty()).unwrap()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_series_is_a_bare_list_of_points() {
    let server = with_sample().await;
    let ada = server.register("ada").await;
    let (key, _) = new_key(&server, &ada, json!({"name": "x"})).await;
    let points = async |path: &str| ask(&server, path, &[("x-api-key", &key)]).await.json().as_array().unwrap().clone();

    let days = points(&format!("{DAILY}?a=ETH&i=24h")).await;
    let sum: i64 = days.iter().map(|point| point["v"].as_i64().unwrap()).sum();
    assert_eq!((sum, days.len()), (FEWEST_TRANSACTIONS as i64, 90));
    assert_eq!(days[0], json!({"t": days[0]["t"], "v": days[0]["v"]}), "a closed point says nothing more");
    assert!(
        days[1..].iter().zip(&days).all(|(day, before)| day["t"].as_i64() == before["t"].as_i64().map(|t| t + DAY))
    );
    assert!(days.iter().enumerate().all(|(place, day)| day["partial"] == json!(true) || place + 1 < days.len()));
    assert_eq!(days[89]["partial"], true);

    // From the start of a period on, up to but not with the end.
    let (s, u) = (days[3]["t"].as_i64().unwrap(), days[5]["t"].as_i64().unwrap());
    assert_eq!(points(&format!("{DAILY}?s={s}&u={u}")).await, days[3..5]);
    assert_eq!(points(&format!("{DAILY}?s={}&u={u}", s + 1)).await, days[4..5]);
    assert_eq!(points(&format!("{DAILY}?s={u}&u={u}")).await, [Value::Null; 0]);
    assert_eq!(points(&format!("{DAILY}?api_key={key}")).await, days, "the key may be in the address");
    let named = ask(&server, &format!("{DAILY}?api_key={key}"), &[("x-api-key", "")]).await;
    assert_eq!(named.json(), json!(days), "an empty header is none");
    for (i, count) in [("1h", 2_100), ("1w", 13), ("1month", 3)] {
        let found = points(&format!("{DAILY}?i={i}")).await;
        let sum: i64 = found.iter().map(|point| point["v"].as_i64().unwrap()).sum();
        assert_eq!(sum, FEWEST_TRANSACTIONS as i64, "{i}");
        assert!(found.len() >= count && found.len() < count + 70, "{i}: {}", found.len());
    }

    // Amounts of ether have more digits than a number of JavaScript, so they are texts.
    let volume = points("/api/v1/metrics/transactions/transfer-volume-total").await;
    assert!(volume[0]["v"].as_str().unwrap().contains('.'), "{}", volume[0]);
    let csv = ask(&server, &format!("{DAILY}?f=csv&s={s}&u={u}"), &[("x-api-key", &key)]).await;
    assert_eq!(csv.headers[header::CONTENT_TYPE], "text/csv; charset=utf-8");
    let lines = format!("t,v,partial\r\n{s},{},\r\n{},{},\r\n", days[3]["v"], s + DAY, days[4]["v"]);
    assert_eq!(String::from_utf8(csv.body).unwrap(), lines);

    let path = format!("/api/v1/metrics/bulk?m=transactions/transaction-count,address/new&s={s}&u={u}");
    let bulk = ask(&server, &path, &[("x-api-key", &key)]).await.json();
    assert_eq!(bulk["transactions/transaction-count"], json!(days[3..5]));
    assert_eq!(bulk["address/new"].as_array().unwrap().len(), 2);
    let csv = ask(&server, &format!("{path}&f=csv"), &[("x-api-key", &key)]).await.body;
    let csv = String::from_utf8(csv).unwrap();
    assert!(csv.starts_with("t,transactions/transaction-count,address/new,partial\r\n"), "{csv}");
    assert_eq!(csv.lines().count(), 3);

    // What was answered before is asked for by its tag.
    let path = format!("{DAILY}?s={s}&u={u}");
    let first = ask(&server, &path, &[("x-api-key", &key)]).await;
    let tag = first.headers[header::ETAG].to_str().unwrap().to_string();
    let again = ask(&server, &path, &[("x-api-key", &key), ("if-none-match", &tag)]).await;
    assert_eq!((again.status.as_u16(), again.body.len()), (304, 0));
    let other = ask(&server, &path, &[("x-api-key", &key), ("if-none-match", "\"another\"")]).await;
    assert_eq!((other.status.as_u16(), other.body), (200, first.body));

    let list = server.get("/api/v1/metrics/metadata", None).await.data();
    assert!(list["metrics"].as_array().unwrap().len() > 30);
    let categories: std::collections::BTreeSet<&str> =
        list["metrics"].as_array().unwrap().iter().map(|metric| metric["category"].as_str().unwrap()).collect();
    assert_eq!(categories.len(), 9, "{categories:?}");
    assert_eq!(list["headTime"].as_i64().unwrap() / DAY, days[89]["t"].as_i64().unwrap() / DAY);
    for metric in list["metrics"].as_array().unwrap() {
        let path = format!("/api/v1/metrics/{}/{}?i=1month", text(&metric["category"]), text(&metric["metric"]));
        let points = points(&path).await;
        let form = |value: &Value| match metric["valueType"].as_str() {
            Some("text") => value.is_string() || value.is_null(),
            _ => value.is_number() || value.is_null(),
        };
        assert!(points.len() == 3 && points.iter().all(|point| form(&point["v"])), "{path}: {points:?}");
    }
}

#[tokio::test]
async fn bad_requests_are_told_by_parameter() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let (key, _) = new_key(&server, &ada, json!({"name": "x"})).await;
    let refused = async |path: &str, status, code: &str| {
        let answer = ask(&server, path, &[("x-api-key", &key)]).await.failure(status, code);
        answer["param"].as_str().unwrap_or_default().to_string()
    };
    for (query, param) in [
        ("a=BTC", "a"),
        ("i=5m", "i"),
        ("s=1700000000", "s"),
        ("u=-1", "u"),
        ("f=xml", "f"),
        ("s=1700000000000&u=1600000000000", "s"),
    ] {
        assert_eq!(refused(&format!("{DAILY}?{query}"), 400, "invalid_input").await, param, "{query}");
    }
    refused(&format!("{DAILY}?s=soon"), 400, "invalid_input").await;
    assert_eq!(refused("/api/v1/metrics/fees/nothing", 404, "unknown_metric").await, "metric");
    assert_eq!(refused("/api/v1/metrics/bulk?m=fees/nothing", 404, "unknown_metric").await, "m");
    assert_eq!(refused("/api/v1/metrics/bulk", 400, "invalid_input").await, "m");
    assert_eq!(ask(&server, DAILY, &[("x-api-key", &key)]).await.json(), json!([]), "an empty lake has no points");
    ask(&server, DAILY, &[]).await.failure(401, "api_key_missing");
    ask(&server, DAILY, &[("x-api-key", "qk_wrong")]).await.failure(401, "api_key_invalid");
    assert_eq!(server.get(DAILY, Some(&ada)).await.status, 200, "a login will do");
}

#[tokio::test]
async fn a_key_works_where_it_may_and_as_long_as_it_may() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let (key, id) = new_key(&server, &ada, json!({"name": "x", "expiresInDays": 1})).await;
    let restrict = async |by: &str, restrictions: Value| {
        let body = json!({"name": "y", "restrictions": restrictions});
        server.post(&format!("/api/user/api-key/edit/{id}"), Some(by), body).await
    };
    restrict(&eve, json!({})).await.failure(404, "not_found");
    restrict(&ada, json!({"addresses": ["nowhere"]})).await.failure(400, "invalid_input");
    let here = [("x-api-key", key.as_str()), ("x-forwarded-for", "192.0.2.7")];
    assert_eq!(ask(&server, DAILY, &here).await.status, 200);
    restrict(&ada, json!({"addresses": ["198.51.100.0/24"]})).await.data();
    ask(&server, DAILY, &here).await.failure(403, "api_key_address");
    restrict(&ada, json!({"addresses": ["192.0.2.0/24"]})).await.data();
    // The same address as a socket for both families tells it.
    let mapped = [("x-api-key", key.as_str()), ("x-forwarded-for", "::ffff:192.0.2.7")];
    assert_eq!(ask(&server, DAILY, &mapped).await.status, 200);
    restrict(&ada, json!({"referrers": ["example.org"]})).await.data();
    ask(&server, DAILY, &here).await.failure(403, "api_key_referrer");
    let page = [("x-api-key", key.as_str()), ("referer", "https://example.org/page")];
    assert_eq!(ask(&server, DAILY, &page).await.status, 200);
    restrict(&ada, json!({"metrics": ["fees", "address/new"]})).await.data();
    ask(&server, DAILY, &here).await.failure(403, "api_key_metric");
    assert_eq!(ask(&server, "/api/v1/metrics/address/new", &here).await.status, 200);
    let both = "/api/v1/metrics/bulk?m=address/new,address/active";
    ask(&server, both, &here).await.failure(403, "api_key_metric");
    let list = server.get("/api/user/api-key/list", Some(&ada)).await.data();
    assert_eq!((&list[0]["name"], &list[0]["restrictions"]["metrics"]), (&json!("y"), &json!(["fees", "address/new"])));

    let usage = format!("/api/user/api-key/usage/{id}");
    server.get(&usage, Some(&eve)).await.failure(404, "not_found");
    let days = server.get(&usage, Some(&ada)).await.data()["days"].clone();
    let count = |name: &str| days.as_array().unwrap().iter().map(|day| day[name].as_i64().unwrap()).sum::<i64>();
    assert_eq!((count("requests"), count("refused")), (8, 4), "{days}");

    // Whoever is disabled asks no more from that moment on, and asks again once enabled.
    let admin = server.admin("root").await;
    let user = server.get("/api/user/info", Some(&ada)).await.data()["user"]["userId"].clone();
    let (held, _) = new_key(&server, &ada, json!({"name": "held"})).await;
    assert_eq!(ask(&server, DAILY, &[("x-api-key", &held)]).await.status, 200);
    for (disabled, status) in [(true, 401), (false, 200)] {
        let path = format!("/api/system/user/updateUserDisabled/{user}?disabled={disabled}");
        server.put(&path, Some(&admin), Value::Null).await.data();
        assert_eq!(ask(&server, DAILY, &[("x-api-key", &held)]).await.status, status);
    }
    let ada = text(&server.login("ada", PASSWORD).await.data()["token"]);

    let (ended, other) = new_key(&server, &ada, json!({"name": "z"})).await;
    assert_eq!(ask(&server, DAILY, &[("x-api-key", &ended)]).await.status, 200);
    server.post(&format!("/api/user/api-key/delete/{other}"), Some(&ada), json!({})).await.data();
    ask(&server, DAILY, &[("x-api-key", &ended)]).await.failure(401, "api_key_invalid");

    sqlx::query("update api_keys set expires_at = 1 where id = $1")
        .bind(id)
        .execute(server.app.db.pool())
        .await
        .unwrap();
    server.app.keys.forget(id);
    let expired = ask(&server, "/api/v1/metrics/address/new", &here).await.failure(401, "api_key_expired");
    assert_eq!(expired["msg"], "The API key has expired, please request a new one!");
}

#[tokio::test]
async fn too_many_at_once_and_guesses_are_answered_429() {
    let home = tempfile::tempdir().unwrap();
    let engine = Engine::open(EngineConfig::at(home.path())).unwrap();
    let db = Db::open(&sqlite_url(&home.path().join("platform.db"))).await.unwrap();
    let options = AppOptions { api_burst: 0, trust_forwarded_for: true, ..AppOptions::default() };
    let app = App::open(engine, db, home.path(), options).await.unwrap();
    let server = Server { router: router(app.clone()), app, home };
    let ada = server.register("ada").await;
    let (key, _) = new_key(&server, &ada, json!({"name": "x"})).await;
    let answer = ask(&server, DAILY, &[("x-api-key", &key)]).await;
    answer.failure(429, "too_many_requests");
    assert_eq!(answer.headers[header::RETRY_AFTER], "1");
    for _ in 0..20 {
        ask(&server, DAILY, &[("x-api-key", "guess")]).await.failure(401, "api_key_invalid");
    }
    ask(&server, DAILY, &[("x-api-key", "guess")]).await.failure(429, "too_many_attempts");
    let elsewhere = [("x-api-key", "guess"), ("x-forwarded-for", "192.0.2.9")];
    ask(&server, DAILY, &elsewhere).await.failure(401, "api_key_invalid");
}
