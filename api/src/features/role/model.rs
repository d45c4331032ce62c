//! Shapes of roles and permissions.

use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use utoipa::ToSchema;

/// A role.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Role {
    pub name: String,
    pub note: String,
    /// Permissions that its users hold, in order.
    pub permissions: Vec<String>,
    pub users: i64,
    /// Whether it is one of the two that are always there.
    pub fixed: bool,
    /// Milliseconds since 1970.
    pub created_at: i64,
}

/// A role as it shall be.
#[derive(Debug, Deserialize, ToSchema)]
pub struct RoleForm {
    /// 1 to 30 letters, digits, `_` or `-`.
    pub name: String,
    /// Up to 200 characters.
    #[serde(default)]
    pub note: String,
    pub permissions: Vec<String>,
}

/// A permission.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Permission {
    pub permission_key: String,
    pub note: String,
    /// Roles beside `admin` that hold it.
    #[sqlx(skip)]
    pub roles: Vec<String>,
}

/// What people call a permission.
#[derive(Debug, Deserialize, ToSchema)]
pub struct PermissionForm {
    /// 1 to 200 characters.
    pub note: String,
}
