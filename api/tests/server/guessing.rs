//! Guessing at passwords from many addresses, weak passwords, and who may register.

use std::time::Duration;

use axum::http::{Method, header};
use quarry::app::AppOptions;
use quarry::auth::accounts;
use quarry::auth::codes::{self, Purpose};
use quarry::auth::registering::{AccountOptions, Registering};
use quarry::time::now_ms;
use serde_json::{Value, json};

use crate::harness::{Answer, ENDLESS, PASSWORD, Server, request, text};
use crate::stores_security::invited;

async fn with(accounts: AccountOptions) -> Server {
    Server::open(tempfile::tempdir().unwrap(), AppOptions { accounts, ..AppOptions::default() }).await
}

async fn login_from(server: &Server, address: &str, cookie: &str, body: Value) -> Answer {
    let request = request(Method::POST, "/api/user/login", None).header("x-forwarded-for", address);
    server.send(request.header(header::COOKIE, cookie).body(body.to_string().into()).unwrap()).await
}

async fn register_from(server: &Server, address: &str, body: Value) -> Answer {
    let request = request(Method::POST, "/api/user/register", None).header("x-forwarded-for", address);
    server.send(request.body(body.to_string().into()).unwrap()).await
}

fn account(name: &str) -> Value {
    json!({"userName": name, "password": PASSWORD, "agree": true})
}

fn cookie(answer: &Answer) -> String {
    answer.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_string()
}

/// Guesses at a name, each time from another address, until it is slowed; answers how many guesses that were.
async fn attack(server: &Server, name: &str) -> usize {
    for number in 0..200 {
        let address = format!("198.51.{}.{}", number / 250, number % 250);
        let answer = login_from(server, &address, "", json!({"userName": name, "password": "a-guess"})).await;
        if answer.status == 429 {
            answer.failure(429, "account_slowed");
            return number;
        }
        answer.failure(401, "wrong_login");
    }
    panic!("nothing slows who guesses from everywhere");
}

#[tokio::test]
async fn many_addresses_guess_little_and_the_owner_gets_in() {
    let server = Server::start().await;
    let registered = server.post("/api/user/register", None, account("ada")).await;
    let set = registered.headers["set-cookie"].to_str().unwrap();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/api/user;"] {
        assert!(set.contains(part), "{set}");
    }
    let laptop = cookie(&registered);
    let guesses = attack(&server, "ada").await;
    assert_eq!(guesses, attack(&server, "nobody").await, "a name without an account is slowed alike");
    let right = || json!({"userName": "ada", "password": PASSWORD});
    login_from(&server, "203.0.113.1", "", right()).await.failure(429, "account_slowed");
    login_from(&server, "203.0.113.1", "quarry_device=guess", right()).await.failure(429, "account_slowed");
    let again = login_from(&server, "203.0.113.1", &laptop, right()).await;
    let next = cookie(&again);
    again.data();
    // Each login replaces the token, so one that somebody else has seen or set is worth nothing.
    login_from(&server, "203.0.113.2", &laptop, right()).await.failure(429, "account_slowed");
    login_from(&server, "203.0.113.2", &next, right()).await.data();
}

#[tokio::test]
async fn a_browser_of_one_account_passes_for_no_other() {
    let server = Server::start().await;
    server.register("ada").await;
    let eve = cookie(&server.post("/api/user/register", None, account("eve")).await);
    attack(&server, "ada").await;
    login_from(&server, "203.0.113.1", &eve, json!({"userName": "ada", "password": PASSWORD}))
        .await
        .failure(429, "account_slowed");
}

#[tokio::test]
async fn a_code_sent_to_the_owner_passes_once() {
    let server = Server::start().await;
    server.register("ada").await;
    attack(&server, "ada").await;
    let code = codes::make(&server.app.db, &codes::login_target("ada"), Purpose::Login).await.unwrap().unwrap();
    let login = async |code: &str, password: &str| {
        let body = json!({"userName": "ada", "password": password, "sentCode": code});
        login_from(&server, "203.0.113.1", "", body).await
    };
    login("nonsense", PASSWORD).await.failure(400, "wrong_code");
    login(&code, "another-one").await.failure(401, "wrong_login");
    login(&code, PASSWORD).await.failure(400, "wrong_code");
}

#[tokio::test]
async fn another_password_forgets_the_browsers() {
    let server = Server::start().await;
    let registered = server.post("/api/user/register", None, account("ada")).await;
    let (laptop, token) = (cookie(&registered), text(&registered.data()["token"]));
    let change = json!({"current": PASSWORD, "password": "another_one", "repeat": "another_one"});
    server.post("/api/user/password/reset", Some(&token), change).await.data();
    attack(&server, "ada").await;
    login_from(&server, "203.0.113.1", &laptop, json!({"userName": "ada", "password": "another_one"}))
        .await
        .failure(429, "account_slowed");
}

