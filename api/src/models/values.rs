//! The values that a model takes, and nothing besides: whoever asks chooses among what is offered, or gives a date or an
//! address of its exact form.

use chrono::{Months, NaiveDate};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::creations::rules;
use crate::http::ApiError;

/// The 3D models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ModelId {
    Overview,
    Token,
    NetworkCurve,
    NetworkCurve3d,
    DappRelation,
    DappUser,
    Realtime,
    Realtime3d,
    Dao,
    Miner,
    Vampire,
    AirDrop,
    Airdrop,
    Uniswap,
    ThreeHop,
    Graph,
}

/// A model and its values. Those that the model does not take are ignored; one that is left out has its usual value.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ModelValues {
    #[param(inline)]
    pub model: ModelId,
    /// Links of `overview`: 500, 2000 or 6000.
    pub largest: Option<String>,
    /// Blocks of `realtime` and `realtime3d`: 8, 24 or 48.
    pub blocks: Option<String>,
    /// Days of `uniswap`: 1, 7 or 30.
    pub days: Option<String>,
    /// Shared steps of `airdrop`: 2, 5 or 8.
    pub similarity: Option<String>,
    /// Whether `airdrop` shows only addresses with less than 0.1 ETH: 0 or 1.
    pub poor: Option<String>,
    /// Length of the paths of `threeHop`: 1, 2 or 3.
    pub hops: Option<String>,
    /// Direction of the paths of `threeHop`: out, in or both.
    pub direction: Option<String>,
    /// Smallest transfer of `threeHop` in ETH: 0, 0.1, 1 or 10.
    pub least: Option<String>,
    /// Start of `threeHop`; the most active account when left out.
    pub address: Option<String>,
    /// Token of `token`; the busiest one when left out.
    pub token: Option<String>,
    /// `YYYY-MM-DD`; `networkCurve`, `networkCurve3d` and `dappRelation` need it.
    pub day: Option<String>,
    /// `YYYY-MM`; `dappUser` needs it.
    pub month: Option<String>,
}

impl ModelValues {
    /// The day, `YYYY-MM-DD`.
    pub fn day(&self) -> Result<String, ApiError> {
        let day = self.day.as_deref().and_then(date);
        Ok(day.ok_or_else(|| ApiError::invalid("day", "A day is written YYYY-MM-DD."))?.to_string())
    }

    /// The first day of the month and that of the next one, `YYYY-MM-DD`.
    pub fn month(&self) -> Result<(String, String), ApiError> {
        let first = self.month.as_ref().and_then(|month| date(&format!("{month}-01")));
        let next = first.and_then(|first| first.checked_add_months(Months::new(1)));
        match (first, next) {
            (Some(first), Some(next)) => Ok((first.to_string(), next.to_string())),
            _ => Err(ApiError::invalid("month", "A month is written YYYY-MM.")),
        }
    }
}

/// One of the offered values; `usual` when none is given.
pub fn choice<'a>(
    name: &'static str,
    given: Option<&'a str>,
    offered: &[&str],
    usual: &'a str,
) -> Result<&'a str, ApiError> {
    let value = given.unwrap_or(usual);
    if offered.contains(&value) {
        return Ok(value);
    }
    Err(ApiError::invalid(name, format!("{name} is one of {}.", offered.join(", "))))
}

/// The address in small letters, if one is given.
pub fn address(name: &'static str, given: Option<&str>) -> Result<Option<String>, ApiError> {
    given.map(rules::address).transpose().map_err(|error| error.param(name))
}

/// A day of a year of four digits, if it is written exactly so.
fn date(text: &str) -> Option<NaiveDate> {
    NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().filter(|date| text.len() == 10 && date.to_string() == text)
}
