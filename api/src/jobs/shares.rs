//! Which tables of users somebody may read: the one place that turns accounts into the engine's schemas.

use quarry_runtime::job::{Schemas, SharedTable};
use sqlx::Row;

use crate::auth::CurrentUser;
use crate::db::Db;
use crate::time::now_ms;

/// The reader that stands for every account.
pub const EVERYBODY: i64 = 0;

/// The schema of an account.
pub fn schema_of(user_name: &str) -> String {
    format!("user_{user_name}")
}

/// What a job of this account may read and write.
pub async fn schemas(db: &Db, user: &CurrentUser) -> Result<Schemas, sqlx::Error> {
    let rows = sqlx::query(
        "select distinct user_name, table_name, created from table_shares join users on users.id = owner_id
         where (reader_id = $1 or reader_id = 0) and owner_id <> $1 order by user_name, table_name, created",
    )
    .bind(user.id)
    .fetch_all(db.pool())
    .await?;
    let mut shared = Vec::new();
    for row in rows {
        let created: i64 = row.try_get(2)?;
        shared.push(SharedTable {
            schema: schema_of(row.try_get(0)?),
            table: row.try_get(1)?,
            created: u64::try_from(created).unwrap_or_default(),
        });
    }
    Ok(Schemas { own: Some(schema_of(&user.name)), shared, curator: user.is_admin(), ..Schemas::default() })
}

/// Who may read a table of the account: user names, and `*` for everybody.
pub async fn readers(db: &Db, owner: i64, table: &str, created: u64) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar(
        "select coalesce(user_name, '*') from table_shares left join users on users.id = reader_id
         where owner_id = $1 and table_name = $2 and created = $3 order by 1",
    )
    .bind(owner)
    .bind(table)
    .bind(i64::try_from(created).unwrap_or(i64::MAX))
    .fetch_all(db.pool())
    .await
}

/// Lets a reader in; once more changes nothing.
pub async fn share(db: &Db, owner: i64, table: &str, created: u64, reader: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into table_shares (owner_id, table_name, created, reader_id, shared_at) values ($1, $2, $3, $4, $5)
         on conflict (owner_id, table_name, created, reader_id) do nothing",
    )
    .bind(owner)
    .bind(table)
    .bind(i64::try_from(created).unwrap_or(i64::MAX))
    .bind(reader)
    .bind(now_ms())
    .execute(db.pool())
    .await?;
    Ok(())
}

/// Takes the right of a reader back, for every table of this name that the account ever had.
pub async fn unshare(db: &Db, owner: i64, table: &str, reader: i64) -> Result<(), sqlx::Error> {
    sqlx::query("delete from table_shares where owner_id = $1 and table_name = $2 and reader_id = $3")
        .bind(owner)
        .bind(table)
        .bind(reader)
        .execute(db.pool())
        .await?;
    Ok(())
}

/// Forgets whom a dropped table was shared with.
pub async fn forget(db: &Db, owner: i64, table: &str) -> Result<(), sqlx::Error> {
    sqlx::query("delete from table_shares where owner_id = $1 and table_name = $2")
        .bind(owner)
        .bind(table)
        .execute(db.pool())
        .await?;
    Ok(())
}
