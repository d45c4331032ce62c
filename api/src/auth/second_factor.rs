//! The optional second factor: one-time codes of an authenticator app (TOTP, RFC 6238), and recovery codes in case it is lost.

use anyhow::anyhow;
use qrcode::QrCode;
use qrcode::render::svg;
use serde::Serialize;
use sqlx::{Any, Row, Transaction};
use totp_rs::{Builder, Secret, Totp};
use utoipa::ToSchema;

use super::seal::Seal;
use super::secret_codes::{hash, looks_like_one, secret_code};
use super::token::fill_random;
use crate::db::Db;
use crate::time::now_ms;

/// Recovery codes of an account.
const RECOVERY_CODES: usize = 10;
/// Bytes of the secret, as RFC 4226 recommends.
const SECRET: usize = 20;
/// Width and height of the QR code, in pixels.
const PICTURE: u32 = 220;

/// What an authenticator app is set up with. Shown once.
#[derive(Debug)]
pub struct Setup {
    /// The secret in Base32, for typing.
    pub secret: String,
    /// The `otpauth` link.
    pub url: String,
    /// The link as a QR code, an SVG picture.
    pub picture: String,
}

/// Whether an account has a second factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactor {
    pub on: bool,
    /// When it was turned on, in milliseconds since 1970; null if it is off.
    pub since: Option<i64>,
    /// Unused recovery codes.
    pub recovery_codes: i64,
}

pub async fn state(db: &Db, user: i64) -> Result<SecondFactor, sqlx::Error> {
    let since: Option<Option<i64>> = sqlx::query_scalar("select confirmed_at from second_factors where user_id = $1")
        .bind(user)
        .fetch_optional(db.pool())
        .await?;
    let left = sqlx::query_scalar("select count(*) from recovery_codes where user_id = $1 and used_at is null");
    let recovery_codes = left.bind(user).fetch_one(db.pool()).await?;
    let since = since.flatten();
    Ok(SecondFactor { on: since.is_some(), since, recovery_codes })
}

pub async fn is_on(db: &Db, user: i64) -> Result<bool, sqlx::Error> {
    let on: i64 =
        sqlx::query_scalar("select count(*) from second_factors where user_id = $1 and confirmed_at is not null")
            .bind(user)
            .fetch_one(db.pool())
            .await?;
    Ok(on > 0)
}

/// Begins the set-up, replacing one that was not finished. `None` if the account already has a second factor.
pub async fn begin(db: &Db, seal: &Seal, user: i64, user_name: &str) -> anyhow::Result<Option<Setup>> {
    let mut secret = [0; SECRET];
    fill_random(&mut secret);
    let begun = sqlx::query(
        "insert into second_factors (user_id, secret, created_at) values ($1, $2, $3)
         on conflict (user_id) do update set secret = $2, created_at = $3, last_step = 0
         where second_factors.confirmed_at is null",
    )
    .bind(user)
    .bind(seal.close(user, &secret)?)
    .bind(now_ms())
    .execute(db.pool())
    .await?;
    if begun.rows_affected() == 0 {
        return Ok(None);
    }
    let secret = Secret::from(secret).to_base32();
    // A user name has only letters, digits and underscores, so nothing needs to be escaped.
    let url = format!("otpauth://totp/Quarry:{user_name}?secret={secret}&issuer=Quarry");
    let code = QrCode::new(&url)?;
    let picture = code.render::<svg::Color<'_>>().min_dimensions(PICTURE, PICTURE).build();
    Ok(Some(Setup { secret, url, picture }))
}

/// Finishes the set-up and returns the recovery codes. `None` if the code is wrong or no set-up was begun.
pub async fn confirm(db: &Db, seal: &Seal, user: i64, code: &str) -> anyhow::Result<Option<Vec<String>>> {
    let Some(step) = step(db, seal, user, false, code).await? else { return Ok(None) };
    let mut transaction = db.begin().await?;
    let confirmed = sqlx::query(
        "update second_factors set confirmed_at = $2, last_step = $3 where user_id = $1 and confirmed_at is null",
    )
    .bind(user)
    .bind(now_ms())
    .bind(step)
    .execute(&mut *transaction)
    .await?;
    if confirmed.rows_affected() == 0 {
        return Ok(None);
    }
    let codes = replace_recovery_codes(&mut transaction, user).await?;
    transaction.commit().await?;
    Ok(Some(codes))
}

