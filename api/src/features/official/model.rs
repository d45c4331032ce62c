//! Shapes of the official dashboards.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::creations::card::Card;
use crate::creations::results::ShownRows;
use crate::creations::viz::Viz;

/// An official dashboard and its charts.
#[derive(Debug, Serialize, ToSchema)]
pub struct OfficialDashboard {
    pub dashboard: Card,
    pub charts: Vec<OfficialChart>,
}

/// A chart of an official dashboard.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfficialChart {
    pub visualization_id: String,
    pub title: String,
    pub title_zh: Option<String>,
    pub visualization_type: String,
    pub query_id: String,
}

/// How much time one point stands for, as links call it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub enum Resolution {
    #[serde(rename = "1 Hour")]
    Hour,
    #[default]
    #[serde(rename = "1 Day")]
    Day,
    #[serde(rename = "1 Week")]
    Week,
    #[serde(rename = "1 Month")]
    Month,
}

impl Resolution {
    pub const ALL: [Resolution; 4] = [Resolution::Hour, Resolution::Day, Resolution::Week, Resolution::Month];

    /// The value of a query's parameter `resolution`, as `date_trunc` takes it.
    pub fn unit(self) -> &'static str {
        match self {
            Resolution::Hour => "hour",
            Resolution::Day => "day",
            Resolution::Week => "week",
            Resolution::Month => "month",
        }
    }
}

/// Which chart at which resolution.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ChartParams {
    pub dashboard_id: String,
    pub visualization_id: String,
    /// The type as the link has it; the chart's own decides.
    pub visualization_type: Option<String>,
    /// `1 Day` when left out.
    #[serde(default)]
    pub resolution: Resolution,
    /// Rows to pass over; 0 when left out.
    pub offset: Option<u64>,
    /// 1 to 10,000; 1,000 when left out.
    pub limit: Option<u64>,
}

/// A chart of an official dashboard with its rows.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfficialRows {
    pub chart: OfficialChart,
    pub viz: Viz,
    /// The resolution of the rows: the one asked for where the chart has it, else its only one.
    pub resolution: Resolution,
    /// Those the chart has: all four where its query has a parameter `resolution`, else one day.
    pub resolutions: Vec<Resolution>,
    /// Whether newer rows at this resolution are being computed: asking again in a moment shows them.
    pub pending: bool,
    /// Nothing as long as the query has not run.
    pub result: Option<ShownRows>,
}

/// Whether something is official.
#[derive(Debug, Deserialize, ToSchema)]
pub struct OfficialChange {
    /// A public dashboard or query.
    pub id: String,
    pub official: bool,
}
