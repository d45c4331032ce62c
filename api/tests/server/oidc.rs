//! Logging in at a provider of OpenID Connect: who gets in, as whom and with which role, and what is tried to get in otherwise.

use axum::http::{Method, header};
use quarry::app::AppOptions;
use quarry::auth::oidc::{OidcOptions, RoleMap};
use quarry::auth::registering::{AccountOptions, Registering};
use quarry::auth::{ROLE_ADMIN, ROLE_DEFAULT, accounts};
use quarry::time::now_ms;
use serde_json::{Value, json};

use crate::harness::{Answer, PASSWORD, Server, request, text};
use crate::oidc_provider::{Back, Key, Provider, Signed};

async fn with(oidc: OidcOptions) -> Server {
    Server::open(tempfile::tempdir().unwrap(), AppOptions { oidc: Some(oidc), ..AppOptions::default() }).await
}

/// A provider, and a server that knows it.
async fn both(change: impl FnOnce(&mut OidcOptions)) -> (Provider, Server) {
    let provider = Provider::start().await;
    let mut options = provider.options();
    change(&mut options);
    let server = with(options).await;
    (provider, server)
}

/// Begins a log-in: the page of the provider, and the cookie of the browser.
async fn begin(server: &Server) -> (String, String) {
    let answer = server.post("/api/user/provider/begin", None, Value::Null).await;
    let page = text(&answer.data()["url"]);
    let cookie = answer.headers["set-cookie"].to_str().unwrap();
    for part in ["HttpOnly", "SameSite=Strict", "Secure", "Max-Age=600"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    (page, cookie.split(';').next().unwrap().to_string())
}

/// The browser comes back from the provider.
async fn finish(server: &Server, cookie: &str, back: &Back) -> Answer {
    let request = request(Method::POST, "/api/user/provider/login", None).header(header::COOKIE, cookie);
    let body = json!({"code": back.code, "state": back.state});
    server.send(request.body(body.to_string().into()).unwrap()).await
}

/// Somebody of whom the provider says this logs in.
async fn log_in(server: &Server, provider: &Provider, claims: Value) -> Answer {
    let (page, cookie) = begin(server).await;
    let back = provider.log_in(&page, claims);
    finish(server, &cookie, &back).await
}

/// Name and role of whoever the answer logged in.
async fn who(server: &Server, answer: &Answer) -> (String, String) {
    let token = text(&answer.data()["token"]);
    let info = server.get("/api/user/info", Some(&token)).await.data();
    (text(&info["user"]["userName"]), text(&info["role"]))
}

async fn users(server: &Server) -> i64 {
    sqlx::query_scalar("select count(*) from users").fetch_one(server.app.db.pool()).await.unwrap()
}

#[tokio::test]
async fn a_person_gets_an_account_and_comes_back_to_it() {
    let (provider, server) = both(|_| {}).await;
    let first = log_in(&server, &provider, json!({})).await;
    assert_eq!(who(&server, &first).await, ("ada_l".to_string(), ROLE_DEFAULT.to_string()));
    // What the provider calls them may change; who they are does not.
    let again = log_in(&server, &provider, json!({"preferred_username": "countess", "email": null})).await;
    assert_eq!(who(&server, &again).await.0, "ada_l");
    let token = text(&again.data()["token"]);
    let sessions = server.get("/api/user/session/list", Some(&token)).await.data();
    let kinds: Vec<&Value> = sessions.as_array().unwrap().iter().map(|session| &session["kind"]).collect();
    assert_eq!(kinds, [&json!("provider"), &json!("provider")]);
    let other = log_in(&server, &provider, json!({"sub": "person-2"})).await;
    assert_eq!(who(&server, &other).await.0, "ada_l_2", "the name is taken");
    // A code sent to the address that the provider named would open the account past it.
    assert_eq!(accounts::contacts(&server.app.db, "ada_l").await.unwrap(), (None, None));
    let options = server.get("/api/user/login-options", None).await.data();
    let offered = json!({"label": "Example Ltd.", "available": true});
    assert_eq!(options, json!({"passwords": true, "provider": offered}));
}

#[tokio::test]
async fn many_first_log_ins_of_one_person_make_one_account() {
    let (provider, server) = both(|_| {}).await;
    let mut begun = Vec::new();
    for _ in 0..4 {
        let (page, cookie) = begin(&server).await;
        begun.push((cookie, provider.log_in(&page, json!({}))));
    }
    let before = users(&server).await;
    let answers = futures::future::join_all(begun.iter().map(|(cookie, back)| finish(&server, cookie, back))).await;
    for answer in &answers {
        assert_eq!(who(&server, answer).await.0, "ada_l");
    }
    assert_eq!(users(&server).await, before + 1);
}

#[tokio::test]
async fn what_the_provider_did_not_say_of_this_log_in_lets_nobody_in() {
    let (provider, server) = both(|_| {}).await;
    let before = users(&server).await;
    let past = now_ms() / 1000 - 60;
    for claims in [
        json!({"nonce": "of another log-in"}),
        json!({"nonce": null}),
        json!({"aud": "another client"}),
        json!({"aud": ["quarry", "another client"]}),
        json!({"aud": null}),
        json!({"iss": "https://login.example.org"}),
        json!({"exp": past}),
        json!({"exp": null}),
        json!({"sub": null}),
        json!({"at_hash": "of another token"}),
    ] {
        log_in(&server, &provider, claims.clone()).await.failure(401, "provider_login_refused");
    }
    for signed in [Signed::ByAnother, Signed::Not, Signed::WithSecret] {
        provider.sign(signed);
        let answer = log_in(&server, &provider, json!({})).await;
        assert_eq!(answer.json()["code"], "provider_login_refused", "{signed:?}");
    }
    assert_eq!(users(&server).await, before);
    provider.sign(Signed::Rightly);
    log_in(&server, &provider, json!({})).await.data();
}

#[tokio::test]
async fn a_log_in_ends_once_and_in_the_browser_that_began_it() {
    let (provider, server) = both(|_| {}).await;
    let over = |answer: Answer| {
        answer.failure(400, "provider_login_over");
        assert!(answer.headers.get("set-cookie").is_none());
    };
    let (page, cookie) = begin(&server).await;
    let back = provider.log_in(&page, json!({}));
    // Whoever sends somebody to the end of their own log-in doesn't get them into their account.
    let (_, of_another) = begin(&server).await;
    over(finish(&server, &of_another, &back).await);
    over(finish(&server, &cookie, &back).await);
    for wrong in ["", "quarry_provider_login=", "quarry_provider_login=guess"] {
        let (page, _) = begin(&server).await;
        let back = provider.log_in(&page, json!({}));
        over(finish(&server, wrong, &back).await);
    }
    let (page, cookie) = begin(&server).await;
    let back = provider.log_in(&page, json!({}));
    for state in ["", "guess", &"0".repeat(64)] {
        over(finish(&server, &cookie, &Back { state: state.to_string(), ..back.clone() }).await);
    }
    finish(&server, &cookie, &back).await.data();
    over(finish(&server, &cookie, &back).await);
    // The code of one log-in is worth nothing in another one, used or not.
    let (page, cookie) = begin(&server).await;
    let next = provider.log_in(&page, json!({}));
    let replayed = Back { code: back.code, state: next.state };
    finish(&server, &cookie, &replayed).await.failure(401, "provider_login_refused");
    let (page, _) = begin(&server).await;
    let stolen = provider.log_in(&page, json!({}));
    let (page, cookie) = begin(&server).await;
    let own = provider.log_in(&page, json!({}));
    let injected = Back { code: stolen.code, state: own.state };
    finish(&server, &cookie, &injected).await.failure(401, "provider_login_refused");
}

#[tokio::test]
async fn roles_come_and_go_with_what_the_provider_says() {
    let pair = |value: &str, role: &str| (value.to_string(), role.to_string());
    let map = RoleMap(vec![pair("root", ROLE_ADMIN), pair("gone", "no_such_role"), pair("staff", "analyst")]);
    let (provider, server) = both(|options| {
        options.role_claim = Some("access.groups".to_string());
        options.roles = map;
    })
    .await;
    let admin = server.admin("operator").await;
    let role = json!({"name": "analyst", "note": "", "permissions": []});
    server.post("/api/system/role/create", Some(&admin), role).await.data();
    let as_said = async |groups: Value| {
        let answer = log_in(&server, &provider, json!({"access": {"groups": groups}})).await;
        who(&server, &answer).await.1
    };
    assert_eq!(as_said(json!(["staff", "others"])).await, "analyst");
    assert_eq!(as_said(json!(["others", "root", "staff"])).await, ROLE_ADMIN);
    assert_eq!(as_said(json!("gone")).await, ROLE_DEFAULT);
    assert_eq!(as_said(json!(["gone", "staff"])).await, "analyst");
    assert_eq!(as_said(Value::Null).await, ROLE_DEFAULT);
    assert_eq!(as_said(json!(["root"])).await, ROLE_ADMIN);
    // Without another administrator the role can't go, and nobody gets in with one that should be gone.
    sqlx::query("update users set disabled = 1 where user_name <> 'ada_l'")
        .execute(server.app.db.pool())
        .await
        .unwrap();
    log_in(&server, &provider, json!({})).await.failure(403, "last_admin_at_provider");
}

#[tokio::test]
async fn roles_given_here_stay_where_the_provider_gives_none() {
    let (provider, server) = both(|_| {}).await;
    let answer = log_in(&server, &provider, json!({"groups": ["admin"]})).await;
    assert_eq!(who(&server, &answer).await.1, ROLE_DEFAULT);
    let account = accounts::find(&server.app.db, "ada_l").await.unwrap().unwrap();
    accounts::set_role(&server.app.db, account.id, ROLE_ADMIN).await.unwrap();
    let answer = log_in(&server, &provider, json!({})).await;
    assert_eq!(who(&server, &answer).await.1, ROLE_ADMIN);
}

#[tokio::test]
async fn a_provider_that_is_away_keeps_no_server_from_starting_and_is_found_once_it_is_back() {
    let provider = Provider::start().await;
    provider.away(true);
    let server = with(provider.options()).await;
    let options = server.get("/api/user/login-options", None).await.data();
    assert_eq!(options["provider"]["available"], false);
    let begin_now = async || server.post("/api/user/provider/begin", None, Value::Null).await;
    let refused = begin_now().await;
    refused.failure(503, "provider_away");
    assert!(refused.headers.contains_key("retry-after"));
    server.register("eve").await;
    provider.away(false);
    log_in(&server, &provider, json!({})).await.data();
    assert_eq!(server.get("/api/user/login-options", None).await.data()["provider"]["available"], true);
    let (page, cookie) = begin(&server).await;
    let back = provider.log_in(&page, json!({}));
    provider.away(true);
    finish(&server, &cookie, &back).await.failure(503, "provider_away");
}

#[tokio::test]
async fn a_provider_may_change_its_keys() {
    let (provider, server) = both(|_| {}).await;
    log_in(&server, &provider, json!({})).await.data();
    for key in [Key::curve("second"), Key::rsa("third"), Key::rsa("third")] {
        provider.change_key(key);
        log_in(&server, &provider, json!({})).await.data();
    }
}

#[tokio::test]
async fn nobody_gets_an_account_where_the_operator_makes_them() {
    let (provider, server) = both(|options| options.create_accounts = false).await;
    let before = users(&server).await;
    log_in(&server, &provider, json!({})).await.failure(403, "no_account");
    assert_eq!(users(&server).await, before);
}

/// Registers with an email address, as anybody can where no mails are sent; answers the token.
async fn register(server: &Server, name: &str, email: &str) -> String {
    let body = json!({"userName": name, "password": PASSWORD, "email": email, "agree": true});
    text(&server.post("/api/user/register", None, body).await.data()["token"])
}

#[tokio::test]
async fn an_email_address_links_only_where_it_is_verified_and_the_operator_allows_it() {
    let (provider, server) = both(|_| {}).await;
    register(&server, "ada", "ada@example.org").await;
    let answer = log_in(&server, &provider, json!({})).await;
    assert_eq!(who(&server, &answer).await.0, "ada_l", "linking is off");

    let (provider, server) = both(|options| options.link_email = true).await;
    let before = register(&server, "ada", "ada@example.org").await;
    let made = server.post("/api/user/api-key/create", Some(&before), json!({"name": "mine"})).await.data();
    for unproven in [json!(false), Value::Null] {
        let claims = json!({"sub": format!("person-{unproven}"), "email_verified": unproven});
        let answer = log_in(&server, &provider, claims).await;
        assert_ne!(who(&server, &answer).await.0, "ada", "the address is not verified");
    }
    let linked = log_in(&server, &provider, json!({"email": "ADA@example.org"})).await;
    assert_eq!(who(&server, &linked).await.0, "ada");
    // Whoever registered with the address may be somebody else: nothing of theirs opens the account any more.
    server.get("/api/user/info", Some(&before)).await.failure(401, "login_expired");
    server.login("ada", PASSWORD).await.failure(401, "wrong_login");
    let key = text(&made["key"]);
    let address = std::net::IpAddr::from([127, 0, 0, 1]);
    assert_eq!(server.app.keys.account(&key, address).await.unwrap_err().code, "api_key_invalid");
    // Another person of the provider with the same address gets an account of their own.
    let other = log_in(&server, &provider, json!({"sub": "person-9"})).await;
    assert_ne!(who(&server, &other).await.0, "ada");
    let again = log_in(&server, &provider, json!({"email": "other@example.org"})).await;
    assert_eq!(who(&server, &again).await.0, "ada");
}

#[tokio::test]
async fn a_disabled_account_stays_closed() {
    let (provider, server) = both(|options| options.link_email = true).await;
    let token = text(&log_in(&server, &provider, json!({})).await.data()["token"]);
    register(&server, "eve", "eve@example.org").await;
    sqlx::query("update users set disabled = 1 where user_name in ('ada_l', 'eve')")
        .execute(server.app.db.pool())
        .await
        .unwrap();
    server.get("/api/user/info", Some(&token)).await.failure(401, "login_expired");
    log_in(&server, &provider, json!({})).await.failure(403, "account_disabled");
    let eve = json!({"sub": "person-2", "email": "eve@example.org"});
    log_in(&server, &provider, eve).await.failure(403, "account_disabled");
}

#[tokio::test]
async fn registering_and_the_provider_are_opened_apart() {
    let provider = Provider::start().await;
    let closed = AccountOptions { registration: Registering::Closed, per_hour: 0, ..AccountOptions::default() };
    let options = AppOptions { oidc: Some(provider.options()), accounts: closed, ..AppOptions::default() };
    let server = Server::open(tempfile::tempdir().unwrap(), options).await;
    log_in(&server, &provider, json!({})).await.data();
}

#[tokio::test]
async fn passwords_open_nothing_where_only_the_provider_does() {
    let provider = Provider::start().await;
    let accounts = AccountOptions { passwords: false, ..AccountOptions::default() };
    let options = AppOptions { oidc: Some(provider.options()), accounts, ..AppOptions::default() };
    let server = Server::open(tempfile::tempdir().unwrap(), options).await;
    assert_eq!(server.get("/api/user/login-options", None).await.data()["passwords"], false);
    server.login("admin", PASSWORD).await.failure(403, "passwords_off");
    let body = json!({"userName": "eve", "password": PASSWORD, "agree": true});
    server.post("/api/user/register", None, body).await.failure(403, "passwords_off");
    assert_eq!(server.get("/api/user/registration", None).await.data()["registration"], "closed");
    log_in(&server, &provider, json!({})).await.data();
}

#[tokio::test]
async fn a_server_without_a_provider_says_so() {
    let server = Server::start().await;
    let options = server.get("/api/user/login-options", None).await.data();
    assert_eq!(options, json!({"passwords": true, "provider": null}));
    server.post("/api/user/provider/begin", None, Value::Null).await.failure(404, "not_found");
    let body = json!({"code": "x", "state": "x"});
    server.post("/api/user/provider/login", None, body).await.failure(404, "not_found");
}
