//! Who is asking and what they may: passwords, tokens that can be revoked, single-use tickets, codes, rights and the
//! audit log, and the brake on guessing.

pub mod accounts;
pub mod at_once;
pub mod audit;
pub mod codes;
pub mod deeds;
pub mod devices;
pub mod extract;
pub mod invitations;
pub mod limit;
pub mod login;
mod make_room;
pub mod oidc;
pub mod password;
pub mod registering;
pub mod rights;
pub mod rules;
pub mod scram;
pub mod seal;
pub mod second_factor;
pub mod secret_codes;
pub mod secrets;
pub mod sessions;
pub mod strength;
pub mod throttle;
pub mod tickets;
pub mod token;

pub use extract::CurrentUser;
pub use rights::Allowed;

/// Role of everybody.
pub const ROLE_DEFAULT: &str = "ROLE_DEFAULT";
/// Role of administrators.
pub const ROLE_ADMIN: &str = "admin";
/// Name of the account that the first start makes.
pub const ADMIN_ACCOUNT: &str = "admin";
