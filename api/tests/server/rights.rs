//! Roles and permissions, the last administrator, and the audit log.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::http::Method;
use axum::middleware::from_fn_with_state;
use axum::routing::post;
use quarry::auth::rights::Users;
use quarry::auth::{Allowed, audit};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tower::ServiceExt;

use crate::harness::{PASSWORD, SOON, Server, request};

async fn user_id(server: &Server, name: &str) -> i64 {
    server.get(&format!("/api/system/user/userName/{name}"), None).await.data()["userId"].as_i64().unwrap()
}

#[tokio::test]
async fn a_role_opens_its_areas_and_no_others() {
    let server = Server::start().await;
    let (admin, desk) = (server.admin("root").await, server.register("desk").await);
    let feedback = "/api/system/feedback/list";
    server.get(feedback, Some(&desk)).await.failure(403, "forbidden");
    let role = json!({"name": "support", "note": "Answers feedback", "permissions": ["system.feedback"]});
    server.post("/api/system/role/create", Some(&admin), role.clone()).await.data();
    server.post("/api/system/role/create", Some(&admin), role).await.failure(409, "role_taken");
    let path = format!("/api/system/user/role/{}", user_id(&server, "desk").await);
    server.put(&path, Some(&admin), json!({"role": "nobody"})).await.failure(400, "invalid_input");
    server.put(&path, Some(&admin), json!({"role": "support"})).await.data();
    server.get(feedback, Some(&desk)).await.data();
    server.get("/api/system/user/list", Some(&desk)).await.failure(403, "forbidden");
    let info = server.get("/api/user/info", Some(&desk)).await.data();
    assert_eq!((&info["role"], &info["permissions"]), (&json!("support"), &json!(["system.feedback"])));
    let nothing = json!({"name": "support", "permissions": []});
    server.put("/api/system/role/update", Some(&admin), nothing).await.data();
    server.get(feedback, Some(&desk)).await.failure(403, "forbidden");
    server.delete("/api/system/role/support", Some(&admin)).await.failure(409, "role_in_use");
    server.put(&path, Some(&admin), json!({"role": "ROLE_DEFAULT"})).await.data();
    server.delete("/api/system/role/support", Some(&admin)).await.data();
    server.delete("/api/system/role/admin", Some(&admin)).await.failure(409, "fixed_role");
    let all = json!({"name": "admin", "permissions": []});
    server.put("/api/system/role/update", Some(&admin), all).await.failure(409, "fixed_role");
}

#[tokio::test]
async fn nobody_gives_away_what_they_do_not_hold() {
    let server = Server::start().await;
    let (admin, clerk) = (server.admin("root").await, server.register("clerk").await);
    let role = json!({"name": "clerk", "permissions": ["system.user", "system.role"]});
    server.post("/api/system/role/create", Some(&admin), role).await.data();
    let own = format!("/api/system/user/role/{}", user_id(&server, "clerk").await);
    server.put(&own, Some(&admin), json!({"role": "clerk"})).await.data();

    server.put(&own, Some(&clerk), json!({"role": "admin"})).await.failure(403, "forbidden");
    let more = json!({"name": "clerk", "permissions": ["system.user", "system.role", "system.audit"]});
    server.put("/api/system/role/update", Some(&clerk), more.clone()).await.failure(403, "forbidden");
    let mut other = more;
    other["name"] = json!("other");
    server.post("/api/system/role/create", Some(&clerk), other).await.failure(403, "forbidden");
    let root = user_id(&server, "root").await;
    let disable = format!("/api/system/user/updateUserDisabled/{root}?disabled=true");
    server.put(&disable, Some(&clerk), Value::Null).await.failure(403, "forbidden");
    server
        .put(&format!("/api/system/user/role/{root}"), Some(&clerk), json!({"role": "ROLE_DEFAULT"}))
        .await
        .failure(403, "forbidden");
    server.get("/api/system/user/list", Some(&clerk)).await.data();
    // Nor do they take a role away that can do what theirs can't.
    server.register("judge").await;
    let judge = format!("/api/system/user/role/{}", user_id(&server, "judge").await);
    let auditor = json!({"name": "auditor", "permissions": ["system.user", "system.audit"]});
    server.post("/api/system/role/create", Some(&admin), auditor).await.data();
    server.put(&judge, Some(&admin), json!({"role": "auditor"})).await.data();
    server.put(&judge, Some(&clerk), json!({"role": "ROLE_DEFAULT"})).await.failure(403, "forbidden");
    server.put(&judge, Some(&admin), json!({"role": "clerk"})).await.data();
    server.put(&judge, Some(&clerk), json!({"role": "ROLE_DEFAULT"})).await.data();
}