#[tokio::test]
async fn weak_passwords_are_named_and_refused_where_the_operator_wishes() {
    let open = Server::start().await;
    let named = open.post("/api/user/password/judge", None, json!({"password": "123456"})).await.data();
    assert_eq!(named, json!({"score": 0, "weak": true, "reason": "sequence"}));
    let good = open.post("/api/user/password/judge", None, json!({"password": "vK8#qz!2Lw_m"})).await.data();
    assert_eq!((&good["weak"], &good["reason"]), (&json!(false), &Value::Null));
    let own = json!({"password": "lovelace99", "email": "lovelace@example.org"});
    assert_eq!(open.post("/api/user/password/judge", None, own).await.data()["reason"], "own");
    let weak = |name: &str| json!({"userName": name, "password": "123456", "agree": true});
    let token = text(&open.post("/api/user/register", None, weak("ada")).await.data()["token"]);
    assert!(!token.is_empty(), "the rule of 6 to 20 characters is all there is by default");

    let strict = with(AccountOptions { refuse_weak_passwords: true, ..AccountOptions::default() }).await;
    let refused = strict.post("/api/user/register", None, weak("ada")).await.failure(400, "weak_password");
    assert_eq!(refused["param"], "password");
    let token = strict.register("ada").await;
    let change = json!({"current": PASSWORD, "password": "password1", "repeat": "password1"});
    strict.post("/api/user/password/reset", Some(&token), change).await.failure(400, "weak_password");
    let rules = strict.get("/api/user/registration", None).await.data();
    assert_eq!(rules, json!({"registration": "open", "refuseWeakPasswords": true}));
}

#[tokio::test]
async fn nobody_registers_where_it_is_closed() {
    let server = with(AccountOptions { registration: Registering::Closed, ..AccountOptions::default() }).await;
    server.post("/api/user/register", None, account("ada")).await.failure(403, "registration_closed");
    assert!(accounts::find(&server.app.db, "ada").await.unwrap().is_none());
}

#[tokio::test]
async fn an_invitation_makes_one_account() {
    let server = with(AccountOptions { registration: Registering::Invitation, ..AccountOptions::default() }).await;
    let register = async |name: &str, invitation: &str| {
        let mut body = account(name);
        body["invitation"] = json!(invitation);
        server.post("/api/user/register", None, body).await
    };
    register("ada", "").await.failure(403, "wrong_invitation");
    register("ada", "abcd-efgh-ijkm-npqr").await.failure(403, "wrong_invitation");
    let old = invited(&server.app.db, now_ms() - 1).await;
    register("ada", &old).await.failure(403, "wrong_invitation");
    assert!(accounts::find(&server.app.db, "ada").await.unwrap().is_none());
    let code = invited(&server.app.db, now_ms() + 60_000).await;
    register("ada", &code).await.data();
    register("eve", &code).await.failure(403, "wrong_invitation");
    // A name that is taken uses none up.
    let second = invited(&server.app.db, now_ms() + 60_000).await;
    register("ada", &second).await.failure(409, "user_name_taken");
    register("eve", &second).await.data();
}

#[tokio::test]
async fn registrations_are_few_per_address_and_in_all() {
    let server = with(AccountOptions { per_address: 2, per_hour: 3, ..AccountOptions::default() }).await;
    for name in ["a", "b"] {
        register_from(&server, "203.0.113.1", account(name)).await.data();
    }
    register_from(&server, "203.0.113.1", account("c")).await.failure(429, "too_many_attempts");
    register_from(&server, "203.0.113.2", account("c")).await.data();
    register_from(&server, "203.0.113.3", account("d")).await.failure(429, "too_many_attempts");
}

#[tokio::test]
async fn new_accounts_of_one_address_may_do_together_what_one_may() {
    let server = with(AccountOptions { new_for: Duration::from_secs(86_400), ..AccountOptions::default() }).await;
    let at =
        async |address: &str, name: &str| text(&register_from(&server, address, account(name)).await.data()["token"]);
    let (first, second) = (at("203.0.113.1", "a").await, at("203.0.113.1", "b").await);
    let elsewhere = at("203.0.113.2", "c").await;
    let ask = async |token: &str| {
        server.post("/api/assistant/ask", Some(token), json!({"text": "gas", "before": []})).await.status.as_u16()
    };
    for turn in 0..20 {
        let token = if turn % 2 == 0 { &first } else { &second };
        assert_ne!(ask(token).await, 429, "{turn}");
    }
    assert_eq!((ask(&first).await, ask(&second).await), (429, 429));
    assert_ne!(ask(&elsewhere).await, 429);
    // Three queries of one owner run at a time; the fourth waits, whichever new account of the address sent it.
    let mut jobs = Vec::new();
    for token in [&first, &second, &first, &second] {
        jobs.push((token, server.execute(token, ENDLESS).await));
    }
    for (token, job) in &jobs[..3] {
        server.wait_for(token, job, "RUNNING").await;
    }
    let fourth = server.get(&format!("/api/job/{}", jobs[3].1), Some(&second)).await.data();
    assert_eq!(fourth["state"], "QUEUED", "{fourth}");
    // Once they are no longer new, each has its own.
    sqlx::query("update users set new_until = 0").execute(server.app.db.pool()).await.unwrap();
    assert_ne!(ask(&second).await, 429);
}
