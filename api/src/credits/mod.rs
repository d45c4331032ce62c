//! Credits: what users gain when others use their creations, by rules that administrators edit.

use std::collections::BTreeSet;

use serde::Serialize;
use sqlx::{AnyConnection, FromRow, Row};
use utoipa::ToSchema;

use crate::creations::store;
use crate::db::Db;
use crate::db::list::{List, Page, Paged};
use crate::time::now_ms;

/// What earns credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Somebody marked a creation as a favourite.
    Favourite,
    /// Somebody forked a query.
    Fork,
    /// A dashboard was published.
    Dashboard,
}

impl Rule {
    fn key(self) -> &'static str {
        match self {
            Rule::Favourite => "favourite",
            Rule::Fork => "fork",
            Rule::Dashboard => "dashboard",
        }
    }
}

/// The counter of entries.
pub const ENTRIES: &str = "credit_entries";
/// Rule of entries that an administrator writes by hand.
const BY_HAND: &str = "manual";

/// A rule as administrators edit it.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct CreditRule {
    /// `favourite`, `fork` or `dashboard`.
    pub rule_key: String,
    /// Credits per event; entries that were made before keep theirs.
    pub points: i64,
    #[schema(value_type = bool)]
    pub enabled: crate::db::Truth,
    pub note: String,
}

/// One gain or loss.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct CreditEntry {
    pub id: i64,
    pub user_id: i64,
    pub user_name: String,
    /// The rule, or `manual` for an entry that an administrator wrote.
    pub rule_key: String,
    pub points: i64,
    /// What it is for, as one word: the rule, and the ids of the creation and of who did it.
    pub subject: String,
    /// What the creation that it is for is called now; empty without one.
    #[sqlx(default)]
    pub title: String,
    pub note: String,
    /// Milliseconds since 1970.
    pub created_at: i64,
}

impl CreditEntry {
    /// The creation that it is for.
    fn creation(&self) -> Option<String> {
        self.subject.split(':').nth(1).filter(|_| self.rule_key != BY_HAND).map(str::to_string)
    }
}

/// What one user has gained.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Revenue {
    pub user_id: i64,
    pub user_name: String,
    /// Sum of all entries.
    pub credits: i64,
    pub entries: i64,
    /// Time of the newest entry, in milliseconds since 1970.
    pub last_at: i64,
}

/// Which entries.
#[derive(Debug, Default)]
pub struct Filter<'a> {
    pub user_id: Option<i64>,
    pub user_name: Option<&'a str>,
    pub rule: Option<&'a str>,
    pub from: Option<i64>,
    pub to: Option<i64>,
}

/// Credits a user by a rule, once per subject; a subject names the event (`dashboard:7:by:3`). Nothing happens while the
/// rule is off.
pub async fn award(db: &Db, user_id: i64, rule: Rule, subject: &str) -> Result<(), sqlx::Error> {
    let id = db.next_id(ENTRIES).await?;
    award_at(&mut *db.pool().acquire().await?, id, user_id, rule, subject).await
}

/// The same within a transaction; `id` is the next of the counter [`ENTRIES`], taken before it.
pub async fn award_at(
    at: &mut AnyConnection,
    id: i64,
    user_id: i64,
    rule: Rule,
    subject: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into credit_entries (id, user_id, rule_key, points, subject, note, created_at)
         select $1, $2, rule_key, points, $3, '', $4 from credit_rules where rule_key = $5 and enabled = 1
         on conflict do nothing",
    )
    .bind(id)
    .bind(user_id)
    .bind(subject)
    .bind(now_ms())
    .bind(rule.key())
    .execute(at)
    .await?;
    Ok(())
}

/// Takes the credits of a subject back: a favourite was removed.
pub async fn withdraw(at: &mut AnyConnection, rule: Rule, subject: &str) -> Result<(), sqlx::Error> {
    sqlx::query("delete from credit_entries where rule_key = $1 and subject = $2")
        .bind(rule.key())
        .bind(subject)
        .execute(at)
        .await?;
    Ok(())
}

