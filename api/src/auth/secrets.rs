//! The secret that signs the tokens belongs to the platform database: two servers with different ones would refuse each
//! other's users in turn.

use sqlx::Executor;

use crate::db::Db;

const TOKENS: &str = "tokens";

/// Claims the database for a secret, known by its fingerprint; false where servers with another one use it.
pub async fn claim(db: &Db, fingerprint: &str) -> Result<bool, sqlx::Error> {
    let known = "select fingerprint from token_secrets where name = $1";
    // Nothing is written at most starts: they work on a full disk as well.
    if let Some(known) = sqlx::query_scalar::<_, String>(known).bind(TOKENS).fetch_optional(db.pool()).await? {
        return Ok(known == fingerprint);
    }
    sqlx::query("insert into token_secrets (name, fingerprint) values ($1, $2) on conflict (name) do nothing")
        .bind(TOKENS)
        .bind(fingerprint)
        .execute(db.pool())
        .await?;
    let kept: String = sqlx::query_scalar(known).bind(TOKENS).fetch_one(db.pool()).await?;
    Ok(kept == fingerprint)
}

/// Ends every session and lets the next server that starts bring another secret; false while a server runs.
pub async fn forget(db: &Db) -> Result<bool, sqlx::Error> {
    let mut transaction = db.begin().await?;
    if !db.is_alone(&mut transaction).await? {
        return Ok(false);
    }
    transaction.execute("delete from token_secrets").await?;
    transaction.execute("delete from sessions").await?;
    transaction.commit().await?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::sqlite_url;

    #[tokio::test]
    async fn a_database_takes_one_secret_until_it_is_changed_on_purpose() {
        let home = tempfile::tempdir().unwrap();
        let db = Db::open(&sqlite_url(&home.path().join("platform.db"))).await.unwrap();
        assert!(claim(&db, "one").await.unwrap());
        assert!(claim(&db, "one").await.unwrap(), "the next start of the same server");
        assert!(!claim(&db, "other").await.unwrap());
        assert!(forget(&db).await.unwrap());
        assert!(claim(&db, "other").await.unwrap());
        assert!(!claim(&db, "one").await.unwrap());
    }
}
