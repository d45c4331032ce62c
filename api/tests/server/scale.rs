//! How long lists and searches take with 100,000 queries and 50,000 users. Run by hand:
//! `cargo nextest run --release --workspace -E 'test(scale::)' --run-ignored only --no-capture`.

use std::time::{Duration, Instant};

use quarry::creations::index;

use crate::harness::Server;

const USERS: i64 = 50_000;
const QUERIES: i64 = 100_000;
const TOPICS: [&str; 10] =
    ["gas", "mev", "stablecoin", "nft", "airdrop", "bridge", "staking", "whale", "liquidity", "交易费用"];

async fn fill(server: &Server) {
    let pool = server.app.db.pool();
    let mut at = pool.begin().await.unwrap();
    for user in 1..=USERS {
        sqlx::query("insert into users (id, user_name, password_hash, role, created_at) values ($1, $2, 'x', 'x', $1)")
            .bind(user)
            .bind(format!("user_{user}"))
            .execute(&mut *at)
            .await
            .unwrap();
        sqlx::query("insert into creator_figures (user_id, stars, dashboards, queries) values ($1, $2, 1, 2)")
            .bind(user)
            .bind(user * 7919 % 10_007)
            .execute(&mut *at)
            .await
            .unwrap();
    }
    at.commit().await.unwrap();
    let now = quarry::time::now_ms();
    for batch in 0..QUERIES / 1_000 {
        let mut at = pool.begin().await.unwrap();
        for number in batch * 1_000 + 1..=batch * 1_000 + 1_000 {
            let id = format!("q{number}");
            let topic = TOPICS[usize::try_from(number % 10).unwrap()];
            let title = format!("{topic} report {number}");
            sqlx::query(
                "insert into creations (id, number, kind, owner_id, visibility, title, favorites, created_at, updated_at)
                 values ($1, $2, 'query', $3, 'public', $4, $5, $6, $6)",
            )
            .bind(&id)
            .bind(number)
            .bind(number % USERS + 1)
            .bind(title)
            .bind(number * 7919 % 10_007)
            .bind(now - number * 60_000)
            .execute(&mut *at)
            .await
            .unwrap();
            let text =
                format!("select count(*) from transactions where block_number > {number} and nonce < {}", number % 97);
            sqlx::query("insert into queries (id, kind, text) values ($1, 'SQL', $2)")
                .bind(&id)
                .bind(text)
                .execute(&mut *at)
                .await
                .unwrap();
            sqlx::query(
                "insert into tags (entity_kind, entity_id, tag_key, tag, creator_id, created_at, updated_at)
                 values ('query', $1, $2, $2, $3, $4, $4)",
            )
            .bind(&id)
            .bind(topic)
            .bind(number % USERS + 1)
            .bind(now)
            .execute(&mut *at)
            .await
            .unwrap();
            index::refresh(&server.app.db, &mut at, &id).await.unwrap();
        }
        at.commit().await.unwrap();
    }
}

#[tokio::test]
#[ignore = "a measurement of some minutes"]
async fn lists_and_searches_are_quick() {
    let server = Server::start().await;
    let start = Instant::now();
    fill(&server).await;
    println!("filled in {:.1} s", start.elapsed().as_secs_f64());
    for path in [
        "/api/discover/queries",
        "/api/discover/queries?sort=time&range=30d",
        "/api/discover/queries?page=100&size=50",
        "/api/discover/queries?search=select",
        "/api/discover/queries?search=select&sort=time&range=7d",
        "/api/discover/queries?search=gas",
        "/api/discover/queries?search=gas%20report&sort=time",
        "/api/discover/queries?search=tag:nft%20-whale",
        "/api/discover/queries?search=%E8%B4%B9%E7%94%A8",
        "/api/discover/queries?search=%22gas%20report%20777%22",
        "/api/discover/queries?search=author:user_4711",
        "/api/discover/queries?search=99999",
        "/api/discover/queries?search=nothinglikethis",
        "/api/discover/creators",
        "/api/discover/creators?search=user_47&sort=time",
        "/api/discover/counts",
        "/api/discover/counts?search=gas",
        "/api/tag/trending",
        "/api/creation/ofUser?userName=user_4711",
    ] {
        server.get(path, None).await.data();
        let mut times: Vec<Duration> = Vec::new();
        let mut total = serde_json::Value::Null;
        for _ in 0..20 {
            let start = Instant::now();
            let answer = server.get(path, None).await;
            times.push(start.elapsed());
            total = answer.data()["total"].clone();
        }
        times.sort();
        let ms = |at: usize| times[at].as_secs_f64() * 1_000.0;
        println!("{:7.1} ms median {:7.1} ms worst  total {total:>7}  {path}", ms(10), ms(19));
    }
}
