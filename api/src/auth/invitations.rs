//! Invitations: codes that make one account each, for servers where not everybody may register.

use sqlx::{Any, Transaction};

use super::secret_codes::{hash, secret_code};
use crate::db::Db;
use crate::time::now_ms;

/// How many days an invitation lasts unless its maker says otherwise.
pub const DAYS: u32 = 7;

/// Makes an invitation that ends at `expires_at`, in milliseconds since 1970; it is shown this once.
pub async fn make(db: &Db, expires_at: i64) -> Result<String, sqlx::Error> {
    let code = secret_code();
    sqlx::query("insert into invitations (code_hash, created_at, expires_at) values ($1, $2, $3)")
        .bind(hash(&code))
        .bind(now_ms())
        .bind(expires_at)
        .execute(db.pool())
        .await?;
    Ok(code)
}

/// Uses an invitation for an account made in the same transaction; `false` where it is wrong, used or too old.
pub(super) async fn take(
    transaction: &mut Transaction<'_, Any>,
    code: &str,
    account: i64,
) -> Result<bool, sqlx::Error> {
    let now = now_ms();
    let taken = sqlx::query(
        "update invitations set used_at = $2, used_by = $3 where code_hash = $1 and used_at is null and expires_at > $2",
    )
    .bind(hash(code))
    .bind(now)
    .bind(account)
    .execute(&mut **transaction)
    .await?;
    Ok(taken.rows_affected() == 1)
}

/// Forgets invitations that ended before `before`.
pub async fn forget(db: &Db, before: i64) -> Result<(), sqlx::Error> {
    sqlx::query("delete from invitations where expires_at < $1").bind(before).execute(db.pool()).await?;
    Ok(())
}
