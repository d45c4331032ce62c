//! Invitations and the second factors of others in the back office: who may, and what becomes of them.

use quarry::app::AppOptions;
use quarry::auth::registering::{AccountOptions, Registering};
use quarry::auth::rights::PERMISSIONS;
use quarry::auth::{ROLE_ADMIN, ROLE_DEFAULT, accounts};
use quarry::time::now_ms;
use serde_json::{Value, json};

use crate::harness::{Answer, PASSWORD, Server, text};
use crate::second_factors::set_up;
use crate::stores_security::invited;

const LIST: &str = "/api/system/invitation/list";
const CREATE: &str = "/api/system/invitation/create";

async fn register(server: &Server, name: &str, code: &str, email: Option<&str>) -> Answer {
    let body = json!({"userName": name, "password": PASSWORD, "agree": true, "invitation": code, "email": email});
    server.post("/api/user/register", None, body).await
}

/// A server where people register by invitation, and the token of its administrator `root`, who was invited on the command line.
async fn by_invitation() -> (Server, String) {
    let accounts = AccountOptions { registration: Registering::Invitation, ..AccountOptions::default() };
    let server = Server::open(tempfile::tempdir().unwrap(), AppOptions { accounts, ..AppOptions::default() }).await;
    let code = invited(&server.app.db, now_ms() + 60_000).await;
    let token = text(&register(&server, "root", &code, None).await.data()["token"]);
    accounts::set_role(&server.app.db, id(&server, "root").await, ROLE_ADMIN).await.unwrap();
    (server, token)
}

/// Gives an account a role of these permissions and of the account's name.
async fn role(server: &Server, admin: &str, name: &str, permissions: &[&str]) {
    let body = json!({"name": name, "permissions": permissions});
    server.post("/api/system/role/create", Some(admin), body).await.data();
    let path = format!("/api/system/user/role/{}", id(server, name).await);
    server.put(&path, Some(admin), json!({"role": name})).await.data();
}

async fn id(server: &Server, name: &str) -> i64 {
    accounts::find(&server.app.db, name).await.unwrap().unwrap().id
}

async fn factor(server: &Server, name: &str) -> String {
    format!("/api/system/user/second-factor/{}", id(server, name).await)
}

async fn last_deed(server: &Server, admin: &str) -> Value {
    server.get("/api/system/audit/list?area=system.user", Some(admin)).await.data()["items"][0].clone()
}

#[tokio::test]
async fn only_the_permission_for_users_opens_invitations_and_second_factors() {
    let server = Server::start().await;
    let (admin, ada) = (server.admin("root").await, server.register("ada").await);
    let (clerk, other) = (server.register("clerk").await, server.register("other").await);
    role(&server, &admin, "clerk", &["system.user"]).await;
    let all_others: Vec<&str> = PERMISSIONS.iter().map(|(key, _)| *key).filter(|key| *key != "system.user").collect();
    role(&server, &admin, "other", &all_others).await;
    set_up(&server, &ada).await;
    let made = server.post(CREATE, Some(&clerk), json!({})).await.data();
    let one = format!("/api/system/invitation/{}", text(&made["id"]));
    let factor = factor(&server, "ada").await;
    // Ada herself is one of those who may not: her own call asks for the password and a code.
    for token in [&other, &ada] {
        server.get(LIST, Some(token)).await.failure(403, "forbidden");
        server.post(CREATE, Some(token), json!({})).await.failure(403, "forbidden");
        server.delete(&one, Some(token)).await.failure(403, "forbidden");
        server.get(&factor, Some(token)).await.failure(403, "forbidden");
        server.delete(&factor, Some(token)).await.failure(403, "forbidden");
    }
    assert_eq!(server.get(LIST, Some(&clerk)).await.data()["items"][0]["state"], "open");
    server.login("ada", PASSWORD).await.failure(401, "second_factor_required");
    server.delete(&one, Some(&clerk)).await.data();
    assert_eq!(server.get(&factor, Some(&clerk)).await.data()["recoveryCodes"], 10);
    server.delete(&factor, Some(&clerk)).await.data();
}

#[tokio::test]
async fn an_invitation_is_listed_from_making_to_use_and_never_with_its_code() {
    let (server, admin) = by_invitation().await;
    for (body, field) in
        [(json!({"email": "eve"}), "email"), (json!({"days": 0}), "days"), (json!({"days": 366}), "days")]
    {
        let failure = server.post(CREATE, Some(&admin), body).await.failure(400, "invalid_input");
        assert_eq!(failure["param"], field);
    }
    let before = now_ms();
    let body = json!({"email": " Eve@Mail.Example ", "days": 3});
    let made = server.post(CREATE, Some(&admin), body).await.data();
    let (code, invitation) = (text(&made["code"]), text(&made["id"]));
    let lasts = made["expiresAt"].as_i64().unwrap() - before;
    assert!((0..60_000).contains(&(lasts - 3 * 86_400_000)), "{lasts}");
    assert_eq!(
        last_deed(&server, &admin).await["detail"],
        format!("invitation {invitation} made for eve@mail.example")
    );

    let listed = server.get(LIST, Some(&admin)).await.data();
    let first = &listed["items"][0];
    assert_eq!(
        (&first["id"], &first["state"], &first["createdBy"], &first["email"]),
        (&json!(invitation), &json!("open"), &json!("root"), &json!("eve@mail.example"))
    );
    assert_eq!((&listed["items"][1]["createdBy"], &listed["items"][1]["usedBy"]), (&Value::Null, &json!("root")));

    register(&server, "eve", &code, None).await.failure(403, "wrong_invitation");
    register(&server, "eve", &code, Some("mallory@mail.example")).await.failure(403, "wrong_invitation");
    register(&server, "eve", &code, Some("EVE@mail.example")).await.data();
    let used = server.get(&format!("{LIST}?state=used&email=EVE"), Some(&admin)).await.data();
    assert_eq!((&used["total"], &used["items"][0]["usedBy"]), (&json!(1), &json!("eve")));
    let path = format!("/api/system/invitation/{invitation}");
    server.delete(&path, Some(&admin)).await.failure(409, "invitation_over");

    let log = server.get("/api/system/audit/list?size=100", Some(&admin)).await;
    let list = server.get(LIST, Some(&admin)).await;
    for answer in [log, list] {
        let answer = String::from_utf8(answer.body).unwrap();
        assert!(!answer.contains(&code), "{answer}");
    }
}

