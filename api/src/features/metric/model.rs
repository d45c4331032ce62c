//! Shapes of the metrics API.

use quarry_lake::KnownContracts;
use quarry_metrics as metrics;
use quarry_metrics::{Both, Metric, Resolution};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::http::ApiError;
use crate::series::{Form, Wanted};

/// Metrics of one bulk request.
const MOST: usize = 40;
/// A time in milliseconds below this was meant in seconds: it lies in the first days of 1970.
const SECONDS: i64 = 10_000_000_000;

/// Which points, and how.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PointParams {
    /// The asset; `ETH` is the only one, and meant when left out.
    pub a: Option<String>,
    /// Length of a period: `1h`, `24h` (when left out), `1w` from Monday, `1month` of the calendar; all in UTC.
    pub i: Option<String>,
    /// Periods that start at or after this, in milliseconds since 1970; from the first when left out.
    pub s: Option<i64>,
    /// Periods that start before this, in milliseconds since 1970; to the newest when left out.
    pub u: Option<i64>,
    /// `json` (when left out) or `csv`.
    pub f: Option<String>,
    /// The key, where it can't be in the header `X-Api-Key`.
    pub api_key: Option<String>,
}

/// Which metrics, which points, and how.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct BulkParams {
    /// Metrics as `category/metric`, separated by commas; at most 40.
    pub m: Option<String>,
    /// The asset; `ETH` is the only one, and meant when left out.
    pub a: Option<String>,
    /// Length of a period: `1h`, `24h` (when left out), `1w` from Monday, `1month` of the calendar; all in UTC.
    pub i: Option<String>,
    /// Periods that start at or after this, in milliseconds since 1970; from the first when left out.
    pub s: Option<i64>,
    /// Periods that start before this, in milliseconds since 1970; to the newest when left out.
    pub u: Option<i64>,
    /// `json` (when left out) or `csv`.
    pub f: Option<String>,
    /// The key, where it can't be in the header `X-Api-Key`.
    pub api_key: Option<String>,
}

impl BulkParams {
    /// The metrics named, and the rest as of a single metric.
    pub fn split(self) -> Result<(Vec<&'static Metric>, PointParams), ApiError> {
        let BulkParams { m, a, i, s, u, f, api_key } = self;
        let named = m.unwrap_or_default();
        let names: Vec<&str> = named.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        if names.is_empty() || names.len() > MOST {
            return Err(ApiError::invalid("m", format!("m names 1 to {MOST} metrics as category/metric.")));
        }
        let metric = |name: &&str| {
            let (category, metric) = name.split_once('/').unwrap_or((name, ""));
            find(category, metric).map_err(|error| error.param("m"))
        };
        let mut metrics: Vec<&'static Metric> = Vec::new();
        for metric in names.iter().map(metric) {
            let metric = metric?;
            if !metrics.iter().any(|known| std::ptr::eq(*known, metric)) {
                metrics.push(metric);
            }
        }
        Ok((metrics, PointParams { a, i, s, u, f, api_key }))
    }
}

/// A metric by its names.
pub fn find(category: &str, name: &str) -> Result<&'static Metric, ApiError> {
    metrics::find(category, name).ok_or_else(|| {
        let path = if name.is_empty() { category.to_string() } else { format!("{category}/{name}") };
        let msg = format!("There is no metric {path}; /api/v1/metrics/metadata lists all of them.");
        ApiError::new(axum::http::StatusCode::NOT_FOUND, "unknown_metric", msg).param("metric")
    })
}

