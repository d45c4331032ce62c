//! Registering, logging in and out, and every token that must not work.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{EncodingKey, Header};
use serde_json::{Value, json};

use crate::harness::{PASSWORD, Server, request, secret};

const AUTHENTICATION_FAILED: &str = "认证失败，无法访问系统资源";
const EXPIRED: &str = "Your login status has expired, please sign in again!";
const WRONG: &str = "Wrong user name or password! Please enter again!";
const REFUSED: &str = "Registration Failed, Please checked your information!";

#[tokio::test]
async fn an_account_is_made_and_says_who_it_is() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let info = server.get("/api/user/info", Some(&token)).await.data();
    assert_eq!(info["user"], json!({"userId": 1, "userName": "ada", "headPhoto": ""}));
    assert_eq!(info["role"], "ROLE_DEFAULT");
    assert_eq!(info["permissions"], json!([]));
    assert_eq!(info["unread"], false);
    assert!(server.login("ada", PASSWORD).await.data()["token"].is_string());
}

#[tokio::test]
async fn a_registration_that_breaks_a_rule_names_the_field() {
    let server = Server::start().await;
    server.register("taken").await;
    let good = json!({"userName": "ada", "password": PASSWORD, "agree": true});
    let cases = [
        (json!({"userName": ""}), 400, "userName", "invalid_user_name"),
        (json!({"userName": null}), 400, "userName", "invalid_user_name"),
        (json!({"userName": "Ada"}), 400, "userName", "invalid_user_name"),
        (json!({"userName": "a234567890abcdefg"}), 400, "userName", "invalid_user_name"),
        (json!({"userName": "taken"}), 409, "userName", "user_name_taken"),
        (json!({"password": "12345"}), 400, "password", "invalid_password"),
        (json!({"password": "123456789012345678901"}), 400, "password", "invalid_password"),
        (json!({"email": "nobody"}), 400, "email", "invalid_email"),
        (json!({"phone": "12"}), 400, "phone", "invalid_phone"),
        (json!({"agree": false}), 400, "agree", "agreement_required"),
    ];
    for (change, status, field, code) in cases {
        let mut body = good.clone();
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let failure = server.post("/api/user/register", None, body).await.failure(status, code);
        assert_eq!(failure["msg"], REFUSED);
        assert_eq!(failure["param"], field, "{failure}");
    }
    let failure = server.post("/api/user/register", None, json!({"userName": "ada", "password": PASSWORD})).await;
    failure.failure(400, "agreement_required");
    let failure = server.post("/api/user/register", None, json!({"userName": "ada"})).await;
    assert_eq!(failure.failure(400, "invalid_password")["msg"], REFUSED);
}

#[tokio::test]
async fn two_accounts_have_different_email_addresses() {
    let server = Server::start().await;
    let account = |name: &str| json!({"userName": name, "password": PASSWORD, "agree": true, "email": "a@b.io"});
    server.post("/api/user/register", None, account("ada")).await.data();
    let failure = server.post("/api/user/register", None, account("eve")).await.failure(409, "email_taken");
    assert_eq!(failure["param"], "email");
    let mut other_case = account("eve");
    other_case["email"] = json!(" A@B.io");
    server.post("/api/user/register", None, other_case).await.failure(409, "email_taken");
    let phone =
        |name: &str, phone: &str| json!({"userName": name, "password": PASSWORD, "agree": true, "phone": phone});
    server.post("/api/user/register", None, phone("eve", "+86 138-0013-8000")).await.data();
    server.post("/api/user/register", None, phone("zoe", "+8613800138000")).await.failure(409, "phone_taken");
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_user_answer_alike() {
    let server = Server::start().await;
    server.register("ada").await;
    let wrong = server.login("ada", "another-one").await.failure(401, "wrong_login");
    let unknown = server.login("nobody", "another-one").await.failure(401, "wrong_login");
    assert_eq!(wrong["msg"], WRONG);
    assert_eq!(wrong, unknown);
}

#[tokio::test]
async fn after_five_wrong_passwords_the_guesser_waits_and_others_do_not() {
    let server = Server::start().await;
    server.register("ada").await;
    let login = async |address: &str, password: &str| {
        let body = json!({"userName": "ada", "password": password}).to_string();
        let request = request(axum::http::Method::POST, "/api/user/login", None).header("x-forwarded-for", address);
        server.send(request.body(body.into()).unwrap()).await
    };
    for _ in 0..5 {
        login("203.0.113.7", "another-one").await.failure(401, "wrong_login");
    }
    let refused = login("203.0.113.7", PASSWORD).await;
    refused.failure(429, "too_many_attempts");
    let wait: u64 = refused.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=61).contains(&wait), "{wait}");
    assert!(login("203.0.113.8", PASSWORD).await.data()["token"].is_string(), "elsewhere the owner gets in");
}

#[tokio::test]
async fn a_token_that_was_logged_out_is_expired() {
    let server = Server::start().await;
    let (token, other) = (server.register("ada").await, server.login("ada", PASSWORD).await);
    server.post("/api/user/logout", Some(&token), Value::Null).await.data();
    let failure = server.get("/api/user/info", Some(&token)).await.failure(401, "login_expired");
    assert_eq!(failure["msg"], EXPIRED);
    let other = other.data()["token"].as_str().unwrap().to_string();
    server.get("/api/user/info", Some(&other)).await.data();
}

