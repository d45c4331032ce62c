//! Who may make an account here, and how many are made.

use std::time::Duration;

use serde::Serialize;
use utoipa::ToSchema;

/// Who may make an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Registering {
    /// Everybody.
    #[default]
    Open,
    /// Whoever has an invitation.
    Invitation,
    /// Nobody; operators make accounts.
    Closed,
}

/// How accounts are made.
#[derive(Debug, Clone)]
pub struct AccountOptions {
    pub registration: Registering,
    /// Accounts that one address may make within an hour.
    pub per_address: usize,
    /// Accounts that all addresses together may make within an hour.
    pub per_hour: usize,
    /// How long an account is new: it then shares the limits of its address with the other new ones.
    pub new_for: Duration,
    /// Whether passwords that are guessed first are refused.
    pub refuse_weak_passwords: bool,
    /// Whether people log in and register with passwords.
    pub passwords: bool,
}

impl Default for AccountOptions {
    fn default() -> AccountOptions {
        AccountOptions {
            registration: Registering::Open,
            per_address: 100,
            per_hour: 1_000,
            new_for: Duration::ZERO,
            refuse_weak_passwords: false,
            passwords: true,
        }
    }
}
