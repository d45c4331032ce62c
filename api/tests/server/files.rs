//! Files and feedback: who reads what, tickets, and every path that must lead nowhere.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime};

use axum::body::{Body, Bytes};
use axum::http::{Method, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures::{FutureExt, StreamExt};
use quarry::uploads::{Incoming, Scene};
use serde_json::{Value, json};

use crate::harness::{SOON, Server, png, request, text};

async fn screenshot(server: &Server, token: &str) -> String {
    text(&server.upload("/api/file/upload/feedback", Some(token), "a.png", &png(8, 8)).await.data())
}

#[tokio::test]
async fn feedback_carries_its_screenshots_to_the_desk() {
    let server = Server::start().await;
    let (admin, ada, eve) = (server.admin("root").await, server.register("ada").await, server.register("eve").await);
    let photos = [screenshot(&server, &ada).await, screenshot(&server, &ada).await].join("@");
    let good = json!({"feedbackTitle": "Colours", "feedbackContent": "Please more of them.",
        "feedbackUrl": "/user/query", "feedbackPhoto": photos});
    let send = async |token: &str, change: Value| {
        let mut body = good.clone();
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        server.post("/api/feedback/upload", Some(token), body).await
    };
    let failure = send(&ada, json!({"feedbackTitle": " "})).await.failure(400, "title_required");
    assert_eq!((&failure["msg"], &failure["param"]), (&json!("Title is required!"), &json!("feedbackTitle")));
    send(&ada, json!({"feedbackTitle": "\u{200b}"})).await.failure(400, "title_required");
    send(&ada, json!({"feedbackTitle": null})).await.failure(400, "title_required");
    let failure = send(&ada, json!({"feedbackContent": ""})).await.failure(400, "suggestion_required");
    assert_eq!(failure["msg"], "Suggestion is required!");
    for url in ["javascript:alert(1)", "//evil.example", "/\\evil.example", "/\t/evil.example", "data:text/html,x"] {
        send(&ada, json!({"feedbackUrl": url})).await.failure(400, "invalid_input");
    }
    send(&eve, json!({})).await.failure(400, "invalid_input");
    let sent = send(&ada, json!({})).await.json();
    assert_eq!((&sent["status"], &sent["msg"]), (&json!("success"), &json!("Send successfully!")));

    let list = server.get("/api/system/feedback/list?state=open", Some(&admin)).await.data();
    assert_eq!(list["total"], 1);
    assert_eq!(list["items"][0]["feedbackPhoto"], photos);
    let id = &list["items"][0]["id"];
    let handling = json!({"state": "handled", "answer": "Done."});
    server.put(&format!("/api/system/feedback/{id}"), Some(&admin), handling).await.data();
    let list = server.get("/api/system/feedback/list", Some(&admin)).await.data();
    assert_eq!((&list["items"][0]["state"], &list["items"][0]["handledBy"]), (&json!("handled"), &json!("root")));

    let (gone, left) = photos.split_once('@').unwrap();
    for (path, named) in [(gone, left), (left, "")] {
        server.delete(&format!("/api/system/file?path={path}"), Some(&admin)).await.data();
        let list = server.get("/api/system/feedback/list", Some(&admin)).await.data();
        assert_eq!(list["items"][0]["feedbackPhoto"], named, "a picture that was removed is named no more");
    }
}

#[tokio::test]
async fn a_file_whose_client_goes_has_its_row() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let owner = server.get("/api/user/info", Some(&ada)).await.data()["user"]["userId"].as_i64().unwrap();
    let file = Incoming { scene: Scene::Feedback, owner, name: "a.png".to_string(), bytes: png(8, 8) };
    assert!(server.app.uploads.keep(&server.app.db, file).now_or_never().is_none(), "it goes while it is looked at");
    let start = Instant::now();
    loop {
        let list = server.post("/api/file/list", Some(&ada), json!({})).await.data();
        if list["total"] == 1 {
            return;
        }
        assert!(start.elapsed() < SOON, "{list}");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_file_without_a_row_goes_when_it_is_old() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let named = screenshot(&server, &ada).await;
    let uploads = server.home.path().join("uploads");
    let folder = uploads.join(&named).parent().unwrap().to_path_buf();
    let place = |name: &str, written: SystemTime| {
        std::fs::write(folder.join(name), "left").unwrap();
        std::fs::File::open(folder.join(name)).unwrap().set_modified(written).unwrap();
    };
    let day = Duration::from_secs(86_400);
    // The accounts are from long ago.
    sqlx::query("update users set created_at = created_at - 864000000").execute(server.app.db.pool()).await.unwrap();
    std::fs::File::open(uploads.join(&named)).unwrap().set_modified(SystemTime::now() - day * 3).unwrap();
    place("young.png", SystemTime::now());
    place("old.png", SystemTime::now() - day * 2);
    place("of-another-database.png", SystemTime::now() - day * 20);
    std::fs::write(uploads.join("feedback/a-file"), "of somebody").unwrap();
    assert_eq!(server.app.uploads.collect(&server.app.db).await.unwrap(), 1);
    assert!(uploads.join(&named).exists() && !folder.join("old.png").exists());
    assert!(folder.join("young.png").exists() && folder.join("of-another-database.png").exists());
    assert_eq!(server.app.uploads.collect(&server.app.db).await.unwrap(), 0);
}

#[tokio::test]
async fn a_file_is_its_owners_and_the_back_offices() {
    let server = Server::start().await;
    let (admin, ada, eve) = (server.admin("root").await, server.register("ada").await, server.register("eve").await);
    let path = screenshot(&server, &ada).await;
    let (bytes, download) = (format!("/api/file/byte/array?path={path}"), format!("/api/file/download?path={path}"));
    for token in [&ada, &admin] {
        let picture = STANDARD.decode(text(&server.get(&bytes, Some(token)).await.data())).unwrap();
        assert!(picture.starts_with(b"\x89PNG"));
        assert_eq!(server.get(&download, Some(token)).await.body, picture);
    }
    for call in [&bytes, &download] {
        server.get(call, Some(&eve)).await.failure(404, "not_found");
        server.get(call, None).await.failure(404, "not_found");
    }
    server.get(&format!("{download}&token={eve}"), None).await.failure(404, "not_found");
    assert!(server.get(&format!("{download}&token={ada}"), None).await.body.starts_with(b"\x89PNG"));
    server.get(&format!("{download}&token=forged"), None).await.failure(401, "unauthenticated");

    let list = async |token: &str, body: Value| server.post("/api/file/list", Some(token), body).await.data();
    assert_eq!(list(&ada, json!({})).await["items"][0]["path"], path);
    assert_eq!(list(&eve, json!({})).await["total"], 0);
    assert_eq!(list(&admin, json!({"scene": "feedback", "userName": "ad"})).await["total"], 1);
    assert_eq!(list(&admin, json!({"scene": "avatar"})).await["total"], 0);
    let remove = format!("/api/system/file?path={path}");
    server.delete(&remove, Some(&ada)).await.failure(403, "forbidden");
    server.delete(&remove, Some(&admin)).await.data();
    server.get(&download, Some(&ada)).await.failure(404, "not_found");
}

#[tokio::test]
async fn a_path_leads_only_to_what_was_uploaded() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let path = screenshot(&server, &ada).await;
    let root = server.home.path().join("uploads");
    std::fs::write(server.home.path().join("uploads").join("stray.png"), "stray").unwrap();
    let real = path.replace('/', "%2F");
    for bad in [
        "../platform.db",
        "..%2Fplatform.db",
        "%2e%2e%2fplatform.db",
        "/etc/passwd",
        "stray.png",
        "",
        ".",
        "feedback",
        "feedback/../stray.png",
        "%00",
        &format!("{real}%00"),
        &format!(".%2F{real}"),
        &format!("{real}%2F"),
        "keys/jwt.secret",
    ] {
        for call in ["/api/file/byte/array", "/api/file/download"] {
            let answer = server.get(&format!("{call}?path={bad}"), Some(&ada)).await;
            assert_eq!(answer.status.as_u16(), 404, "{call} {bad}: {}", String::from_utf8_lossy(&answer.body));
        }
        let ticket = json!({"purpose": "download", "path": bad});
        server.post("/api/file/ticket", Some(&ada), ticket).await.failure(404, "not_found");
    }
    // Somebody with access to the disk puts a link in the place of a file.
    std::fs::remove_file(root.join(&path)).unwrap();
    std::os::unix::fs::symlink(server.home.path().join("keys").join("jwt.secret"), root.join(&path)).unwrap();
    server.get(&format!("/api/file/download?path={path}"), Some(&ada)).await.failure(404, "not_found");
}

