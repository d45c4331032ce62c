//! Codes that prove an email address or a phone number: six digits, used once, within ten minutes.

use sha2::{Digest, Sha256};
use sqlx::Row;

use super::token::fill_random;
use crate::db::Db;
use crate::time::now_ms;

/// How long a code works, in milliseconds.
const LIFETIME: i64 = 10 * 60_000;
/// Wrong guesses that one code survives, from wherever they come: four places that guess do not use it up.
const TRIES: i64 = 25;
/// Shortest time between two codes to the same address or number, in milliseconds.
const PAUSE: i64 = 60_000;
/// Codes to the same address or number per hour, whoever asks for them.
const PER_HOUR: i64 = 12;

/// What a code is for; one for registering does not reset a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Register,
    Reset,
    /// Logging in to an account that others guess at.
    Login,
}

/// What a code for logging in is made for: the name, since whoever logs in need not know where it is sent.
pub fn login_target(user_name: &str) -> String {
    format!("user {user_name}")
}

impl Purpose {
    fn name(self) -> &'static str {
        match self {
            Purpose::Register => "register",
            Purpose::Reset => "reset",
            Purpose::Login => "login",
        }
    }
}

/// Makes a code for an address or number, which replaces an earlier one; `None` if there were too many lately.
pub async fn make(db: &Db, target: &str, purpose: Purpose) -> Result<Option<String>, sqlx::Error> {
    let now = now_ms();
    let id = db.next_id("codes").await?;
    // Asked and written in one transaction: many that ask at once are no more than one after the other.
    let mut transaction = db.begin().await?;
    let row = sqlx::query(
        "select count(*) as sent, cast(coalesce(max(created_at), 0) as bigint) as newest
         from codes where target = $1 and purpose = $2 and created_at > $3",
    )
    .bind(target)
    .bind(purpose.name())
    .bind(now - 3_600_000)
    .fetch_one(&mut *transaction)
    .await?;
    let (sent, newest): (i64, i64) = (row.try_get("sent")?, row.try_get("newest")?);
    if sent >= PER_HOUR || now - newest < PAUSE {
        return Ok(None);
    }
    let code = digits();
    sqlx::query("insert into codes (id, target, purpose, code_hash, created_at) values ($1, $2, $3, $4, $5)")
        .bind(id)
        .bind(target)
        .bind(purpose.name())
        .bind(hash(id, &code))
        .bind(now)
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    Ok(Some(code))
}

/// Whether this is the newest code of the address or number; from then on it is used.
pub async fn redeem(db: &Db, target: &str, purpose: Purpose, code: &str) -> Result<bool, sqlx::Error> {
    let now = now_ms();
    let newest = sqlx::query(
        "select id, code_hash from codes where target = $1 and purpose = $2 and created_at > $3
         order by id desc limit 1",
    )
    .bind(target)
    .bind(purpose.name())
    .bind(now - LIFETIME)
    .fetch_optional(db.pool())
    .await?;
    let Some(newest) = newest else { return Ok(false) };
    let (id, kept): (i64, String) = (newest.try_get("id")?, newest.try_get("code_hash")?);
    // Counted before it is compared, so that many guesses at once are not more than one after the other.
    let counted = sqlx::query("update codes set tries = tries + 1 where id = $1 and tries < $2 and used_at is null")
        .bind(id)
        .bind(TRIES)
        .execute(db.pool())
        .await?;
    if counted.rows_affected() == 0 || hash(id, code.trim()) != kept {
        return Ok(false);
    }
    let used = sqlx::query("update codes set used_at = $2 where id = $1 and used_at is null")
        .bind(id)
        .bind(now)
        .execute(db.pool())
        .await?;
    Ok(used.rows_affected() == 1)
}

/// Forgets codes that were made before `before`.
pub async fn forget(db: &Db, before: i64) -> Result<(), sqlx::Error> {
    sqlx::query("delete from codes where created_at < $1").bind(before).execute(db.pool()).await?;
    Ok(())
}

/// Six random digits.
fn digits() -> String {
    // The largest multiple of a million below 2^32: numbers above it would favour small codes.
    const FAIR: u32 = 4_294_000_000;
    loop {
        let mut bytes = [0; 4];
        fill_random(&mut bytes);
        let number = u32::from_le_bytes(bytes);
        if number < FAIR {
            return format!("{:06}", number % 1_000_000);
        }
    }
}

fn hash(id: i64, code: &str) -> String {
    hex::encode(Sha256::digest(format!("{id}:{code}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_six_digits_and_a_hash_of_its_own() {
        let code = digits();
        assert!(code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit()), "{code}");
        assert_ne!(hash(1, &code), hash(2, &code));
    }
}
