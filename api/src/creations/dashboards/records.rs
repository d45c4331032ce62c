//! Who made, changed and removed dashboards.

use serde::{Deserialize, Serialize};
use sqlx::{AnyConnection, Row};
use utoipa::ToSchema;

use crate::auth::CurrentUser;
use crate::creations::card::{Bind, bind};
use crate::creations::paging::{Listing, Window};
use crate::db::Db;
use crate::time::now_ms;

/// Edits of one dashboard by one person within this time are one record: the editor saves by itself.
const ONE_EDIT_MS: i64 = 10 * 60 * 1000;

/// What was done to a dashboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Operation {
    Create,
    Edit,
    Delete,
}

impl Operation {
    pub fn name(self) -> &'static str {
        match self {
            Operation::Create => "create",
            Operation::Edit => "edit",
            Operation::Delete => "delete",
        }
    }
}

/// One operation on a dashboard.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperationRecord {
    pub operation: String,
    pub dashboard_id: String,
    /// Its name at that time.
    pub dashboard_name: String,
    pub user_name: String,
    pub create_time: i64,
}

/// Which records.
#[derive(Debug, Default)]
pub struct RecordFilter {
    /// Records of this account; `None` for everybody's.
    pub user: Option<i64>,
    pub user_name: Option<String>,
    pub from: Option<i64>,
    pub to: Option<i64>,
}

/// Writes an operation down; `id` is the next of the counter `operation_records`.
pub async fn write(
    at: &mut AnyConnection,
    id: i64,
    operation: Operation,
    dashboard: (&str, &str),
    user: &CurrentUser,
) -> Result<(), sqlx::Error> {
    let now = now_ms();
    if operation == Operation::Edit {
        let same = sqlx::query(
            "update operation_records set created_at = $4, dashboard_name = $5
             where dashboard_id = $1 and user_id = $2 and operation = 'edit' and created_at > $3",
        )
        .bind(dashboard.0)
        .bind(user.id)
        .bind(now - ONE_EDIT_MS)
        .bind(now)
        .bind(dashboard.1)
        .execute(&mut *at)
        .await?;
        if same.rows_affected() > 0 {
            return Ok(());
        }
    }
    sqlx::query(
        "insert into operation_records
         (id, operation, dashboard_id, dashboard_name, user_id, user_name, created_at)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(id)
    .bind(operation.name())
    .bind(dashboard.0)
    .bind(dashboard.1)
    .bind(user.id)
    .bind(&user.name)
    .bind(now)
    .execute(at)
    .await?;
    Ok(())
}

/// Records of one operation, newest first.
pub async fn list(
    db: &Db,
    operation: Operation,
    filter: &RecordFilter,
    window: Window,
) -> Result<Listing<OperationRecord>, sqlx::Error> {
    let mut conditions = vec!["operation = $1".to_string()];
    let mut values = vec![Bind::Text(operation.name().to_string())];
    let mut with = |condition: &str, value: Option<Bind>| {
        if let Some(value) = value {
            values.push(value);
            conditions.push(format!("{condition} ${}", values.len()));
        }
    };
    with("user_id =", filter.user.map(Bind::Number));
    with("created_at >=", filter.from.map(Bind::Number));
    with("created_at <", filter.to.map(Bind::Number));
    // Nobody's name changes, and records of one account are found by an index.
    if let Some(name) = filter.user_name.clone().filter(|name| !name.is_empty()) {
        values.push(Bind::Text(name));
        conditions.push(format!("user_id = (select u.id from users u where u.user_name = ${})", values.len()));
    }
    let conditions = conditions.join(" and ");
    let count = format!("select count(*) as total from operation_records where {conditions}");
    let total = bind(sqlx::query(sqlx::AssertSqlSafe(count)), &values).fetch_one(db.pool()).await?.try_get("total")?;
    if window.is_behind(total) {
        return Ok(Listing { items: Vec::new(), total });
    }
    let page = format!(
        "select operation, dashboard_id, dashboard_name, user_name, created_at from operation_records
         where {conditions} order by created_at desc, id desc limit {} offset {}",
        window.limit, window.offset
    );
    let rows = bind(sqlx::query(sqlx::AssertSqlSafe(page)), &values).fetch_all(db.pool()).await?;
    let record = |row: &sqlx::any::AnyRow| {
        Ok(OperationRecord {
            operation: row.try_get("operation")?,
            dashboard_id: row.try_get("dashboard_id")?,
            dashboard_name: row.try_get("dashboard_name")?,
            user_name: row.try_get("user_name")?,
            create_time: row.try_get("created_at")?,
        })
    };
    Ok(Listing { items: rows.iter().map(record).collect::<Result<_, sqlx::Error>>()?, total })
}
