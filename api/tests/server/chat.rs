//! Private letters over the websocket and the calls about them.

use serde_json::{Value, json};

use crate::live::{Client, Live, next, send};

async fn write(client: &mut Client, to: &str, text: &str, time: &str) {
    send(client, json!({"type": "chat.message", "data": {"msg": format!("{to}@@@{text}"), "time": time}})).await;
}

async fn refused(client: &mut Client, to: &str, text: &str, code: &str) {
    write(client, to, text, "x@@@1").await;
    let error = next(client, &["error", "chat.ack"]).await;
    assert_eq!((&error["data"]["code"], &error["data"]["time"]), (&json!(code), &json!("x@@@1")), "{error}");
}

#[tokio::test]
async fn a_letter_is_kept_acknowledged_and_carried() {
    let live = Live::start().await;
    let (ada, eve) = (live.server.register("ada").await, live.server.register("eve").await);
    let (mut from, mut to) = (live.client(&ada).await, live.client(&eve).await);
    write(&mut from, "eve", "hello @@@ there", "1@@@1700").await;
    let ack = next(&mut from, &["chat.ack", "error"]).await;
    assert_eq!(ack["data"], json!({"type": "ack", "time": "1@@@1700"}));
    let letter = next(&mut to, &["chat.message"]).await;
    assert_eq!(letter["data"]["msg"], "hello @@@ there");
    assert_eq!((&letter["data"]["from"], &letter["data"]["to"]), (&json!("ada"), &json!("eve")));

    // Sent again after a lost acknowledgement: acknowledged again, kept once.
    write(&mut from, "eve", "hello @@@ there", "1@@@1700").await;
    assert_eq!(next(&mut from, &["chat.ack", "error"]).await, ack);
    // Another letter under the same name is not kept, and so not acknowledged.
    write(&mut from, "eve", "something else", "1@@@1700").await;
    let error = next(&mut from, &["chat.ack", "error"]).await;
    assert_eq!((&error["data"]["code"], &error["data"]["time"]), (&json!("invalid_message"), &json!("1@@@1700")));
    let content = live.server.get("/api/private/letter/chat/content?commentFrom=ada", Some(&eve)).await.data();
    let letters = content.as_array().unwrap();
    assert_eq!(letters.len(), 1);
    assert_eq!((&letters[0]["comment"], &letters[0]["ifRead"]), (&json!("hello @@@ there"), &json!("否")));
    assert_eq!((&letters[0]["commentFrom"], &letters[0]["commentTo"]), (&json!("ada"), &json!("eve")));
    assert_eq!(letters[0]["commentTime"], letter["data"]["time"]);
}

#[tokio::test]
async fn reading_is_marked_and_told() {
    let live = Live::start().await;
    let server = &live.server;
    let (ada, eve, bob) = (server.register("ada").await, server.register("eve").await, server.register("bob").await);
    let (mut from, mut third) = (live.client(&ada).await, live.client(&bob).await);
    write(&mut from, "eve", "one", "1@@@1").await;
    next(&mut from, &["chat.ack"]).await;
    write(&mut third, "eve", "two", "1@@@1").await;
    next(&mut third, &["chat.ack"]).await;
    let unread = "/api/private/letter/is-exist-not-read-message";
    assert_eq!(server.get(unread, Some(&eve)).await.data(), true);
    assert_eq!(server.get(unread, Some(&ada)).await.data(), false);
    assert_eq!(server.get("/api/user/info", Some(&eve)).await.data()["unread"], true);
    let read = "/api/private/letter/set-read?commentFrom=bob";
    server.post(read, Some(&eve), Value::Null).await.data();
    let list = server.get("/api/private/letter/user/list", Some(&eve)).await.data();
    let seen: Vec<(&str, bool, bool)> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            let flag = |name: &str| item[name].as_bool().unwrap();
            (item["username"].as_str().unwrap(), flag("ifNotRead"), flag("online"))
        })
        .collect();
    assert_eq!(seen, [("ada", true, true), ("bob", false, true)], "unread first, though bob wrote last");
    let told = next(&mut third, &["chat.read"]).await;
    assert_eq!(told["data"], json!({"by": "eve", "from": "bob"}));
    let thread = server.get("/api/private/letter/chat/content?commentFrom=eve", Some(&bob)).await.data();
    assert_eq!(thread[0]["ifRead"], "是");
}

