//! The second factor: set up, asked for at log-in, guessed at, lost, and turned off; and the sessions of an account.

use axum::http::{Method, header};
use quarry::auth::second_factor;
use quarry::auth::{accounts, login};
use serde_json::{Value, json};
use totp_rs::{Builder, Secret};

use crate::harness::{Answer, PASSWORD, Server, request, text};
use crate::stores::client;

/// The code that an app shows so many steps of 30 seconds from now. The server takes those of one step before and after its
/// own, so that 0 and 1 are good even if a step ends meanwhile.
pub fn code(secret: &str, step: u64) -> String {
    let now = u64::try_from(quarry::time::now_ms() / 1000).unwrap();
    let totp = Builder::new().with_secret(Secret::try_from_base32(secret).unwrap()).build().unwrap();
    totp.generate(now + 30 * step).to_string()
}

/// Sets up a second factor: its secret and the recovery codes. The code of the present step is used up.
pub async fn set_up(server: &Server, token: &str) -> (String, Vec<String>) {
    let begun = server.post("/api/user/second-factor/begin", Some(token), json!({"password": PASSWORD})).await.data();
    let secret = text(&begun["secret"]);
    let url = text(&begun["url"]);
    assert!(url.starts_with("otpauth://totp/Quarry:"), "{url}");
    assert!(url.ends_with(&format!("?secret={secret}&issuer=Quarry")), "{url}");
    assert!(text(&begun["picture"]).contains("<svg"), "{begun}");
    let confirmed =
        server.post("/api/user/second-factor/confirm", Some(token), json!({"code": code(&secret, 0)})).await;
    let codes: Vec<String> = serde_json::from_value(confirmed.data()["recoveryCodes"].take()).unwrap();
    assert_eq!(codes.len(), 10);
    (secret, codes)
}

async fn log_in(server: &Server, second_code: &str) -> Answer {
    let body = json!({"userName": "ada", "password": PASSWORD, "secondCode": second_code});
    server.post("/api/user/login", None, body).await
}

#[tokio::test]
async fn a_login_needs_the_code_and_each_code_works_once() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let (secret, recovery) = set_up(&server, &token).await;
    let asked = server.login("ada", PASSWORD).await.failure(401, "second_factor_required");
    assert_eq!(asked["param"], "secondCode");
    server.login("ada", "another-one").await.failure(401, "wrong_login");
    let next = code(&secret, 1);
    log_in(&server, &next).await.data();
    log_in(&server, &next).await.failure(401, "wrong_second_factor");
    // The one that confirmed it is used up too, and so is every older one.
    log_in(&server, &code(&secret, 0)).await.failure(401, "wrong_second_factor");
    log_in(&server, &recovery[0]).await.data();
    log_in(&server, &recovery[0]).await.failure(401, "wrong_second_factor");
    log_in(&server, &recovery[1].replace('-', " ").to_uppercase()).await.data();
    let state = server.get("/api/user/second-factor", Some(&token)).await.data();
    assert_eq!((&state["on"], &state["recoveryCodes"]), (&json!(true), &json!(8)), "{state}");
}

#[tokio::test]
async fn one_code_at_many_logins_at_once_lets_one_in() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let (secret, _) = set_up(&server, &token).await;
    let next = code(&secret, 1);
    let account = accounts::find(&server.app.db, "ada").await.unwrap().unwrap().id;
    let redeem = || second_factor::redeem(&server.app.db, &server.app.auth.seal, account, &next);
    let all = futures::future::join_all((0..8).map(|_| redeem())).await;
    assert_eq!(all.into_iter().filter(|redeemed| *redeemed.as_ref().unwrap()).count(), 1);
}

#[tokio::test]
async fn guessed_codes_are_few_wherever_they_come_from_and_the_owner_gets_in() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let (secret, recovery) = set_up(&server, &token).await;
    let guess = async |address: usize, code: &str, cookie: &str| {
        let body = json!({"userName": "ada", "password": PASSWORD, "secondCode": code}).to_string();
        let request = request(Method::POST, "/api/user/login", None).header(header::COOKIE, cookie);
        server.send(request.header("x-forwarded-for", format!("203.0.113.{address}")).body(body.into()).unwrap()).await
    };
    for address in 0..5 {
        guess(address, "abcdef", "").await.failure(401, "wrong_second_factor");
    }
    // Even the right one waits now.
    guess(5, &code(&secret, 1), "").await.failure(429, "too_many_attempts");
    let by_recovery = guess(6, &recovery[0], "").await;
    let cookie = text(&json!(by_recovery.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap()));
    by_recovery.data();
    guess(7, &code(&secret, 1), &cookie).await.data();
}

#[tokio::test]
async fn the_secret_is_shown_once_and_kept_encrypted() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let (secret, recovery) = set_up(&server, &token).await;
    let bytes = Secret::try_from_base32(&secret).unwrap().as_bytes().to_vec();
    let kept: String =
        sqlx::query_scalar("select secret from second_factors").fetch_one(server.app.db.pool()).await.unwrap();
    for form in [secret.clone(), hex::encode(&bytes), String::from_utf8_lossy(&bytes).into_owned()] {
        assert!(!kept.contains(&form), "{kept}");
    }
    let hashes: Vec<String> =
        sqlx::query_scalar("select code_hash from recovery_codes").fetch_all(server.app.db.pool()).await.unwrap();
    assert!(hashes.iter().all(|hash| !recovery.contains(hash)));
    server
        .post("/api/user/second-factor/begin", Some(&token), json!({"password": PASSWORD}))
        .await
        .failure(409, "second_factor_on");
    for path in ["/api/user/second-factor", "/api/user/info", "/api/system/user/userName/ada", "/api/user/session/list"]
    {
        let answer = server.get(path, Some(&token)).await;
        assert!(!String::from_utf8_lossy(&answer.body).contains(&secret), "{path}");
    }
}

