//! Shapes of credits as administrators edit them.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A rule as it shall be.
#[derive(Debug, Deserialize, ToSchema)]
pub struct RuleForm {
    /// -1,000 to 1,000 credits per event.
    pub points: i64,
    pub enabled: bool,
    /// Up to 200 characters.
    #[serde(default)]
    pub note: String,
}

/// An entry that an administrator writes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EntryForm {
    pub user_name: String,
    /// -1,000,000 to 1,000,000, not 0.
    pub points: i64,
    /// Why; 1 to 200 characters.
    pub note: String,
}

/// Which entries.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct EntryParams {
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
    /// Part of the name.
    pub user_name: Option<String>,
    /// `favourite`, `fork`, `dashboard` or `manual`.
    pub rule: Option<String>,
    /// At or after this moment, in milliseconds since 1970.
    pub from: Option<i64>,
    /// Before this moment.
    pub to: Option<i64>,
}

/// Which users.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct RevenueParams {
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
    /// Part of the name.
    pub user_name: Option<String>,
}

/// Credits of everybody.
#[derive(Debug, Serialize, ToSchema)]
pub struct RevenueTotals {
    pub credits: i64,
    /// Users with at least one entry.
    pub holders: i64,
}