#[tokio::test]
async fn a_withdrawn_invitation_makes_no_account() {
    let (server, admin) = by_invitation().await;
    let made = server.post(CREATE, Some(&admin), json!({})).await.data();
    let path = format!("/api/system/invitation/{}", text(&made["id"]));
    server.delete(&path, Some(&admin)).await.data();
    assert_eq!(last_deed(&server, &admin).await["detail"], format!("invitation {} withdrawn", text(&made["id"])));
    register(&server, "ada", &text(&made["code"]), None).await.failure(403, "wrong_invitation");
    assert!(accounts::find(&server.app.db, "ada").await.unwrap().is_none());
    server.delete(&path, Some(&admin)).await.failure(409, "invitation_over");
    server.delete("/api/system/invitation/0123456789ab", Some(&admin)).await.failure(404, "not_found");
    invited(&server.app.db, now_ms() - 1).await;
    let expired = server.get(&format!("{LIST}?state=expired"), Some(&admin)).await.data();
    let path = format!("/api/system/invitation/{}", text(&expired["items"][0]["id"]));
    server.delete(&path, Some(&admin)).await.failure(409, "invitation_over");
    assert_eq!(server.get(&format!("{LIST}?state=withdrawn"), Some(&admin)).await.data()["total"], 1);
    assert_eq!(server.get(&format!("{LIST}?state=open"), Some(&admin)).await.data()["total"], 0);
}

#[tokio::test]
async fn nobody_invites_people_to_more_than_they_may_do() {
    let server = Server::start().await;
    let (admin, clerk) = (server.admin("root").await, server.register("clerk").await);
    role(&server, &admin, "clerk", &["system.user"]).await;
    server.post(CREATE, Some(&clerk), json!({})).await.data();
    let more = json!({"name": ROLE_DEFAULT, "permissions": ["system.audit"]});
    server.put("/api/system/role/update", Some(&admin), more).await.data();
    server.post(CREATE, Some(&clerk), json!({})).await.failure(403, "forbidden");
    server.post(CREATE, Some(&admin), json!({})).await.data();
}

#[tokio::test]
async fn a_lost_second_factor_is_removed_and_the_sessions_go_on() {
    let server = Server::start().await;
    let (admin, ada) = (server.admin("root").await, server.register("ada").await);
    let factor = factor(&server, "ada").await;
    server.delete(&factor, Some(&admin)).await.failure(409, "no_second_factor");
    set_up(&server, &ada).await;
    let list = "/api/system/user/list";
    let with = server.get(&format!("{list}?secondFactor=true"), Some(&admin)).await.data();
    assert_eq!((&with["total"], &with["items"][0]["userName"]), (&json!(1), &json!("ada")));
    assert_eq!(with["items"][0]["secondFactor"], true);
    assert_eq!(server.get(&format!("{list}?secondFactor=false"), Some(&admin)).await.data()["total"], 1);
    server.login("ada", PASSWORD).await.failure(401, "second_factor_required");

    server.delete(&factor, Some(&admin)).await.data();
    let deed = last_deed(&server, &admin).await;
    assert_eq!(deed["deed"], "secondFactorRemoved", "{deed}");
    assert_eq!(deed["values"], json!({"id": id(&server, "ada").await.to_string(), "name": "ada"}));
    server.login("ada", PASSWORD).await.data();
    assert_eq!(server.get("/api/user/second-factor", Some(&ada)).await.data()["on"], false);
    assert_eq!(server.get(&factor, Some(&admin)).await.data()["on"], false);
    server.delete(&factor, Some(&admin)).await.failure(409, "no_second_factor");
    server.delete("/api/system/user/second-factor/999", Some(&admin)).await.failure(404, "no_such_user");
    server.get("/api/system/user/second-factor/999", Some(&admin)).await.failure(404, "no_such_user");
}

#[tokio::test]
async fn nobody_removes_their_own_second_factor_here_or_one_of_somebody_who_may_do_more() {
    let server = Server::start().await;
    let (admin, clerk) = (server.admin("root").await, server.register("clerk").await);
    let (judge, peer) = (server.register("judge").await, server.register("peer").await);
    role(&server, &admin, "clerk", &["system.user"]).await;
    role(&server, &admin, "judge", &["system.audit"]).await;
    role(&server, &admin, "peer", &["system.user"]).await;
    for token in [&admin, &clerk, &judge, &peer] {
        set_up(&server, token).await;
    }
    server.delete(&factor(&server, "root").await, Some(&admin)).await.failure(409, "own_second_factor");
    server.delete(&factor(&server, "clerk").await, Some(&clerk)).await.failure(409, "own_second_factor");
    for above in ["root", "judge"] {
        server.delete(&factor(&server, above).await, Some(&clerk)).await.failure(403, "forbidden");
        server.login(above, PASSWORD).await.failure(401, "second_factor_required");
    }
    server.delete(&factor(&server, "peer").await, Some(&clerk)).await.data();
    server.delete(&factor(&server, "judge").await, Some(&admin)).await.data();
}