impl PointParams {
    /// What is asked for of these metrics.
    pub fn wanted(&self, metrics: Vec<&'static Metric>, bulk: bool) -> Result<Wanted, ApiError> {
        if self.a.as_deref().is_some_and(|asset| !asset.eq_ignore_ascii_case("ETH")) {
            return Err(ApiError::invalid("a", "a is ETH: there is no other asset."));
        }
        let resolution = match self.i.as_deref() {
            None | Some("") => Resolution::Day,
            Some(name) => {
                Resolution::parse(name).ok_or_else(|| ApiError::invalid("i", "i is one of 1h, 24h, 1w and 1month."))?
            }
        };
        let form = match self.f.as_deref() {
            None | Some("" | "json") => Form::Json,
            Some("csv") => Form::Csv,
            Some(_) => return Err(ApiError::invalid("f", "f is json or csv.")),
        };
        let (since, until) = (time("s", self.s)?, time("u", self.u)?);
        let (since, until) = (since.unwrap_or(i64::MIN), until.unwrap_or(i64::MAX));
        if since > until {
            return Err(ApiError::invalid("s", "s is a time before u."));
        }
        Ok(Wanted { metrics, bulk, resolution, since, until, form })
    }
}

fn time(param: &'static str, given: Option<i64>) -> Result<Option<i64>, ApiError> {
    match given {
        Some(time) if (1..SECONDS).contains(&time) => {
            let msg = format!("{param} is in milliseconds since 1970; {time} looks like seconds.");
            Err(ApiError::invalid(param, msg))
        }
        Some(time) if time < 0 => Err(ApiError::invalid(param, format!("{param} is in milliseconds since 1970."))),
        given => Ok(given),
    }
}

/// One point of a series.
#[derive(Debug, Serialize, ToSchema)]
pub struct MetricPoint {
    /// Start of the period, UTC, in milliseconds since 1970.
    pub t: i64,
    /// A number, or a decimal text where the metric's metadata says so; null where there is nothing to take a mean of.
    pub v: Option<Value>,
    /// True while blocks of the period are still to come, or where the lake begins within it; otherwise left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<bool>,
}

/// A text in both languages.
#[derive(Debug, Serialize, ToSchema)]
pub struct Texts {
    pub en: &'static str,
    pub zh: &'static str,
}

impl From<Both> for Texts {
    fn from(both: Both) -> Texts {
        Texts { en: both.en, zh: both.zh }
    }
}

/// What a metric means and how it is made.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetricView {
    pub category: &'static str,
    pub metric: &'static str,
    /// Other names it answers to.
    pub aliases: &'static [&'static str],
    pub title: Texts,
    pub definition: Texts,
    pub formula: &'static str,
    pub unit: &'static str,
    /// `sum`, `distinct`, `mean` or `state` (as of the end of a period).
    pub kind: &'static str,
    /// `number`, or `text` for decimal texts.
    pub value_type: &'static str,
    /// Digits after the point that a value has at most.
    pub digits: u32,
    pub resolutions: Vec<&'static str>,
    /// Tables it follows from.
    pub source: &'static [&'static str],
    /// False where the contracts that it starts from, such as dollar tokens, are not known for the chain of the lake.
    pub available: bool,
    /// A query over the tables that gives the same by day: one row per day on which something counted.
    pub sql: String,
}

impl MetricView {
    pub fn new(metric: &'static Metric, contracts: &KnownContracts) -> MetricView {
        MetricView {
            category: metric.category.name(),
            metric: metric.name,
            aliases: metric.aliases,
            title: metric.title.into(),
            definition: metric.definition.into(),
            formula: metric.formula,
            unit: metric.unit,
            kind: metric.kind.name(),
            value_type: match metric.form {
                metrics::Form::Number => "number",
                metrics::Form::Text => "text",
            },
            digits: metric.scale,
            resolutions: Resolution::ALL.map(Resolution::name).into(),
            source: metric.sources,
            available: (metric.needs)(contracts),
            sql: metric.query(Resolution::Day, contracts),
        }
    }
}

/// All metrics, and the blocks they are made of.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetricList {
    pub metrics: Vec<MetricView>,
    pub assets: Vec<&'static str>,
    /// First block that is in them: balances, supply and new addresses are counted from it on.
    pub first_block: Option<i64>,
    /// Newest block that is in them, and its time in milliseconds since 1970: what these series call now.
    pub head: Option<i64>,
    pub head_time: Option<i64>,
}
