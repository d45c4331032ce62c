//! Roles and permissions in the platform database.

use sqlx::{FromRow, Row};

use super::model::{Permission, Role};
use crate::auth::{ROLE_ADMIN, ROLE_DEFAULT, rights};
use crate::db::Db;
use crate::time::now_ms;

/// What became of a role that was to be removed.
#[derive(Debug, PartialEq, Eq)]
pub enum Removed {
    Done,
    Unknown,
    /// Users have it.
    InUse,
}

pub fn is_fixed(role: &str) -> bool {
    role == ROLE_ADMIN || role == ROLE_DEFAULT
}

pub async fn roles(db: &Db) -> Result<Vec<Role>, sqlx::Error> {
    let rows = sqlx::query(
        "select name, note, created_at, (select count(*) from users where users.role = roles.name) as users
         from roles order by created_at, name",
    )
    .fetch_all(db.pool())
    .await?;
    let mut roles = Vec::with_capacity(rows.len());
    for row in rows {
        let name: String = row.try_get("name")?;
        roles.push(Role {
            permissions: rights::of_role(db, &name).await?,
            fixed: is_fixed(&name),
            note: row.try_get("note")?,
            users: row.try_get("users")?,
            created_at: row.try_get("created_at")?,
            name,
        });
    }
    Ok(roles)
}

/// Makes a role; false if there is one of this name.
pub async fn create(db: &Db, name: &str, note: &str, permissions: &[String]) -> Result<bool, sqlx::Error> {
    let mut transaction = db.begin().await?;
    let made = sqlx::query("insert into roles (name, note, created_at) values ($1, $2, $3) on conflict do nothing")
        .bind(name)
        .bind(note)
        .bind(now_ms())
        .execute(&mut *transaction)
        .await?;
    if made.rows_affected() == 0 {
        return Ok(false);
    }
    give(&mut transaction, name, permissions).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Gives a role exactly these permissions; false if there is no such role.
pub async fn update(db: &Db, name: &str, note: &str, permissions: &[String]) -> Result<bool, sqlx::Error> {
    let mut transaction = db.begin().await?;
    let changed = sqlx::query("update roles set note = $2 where name = $1")
        .bind(name)
        .bind(note)
        .execute(&mut *transaction)
        .await?;
    if changed.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query("delete from role_permissions where role_name = $1").bind(name).execute(&mut *transaction).await?;
    give(&mut transaction, name, permissions).await?;
    transaction.commit().await?;
    Ok(true)
}

async fn give(
    transaction: &mut sqlx::Transaction<'_, sqlx::Any>,
    name: &str,
    permissions: &[String],
) -> Result<(), sqlx::Error> {
    for permission in permissions {
        sqlx::query("insert into role_permissions (role_name, permission_key) values ($1, $2) on conflict do nothing")
            .bind(name)
            .bind(permission)
            .execute(&mut **transaction)
            .await?;
    }
    Ok(())
}

/// Removes a role that nobody has.
pub async fn remove(db: &Db, name: &str) -> Result<Removed, sqlx::Error> {
    let removed =
        sqlx::query("delete from roles where name = $1 and not exists (select 1 from users where role = roles.name)")
            .bind(name)
            .execute(db.pool())
            .await?;
    if removed.rows_affected() > 0 {
        return Ok(Removed::Done);
    }
    Ok(if rights::role_exists(db, name).await? { Removed::InUse } else { Removed::Unknown })
}

pub async fn permissions(db: &Db) -> Result<Vec<Permission>, sqlx::Error> {
    let rows = sqlx::query("select permission_key, note from permissions order by permission_key")
        .fetch_all(db.pool())
        .await?;
    let mut permissions = rows.iter().map(Permission::from_row).collect::<Result<Vec<_>, _>>()?;
    let held = sqlx::query("select permission_key, role_name from role_permissions order by role_name")
        .fetch_all(db.pool())
        .await?;
    for row in held {
        let key: String = row.try_get("permission_key")?;
        if let Some(permission) = permissions.iter_mut().find(|permission| permission.permission_key == key) {
            permission.roles.push(row.try_get("role_name")?);
        }
    }
    Ok(permissions)
}

/// Changes what people call a permission; false if there is no such permission.
pub async fn rename(db: &Db, key: &str, note: &str) -> Result<bool, sqlx::Error> {
    let changed = sqlx::query("update permissions set note = $2 where permission_key = $1")
        .bind(key)
        .bind(note)
        .execute(db.pool())
        .await?;
    Ok(changed.rows_affected() > 0)
}