/// Redeems a code of the app or a recovery code. Each works once.
pub async fn redeem(db: &Db, seal: &Seal, user: i64, code: &str) -> anyhow::Result<bool> {
    if looks_like_one(code) {
        return Ok(recover(db, user, code).await?);
    }
    let Some(step) = step(db, seal, user, true, code).await? else { return Ok(false) };
    // A code works once, also when two requests bring it at the same time.
    let used = sqlx::query("update second_factors set last_step = $2 where user_id = $1 and last_step < $2")
        .bind(user)
        .bind(step)
        .execute(db.pool())
        .await?;
    Ok(used.rows_affected() == 1)
}

/// Whether a text has the form of a recovery code. These are too long to be guessed, so they are not throttled.
pub fn is_recovery_code(code: &str) -> bool {
    looks_like_one(code)
}

/// Replaces the recovery codes of an account.
pub async fn renew_recovery_codes(db: &Db, user: i64) -> Result<Vec<String>, sqlx::Error> {
    let mut transaction = db.begin().await?;
    let codes = replace_recovery_codes(&mut transaction, user).await?;
    transaction.commit().await?;
    Ok(codes)
}

/// Removes the second factor. `false` if there is none.
pub async fn remove(db: &Db, user: i64) -> Result<bool, sqlx::Error> {
    let mut transaction = db.begin().await?;
    let removed = sqlx::query("delete from second_factors where user_id = $1")
        .bind(user)
        .execute(&mut *transaction)
        .await?
        .rows_affected();
    sqlx::query("delete from recovery_codes where user_id = $1").bind(user).execute(&mut *transaction).await?;
    transaction.commit().await?;
    Ok(removed > 0)
}

async fn recover(db: &Db, user: i64, code: &str) -> Result<bool, sqlx::Error> {
    let used =
        sqlx::query("update recovery_codes set used_at = $3 where user_id = $1 and code_hash = $2 and used_at is null")
            .bind(user)
            .bind(hash(code))
            .bind(now_ms())
            .execute(db.pool())
            .await?;
    Ok(used.rows_affected() == 1)
}

async fn replace_recovery_codes(transaction: &mut Transaction<'_, Any>, user: i64) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query("delete from recovery_codes where user_id = $1").bind(user).execute(&mut **transaction).await?;
    let codes: Vec<String> = std::iter::repeat_with(secret_code).take(RECOVERY_CODES).collect();
    for code in &codes {
        sqlx::query("insert into recovery_codes (user_id, code_hash) values ($1, $2)")
            .bind(user)
            .bind(hash(code))
            .execute(&mut **transaction)
            .await?;
    }
    Ok(codes)
}

/// The 30-second step of a code: the current one, or one before or after it to allow for clock skew.
async fn step(db: &Db, seal: &Seal, user: i64, confirmed: bool, code: &str) -> anyhow::Result<Option<i64>> {
    let row = sqlx::query("select secret, confirmed_at from second_factors where user_id = $1")
        .bind(user)
        .fetch_optional(db.pool())
        .await?;
    let Some(row) = row else { return Ok(None) };
    if row.try_get::<Option<i64>, _>("confirmed_at")?.is_some() != confirmed {
        return Ok(None);
    }
    let secret = seal.open(user, row.try_get("secret")?).map_err(|_| {
        anyhow!("the second factor of account {user} was encrypted with another token_secret; remove it")
    })?;
    let seconds = u64::try_from(now_ms() / 1000).unwrap_or_default();
    let digits: String = code.chars().take(20).filter(char::is_ascii_digit).collect();
    Ok(totp(secret)?.check(&digits, seconds).and_then(|step| i64::try_from(step).ok()))
}

/// SHA-1, six digits, 30 seconds: what every authenticator app supports.
fn totp(secret: Vec<u8>) -> anyhow::Result<Totp> {
    Builder::new().with_secret(secret).build().map_err(|error| anyhow!("{error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_standard() {
        // The secret and the times of RFC 6238, appendix B; of its eight digits an app shows the last six.
        let totp = totp(b"12345678901234567890".to_vec()).unwrap();
        for (seconds, code) in [(59, "287082"), (1_111_111_109, "081804"), (20_000_000_000, "353130")] {
            assert_eq!(totp.check(code, seconds), Some(seconds / 30));
            assert_eq!(totp.check(code, seconds + 30), Some(seconds / 30));
            assert_eq!(totp.check(code, seconds + 90), None);
        }
    }
}
