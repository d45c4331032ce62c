//! Who is asking: passwords, tokens that can be revoked, single-use tickets, and the brake on guessing.

pub mod accounts;
pub mod extract;
pub mod password;
pub mod rules;
pub mod throttle;
pub mod tickets;
pub mod token;

pub use extract::CurrentUser;

/// Role of everybody.
pub const ROLE_DEFAULT: &str = "ROLE_DEFAULT";
/// Role of administrators.
pub const ROLE_ADMIN: &str = "admin";
/// Name of the account that the first start makes.
pub const ADMIN_ACCOUNT: &str = "admin";
