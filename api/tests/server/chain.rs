//! What the lake holds and how it fares.

use quarry::auth::{ROLE_ADMIN, accounts};

use crate::harness::{PASSWORD, Server, text};

#[tokio::test]
async fn only_an_administrator_sees_how_the_lake_fares() {
    let server = Server::start().await;
    let eve = server.register("eve").await;
    server.get("/api/chain/monitor", None).await.failure(401, "unauthenticated");
    server.get("/api/chain/monitor", Some(&eve)).await.failure(403, "forbidden");

    let hash = server.app.auth.passwords.hash(PASSWORD).await.unwrap();
    accounts::reset(&server.app.db, "eve", &hash, ROLE_ADMIN).await.unwrap();
    let admin = text(&server.login("eve", PASSWORD).await.data()["token"]);
    server.app.engine.lake().record_verification_failure(Some(7), "The receipts root differs.").await.unwrap();
    let monitor = server.get("/api/chain/monitor", Some(&admin)).await.data();
    assert_eq!(monitor["verificationFailures"], 1);
    assert_eq!(monitor["lastFailures"][0]["block"], 7);
    assert_eq!(monitor["tables"][0]["name"], "blocks");
    assert!(monitor["gaps"].as_array().unwrap().is_empty(), "{monitor}");
}
