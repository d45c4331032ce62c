//! Comments on dashboards and answers to them.

use std::time::Duration;

use serde_json::json;

use crate::harness::{Server, text};

#[tokio::test]
async fn comments_have_answers_and_are_removed_by_those_they_concern() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let zoe = server.register("zoe").await;
    let id = text(&server.new_dashboard(&ada, "board", json!([]), "public").await["id"]);
    let say = async |token: &str, content: &str, parent: Option<&str>| {
        let body = json!({"id": id, "content": content, "parentId": parent});
        server.post("/api/dashboard/comment/create", Some(token), body).await
    };
    let first = text(&say(&eve, "first", None).await.data()["id"]);
    let answer = text(&say(&ada, "answer", Some(&first)).await.data()["id"]);
    // Answers of one millisecond have no order among them.
    tokio::time::sleep(Duration::from_millis(2)).await;
    say(&eve, "answer to the answer", Some(&answer)).await.data();
    say(&eve, "  ", None).await.failure(400, "invalid_input");
    say(&eve, &"x".repeat(2_001), None).await.failure(400, "invalid_input");
    say(&eve, "lost", Some("nothing")).await.failure(404, "not_found");
    let body = json!({"id": id, "content": "visitor"});
    server.post("/api/dashboard/comment/create", None, body).await.failure(401, "unauthenticated");

    let list = server.get(&format!("/api/dashboard/comment/list?id={id}"), None).await.data();
    let replies = list["items"][0]["replies"].as_array().unwrap().clone();
    assert_eq!((&list["total"], replies.len()), (&json!(1), 2), "{list}");
    assert_eq!((&replies[0]["content"], &replies[1]["userName"]), (&json!("answer"), &json!("eve")));
    let delete = async |token: &str, id: &str| {
        server.post("/api/dashboard/comment/delete", Some(token), json!({"id": id})).await
    };
    delete(&zoe, &first).await.failure(404, "not_found");
    delete(&ada, &first).await.data();
    let list = server.get(&format!("/api/dashboard/comment/list?id={id}"), Some(&eve)).await.data();
    assert_eq!((&list["items"][0]["removed"], &list["items"][0]["content"]), (&json!(true), &json!("")));
    delete(&eve, &text(&replies[1]["id"])).await.data();
    assert_eq!(server.get(&format!("/api/dashboard/detail?id={id}"), None).await.data()["comments"], 1);
}

#[tokio::test]
async fn comments_that_come_at_once_are_as_many_as_there_may_be() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let id = text(&server.new_dashboard(&ada, "board", json!([]), "public").await["id"]);
    sqlx::query(
        "with recursive n (i) as (select 1 union all select i + 1 from n where i < 4999)
         insert into comments (id, creation_id, author_id, content, created_at)
         select 'c' || i, $1, (select id from users where user_name = 'ada'), 'so', i from n",
    )
    .bind(&id)
    .execute(server.app.db.pool())
    .await
    .unwrap();
    let say = || server.post("/api/dashboard/comment/create", Some(&ada), json!({"id": id, "content": "one more"}));
    let (mut said, mut refused) = (0, 0);
    for answer in futures::future::join_all((0..4).map(|_| say())).await {
        if answer.status.is_success() {
            said += 1;
        } else {
            answer.failure(409, "too_many_comments");
            refused += 1;
        }
    }
    assert_eq!((said, refused), (1, 3));
}