/// Credits or debits a user by hand; answers the id of the entry.
pub async fn write(db: &Db, user_id: i64, points: i64, note: &str) -> Result<i64, sqlx::Error> {
    let id = db.next_id(ENTRIES).await?;
    sqlx::query(
        "insert into credit_entries (id, user_id, rule_key, points, subject, note, created_at)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(id)
    .bind(user_id)
    .bind(BY_HAND)
    .bind(points)
    .bind(format!("{BY_HAND}:{id}"))
    .bind(note)
    .bind(now_ms())
    .execute(db.pool())
    .await?;
    Ok(id)
}

/// Credits of a user.
pub async fn balance(db: &Db, user_id: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("select cast(coalesce(sum(points), 0) as bigint) from credit_entries where user_id = $1")
        .bind(user_id)
        .fetch_one(db.pool())
        .await
}

pub async fn rules(db: &Db) -> Result<Vec<CreditRule>, sqlx::Error> {
    let rows = sqlx::query("select rule_key, points, enabled, note from credit_rules order by rule_key")
        .fetch_all(db.pool())
        .await?;
    rows.iter().map(CreditRule::from_row).collect()
}

/// Changes a rule; false if there is none of this key.
pub async fn change_rule(db: &Db, key: &str, points: i64, enabled: bool, note: &str) -> Result<bool, sqlx::Error> {
    let changed = sqlx::query("update credit_rules set points = $2, enabled = $3, note = $4 where rule_key = $1")
        .bind(key)
        .bind(points)
        .bind(i64::from(enabled))
        .bind(note)
        .execute(db.pool())
        .await?;
    Ok(changed.rows_affected() > 0)
}

/// Entries, newest first.
pub async fn entries(db: &Db, filter: &Filter<'_>, page: Page) -> Result<Paged<CreditEntry>, sqlx::Error> {
    let mut found: Paged<CreditEntry> = List::new(
        "credit_entries.id, user_id, user_name, rule_key, points, subject, note, credit_entries.created_at",
        "credit_entries",
        "credit_entries.created_at desc, credit_entries.id desc",
    )
    .joined("left join users on users.id = user_id")
    .number("user_id", filter.user_id)
    .of_user("user_id", filter.user_name)
    .text("rule_key", filter.rule)
    .between("credit_entries.created_at", filter.from, filter.to)
    .page(db, page)
    .await?;
    let creations: Vec<Option<String>> = found.items.iter().map(CreditEntry::creation).collect();
    let ids: BTreeSet<&str> = creations.iter().flatten().map(String::as_str).collect();
    let titles = store::titles(db, &ids.into_iter().collect::<Vec<_>>()).await?;
    for (entry, creation) in found.items.iter_mut().zip(&creations) {
        entry.title = creation.as_ref().and_then(|id| titles.get(id)).cloned().unwrap_or_default();
    }
    Ok(found)
}

/// Gains per user, the largest first.
pub async fn revenue(db: &Db, user_name: Option<&str>, page: Page) -> Result<Paged<Revenue>, sqlx::Error> {
    List::new("user_id, user_name, credits, entries, last_at", "credit_sums", "credits desc, user_id")
        .joined("left join users on users.id = user_id")
        .of_user("user_id", user_name)
        .page(db, page)
        .await
}

/// Credits of one rule on one day in UTC.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct DayCredits {
    /// Start of the day, in milliseconds since 1970.
    pub day: i64,
    /// The rule, or `manual` for entries that an administrator wrote.
    pub rule_key: String,
    pub points: i64,
}

/// Credits per day and rule from a day on, which is named by its start; oldest first; days without any are missing.
pub async fn days(db: &Db, from: i64) -> Result<Vec<DayCredits>, sqlx::Error> {
    let rows = sqlx::query("select day, rule_key, points from credit_days where day >= $1 order by day, rule_key")
        .bind(from)
        .fetch_all(db.pool())
        .await?;
    rows.iter().map(DayCredits::from_row).collect()
}

/// Sum of all credits and how many users hold some.
pub async fn totals(db: &Db) -> Result<(i64, i64), sqlx::Error> {
    let row = sqlx::query(
        "select cast(coalesce(sum(credits), 0) as bigint) as credits, count(*) as holders from credit_sums",
    )
    .fetch_one(db.pool())
    .await?;
    Ok((row.try_get("credits")?, row.try_get("holders")?))
}
