//! `quarry serve` as a process: usable from an empty home, and what outlives it.

use std::net::TcpListener;
use std::time::Duration;

use quarry_tests::quarry::{Home, SMALLEST_SAMPLE, command};
use quarry_tests::server::{ADMIN_PASSWORD, Server};
use serde_json::json;

/// An empty home gets the sample chain first; the limit is generous for a busy machine (the note has the real figure).
const FIRST_START: Duration = Duration::from_secs(120);
const START: Duration = Duration::from_secs(60);

/// Sorts a product of the chain with itself: no machine finishes it.
const ENDLESS: &str = "select a.hash, b.hash from transactions a cross join transactions b \
    cross join transactions c order by a.value + b.value, c.nonce limit 10 offset 100";

#[test]
fn an_empty_home_becomes_a_usable_product_and_keeps_its_history() {
    let home = Home::new();
    let server = Server::start(home.path(), FIRST_START);
    let token = server.register("ada");
    let answer = server.query(&token, "select count(*) > 100000 as enough, min(number) from blocks, (select 1)");
    assert_eq!(answer["total"].to_string().trim_matches('"'), "1");
    assert_eq!(server.call("GET", "/", None, None).status, 200, "the web pages are in the binary");
    assert_eq!(server.call("GET", "/healthz", None, None).status, 200);

    let done = server.execute(&token, "select 42 as answer");
    server.wait_for_state(&token, &done, &["SUCCEEDED"], START);
    let running = server.execute(&token, ENDLESS);
    server.wait_for_state(&token, &running, &["RUNNING"], START);
    server.kill();

    let server = Server::start(home.path(), START);
    let token = server.login("ada", "s3cret-enough");
    assert_eq!(server.job(&token, &done)["state"], "SUCCEEDED");
    let lost = server.job(&token, &running);
    assert_eq!(lost["state"], "FAILED");
    assert!(!lost["message"].as_str().unwrap_or_default().is_empty(), "the reason is told: {lost}");
    let page = server.data("GET", &format!("/api/job/{done}/result?offset=0&limit=10"), Some(&token), None);
    assert_eq!(page["rows"][0][0].to_string().trim_matches('"'), "42");
    let list = server.data("GET", "/api/job/list?page=1&size=10", Some(&token), None);
    assert!(list["total"].as_u64().unwrap() >= 3, "{list}");
    server.login("admin", ADMIN_PASSWORD);
    assert!(server.stop(), "a stop that was asked for is no failure");
}

#[test]
fn a_killed_query_stops_within_two_seconds_and_a_foreign_one_can_not_be_killed() {
    let home = Home::with_sample(SMALLEST_SAMPLE, 2);
    let server = Server::start(home.path(), START);
    let (ada, eve) = (server.register("ada"), server.register("eve"));
    let job = server.execute(&ada, ENDLESS);
    server.wait_for_state(&ada, &job, &["RUNNING"], START);
    let path = format!("/api/job/{job}/kill");
    assert!(server.call("POST", &path, Some(&eve), Some(json!({}))).status >= 400);
    server.data("POST", &path, Some(&ada), Some(json!({})));
    server.wait_for_state(&ada, &job, &["KILLED"], Duration::from_secs(2));
}

#[test]
fn a_port_in_use_is_named() {
    let home = Home::with_sample(SMALLEST_SAMPLE, 2);
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let out = command(home.path(), &["serve", "--listen", &address]).output().unwrap();
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(1), "{said}");
    assert!(said.contains(&address), "{said}");
}
