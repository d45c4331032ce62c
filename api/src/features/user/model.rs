//! Shapes of accounts and logins.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who wants an account.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Registration {
    /// 1 to 16 lower-case letters, digits or underscores.
    pub user_name: String,
    /// 6 to 20 characters.
    pub password: String,
    pub email: Option<String>,
    pub phone: Option<String>,
    /// Code that was sent to the email address or phone number.
    pub code: Option<String>,
    /// Whether the person agrees to the rules; must be true.
    #[serde(default)]
    pub agree: bool,
}

/// Who wants to log in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Login {
    pub user_name: String,
    pub password: String,
}

/// The token of a new session.
#[derive(Debug, Serialize, ToSchema)]
pub struct Token {
    /// Goes into the header `Authorization: Bearer …`.
    pub token: String,
}

/// Who is logged in.
#[derive(Debug, Serialize, ToSchema)]
pub struct Info {
    pub user: User,
    /// `ROLE_DEFAULT` or `admin`.
    pub role: String,
    pub permissions: Vec<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    pub user_id: i64,
    pub user_name: String,
    /// Address of the picture; empty when there is none.
    pub head_photo: String,
}
