//! Clients of PostgreSQL: psql and psycopg log in, look around, and read exact values.

use std::process::{Command, Output};
use std::time::Duration;

use quarry_tests::cluster::program;
use quarry_tests::postgres;
use quarry_tests::quarry::{Home, SMALLEST_SAMPLE};
use quarry_tests::readers::installed;
use quarry_tests::repository;
use quarry_tests::server::{ADMIN_PASSWORD, Server};
use serde_json::{Value, json};

const START: Duration = Duration::from_secs(60);
const PASSWORD: &str = "s3cret-enough";

fn serve(home: &Home) -> (Server, String, String) {
    let server = Server::start_with(home.path(), START, &["--postgres", "127.0.0.1:0"]);
    let address = server.postgres.clone().expect("the address is told");
    let (host, port) = address.rsplit_once(':').map(|(host, port)| (host.to_string(), port.to_string())).unwrap();
    (server, host, port)
}

fn psql(host: &str, port: &str, user: &str, password: &str, text: &str) -> Output {
    postgres::psql(host, port, user, password).args(["-c", text]).output().unwrap()
}

#[test]
fn psql_and_programs_read_exactly_what_is_there() {
    let home = Home::with_sample(SMALLEST_SAMPLE, 3);
    let (server, host, port) = serve(&home);
    let token = server.register("ada");
    let ask = |text: &str| {
        let out = psql(&host, &port, "ada", PASSWORD, text);
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        (String::from_utf8(out.stdout).unwrap().trim().to_string(), said)
    };
    assert_eq!(ask("select count(*) from blocks").0, home.value("select count(*) from blocks"));
    assert_eq!(ask("select 2 as n; select '0xAB' as t; show server_encoding").0, "2\n0xAB\nUTF8");
    let most = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
    assert_eq!(ask(&format!("select uint256('{most}')")).0, most);
    let (tables, said) = ask("\\dt");
    assert!(tables.contains("ethereum|transactions|table|ada"), "{tables}{said}");
    let (described, said) = ask("\\d blocks");
    assert!(described.contains("number|bigint||not null|"), "{described}{said}");
    assert!(ask("\\dn").0.contains("ethereum|ada"), "schemas are listed");
    assert!(ask("\\d+ transactions").0.contains("from_address"), "with their descriptions");
    let (_, said) = ask("select 1,\n  nothing from blocks");
    assert!(said.contains("LINE 2:   nothing from blocks") && said.contains("          ^"), "{said}");
    for (user, password) in [("ada", "wrong-password"), ("nobody", PASSWORD)] {
        let out = psql(&host, &port, user, password, "select 1");
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(!out.status.success() && said.contains("Wrong user name or password"), "{said}");
    }
    // What was asked is a job like any other.
    let jobs = server.data("GET", "/api/job/list?kind=SQL&page=1&size=50", Some(&token), None);
    let asked = |text: &str| jobs["items"].as_array().unwrap().iter().any(|job| job["title"] == text);
    assert!(asked("select count(*) from blocks"), "{jobs}");
    python(&home, &host, &port);
}

fn python(home: &Home, host: &str, port: &str) {
    let script = repository::root().join("tests/readers/postgres.py");
    let out = Command::new(installed("python")).arg(script).args([host, port, "ada", PASSWORD]).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let found: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(found["rows_true"], found["rows_false"]);
    let first = &found["rows_true"][0];
    let expected = home.csv("select number, timestamp, miner, 2, 'True' from blocks order by number limit 1");
    let told: Vec<&str> = first.as_array().unwrap().iter().map(|cell| cell.as_str().unwrap()).collect();
    assert_eq!(told.join(","), expected[0]);
    assert_eq!(found["mined_true"], found["mined_false"]);
    assert_eq!(found["all"], 2500);
    assert_eq!((&found["position"], &found["reads_only"]), (&json!(18), &json!(true)));
    assert_eq!(found["columns"], json!(["timestamp", "number", "hash"]));
    assert_eq!(found["canceled"], "50ms");
    let described = found["described"].as_array().unwrap();
    assert_eq!(described[..2], [json!(["timestamp", "TIMESTAMP", false]), json!(["number", "BIGINT", false])]);
    assert_eq!((&found["selected"], &found["typed"]), (&json!([4, 3]), &json!([3, 4, 5])));
}

#[test]
fn who_goes_away_or_is_put_out_runs_nothing_more() {
    let home = Home::with_sample(SMALLEST_SAMPLE, 3);
    let (server, host, port) = serve(&home);
    let token = server.register("ada");
    const ENDLESS: &str = "select a.hash, b.hash from transactions a cross join transactions b \
        cross join transactions c order by a.value + b.value, c.nonce limit 10 offset 100";
    let mut client = Command::new(program("psql"))
        .args(["-X", "-h", &host, "-p", &port, "-U", "ada", "-d", "quarry", "-c", ENDLESS])
        .env("PGPASSWORD", PASSWORD)
        .spawn()
        .unwrap();
    let running = || {
        let jobs = server.data("GET", "/api/job/list?state=RUNNING&page=1&size=10", Some(&token), None);
        jobs["items"].as_array().unwrap().first().map(|job| job["jobId"].as_str().unwrap().to_string())
    };
    let job = quarry_tests::wait::wait_for("the query to run", START, running);
    client.kill().unwrap();
    client.wait().unwrap();
    server.wait_for_state(&token, &job, &["KILLED"], START);
}