#[tokio::test]
async fn a_stolen_session_neither_sets_one_up_nor_turns_one_off() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let post = async |path: &str, body: Value| {
        server.post(&format!("/api/user/second-factor/{path}"), Some(&token), body).await
    };
    post("begin", json!({"password": "another-one"})).await.failure(400, "wrong_password");
    post("confirm", json!({"code": "123456"})).await.failure(400, "wrong_second_factor");
    let (secret, recovery) = set_up(&server, &token).await;
    for path in ["off", "recovery-codes"] {
        post(path, json!({"password": "another-one", "secondCode": recovery[0]})).await.failure(400, "wrong_password");
        post(path, json!({"password": PASSWORD, "secondCode": "abcdef"})).await.failure(400, "wrong_second_factor");
    }
    let renewed = post("recovery-codes", json!({"password": PASSWORD, "secondCode": code(&secret, 1)})).await.data();
    log_in(&server, &recovery[0]).await.failure(401, "wrong_second_factor");
    let new = text(&renewed["recoveryCodes"][0]);
    assert_eq!(post("off", json!({"password": PASSWORD, "secondCode": new})).await.data(), true);
    server.login("ada", PASSWORD).await.data();
}

#[tokio::test]
async fn new_sessions_give_no_new_guesses() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    set_up(&server, &token).await;
    // Whoever has a session and the password changes it again and again, which opens a session each time.
    let (mut token, mut password) = (token, PASSWORD.to_string());
    for turn in 0..2 {
        for _ in 0..3 - turn {
            let body = json!({"password": password, "secondCode": "abcdef"});
            let refused = server.post("/api/user/second-factor/off", Some(&token), body).await;
            refused.failure(400, "wrong_second_factor");
        }
        let next = format!("another_one{turn}");
        let change = json!({"current": password, "password": next, "repeat": next});
        token = text(&server.post("/api/user/password/reset", Some(&token), change).await.data()["token"]);
        password = next;
    }
    let body = json!({"password": password, "secondCode": "abcdef"});
    server.post("/api/user/second-factor/off", Some(&token), body).await.failure(429, "too_many_attempts");
}

#[tokio::test]
async fn a_second_factor_of_one_account_is_none_of_another() {
    let server = Server::start().await;
    let (ada, _eve) = (server.register("ada").await, server.register("eve").await);
    let (_, recovery) = set_up(&server, &ada).await;
    server.login("eve", PASSWORD).await.data();
    let eve = accounts::find(&server.app.db, "eve").await.unwrap().unwrap().id;
    assert!(!second_factor::redeem(&server.app.db, &server.app.auth.seal, eve, &recovery[0]).await.unwrap());
}

#[tokio::test]
async fn clients_of_postgresql_need_an_api_key_where_there_is_a_second_factor() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    login::verify(&server.app, "ada", PASSWORD, &client()).await.unwrap();
    set_up(&server, &token).await;
    let refused = login::verify(&server.app, "ada", PASSWORD, &client()).await.unwrap_err();
    assert_eq!(refused.code, "second_factor_required");
    assert!(refused.msg.contains("API keys"), "{}", refused.msg);
}

#[tokio::test]
async fn a_forgotten_password_does_not_get_around_it() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let (_, recovery) = set_up(&server, &token).await;
    let account = accounts::find(&server.app.db, "ada").await.unwrap().unwrap().id;
    let hash = server.app.auth.passwords.hash("another-one").await.unwrap();
    accounts::change_password(&server.app.db, account, &hash).await.unwrap();
    server.login("ada", "another-one").await.failure(401, "second_factor_required");
    let body = json!({"userName": "ada", "password": "another-one", "secondCode": recovery[0]});
    server.post("/api/user/login", None, body).await.data();
}

#[tokio::test]
async fn sessions_are_listed_and_ended_by_their_owner_alone() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let other = text(&server.login("ada", PASSWORD).await.data()["token"]);
    let third = text(&server.login("ada", PASSWORD).await.data()["token"]);
    let list = server.get("/api/user/session/list", Some(&ada)).await.data();
    let all = list.as_array().unwrap();
    assert_eq!(all.len(), 3, "{list}");
    assert_eq!(all.iter().filter(|session| session["current"] == true).count(), 1, "{list}");
    let id = text(&all.iter().find(|session| session["current"] == true).unwrap()["sessionId"]);
    let end = format!("/api/user/session/end/{id}");
    server.post(&end, Some(&eve), json!({})).await.failure(404, "not_found");
    server.get("/api/user/info", Some(&ada)).await.data();
    server.post(&end, Some(&other), json!({})).await.data();
    server.get("/api/user/info", Some(&ada)).await.failure(401, "login_expired");
    assert_eq!(server.post("/api/user/session/end-others", Some(&other), json!({})).await.data(), 1);
    server.get("/api/user/info", Some(&third)).await.failure(401, "login_expired");
    server.get("/api/user/info", Some(&other)).await.data();
    server.get("/api/user/info", Some(&eve)).await.data();
}
