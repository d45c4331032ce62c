//! Shapes of visualizations.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::creations::model::{Head, Visibility};
use crate::creations::viz::Viz;

/// A visualization to be saved.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewVisualization {
    /// A query that the caller may change.
    pub query_id: String,
    pub title: String,
    #[serde(default)]
    pub notes: String,
    pub viz: Viz,
    /// That of the query when left out.
    pub visibility: Option<Visibility>,
}

/// A change of a visualization; what is left out stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
pub struct VisualizationChange {
    pub id: String,
    /// The revision that the change was made on; 409 with the current state when there is a newer one.
    pub revision: i64,
    pub title: Option<String>,
    pub notes: Option<String>,
    pub viz: Option<Viz>,
}

/// A visualization.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VisualizationView {
    #[serde(flatten)]
    pub head: Head,
    pub query_id: String,
    pub viz: Viz,
}

/// Which of the caller's visualizations.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MineParams {
    /// Part of the title.
    pub search: Option<String>,
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
}
