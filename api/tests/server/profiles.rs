//! Profiles: what others see, what the user changes, pictures.

use quarry::auth::accounts;
use serde_json::{Value, json};

use crate::harness::{Server, png, text};

#[tokio::test]
async fn others_see_the_public_part_of_a_profile() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let change = "/api/system/user/updateUserInfo?career=engineer&address=Berlin&tag=defi,nft";
    let own = server.put(change, Some(&ada), Value::Null).await.data();
    assert_eq!((&own["career"], &own["tags"]), (&json!("engineer"), &json!(["defi", "nft"])));
    for count in ["starCount", "dashboardCount", "queryCount", "creditCount"] {
        assert_eq!(own[count], 0, "{count}");
    }
    server.new_query(&ada, "Blocks", "select 1", "public").await;
    for token in [Some(eve.as_str()), None] {
        let seen = server.get("/api/system/user/userName/ada", token).await.data();
        assert_eq!((&seen["userName"], &seen["headPhoto"]), (&json!("ada"), &json!("")));
        assert_eq!(seen["queryCount"], 1);
        assert!(seen["creatorSince"].as_i64().unwrap() > 0);
        for private in ["email", "phoneNumber", "career", "address", "tags", "apiKey", "role"] {
            assert_eq!(seen[private], Value::Null, "{private}");
        }
        assert_eq!(server.get(&format!("/api/system/user/userId/new/ui/{}", seen["userId"]), token).await.data(), seen);
    }
    let kept = server.put("/api/system/user/updateUserInfo?career=poet", Some(&ada), Value::Null).await.data();
    assert_eq!((&kept["career"], &kept["address"]), (&json!("poet"), &json!("Berlin")), "what is left out stays");
    let failure = server.get("/api/system/user/userName/nobody", Some(&ada)).await.failure(404, "no_such_user");
    assert_eq!(failure["msg"], "No such user!");
    server.get("/api/system/user/userId/new/ui/none", Some(&ada)).await.failure(404, "no_such_user");
    let long = format!("/api/system/user/updateUserInfo?tag={}", "x".repeat(16));
    server.put(&long, Some(&ada), Value::Null).await.failure(400, "invalid_input");
    server.put(change, None, Value::Null).await.failure(401, "unauthenticated");
}

#[tokio::test]
async fn an_avatar_is_checked_written_anew_and_everybodys_to_see() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let upload = async |name: &str, bytes: &[u8]| server.upload("/api/user/avatar", Some(&ada), name, bytes).await;
    let first = text(&upload("me.png", &png(2000, 1000)).await.data());
    assert_eq!(server.get("/api/user/info", Some(&ada)).await.data()["user"]["headPhoto"], first);
    let picture = server.get(&format!("/api/file/download?path={first}"), None).await;
    assert_eq!(picture.headers["content-type"], "image/png");
    assert_eq!(picture.headers["x-content-type-options"], "nosniff");
    assert!(picture.headers["content-disposition"].to_str().unwrap().starts_with("attachment"));
    let decoded = image::load_from_memory(&picture.body).unwrap();
    assert_eq!((decoded.width(), decoded.height()), (512, 256));

    let failure = upload("me.png", b"<html><script>alert(1)</script>").await.failure(400, "not_a_picture");
    assert_eq!(failure["msg"], "Uploaded avatar pictures can only be in JPG / jpeg / PNG / GIF format!");
    // Under 2 MB: two MiB are too many, one byte less is looked at.
    upload("me.png", &vec![0; 2 * 1024 * 1024 - 1]).await.failure(400, "not_a_picture");
    let failure = upload("me.png", &vec![0; 2 * 1024 * 1024]).await.failure(413, "picture_too_large");
    assert_eq!(failure["msg"], "The size of uploaded avatar image cannot exceed 2MB!");
    server.post("/api/user/avatar", Some(&ada), json!({})).await.failure(400, "invalid_form");
    server.upload("/api/user/avatar", None, "me.png", &png(4, 4)).await.failure(401, "unauthenticated");

    let second = text(&upload("me.png", &png(4, 4)).await.data());
    assert_ne!(first, second);
    server.get(&format!("/api/file/download?path={first}"), None).await.failure(404, "not_found");
}

#[tokio::test]
async fn of_avatars_that_come_at_once_one_stays() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let picture = png(4, 4);
    let uploads = (0..6).map(|_| server.upload("/api/user/avatar", Some(&ada), "me.png", &picture));
    let paths: Vec<String> =
        futures::future::join_all(uploads).await.iter().map(|answer| text(&answer.data())).collect();
    let shown = text(&server.get("/api/user/info", Some(&ada)).await.data()["user"]["headPhoto"]);
    let kept: Vec<String> = sqlx::query_scalar("select path from files").fetch_all(server.app.db.pool()).await.unwrap();
    assert_eq!(kept, std::slice::from_ref(&shown), "{paths:?}");
    assert!(paths.contains(&shown));
}

#[tokio::test]
async fn a_picture_that_the_back_office_removes_is_nobodys() {
    let server = Server::start().await;
    let (ada, admin) = (server.register("ada").await, server.admin("root").await);
    let path = text(&server.upload("/api/user/avatar", Some(&ada), "me.png", &png(4, 4)).await.data());
    let file = server.home.path().join("uploads").join(&path);
    assert!(file.exists());
    server.delete(&format!("/api/system/file?path={path}"), Some(&admin)).await.data();
    assert!(!file.exists());
    assert_eq!(server.get("/api/user/info", Some(&ada)).await.data()["user"]["headPhoto"], "");
}

#[tokio::test]
async fn so_many_pictures_of_one_account_arrive_at_once_and_no_more() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let id = accounts::find(&server.app.db, "ada").await.unwrap().unwrap().id;
    let arriving = [(); 10].map(|()| server.app.limits.files.begin(id).unwrap());
    for path in ["/api/user/avatar", "/api/file/upload/feedback"] {
        server.upload(path, Some(&ada), "me.png", &png(4, 4)).await.failure(429, "too_many_uploads");
        server.upload(path, Some(&eve), "me.png", &png(4, 4)).await.data();
    }
    drop(arriving);
    server.upload("/api/user/avatar", Some(&ada), "me.png", &png(4, 4)).await.data();
}
