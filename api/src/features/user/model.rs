//! Shapes of accounts and logins.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::auth::registering::Registering;
use crate::http::strict::or_empty;
use crate::keys::{DayUsage, Restrictions};

/// Who wants an account.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Registration {
    /// 1 to 16 lower-case letters, digits or underscores.
    #[serde(default, deserialize_with = "or_empty")]
    #[schema(required)]
    pub user_name: String,
    /// 6 to 20 characters.
    #[serde(default, deserialize_with = "or_empty")]
    #[schema(required)]
    pub password: String,
    pub email: Option<String>,
    pub phone: Option<String>,
    /// Code that was sent to the email address or, without one, to the phone number; needed where codes can be sent.
    pub code: Option<String>,
    /// Needed where accounts are made by invitation.
    pub invitation: Option<String>,
    /// Whether the person agrees to the rules; must be true.
    #[serde(default, deserialize_with = "or_empty")]
    pub agree: bool,
}

/// Who wants to log in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Login {
    pub user_name: String,
    pub password: String,
    /// A code of `/api/user/code/login`, which lets its owner in while others guess at the account.
    pub sent_code: Option<String>,
    /// A code of the second factor or a recovery code, for accounts that have one.
    pub second_code: Option<String>,
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
    /// `ROLE_DEFAULT`, `admin` or a role that administrators made.
    pub role: String,
    /// Permissions of the back office, such as `system.user`.
    pub permissions: Vec<String>,
    /// Whether somebody wrote what this user has not read.
    pub unread: bool,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    pub user_id: i64,
    pub user_name: String,
    /// Address of the picture; empty when there is none.
    pub head_photo: String,
}

/// What a code is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CodePurpose {
    Register,
    /// A forgotten password.
    Reset,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct MailCode {
    pub email: String,
    pub purpose: CodePurpose,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct PhoneCode {
    pub phone: String,
    pub purpose: CodePurpose,
}

/// Who can't log in because others guess at their account.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoginCode {
    pub user_name: String,
}

/// How accounts are made here.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistrationRules {
    pub registration: Registering,
    /// Whether passwords that are guessed first are refused.
    pub refuse_weak_passwords: bool,
}

/// A password to be judged.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TypedPassword {
    pub password: String,
    /// What else the form holds: a password made of it is weak.
    pub user_name: Option<String>,
    pub email: Option<String>,
}

/// Where codes can be sent.
#[derive(Debug, Serialize, ToSchema)]
pub struct CodeChannels {
    pub email: bool,
    pub phone: bool,
}

/// A new password in place of a forgotten one.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Forgotten {
    /// Either this or the phone number.
    pub email: Option<String>,
    pub phone: Option<String>,
    pub code: String,
    /// 6 to 20 of letters, digits and `!@#$%&*_`.
    pub password: String,
    /// The same again.
    pub repeat: String,
}

/// A new password in place of the present one.
#[derive(Debug, Deserialize, ToSchema)]
pub struct PasswordChange {
    pub current: String,
    /// 6 to 20 of letters, digits and `!@#$%&*_`.
    pub password: String,
    /// The same again.
    pub repeat: String,
}

// A misspelt field would leave a key without what was to restrict it, so it is refused.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewApiKey {
    /// 1 to 50 characters.
    pub name: String,
    /// 1 to 3,650; a key without it does not run out.
    pub expires_in_days: Option<i64>,
    /// Nothing restricts a key without it.
    pub restrictions: Option<Restrictions>,
}

/// A new key; it is shown this once.
#[derive(Debug, Serialize, ToSchema)]
pub struct MadeApiKey {
    pub id: i64,
    pub key: String,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ApiKeyChange {
    /// 1 to 50 characters.
    pub name: String,
    /// In place of all that restricted it.
    pub restrictions: Restrictions,
}

/// For how many days.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UsageParams {
    /// 1 to 366, today included; 30 when left out.
    pub days: Option<i64>,
}

/// What a key was used for; days without a request are left out.
#[derive(Debug, Serialize, ToSchema)]
pub struct KeyUsage {
    pub id: i64,
    pub days: Vec<DayUsage>,
}
