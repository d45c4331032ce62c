//! SCRAM-SHA-256 (RFC 5802 and 7677): clients of PostgreSQL prove that they know a password without sending it. An account has
//! a verifier for it beside the hash of its password, made whenever the password itself passes by.

mod exchange;
mod verifier;

use crate::auth::login::Verified;
use crate::db::Db;

pub use exchange::{Exchange, Malformed};
pub use verifier::Verifier;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Keeps a verifier of the password whose hash the account has.
pub async fn keep(db: &Db, account: Verified<'_>, password: &str) -> Result<(), Failure> {
    let password = password.to_string();
    let verifier = tokio::task::spawn_blocking(move || Verifier::of(&password)).await?;
    sqlx::query(
        "insert into scram_verifiers (user_id, password_hash, verifier) values ($1, $2, $3)
         on conflict (user_id) do update set password_hash = excluded.password_hash, verifier = excluded.verifier",
    )
    .bind(account.id)
    .bind(account.password_hash)
    .bind(verifier.to_string())
    .execute(db.pool())
    .await?;
    Ok(())
}

/// The same where the account has none. A failure is logged: it keeps nobody from logging in.
pub async fn keep_missing(db: &Db, account: Verified<'_>, password: &str) {
    let kept = async {
        match find(db, account).await? {
            Some(_) => Ok(()),
            None => keep(db, account, password).await,
        }
    };
    if let Err(error) = kept.await {
        tracing::error!(%error, user = account.id, "what clients of PostgreSQL log in with could not be kept");
    }
}

/// The verifier of the account's password, if one was kept since that was set.
pub async fn find(db: &Db, account: Verified<'_>) -> Result<Option<Verifier>, Failure> {
    let kept: Option<String> =
        sqlx::query_scalar("select verifier from scram_verifiers where user_id = $1 and password_hash = $2")
            .bind(account.id)
            .bind(account.password_hash)
            .fetch_optional(db.pool())
            .await?;
    kept.map(|text| text.parse().map_err(Failure::from)).transpose()
}
