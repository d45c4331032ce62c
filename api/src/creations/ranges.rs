//! Ranges of time that lists offer.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::time::now_ms;

const HOUR_MS: i64 = 3_600_000;

/// How far back a list goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub enum Range {
    #[serde(rename = "24h")]
    Day,
    #[serde(rename = "7d")]
    Week,
    #[serde(rename = "30d")]
    Month,
    #[default]
    #[serde(rename = "all")]
    All,
}

impl Range {
    /// The moment at which it begins, in milliseconds since 1970.
    pub fn since(self) -> i64 {
        let hours = match self {
            Range::Day => 24,
            Range::Week => 7 * 24,
            Range::Month => 30 * 24,
            Range::All => return 0,
        };
        now_ms() - hours * HOUR_MS
    }
}
