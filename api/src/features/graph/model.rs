//! Shapes of graphs.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::creations::graphs::GraphContent;
use crate::creations::model::{Head, Visibility};

/// A graph to be saved.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewGraph {
    pub title: String,
    #[serde(default)]
    pub notes: String,
    #[serde(default)]
    pub content: GraphContent,
    #[serde(default)]
    pub visibility: Visibility,
}

/// A change of a graph; what is left out stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
pub struct GraphChange {
    pub id: String,
    /// The revision that the change was made on; 409 with the current state when there is a newer one.
    pub revision: i64,
    pub title: Option<String>,
    pub notes: Option<String>,
    pub content: Option<GraphContent>,
}

/// A graph.
#[derive(Debug, Serialize, ToSchema)]
pub struct GraphView {
    #[serde(flatten)]
    pub head: Head,
    pub content: GraphContent,
}
