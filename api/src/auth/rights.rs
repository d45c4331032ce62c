//! Who may use the back office: the one place where permissions are asked for.
//!
//! A handler of the back office takes an [`Allowed`] with the area it belongs to; that checks the login and the
//! permission, and has the action written to the audit log. Which role holds which permission is data.

use std::fmt::Display;
use std::marker::PhantomData;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::audit::{Actor, Values};
use super::deeds::Deed;
use super::{CurrentUser, ROLE_ADMIN, ROLE_DEFAULT};
use crate::app::App;
use crate::db::Db;
use crate::http::ApiError;
use crate::time::now_ms;

/// A part of the back office.
pub trait Area: Send + Sync + 'static {
    /// The permission that opens it.
    const PERMISSION: &'static str;
}

macro_rules! areas {
    ($($(#[doc = $doc:literal])+ $name:ident = $permission:literal;)+) => {
        $($(#[doc = $doc])+ #[derive(Debug)] pub struct $name;

        impl Area for $name {
            const PERMISSION: &'static str = $permission;
        })+

        /// Every permission and what it opens.
        pub const PERMISSIONS: &[(&str, &str)] = &[$(($permission, concat!($($doc),+))),+];
    };
}

areas! {
    /// Users: list, disable, change roles
    Users = "system.user";
    /// Roles: make, change, remove
    Roles = "system.role";
    /// Permissions: which role holds which
    Permissions = "system.permission";
    /// Data monitor
    DataLink = "system.dataLink";
    /// Cluster: list workers, drain them
    Cluster = "system.cluster";
    /// Platform users
    PlatformUsers = "system.platformUser";
    /// Revenue: the credit ledger
    Revenue = "system.revenue";
    /// Logins and logouts
    LoginRecords = "system.loginRecord";
    /// Online users: list, end sessions
    OnlineUsers = "system.onlineUser";
    /// What users did with dashboards
    DashboardRecords = "system.dashboardRecord";
    /// Mails and text messages that were sent
    MessageRecords = "system.messageRecord";
    /// Messages to everybody
    PlatformMessages = "system.platformMessage";
    /// Files
    Files = "system.file";
    /// Jobs of everybody
    Jobs = "system.job";
    /// Feedback
    FeedbackDesk = "system.feedback";
    /// Dapps and their addresses
    Dapps = "system.dapp";
    /// Labels of addresses for everybody
    Labels = "system.label";
    /// Score rules and entries
    Scores = "system.score";
    /// White papers
    WhitePapers = "system.whitePaper";
    /// Web access
    WebAccess = "system.webAccess";
    /// Official dashboards and queries
    Official = "system.official";
    /// Audit log
    AuditLog = "system.audit";
}

/// Somebody who may use an area of the back office.
#[derive(Debug)]
pub struct Allowed<A> {
    pub user: CurrentUser,
    area: PhantomData<A>,
}

impl<A> Allowed<A> {
    /// Adds to the audit log what exactly was done; a request that only reads is written there for this alone.
    pub fn note(&self, deed: Deed, values: &[(&str, &dyn Display)]) {
        self.user.slot.note(deed, Values::new(values));
    }
}

impl<A: Area> FromRequestParts<App> for Allowed<A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Allowed<A>, ApiError> {
        let user = <CurrentUser as FromRequestParts<App>>::from_request_parts(parts, app).await?;
        if !holds(&app.db, &user, A::PERMISSION).await? {
            tracing::warn!(user = %user.name, permission = A::PERMISSION, "a call of the back office was refused");
            return Err(ApiError::forbidden());
        }
        user.slot.enter(Actor { id: user.id, name: user.name.clone(), area: A::PERMISSION });
        Ok(Allowed { user, area: PhantomData })
    }
}

/// Whether the user's role holds a permission; administrators hold all.
pub async fn holds(db: &Db, user: &CurrentUser, permission: &str) -> Result<bool, sqlx::Error> {
    if user.is_admin() {
        return Ok(true);
    }
    let found: i64 =
        sqlx::query_scalar("select count(*) from role_permissions where role_name = $1 and permission_key = $2")
            .bind(&user.role)
            .bind(permission)
            .fetch_one(db.pool())
            .await?;
    Ok(found > 0)
}

/// The permissions of a role, in order; all of them for administrators.
pub async fn of_role(db: &Db, role: &str) -> Result<Vec<String>, sqlx::Error> {
    if role == ROLE_ADMIN {
        let mut all: Vec<String> = PERMISSIONS.iter().map(|(key, _)| key.to_string()).collect();
        all.sort_unstable();
        return Ok(all);
    }
    sqlx::query_scalar("select permission_key from role_permissions where role_name = $1 order by permission_key")
        .bind(role)
        .fetch_all(db.pool())
        .await
}

pub async fn role_exists(db: &Db, role: &str) -> Result<bool, sqlx::Error> {
    let found: i64 =
        sqlx::query_scalar("select count(*) from roles where name = $1").bind(role).fetch_one(db.pool()).await?;
    Ok(found > 0)
}

/// Writes down the permissions that the program knows, and the two roles that are always there.
pub async fn prepare(db: &Db) -> Result<(), sqlx::Error> {
    let known: Vec<String> = sqlx::query_scalar("select permission_key from permissions").fetch_all(db.pool()).await?;
    for (key, note) in PERMISSIONS.iter().filter(|(key, _)| !known.iter().any(|known| known == key)) {
        sqlx::query("insert into permissions (permission_key, note) values ($1, $2) on conflict do nothing")
            .bind(*key)
            .bind(note.trim())
            .execute(db.pool())
            .await?;
    }
    for (role, note) in [(ROLE_DEFAULT, "Everybody"), (ROLE_ADMIN, "Administrators: hold every permission")] {
        sqlx::query("insert into roles (name, note, created_at) values ($1, $2, $3) on conflict do nothing")
            .bind(role)
            .bind(note)
            .bind(now_ms())
            .execute(db.pool())
            .await?;
    }
    Ok(())
}