#[tokio::test]
async fn a_disabled_account_can_do_nothing() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let disabled = sqlx::query("update users set disabled = 1").execute(server.app.db.pool()).await.unwrap();
    assert_eq!(disabled.rows_affected(), 1);
    server.get("/api/user/info", Some(&token)).await.failure(401, "login_expired");
    server.login("ada", PASSWORD).await.failure(403, "account_disabled");
    server.login("ada", "another-one").await.failure(401, "wrong_login");
}

#[tokio::test]
async fn no_token_and_every_forged_one_fail_to_authenticate() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let (head, rest) = token.split_once('.').unwrap();
    let (claims, signature) = rest.split_once('.').unwrap();
    let none = URL_SAFE_NO_PAD.encode(r#"{"alg":"none","typ":"JWT"}"#);
    let mut other: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap();
    other["sub"] = json!("2");
    let altered = URL_SAFE_NO_PAD.encode(other.to_string());
    let foreign = jsonwebtoken::encode(&Header::default(), &other, &EncodingKey::from_secret(b"guess")).unwrap();
    let forged = [
        format!("{none}.{claims}."),
        format!("{none}.{claims}.{signature}"),
        format!("{head}.{altered}.{signature}"),
        format!("{head}.{claims}.{}", signature.chars().rev().collect::<String>()),
        foreign,
        "nonsense".to_string(),
        String::new(),
    ];
    for token in forged.iter().map(|token| Some(token.as_str())).chain([None]) {
        let failure = server.get("/api/user/info", token).await.failure(401, "unauthenticated");
        assert!(failure["msg"].as_str().unwrap().ends_with(AUTHENTICATION_FAILED), "{token:?}: {failure}");
    }
}

#[tokio::test]
async fn a_token_that_is_too_old_says_so() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    let claims = token.split('.').nth(1).unwrap();
    let mut claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap();
    claims["exp"] = json!(claims["iat"].as_i64().unwrap() - 1);
    let key = EncodingKey::from_secret(secret(server.home.path()).as_bytes());
    let old = jsonwebtoken::encode(&Header::default(), &claims, &key).unwrap();
    let failure = server.get("/api/user/info", Some(&old)).await.failure(401, "login_expired");
    assert_eq!(failure["msg"], EXPIRED);
}

#[tokio::test]
async fn a_session_outlives_a_restart() {
    let server = Server::start().await;
    let token = server.register("ada").await;
    server.app.close().await;
    server.app.db.close().await;
    let server = Server::on(server.home).await;
    assert_eq!(server.get("/api/user/info", Some(&token)).await.data()["user"]["userName"], "ada");
}

#[tokio::test]
async fn a_changed_password_ends_every_session() {
    let server = Server::start().await;
    let (here, there) = (server.register("ada").await, server.login("ada", PASSWORD).await.data());
    let there = there["token"].as_str().unwrap();
    let change = |current: &str, password: &str, repeat: &str| json!({"current": current, "password": password, "repeat": repeat});
    let reset = async |body| server.post("/api/user/password/reset", Some(&here), body).await;
    let failure = reset(change("another-one", "new_pass1", "new_pass1")).await.failure(400, "reset_failed");
    assert_eq!(failure["msg"], "Reset password failed! Please check your current password!");
    let failure = reset(change(PASSWORD, "new_pass1", "new_pass2")).await.failure(400, "passwords_differ");
    assert_eq!(failure["msg"], "Passwords are not matched");
    reset(change(PASSWORD, "short", "short")).await.failure(400, "invalid_password");
    reset(change(PASSWORD, "with space", "with space")).await.failure(400, "invalid_password");
    let token = reset(change(PASSWORD, "new_pass1", "new_pass1")).await.data()["token"].as_str().unwrap().to_string();
    for ended in [here.as_str(), there] {
        server.get("/api/user/info", Some(ended)).await.failure(401, "login_expired");
    }
    server.get("/api/user/info", Some(&token)).await.data();
    server.login("ada", PASSWORD).await.failure(401, "wrong_login");
    server.login("ada", "new_pass1").await.data();
}

#[tokio::test]
async fn a_key_is_shown_once_and_can_be_ended() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let made = server.post("/api/user/api-key/create", Some(&ada), json!({"name": "notebook"})).await.data();
    let key = made["key"].as_str().unwrap();
    assert!(key.starts_with("qk_") && key.len() > 60, "{key}");
    let list = server.get("/api/user/api-key/list", Some(&ada)).await;
    assert!(!String::from_utf8(list.body.clone()).unwrap().contains(key));
    assert_eq!(list.data()[0]["prefix"], &key[..10]);
    assert_eq!(server.get("/api/user/api-key/list", Some(&eve)).await.data(), json!([]));
    let end = format!("/api/user/api-key/delete/{}", made["id"]);
    server.post(&end, Some(&eve), Value::Null).await.failure(404, "not_found");
    server.post(&end, Some(&ada), Value::Null).await.data();
    assert_eq!(server.get("/api/user/api-key/list", Some(&ada)).await.data(), json!([]));
    for bad in [json!({"name": ""}), json!({"name": "x", "expiresInDays": 0})] {
        server.post("/api/user/api-key/create", Some(&ada), bad).await.failure(400, "invalid_input");
    }
}
