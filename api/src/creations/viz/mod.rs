//! Settings of visualizations: the 19 types, each with one schema for its options. The web fills in what is left out from
//! the result. An option that a type does not name is refused; one that was stored before that is still read.

mod options;
mod parts;
mod shapes;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

pub use options::*;
pub use parts::*;
pub use shapes::*;

use super::document::bounded;
use crate::http::ApiError;

/// Bytes of one visualization's options.
const MOST_BYTES: usize = 64 * 1024;
/// Characters of a column's name or another text in options.
const LONGEST_TEXT: usize = 500;
/// Indicators below which a radar is no shape.
const FEWEST_INDICATORS: usize = 3;

/// A visualization's type and options.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", content = "options", rename_all = "camelCase")]
pub enum Viz {
    Table(TableOptions),
    Counter(CounterOptions),
    Pie(PieOptions),
    Bar(BarOptions),
    Line(LineOptions),
    Area(AreaOptions),
    Scatter(ScatterOptions),
    Radar(RadarOptions),
    Funnel(FunnelOptions),
    Heatmap(HeatmapOptions),
    Bar3d(Bar3dOptions),
    Boxplot(BoxplotOptions),
    Parallel(ParallelOptions),
    Tree(TreeOptions),
    Sankey(SankeyOptions),
    Sunburst(SunburstOptions),
    ThemeRiver(ThemeRiverOptions),
    Graph(GraphOptions),
    Gauge(GaugeOptions),
}

impl Viz {
    /// Reads what the database keeps.
    pub fn stored(type_name: &str, options: &str) -> Result<Viz, sqlx::Error> {
        let damaged = |error: serde_json::Error| sqlx::Error::Decode(error.into());
        let options: Value = serde_json::from_str(options).map_err(damaged)?;
        serde_json::from_value(serde_json::json!({"type": type_name, "options": options})).map_err(damaged)
    }

    /// The type's name and the options as JSON, for the database.
    pub fn parts(&self) -> Result<(String, String), ApiError> {
        let mut value = serde_json::to_value(self).map_err(ApiError::internal)?;
        let name = value["type"].as_str().unwrap_or_default().to_string();
        Ok((name, value["options"].take().to_string()))
    }

    /// Refuses options that can't be meant or are too large.
    pub fn check(&self) -> Result<(), ApiError> {
        let value = serde_json::to_value(self).map_err(ApiError::internal)?;
        bounded(&value, MOST_BYTES, "options")?;
        if longest_text(&value["options"]) > LONGEST_TEXT {
            return Err(bad(format!("A text in options has at most {LONGEST_TEXT} characters.")));
        }
        if let Some(name) = self.unnamed().keys().next() {
            let kind = value["type"].as_str().unwrap_or_default();
            return Err(bad(format!("There is no option {name} of the type {kind}.")));
        }
        let limit = value["options"]["limit"].as_i64();
        match self {
            Viz::Radar(options) if options.indicators.as_deref().is_some_and(too_few) => {
                Err(bad("A radar chart needs at least 3 indicators."))
            }
            Viz::Gauge(options)
                if number(&options.min).zip(number(&options.max)).is_some_and(|(min, max)| min >= max) =>
            {
                Err(bad("The smallest value of a gauge is below its largest."))
            }
            Viz::Counter(options) if options.row.is_some_and(|row| row < 1) => Err(bad("Rows count from 1.")),
            _ if limit.is_some_and(|limit| !(0..=100_000).contains(&limit)) => {
                Err(bad("A limit is between 0 and 100,000."))
            }
            _ => Ok(()),
        }
    }

    /// Options that the type does not name.
    fn unnamed(&self) -> &BTreeMap<String, Value> {
        match self {
            Viz::Table(options) => &options.more,
            Viz::Counter(options) => &options.more,
            Viz::Pie(options) => &options.more,
            Viz::Bar(options) => &options.more,
            Viz::Line(options) => &options.more,
            Viz::Area(options) => &options.more,
            Viz::Scatter(options) => &options.more,
            Viz::Radar(options) => &options.more,
            Viz::Funnel(options) => &options.more,
            Viz::Heatmap(options) => &options.more,
            Viz::Bar3d(options) => &options.more,
            Viz::Boxplot(options) => &options.more,
            Viz::Parallel(options) => &options.more,
            Viz::Tree(options) => &options.more,
            Viz::Sankey(options) => &options.more,
            Viz::Sunburst(options) => &options.more,
            Viz::ThemeRiver(options) => &options.more,
            Viz::Graph(options) => &options.more,
            Viz::Gauge(options) => &options.more,
        }
    }
}

/// The ends of a scale are compared roughly; the web draws them exactly.
fn number(text: &Option<String>) -> Option<f64> {
    text.as_deref().and_then(|text| text.trim().parse().ok())
}

/// None at all are chosen by the web from the result.
fn too_few(indicators: &[String]) -> bool {
    !indicators.is_empty() && indicators.len() < FEWEST_INDICATORS
}

fn bad(msg: impl Into<String>) -> ApiError {
    ApiError::invalid("options", msg)
}

/// Characters of the longest text; the value's depth is bounded already.
fn longest_text(value: &Value) -> usize {
    match value {
        Value::String(text) => text.chars().count(),
        Value::Array(items) => items.iter().map(longest_text).max().unwrap_or(0),
        Value::Object(fields) => {
            fields.iter().map(|(key, field)| key.chars().count().max(longest_text(field))).max().unwrap_or(0)
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
