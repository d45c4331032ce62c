//! Every call of the OpenAPI document, asked with thousands of made-up bodies and parameters by schemathesis: no answer of
//! the server may be its own failure (5xx), or other than the document says. On SQLite, and on PostgreSQL where
//! `QUARRY_TEST_POSTGRES_URL` names one.

use std::process::Command;
use std::time::Duration;

use quarry_tests::quarry::Home;
use quarry_tests::readers::installed;
use quarry_tests::server::{ADMIN_PASSWORD, Server};

const START: Duration = Duration::from_secs(60);
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,\
    response_schema_conformance";
/// They would end the login that all calls are made with.
const LEFT_OUT: [&str; 2] = ["logout", "endSession"];

#[test]
fn no_call_fails_by_itself_or_breaks_the_document() {
    check(&[]);
}

#[test]
fn the_same_holds_on_postgresql() {
    #[expect(clippy::disallowed_methods, reason = "a switch of the test run, not a setting of the product")]
    let url = std::env::var("QUARRY_TEST_POSTGRES_URL");
    // The database that the test run's server is reached by; stores under test have others.
    if let Ok(url) = url {
        check(&["--database-url", &url]);
    }
}

/// Asks every call as an administrator, who may make all of them.
fn check(flags: &[&str]) {
    let home = Home::new();
    let flags = [&["--sample-transactions", "0"], flags].concat();
    let server = Server::start_with(home.path(), START, &flags);
    let token = server.login("admin", ADMIN_PASSWORD);
    let mut run = Command::new(installed("schemathesis"));
    run.current_dir(home.path())
        .args(["run", &format!("{}/api/openapi.json", server.url), "--no-color"])
        .args(["-H", &format!("Authorization: Bearer {token}")])
        .args(["--checks", CHECKS, "--phases", "coverage,fuzzing", "--max-examples", "3"])
        // The same cases in every run.
        .args(["--generation-deterministic", "--warnings", "off"]);
    for operation in LEFT_OUT {
        run.args(["--exclude-operation-id", operation]);
    }
    let out = run.output().expect("schemathesis starts");
    let told = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{told}\n{}", String::from_utf8_lossy(&out.stderr));
    // The login has lasted to the end, so that no call was only refused.
    server.data("GET", "/api/user/info", Some(&token), None);
}