#[tokio::test]
async fn a_ticket_is_for_one_use() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let ticket = async |token: &str, body: Value| {
        text(&server.post("/api/file/ticket", Some(token), body).await.data()["ticket"])
    };
    let key = ticket(&ada, json!({"purpose": "upload"})).await;
    let upload = format!("/api/file/upload/feedback?ticket={key}");
    let path = text(&server.upload(&upload, None, "a.png", &png(8, 8)).await.data());
    server.upload(&upload, None, "a.png", &png(8, 8)).await.failure(401, "unauthenticated");
    let key = ticket(&ada, json!({"purpose": "download", "path": path})).await;
    let again = server.upload(&format!("/api/file/upload/feedback?token={key}"), None, "a.png", &png(8, 8)).await;
    again.failure(401, "unauthenticated");
    let key = ticket(&ada, json!({"purpose": "download", "path": path})).await;
    let download = format!("/api/file/download?path={path}&token={key}");
    assert!(server.get(&download, None).await.body.starts_with(b"\x89PNG"));
    server.get(&download, None).await.failure(401, "unauthenticated");
    let body = json!({"purpose": "download", "path": path});
    server.post("/api/file/ticket", Some(&eve), body).await.failure(404, "not_found");
}

#[tokio::test]
async fn scenes_are_listed() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let scenes = server.get("/api/file/scenes", Some(&ada)).await.data();
    let names: Vec<&str> = scenes.as_array().unwrap().iter().map(|scene| scene["scene"].as_str().unwrap()).collect();
    assert_eq!(names, ["avatar", "feedback", "white-paper"]);
}

/// A browser that still sends when the answer comes shows none.
#[tokio::test]
async fn a_picture_that_is_too_large_is_read_to_its_end() {
    const CHUNKS: usize = 100;
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let sent = Arc::new(AtomicUsize::new(0));
    let counted = sent.clone();
    let head = "--frame\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n";
    let chunks = futures::stream::iter(0..CHUNKS).map(move |place| {
        counted.fetch_add(1, Ordering::Relaxed);
        Ok::<_, std::io::Error>(match place {
            0 => Bytes::from_static(head.as_bytes()),
            _ if place + 1 == CHUNKS => Bytes::from_static(b"\r\n--frame--\r\n"),
            _ => Bytes::from(vec![b'x'; 64 * 1024]),
        })
    });
    let upload = request(Method::POST, "/api/file/upload/feedback", Some(&ada))
        .header(header::CONTENT_TYPE, "multipart/form-data; boundary=frame")
        .body(Body::from_stream(chunks))
        .unwrap();
    let failure = server.send(upload).await.failure(413, "picture_too_large");
    assert_eq!(failure["msg"], "The size of uploaded avatar image cannot exceed 2MB!");
    assert_eq!(sent.load(Ordering::Relaxed), CHUNKS);
}
