//! Profiles in the platform database.

use sqlx::FromRow;

use crate::db::Db;

/// A user as a profile needs it.
#[derive(Debug, FromRow)]
pub struct ProfileRow {
    pub id: i64,
    pub user_name: String,
    pub head_photo: String,
    pub role: String,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub career: String,
    pub address: String,
    pub tags: String,
    pub created_at: i64,
    pub stars: i64,
    pub dashboards: i64,
    pub queries: i64,
    pub api_key: Option<String>,
}

/// Whose profile.
#[derive(Debug, Clone, Copy)]
pub enum Whose<'a> {
    Id(i64),
    Name(&'a str),
}

const COLUMNS: &str = "select id, user_name, head_photo, role, email, phone, career, address, tags, created_at, \
    coalesce(stars, 0) as stars, coalesce(dashboards, 0) as dashboards, coalesce(queries, 0) as queries, \
    (select max(prefix) from api_keys newest where newest.id = (select max(keys.id) from api_keys keys \
    where keys.user_id = users.id and keys.revoked_at is null)) as api_key from users left join creator_figures on creator_figures.user_id = users.id";

pub async fn find(db: &Db, whose: Whose<'_>) -> Result<Option<ProfileRow>, sqlx::Error> {
    let row = match whose {
        Whose::Id(id) => {
            let statement = format!("{COLUMNS} where id = $1");
            sqlx::query(sqlx::AssertSqlSafe(statement)).bind(id).fetch_optional(db.pool()).await?
        }
        Whose::Name(name) => {
            let statement = format!("{COLUMNS} where user_name = $1");
            sqlx::query(sqlx::AssertSqlSafe(statement)).bind(name).fetch_optional(db.pool()).await?
        }
    };
    row.as_ref().map(ProfileRow::from_row).transpose()
}

/// Changes what is given.
pub async fn change(
    db: &Db,
    id: i64,
    career: Option<&str>,
    address: Option<&str>,
    tags: Option<&str>,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "update users set career = coalesce($2, career), address = coalesce($3, address), tags = coalesce($4, tags)
         where id = $1",
    )
    .bind(id)
    .bind(career)
    .bind(address)
    .bind(tags)
    .execute(db.pool())
    .await?;
    Ok(())
}

/// Gives the user another picture; answers the path of the one before.
pub async fn set_head_photo(db: &Db, id: i64, path: &str) -> Result<String, sqlx::Error> {
    // In one transaction: of two uploads at once each takes away the picture before its own.
    let mut transaction = db.begin().await?;
    let before = sqlx::query_scalar("select head_photo from users where id = $1");
    let before = before.bind(id).fetch_one(&mut *transaction).await?;
    let change = sqlx::query("update users set head_photo = $2 where id = $1");
    change.bind(id).bind(path).execute(&mut *transaction).await?;
    transaction.commit().await?;
    Ok(before)
}