/// What psql answers with these parameters of the connection, or the reason why it does not.
fn connected(parameters: &str, password: &str, text: &str) -> Result<String, String> {
    let out = Command::new(program("psql"))
        .args(["-X", "-A", "-t", "-d", parameters, "-c", text])
        .env("PGPASSWORD", password)
        .output()
        .unwrap();
    let said = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().trim().to_string();
    if out.status.success() { Ok(said(out.stdout)) } else { Err(said(out.stderr)) }
}

#[test]
fn a_password_is_proven_with_and_without_tls() {
    let home = Home::with_sample(SMALLEST_SAMPLE, 3);
    let (server, host, port) = serve(&home);
    let token = server.register("ada");
    let to = |mode: &str| format!("host={host} port={port} user=ada dbname=quarry {mode}");
    for mode in ["sslmode=require", "sslmode=prefer", "sslmode=disable"] {
        let proven = to(mode);
        assert_eq!(connected(&proven, PASSWORD, "select 7").as_deref(), Ok("7"), "{mode}");
        let refused = connected(&proven, "wrong-password", "select 7").unwrap_err();
        assert!(refused.contains("Wrong user name or password"), "{mode}: {refused}");
    }
    // The certificate is the one in the home.
    let certificate = home.path().join("postgres-tls.pem");
    let vouched = format!("host=localhost hostaddr={host} port={port} user=ada dbname=quarry sslmode=verify-full");
    let vouched = format!("{vouched} sslrootcert={}", certificate.display());
    assert_eq!(connected(&vouched, PASSWORD, "select 7").as_deref(), Ok("7"));
    // A changed password is proven at once, and the old one is not.
    let change = json!({"current": PASSWORD, "password": "an0ther1", "repeat": "an0ther1"});
    let changed = server.call("POST", "/api/user/password/reset", Some(&token), Some(change));
    assert_eq!(changed.status, 200, "{}", changed.json());
    assert_eq!(connected(&to("sslmode=require"), "an0ther1", "select 7").as_deref(), Ok("7"));
    assert!(connected(&to("sslmode=require"), PASSWORD, "select 7").is_err());
}

#[test]
fn a_password_goes_as_it_is_only_when_the_settings_say_so() {
    let home = Home::with_sample(SMALLEST_SAMPLE, 3);
    let flags = ["--postgres", "127.0.0.1:0", "--postgres-cleartext", "true"];
    let server = Server::start_with(home.path(), START, &flags);
    let token = server.register("ada");
    let address = server.postgres.clone().unwrap();
    let (host, port) = address.rsplit_once(':').unwrap();
    let to = format!("host={host} port={port} user=ada dbname=quarry sslmode=require");
    assert_eq!(connected(&to, PASSWORD, "select 7").as_deref(), Ok("7"));
    let key = server.data("POST", "/api/user/api-key/create", Some(&token), Some(json!({"name": "bi"})));
    let key = key["key"].as_str().unwrap_or_else(|| panic!("{key}"));
    assert_eq!(connected(&to, key, "select 7").as_deref(), Ok("7"));
}

#[test]
fn passwords_are_refused_where_people_log_in_at_a_provider_only() {
    let home = Home::with_sample(SMALLEST_SAMPLE, 3);
    let server = Server::start_with(home.path(), START, &["--postgres", "127.0.0.1:0"]);
    let token = server.register("ada");
    let key = server.data("POST", "/api/user/api-key/create", Some(&token), Some(json!({"name": "bi"})));
    let key = key["key"].as_str().unwrap_or_else(|| panic!("{key}"));
    assert!(server.stop());

    // Nobody answers there, which changes nothing about passwords.
    let provider = ["--oidc-issuer", "http://127.0.0.1:9", "--oidc-client-id", "quarry"];
    let only = ["--public-url", "http://127.0.0.1:8080", "--password-login", "false", "--postgres", "127.0.0.1:0"];
    for cleartext in ["false", "true"] {
        let flags = [&provider[..], &only, &["--postgres-cleartext", cleartext]].concat();
        let server = Server::start_with(home.path(), START, &flags);
        let address = server.postgres.clone().unwrap();
        let (host, port) = address.rsplit_once(':').unwrap();
        let to = |user: &str, tls: &str| format!("host={host} port={port} user={user} dbname=quarry sslmode={tls}");
        let refused =
            "This server takes no passwords. Log in at your organization's log-in service, or with an API key.";
        for (user, password) in [("ada", PASSWORD), ("ada", "wrong-password"), ("admin", ADMIN_PASSWORD)] {
            for tls in ["require", "disable"] {
                let said = connected(&to(user, tls), password, "select 7").unwrap_err();
                assert!(said.contains(refused), "cleartext {cleartext}, {tls}, {user}: {said}");
            }
        }
        if cleartext == "true" {
            assert_eq!(connected(&to("ada", "require"), key, "select 7").as_deref(), Ok("7"), "API keys work");
        }
        let login = json!({"userName": "ada", "password": PASSWORD});
        let answer = server.call("POST", "/api/user/login", None, Some(login));
        assert_eq!((answer.status, &answer.json()["code"]), (403, &json!("passwords_off")));
        assert!(server.stop());
    }
}
