//! Invitations: codes that make one account each, for servers where not everybody may register.

use serde::{Deserialize, Serialize};
use sqlx::{Any, FromRow, Transaction};
use utoipa::ToSchema;

use super::secret_codes::{hash, secret_code};
use crate::db::Db;
use crate::db::list::{List, Page, Paged};
use crate::time::now_ms;

/// How many days an invitation lasts unless its maker says otherwise.
pub const DAYS: u32 = 7;
/// How many days an invitation may last.
pub const MOST_DAYS: u32 = 365;
/// Characters of the hash of a code that identify its invitation.
const ID: usize = 12;
const DAY_MS: i64 = 86_400_000;

/// An invitation to be made.
#[derive(Debug, Clone, Copy)]
pub struct NewInvitation<'a> {
    /// The account that makes it; `None` for the command line.
    pub created_by: Option<i64>,
    /// The only email address that somebody may register with, as `rules::contact` writes it.
    pub email: Option<&'a str>,
    /// When it ends, in milliseconds since 1970.
    pub expires_at: i64,
}

/// An invitation that was made. The code is shown this once.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MadeInvitation {
    pub id: String,
    /// What somebody registers with; only its hash is kept.
    pub code: String,
    /// In milliseconds since 1970.
    pub expires_at: i64,
}

/// What has become of an invitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum InvitationState {
    /// It can be used.
    #[default]
    Open,
    Used,
    Expired,
    Withdrawn,
}

/// An invitation as administrators see it.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Invitation {
    /// Part of the hash of the code.
    pub id: String,
    #[sqlx(skip)]
    pub state: InvitationState,
    /// Name of the account that made it; null for one of the command line.
    pub created_by: Option<String>,
    /// The only email address that it works for; null if it works for any.
    pub email: Option<String>,
    /// Milliseconds since 1970, like every time here.
    pub created_at: i64,
    pub expires_at: i64,
    pub used_at: Option<i64>,
    /// Name of the account that was made with it.
    pub used_by: Option<String>,
    pub withdrawn_at: Option<i64>,
}

/// Which invitations.
#[derive(Debug, Clone, Copy, Default)]
pub struct Filter<'a> {
    pub state: Option<InvitationState>,
    /// Part of the email address.
    pub email: Option<&'a str>,
}

/// Why an invitation was not withdrawn.
#[derive(Debug)]
pub enum WithdrawError {
    Unknown,
    /// It was used or withdrawn, or has expired.
    Over,
    Database(sqlx::Error),
}

impl From<sqlx::Error> for WithdrawError {
    fn from(error: sqlx::Error) -> WithdrawError {
        WithdrawError::Database(error)
    }
}

/// The moment so many days from now, in milliseconds since 1970.
pub fn after_days(days: u32) -> i64 {
    now_ms() + i64::from(days) * DAY_MS
}

pub async fn make(db: &Db, new: &NewInvitation<'_>) -> Result<MadeInvitation, sqlx::Error> {
    let code = secret_code();
    let hash = hash(&code);
    sqlx::query(
        "insert into invitations (code_hash, created_at, created_by, email, expires_at) values ($1, $2, $3, $4, $5)",
    )
    .bind(&hash)
    .bind(now_ms())
    .bind(new.created_by)
    .bind(new.email)
    .bind(new.expires_at)
    .execute(db.pool())
    .await?;
    let id = hash.chars().take(ID).collect();
    Ok(MadeInvitation { id, code, expires_at: new.expires_at })
}

/// Uses an invitation for an account made in the same transaction. `false` if it is wrong, used, withdrawn, expired, or for another
/// email address.
pub(super) async fn take(
    transaction: &mut Transaction<'_, Any>,
    code: &str,
    account: i64,
    email: Option<&str>,
) -> Result<bool, sqlx::Error> {
    let taken = sqlx::query(
        "update invitations set used_at = $2, used_by = $3
         where code_hash = $1 and used_at is null and withdrawn_at is null and expires_at > $2
         and (email is null or email = $4)",
    )
    .bind(hash(code))
    .bind(now_ms())
    .bind(account)
    // No invitation is for an empty address.
    .bind(email.unwrap_or_default())
    .execute(&mut **transaction)
    .await?;
    Ok(taken.rows_affected() == 1)
}

/// Ends an open invitation; returns the email address that it was for.
pub async fn withdraw(db: &Db, id: &str) -> Result<Option<String>, WithdrawError> {
    let now = now_ms();
    let withdrawn = sqlx::query_scalar(
        "update invitations set withdrawn_at = $2
         where substr(code_hash, 1, 12) = $1 and used_at is null and withdrawn_at is null and expires_at > $2
         returning email",
    )
    .bind(id)
    .bind(now)
    .fetch_optional(db.pool())
    .await?;
    if let Some(email) = withdrawn {
        return Ok(email);
    }
    let known: i64 = sqlx::query_scalar("select count(*) from invitations where substr(code_hash, 1, 12) = $1")
        .bind(id)
        .fetch_one(db.pool())
        .await?;
    Err(if known == 0 { WithdrawError::Unknown } else { WithdrawError::Over })
}

/// Invitations, newest first.
pub async fn list(db: &Db, filter: Filter<'_>, page: Page) -> Result<Paged<Invitation>, sqlx::Error> {
    let now = now_ms();
    let list = List::new(
        "substr(code_hash, 1, 12) as id, makers.user_name as created_by, invitations.email,
         invitations.created_at, expires_at, used_at, guests.user_name as used_by, withdrawn_at",
        "invitations",
        "invitations.created_at desc, code_hash desc",
    )
    .joined(
        "left join users makers on makers.id = invitations.created_by
         left join users guests on guests.id = invitations.used_by",
    )
    .contains_small("invitations.email", filter.email);
    let list = match filter.state {
        None => list,
        Some(InvitationState::Used) => list.only("used_at is not null"),
        Some(InvitationState::Withdrawn) => list.only("withdrawn_at is not null"),
        Some(InvitationState::Open) => {
            list.only("used_at is null and withdrawn_at is null").between("expires_at", Some(now + 1), None)
        }
        Some(InvitationState::Expired) => {
            list.only("used_at is null and withdrawn_at is null").between("expires_at", None, Some(now + 1))
        }
    };
    let found = list.page::<Invitation>(db, page).await?;
    Ok(found.map(|invitation| Invitation { state: state(&invitation, now), ..invitation }))
}

fn state(invitation: &Invitation, now: i64) -> InvitationState {
    match invitation {
        Invitation { used_at: Some(_), .. } => InvitationState::Used,
        Invitation { withdrawn_at: Some(_), .. } => InvitationState::Withdrawn,
        Invitation { expires_at, .. } if *expires_at <= now => InvitationState::Expired,
        _ => InvitationState::Open,
    }
}

/// Forgets invitations that ended before `before`.
pub async fn forget(db: &Db, before: i64) -> Result<(), sqlx::Error> {
    sqlx::query("delete from invitations where expires_at < $1").bind(before).execute(db.pool()).await?;
    Ok(())
}
