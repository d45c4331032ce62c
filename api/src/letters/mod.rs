//! Private letters between users, in the platform database.

use sqlx::FromRow;

use crate::db::Db;
use crate::time::now_ms;

/// Characters of one letter.
pub const LONGEST: usize = 2_000;
/// Characters of the name that a sender gives a letter.
pub const LONGEST_TIME: usize = 100;

/// A letter to be kept.
#[derive(Debug)]
pub struct NewLetter<'a> {
    pub from: i64,
    pub to: i64,
    pub content: &'a str,
    /// What the sender calls it: `id@@@timestamp`.
    pub client_time: &'a str,
}

/// What became of a letter.
#[derive(Debug, PartialEq, Eq)]
pub enum Kept {
    /// It is new; when it was kept, in milliseconds since 1970.
    New(i64),
    /// The sender sent it before: nothing is to be done but to acknowledge it again.
    Again,
    /// The sender called another letter so: this one was not kept.
    Other,
}

/// A letter as one of the two reads it.
#[derive(Debug, FromRow)]
pub struct Letter {
    pub id: i64,
    pub content: String,
    pub from_name: String,
    pub to_name: String,
    /// Milliseconds since 1970.
    pub sent_at: i64,
    pub read_at: Option<i64>,
}

/// The newest letter with one other person.
#[derive(Debug, FromRow)]
pub struct Contact {
    pub user_id: i64,
    pub user_name: String,
    pub head_photo: String,
    pub content: String,
    pub sent_at: i64,
    pub unread: i64,
}

/// Keeps a letter, once per name that its sender gave it. Another letter of that name is not kept.
pub async fn keep(db: &Db, letter: &NewLetter<'_>) -> Result<Kept, sqlx::Error> {
    let now = now_ms();
    let id = db.next_id("letters").await?;
    let inserted = sqlx::query(
        "insert into letters (id, from_id, to_id, content, client_time, sent_at) values ($1, $2, $3, $4, $5, $6)
         on conflict (from_id, client_time) do nothing",
    )
    .bind(id)
    .bind(letter.from)
    .bind(letter.to)
    .bind(letter.content)
    .bind(letter.client_time)
    .bind(now)
    .execute(db.pool())
    .await?;
    if inserted.rows_affected() == 1 {
        return Ok(Kept::New(now));
    }
    let same: i64 = sqlx::query_scalar(
        "select count(*) from letters where from_id = $1 and client_time = $2 and to_id = $3 and content = $4",
    )
    .bind(letter.from)
    .bind(letter.client_time)
    .bind(letter.to)
    .bind(letter.content)
    .fetch_one(db.pool())
    .await?;
    Ok(if same > 0 { Kept::Again } else { Kept::Other })
}

/// Whether somebody wrote what this user has not read.
pub async fn has_unread(db: &Db, user: i64) -> Result<bool, sqlx::Error> {
    let unread: i64 = sqlx::query_scalar(
        "select count(*) from (select 1 from letters where to_id = $1 and read_at is null limit 1) first",
    )
    .bind(user)
    .fetch_one(db.pool())
    .await?;
    Ok(unread > 0)
}

/// Everybody this user wrote with: those with unread letters first, then the latest.
pub async fn contacts(db: &Db, user: i64) -> Result<Vec<Contact>, sqlx::Error> {
    let rows = sqlx::query(
        // Looked up for each, of which there are few: joins would read all users and letters.
        "select other as user_id, (select user_name from users where users.id = other) as user_name,
           (select head_photo from users where users.id = other) as head_photo,
           (select content from letters where letters.id = newest) as content,
           (select sent_at from letters where letters.id = newest) as sent_at, unread
         from (select other, max(newest) as newest,
               (select count(*) from letters where to_id = $1 and from_id = other and read_at is null) as unread
               from (select to_id as other, max(id) as newest from letters where from_id = $1 group by to_id
                 union all select from_id, max(id) from letters where to_id = $1 group by from_id) ways
               group by other) threads
         order by case when unread > 0 then 0 else 1 end, sent_at desc, other",
    )
    .bind(user)
    .fetch_all(db.pool())
    .await?;
    rows.iter().map(Contact::from_row).collect()
}

/// Letters between two users, oldest first: the newest `limit` of those before the letter `before`.
pub async fn thread(
    db: &Db,
    user: i64,
    other: i64,
    before: Option<i64>,
    limit: i64,
) -> Result<Vec<Letter>, sqlx::Error> {
    let rows = sqlx::query(
        "select letters.id, content, senders.user_name as from_name, receivers.user_name as to_name, sent_at, read_at
         from letters join users senders on senders.id = from_id join users receivers on receivers.id = to_id
         where ((from_id = $1 and to_id = $2) or (from_id = $2 and to_id = $1)) and letters.id < $3
         order by letters.id desc limit $4",
    )
    .bind(user)
    .bind(other)
    .bind(before.unwrap_or(i64::MAX))
    .bind(limit)
    .fetch_all(db.pool())
    .await?;
    rows.iter().rev().map(Letter::from_row).collect()
}

/// Marks what `other` wrote to this user as read; answers how many letters that were.
pub async fn set_read(db: &Db, user: i64, other: i64) -> Result<u64, sqlx::Error> {
    let read = sqlx::query("update letters set read_at = $3 where to_id = $1 and from_id = $2 and read_at is null")
        .bind(user)
        .bind(other)
        .bind(now_ms())
        .execute(db.pool())
        .await?;
    Ok(read.rows_affected())
}

/// Id of an account that letters can be written to.
pub async fn receiver(db: &Db, user_name: &str) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar("select id from users where user_name = $1 and disabled = 0")
        .bind(user_name)
        .fetch_optional(db.pool())
        .await
}

/// Id of an account that letters may have come from, even one that is disabled now.
pub async fn correspondent(db: &Db, user_name: &str) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar("select id from users where user_name = $1").bind(user_name).fetch_optional(db.pool()).await
}