#[tokio::test]
async fn disabling_takes_effect_at_once_and_the_last_administrator_stays() {
    let server = Server::start().await;
    let (admin, ada) = (server.admin("root").await, server.register("ada").await);
    let disable = |id: i64, disabled: bool| format!("/api/system/user/updateUserDisabled/{id}?disabled={disabled}");
    let id = user_id(&server, "ada").await;
    server.put(&disable(id, true), Some(&admin), Value::Null).await.data();
    server.get("/api/user/info", Some(&ada)).await.failure(401, "login_expired");
    server.login("ada", PASSWORD).await.failure(403, "account_disabled");
    server.put(&disable(id, false), Some(&admin), Value::Null).await.data();
    server.login("ada", PASSWORD).await.data();
    server.get("/api/user/info", Some(&ada)).await.failure(401, "login_expired");

    let root = user_id(&server, "root").await;
    server.put(&disable(root, true), Some(&admin), Value::Null).await.failure(409, "last_admin");
    let role = format!("/api/system/user/role/{root}");
    server.put(&role, Some(&admin), json!({"role": "ROLE_DEFAULT"})).await.failure(409, "last_admin");
    server.admin("second").await;
    server.put(&role, Some(&admin), json!({"role": "ROLE_DEFAULT"})).await.data();
    server.get("/api/system/user/list", Some(&admin)).await.failure(403, "forbidden");
    let missing = disable(999, true);
    let admin = server.login("second", PASSWORD).await.data()["token"].as_str().unwrap().to_string();
    let failure = server.put(&missing, Some(&admin), Value::Null).await.failure(404, "no_such_user");
    assert_eq!(failure["msg"], "No such user!");
}

#[tokio::test]
async fn every_action_is_in_the_audit_log_and_reading_is_not() {
    let server = Server::start().await;
    let (admin, ada) = (server.admin("root").await, server.register("ada").await);
    let id = user_id(&server, "ada").await;
    server.get("/api/system/user/list", Some(&admin)).await.data();
    server
        .put(&format!("/api/system/user/updateUserDisabled/{id}?disabled=true"), Some(&admin), Value::Null)
        .await
        .data();
    server.put("/api/system/user/role/999", Some(&admin), json!({"role": "admin"})).await.failure(404, "no_such_user");
    server.put("/api/system/user/role/1", Some(&ada), json!({"role": "admin"})).await.failure(401, "login_expired");
    let log = server.get("/api/system/audit/list", Some(&admin)).await.data();
    let entries = log["items"].as_array().unwrap();
    let seen: Vec<(&str, i64, &str)> = entries
        .iter()
        .map(|entry| {
            let field = |name: &str| entry[name].as_str().unwrap();
            assert_eq!((field("userName"), field("area"), field("method")), ("root", "system.user", "PUT"));
            (field("path"), entry["status"].as_i64().unwrap(), field("detail"))
        })
        .collect();
    let path = format!("/api/system/user/updateUserDisabled/{id}");
    let detail = format!("user {id} disabled");
    assert_eq!(seen, [("/api/system/user/role/999", 404, ""), (path.as_str(), 200, detail.as_str())]);
    let done: Vec<(&Value, &Value)> = entries.iter().map(|entry| (&entry["deed"], &entry["values"])).collect();
    let values = json!({"id": id.to_string()});
    assert_eq!(done, [(&Value::Null, &json!({})), (&json!("userDisabled"), &values)], "for pages in any language");
    let file = server.get("/api/system/audit/export", Some(&admin)).await;
    assert!(String::from_utf8(file.body).unwrap().starts_with("id,actedAt,userId,userName,area,"));
}

#[tokio::test]
async fn what_administrators_do_with_things_of_others_is_in_the_audit_log() {
    let server = Server::start().await;
    let (admin, ada) = (server.admin("root").await, server.register("ada").await);
    let made = async |token: &str, title: &str| {
        let body = json!({"title": title, "visibility": "public"});
        server.post("/api/dashboard/create", Some(token), body).await.data()["id"].as_str().unwrap().to_string()
    };
    let (theirs, own) = (made(&ada, "Fees").await, made(&admin, "Blocks").await);
    let detail = format!("/api/dashboard/detail?id={theirs}");
    server.get(&detail, Some(&admin)).await.data();
    let comment = json!({"id": theirs, "content": "hello"});
    let comment = server.post("/api/dashboard/comment/create", Some(&ada), comment).await.data()["id"].clone();
    server.post("/api/dashboard/comment/delete", Some(&admin), json!({"id": comment})).await.data();
    let shown = json!({"id": theirs, "visibility": "private"});
    server.post("/api/creation/visibility/set", Some(&admin), shown).await.data();
    let tag = json!({"entity": "user", "id": "ada", "tag": "whale"});
    server.post("/api/tag/add", Some(&admin), tag).await.data();
    let signature = json!({"signature": "function feed(uint256 amount)", "everybody": true});
    server.post("/api/decoder/signature/create", Some(&admin), signature).await.data();
    let official = json!({"id": own, "official": true});
    server.post("/api/official/set", Some(&admin), official).await.data();
    for id in [&theirs, &own] {
        server.post("/api/dashboard/delete", Some(&admin), json!({"id": id})).await.data();
    }
    let log = server.get("/api/system/audit/list", Some(&admin)).await.data();
    let seen: Vec<(&str, &str, &str)> = log["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            let field = |name: &str| entry[name].as_str().unwrap();
            (field("path"), field("area"), field("deed"))
        })
        .collect();
    let expected = [
        ("/api/dashboard/delete", "admin", "creationOfOther"),
        ("/api/official/set", "system.official", "madeOfficial"),
        ("/api/decoder/signature/create", "admin", "signatureForAll"),
        ("/api/tag/add", "admin", "tagOfOther"),
        ("/api/creation/visibility/set", "admin", "creationOfOther"),
        ("/api/dashboard/comment/delete", "admin", "commentRemoved"),
    ];
    assert_eq!(seen, expected, "what is their own, and reading, is no matter of the log");
    assert_eq!(log["items"][0]["values"], json!({"id": theirs, "title": "Fees", "owner": "ada"}));
}

