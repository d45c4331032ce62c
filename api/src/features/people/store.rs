//! Users in the platform database, for administrators.

use sqlx::{FromRow, Row};

use super::model::{DayPeople, PeopleParams, PeopleSummary, Person};
use crate::auth::sessions::ONLINE;
use crate::db::Db;
use crate::db::list::{List, Page, Paged};
use crate::time::now_ms;

/// In milliseconds.
const DAY: i64 = 86_400_000;
/// Beyond so many a count need not be of this very moment.
const MANY: i64 = 10_000;

pub fn list(params: &PeopleParams) -> List {
    let list = List::new(
        "users.id as user_id, user_name, head_photo, role, email, phone, career, address, disabled, created_at,
         (select count(*) from second_factors where user_id = users.id and confirmed_at is not null) as second_factor,
         (select max(last_seen_at) from sessions where sessions.user_id = users.id) as last_seen_at",
        "users",
        "users.id desc",
    )
    .contains_small("user_name", params.user_name.as_deref())
    .contains_small("email", params.email.as_deref())
    .contains_small("phone", params.phone.as_deref())
    .text("role", params.role.as_deref())
    .number("disabled", params.disabled.map(i64::from))
    .between("created_at", params.from, params.to);
    match params.second_factor {
        None => list,
        Some(true) => list.only("users.id in (select user_id from second_factors where confirmed_at is not null)"),
        Some(false) => list.only("users.id not in (select user_id from second_factors where confirmed_at is not null)"),
    }
}

pub async fn page(db: &Db, params: &PeopleParams) -> Result<Paged<Person>, sqlx::Error> {
    list(params).page(db, Page { page: params.page, size: params.size }).await
}

/// Accounts made and logins per day of the last `days` days, oldest first; days without any are missing.
pub async fn days(db: &Db, days: i64) -> Result<Vec<DayPeople>, sqlx::Error> {
    let rows = sqlx::query(
        "select day, cast(sum(made) as bigint) as new_users, cast(sum(logins) as bigint) as logins,
         cast(sum(people) as bigint) as users from (
           select created_at / 86400000 * 86400000 as day, count(*) as made, 0 as logins, 0 as people
             from users where created_at >= $1 group by created_at / 86400000
           union all
           select acted_at / 86400000 * 86400000 as day, 0 as made, count(*) as logins,
             count(distinct user_id) as people
             from login_records where action = 'login' and acted_at >= $1 group by acted_at / 86400000) counted
         group by day order by day",
    )
    .bind(now_ms() / DAY * DAY - (days - 1) * DAY)
    .fetch_all(db.pool())
    .await?;
    rows.iter().map(DayPeople::from_row).collect()
}

pub async fn summary(db: &Db) -> Result<PeopleSummary, sqlx::Error> {
    let now = now_ms();
    let row = sqlx::query(
        // Each from an index alone.
        "select (select count(*) from users where created_at >= $1) as new_users,
         (select count(*) from users where disabled = 1) as disabled_users",
    )
    .bind(now - DAY)
    .fetch_one(db.pool())
    .await?;
    let online_users = sqlx::query_scalar(
        "select count(distinct user_id) from sessions
         where revoked_at is null and expires_at > $1 and last_seen_at >= $2",
    )
    .bind(now)
    .bind(now - ONLINE)
    .fetch_one(db.pool())
    .await?;
    // What may be many is counted every few seconds.
    let users = sqlx::query_scalar("select count(*) from users").fetch_one(db.pool());
    let jobs = sqlx::query_scalar("select count(*) from jobs").fetch_one(db.pool());
    let users = db.counted().of("users".to_string(), MANY, users).await?;
    let jobs = db.counted().of("jobs".to_string(), MANY, jobs).await?;
    Ok(PeopleSummary {
        users,
        new_users: row.try_get("new_users")?,
        online_users,
        disabled_users: row.try_get("disabled_users")?,
        jobs,
    })
}