#[tokio::test]
async fn history_is_read_backwards() {
    let live = Live::start().await;
    let (ada, eve) = (live.server.register("ada").await, live.server.register("eve").await);
    let mut from = live.client(&ada).await;
    for number in 0..7 {
        write(&mut from, "eve", &number.to_string(), &format!("{number}@@@1")).await;
        next(&mut from, &["chat.ack"]).await;
    }
    let mut before = String::new();
    let mut pages = Vec::new();
    loop {
        let path = format!("/api/private/letter/chat/content?commentFrom=ada&size=3{before}");
        let page = live.server.get(&path, Some(&eve)).await.data();
        let Some(first) = page.get(0) else { break };
        before = format!("&before={}", first["id"]);
        pages.push(
            page.as_array()
                .unwrap()
                .iter()
                .map(|item| item["comment"].as_str().unwrap().to_string())
                .collect::<String>(),
        );
    }
    assert_eq!(pages, ["456", "123", "0"]);
}

#[tokio::test]
async fn what_is_no_letter_is_refused() {
    let live = Live::start().await;
    let (ada, _) = (live.server.register("ada").await, live.server.register("eve").await);
    let mut client = live.client(&ada).await;
    refused(&mut client, "eve", "  ", "empty_letter").await;
    refused(&mut client, "eve", "\u{200b}\n\u{3164}", "empty_letter").await;
    refused(&mut client, "eve", &"x".repeat(2_001), "letter_too_long").await;
    refused(&mut client, "nobody", "hello", "no_such_user").await;
    refused(&mut client, "ada", "to myself", "no_such_user").await;
    for number in 0..60 {
        write(&mut client, "eve", "again", &format!("{number}@@@1")).await;
        if next(&mut client, &["chat.ack", "error"]).await["data"]["code"] == "too_many_letters" {
            return;
        }
    }
    panic!("a flood of letters was taken");
}

#[tokio::test]
async fn letters_reach_nobody_else() {
    let live = Live::start().await;
    let server = &live.server;
    let (ada, eve, bob) = (server.register("ada").await, server.register("eve").await, server.register("bob").await);
    let (mut from, mut third) = (live.client(&ada).await, live.client(&bob).await);
    write(&mut from, "eve", "secret", "1@@@1").await;
    next(&mut from, &["chat.ack"]).await;
    send(&mut third, json!({"type": "ping", "data": {}})).await;
    assert_eq!(next(&mut third, &["chat.message", "pong"]).await["type"], "pong");
    for other in ["ada", "eve"] {
        let path = format!("/api/private/letter/chat/content?commentFrom={other}");
        assert_eq!(server.get(&path, Some(&bob)).await.data(), json!([]));
    }
    assert_eq!(server.get("/api/private/letter/user/list", Some(&bob)).await.data(), json!([]));
    assert_eq!(
        server.get("/api/private/letter/chat/content?commentFrom=ada", Some(&eve)).await.data()[0]["comment"],
        "secret"
    );
}

#[tokio::test]
async fn a_message_to_everybody_reaches_every_socket() {
    let live = Live::start().await;
    let (admin, ada) = (live.server.admin("root").await, live.server.register("ada").await);
    let mut client = live.client(&ada).await;
    let message = json!({"msg": "Back at noon.", "type": "warning"});
    live.server.post("/api/system/platform-message/send", Some(&ada), message.clone()).await.failure(403, "forbidden");
    live.server.post("/api/system/platform-message/send", Some(&admin), message).await.data();
    let nothing = json!({"msg": "\u{200b}", "type": "info"});
    live.server.post("/api/system/platform-message/send", Some(&admin), nothing).await.failure(400, "invalid_input");
    let seen = next(&mut client, &["platform.message"]).await;
    assert_eq!((&seen["data"]["msg"], &seen["data"]["type"]), (&json!("Back at noon."), &json!("warning")));
    let kept = live.server.get("/api/platform/message/list", Some(&ada)).await.data();
    assert_eq!((&kept["items"][0]["msg"], &kept["items"][0]["time"]), (&seen["data"]["msg"], &seen["data"]["time"]));
}

#[tokio::test]
async fn a_disabled_account_loses_its_sockets() {
    let live = Live::start().await;
    let (admin, ada) = (live.server.admin("root").await, live.server.register("ada").await);
    let mut client = live.client(&ada).await;
    let id = &live.server.get("/api/user/info", Some(&ada)).await.data()["user"]["userId"];
    let disable = format!("/api/system/user/updateUserDisabled/{id}?disabled=true");
    live.server.put(&disable, Some(&admin), Value::Null).await.data();
    assert!(crate::live::ended(&mut client).await.is_some());
}
