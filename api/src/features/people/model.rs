//! Shapes of users as administrators see them.

use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use utoipa::{IntoParams, ToSchema};

use crate::auth::invitations::InvitationState;
use crate::db::Truth;

/// Which users.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct PeopleParams {
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
    /// Part of the name.
    pub user_name: Option<String>,
    /// Part of the email address.
    pub email: Option<String>,
    /// Part of the phone number.
    pub phone: Option<String>,
    pub role: Option<String>,
    pub disabled: Option<bool>,
    /// Whether they have a second factor.
    pub second_factor: Option<bool>,
    /// Made at or after this moment, in milliseconds since 1970.
    pub from: Option<i64>,
    /// Made before this moment.
    pub to: Option<i64>,
}

/// A user.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    pub user_id: i64,
    pub user_name: String,
    pub head_photo: String,
    pub role: String,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub career: String,
    pub address: String,
    #[schema(value_type = bool)]
    pub disabled: Truth,
    /// Whether logging in takes a code of an authenticator app.
    #[schema(value_type = bool)]
    pub second_factor: Truth,
    /// Milliseconds since 1970.
    pub created_at: i64,
    /// Newest request of any session, in milliseconds since 1970.
    pub last_seen_at: Option<i64>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DisabledParam {
    pub disabled: bool,
}

/// An account that an administrator makes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewPerson {
    /// 1 to 16 lower-case letters, digits or underscores.
    pub user_name: String,
    /// 6 to 20 characters.
    pub password: String,
    /// Well-formed, or left out.
    pub email: Option<String>,
    /// Name of a role that exists.
    pub role: String,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct RoleChange {
    /// Name of a role that exists.
    pub role: String,
}

/// Which invitations.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct InvitationParams {
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
    pub state: Option<InvitationState>,
    /// Part of the email address.
    pub email: Option<String>,
}

/// An invitation that an administrator makes.
#[derive(Debug, Deserialize, ToSchema)]
pub struct InvitationOrder {
    /// The only email address that somebody can register with; left out or empty, any or none.
    pub email: Option<String>,
    /// 1 to 365; 7 when left out.
    pub days: Option<u32>,
}

/// What happened to accounts on one day in UTC.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct DayPeople {
    /// Start of the day, in milliseconds since 1970.
    pub day: i64,
    /// Accounts made.
    pub new_users: i64,
    pub logins: i64,
    /// Different users who logged in.
    pub users: i64,
}

/// What the platform's users do, over all of them.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PeopleSummary {
    pub users: i64,
    /// Accounts made in the last 24 hours.
    pub new_users: i64,
    /// Users with a session in use.
    pub online_users: i64,
    pub disabled_users: i64,
    pub jobs: i64,
}