#[tokio::test]
async fn an_action_whose_client_went_is_in_the_audit_log() {
    let server = Server::start().await;
    let admin = server.admin("root").await;
    let begun = Arc::new(Notify::new());
    let told = begun.clone();
    let endless = async move |_by: Allowed<Users>| {
        told.notify_one();
        std::future::pending::<()>().await;
    };
    let router = Router::new()
        .route("/endless", post(endless))
        .layer(from_fn_with_state(server.app.clone(), audit::record))
        .with_state(server.app.clone());
    let asked = request(Method::POST, "/endless", Some(&admin)).body(Body::empty()).unwrap();
    let mut call = JoinSet::new();
    call.spawn(router.oneshot(asked));
    begun.notified().await;
    call.shutdown().await;
    let start = Instant::now();
    let log = loop {
        let log = server.get("/api/system/audit/list", Some(&admin)).await.data();
        if log["total"] != 0 || start.elapsed() > SOON {
            break log;
        }
    };
    assert_eq!((&log["items"][0]["path"], &log["items"][0]["status"]), (&json!("/endless"), &json!(499)));
}

#[tokio::test]
async fn sessions_are_seen_and_ended() {
    let server = Server::start().await;
    let (admin, ada) = (server.admin("root").await, server.register("ada").await);
    let list = "/api/interceptor/onlineUser/list?username=ad";
    let online = server.get(list, Some(&admin)).await.data();
    assert_eq!(online["total"], 1);
    assert_eq!(online["items"][0]["userName"], "ada");
    let session = online["items"][0]["sessionId"].as_str().unwrap();
    let end = format!("/api/interceptor/onlineUser/delete?sessionId={session}");
    server.get(&end, Some(&ada)).await.failure(403, "forbidden");
    server.get(&end, Some(&admin)).await.data();
    server.get(&end, Some(&admin)).await.failure(404, "not_found");
    server.get("/api/user/info", Some(&ada)).await.failure(401, "login_expired");
    assert_eq!(server.get(list, Some(&admin)).await.data()["total"], 0);
    let again = server.login("ada", PASSWORD).await.data()["token"].as_str().unwrap().to_string();
    server.post("/api/user/logout", Some(&again), Value::Null).await.data();
    let records = server.get("/api/interceptor/logInAndOutAll?userName=ada&size=10", Some(&admin)).await.data();
    let actions: Vec<&str> =
        records["items"].as_array().unwrap().iter().map(|item| item["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["logout", "login", "ended", "login"]);
    let log = server.get("/api/system/audit/list?area=system.onlineUser", Some(&admin)).await.data();
    assert_eq!(log["items"][0]["detail"], "a session of ada ended", "ending by a GET is an action too");
}

#[tokio::test]
async fn permissions_have_names_that_administrators_change() {
    let server = Server::start().await;
    let admin = server.admin("root").await;
    let list = server.get("/api/system/permission/list", Some(&admin)).await.data();
    assert!(list.as_array().unwrap().iter().any(|item| item["permissionKey"] == "system.audit"), "{list}");
    server.put("/api/system/permission/system.audit", Some(&admin), json!({"note": "Protokoll"})).await.data();
    server
        .put("/api/system/permission/system.nothing", Some(&admin), json!({"note": "x"}))
        .await
        .failure(404, "not_found");
    let list = server.get("/api/system/permission/list", Some(&admin)).await.data();
    let named = list.as_array().unwrap().iter().find(|item| item["permissionKey"] == "system.audit").unwrap();
    assert_eq!(named["note"], "Protokoll");
}
