//! Shapes of dashboards.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::creations::dashboards::content::{DashboardContent, WidgetContent};
use crate::creations::graphs::GraphContent;
use crate::creations::model::{Head, Visibility};
use crate::creations::results::ShownRows;
use crate::creations::versions::VersionView;
use crate::creations::viz::Viz;
use crate::jobs::of_query::Shown;

/// A dashboard to be saved.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewDashboard {
    pub title: String,
    #[serde(default)]
    pub notes: String,
    /// Each of 1 to 15 characters.
    #[serde(default)]
    pub tags: Vec<String>,
    #[serde(default)]
    pub content: DashboardContent,
    #[serde(default)]
    pub visibility: Visibility,
}

/// A change of a dashboard; what is left out stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DashboardChange {
    pub id: String,
    /// The revision that the change was made on; 409 with the current state when there is a newer one.
    pub revision: i64,
    pub title: Option<String>,
    pub notes: Option<String>,
    pub tags: Option<Vec<String>>,
    pub content: Option<DashboardContent>,
    /// Whether the editor saves by itself; such saves within ten minutes are one version.
    #[serde(default)]
    pub autosave: bool,
}

/// A dashboard and what its widgets show.
#[derive(Debug, Serialize, ToSchema)]
pub struct DashboardView {
    #[serde(flatten)]
    pub head: Head,
    pub content: DashboardContent,
    /// One per widget that shows something saved, by the widget's id.
    pub shows: Vec<WidgetShows>,
    pub comments: i64,
}

/// What a widget shows.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WidgetShows {
    pub widget_id: String,
    /// What it is called; null when it is gone or the caller may not see it.
    pub title: Option<String>,
    /// Of content that ships with the product.
    pub title_zh: Option<String>,
    /// Whether the caller may see it.
    pub visible: bool,
    pub visualization: Option<Viz>,
    pub graph: Option<GraphContent>,
    /// The query behind it; null where the caller may see the chart but not the query.
    pub query_id: Option<String>,
    /// Whose query it is.
    pub user_name: Option<String>,
    /// The result that is shown; nothing as long as no run succeeded. Its rows are at `/api/dashboard/widget/result`.
    pub shown: Option<Shown>,
}

/// One version of a dashboard.
#[derive(Debug, Serialize, ToSchema)]
pub struct DashboardVersion {
    #[serde(flatten)]
    pub version: VersionView,
    pub content: DashboardContent,
}

/// Which versions.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct VersionList {
    pub id: String,
    pub share: Option<String>,
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
}

/// Which version.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct VersionTarget {
    pub id: String,
    pub version: i64,
    pub share: Option<String>,
}

/// Which version becomes the current one again.
#[derive(Debug, Deserialize, ToSchema)]
pub struct VersionChoice {
    pub id: String,
    pub version: i64,
}

/// A dashboard as it would be, to look at before it is saved.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Preview {
    pub content: DashboardContent,
}

/// What a preview shows.
#[derive(Debug, Serialize, ToSchema)]
pub struct Previewed {
    pub shows: Vec<WidgetShows>,
}

/// Which rows of a widget's result.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct WidgetRows {
    pub id: String,
    pub widget_id: String,
    /// The token of a share link.
    pub share: Option<String>,
    /// Rows to pass over; 0 when left out.
    pub offset: Option<u64>,
    /// 1 to 10,000; 1,000 when left out.
    pub limit: Option<u64>,
}

/// A widget at values of the dashboard's filters.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WidgetFilter {
    pub id: String,
    pub widget_id: String,
    /// The token of a share link.
    #[serde(default)]
    pub share: Option<String>,
    /// By the names of the filters; the others have their own values.
    pub values: BTreeMap<String, Value>,
    /// Rows to pass over; 0 when left out.
    #[serde(default)]
    pub offset: Option<u64>,
    /// 1 to 10,000; 1,000 when left out.
    #[serde(default)]
    pub limit: Option<u64>,
}

/// The rows of a widget at values of the filters.
#[derive(Debug, Serialize, ToSchema)]
pub struct Filtered {
    /// Whether newer rows at these values are being computed: asking again in a moment shows them.
    pub pending: bool,
    /// Nothing as long as the query has not run with these values, or when it fails with them.
    pub result: Option<ShownRows>,
}

/// The jobs that a refresh started, and the queries it left alone.
#[derive(Debug, Serialize, ToSchema)]
pub struct Refreshed {
    pub started: Vec<RefreshedQuery>,
    /// Queries of others, and those that run already.
    pub skipped: Vec<String>,
}

/// One query of a refresh.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefreshedQuery {
    pub query_id: String,
    pub job_id: String,
}

/// A comment, or an answer to one.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Comment {
    pub id: String,
    /// Empty when it was removed; it stays as long as it has answers.
    pub content: String,
    pub removed: bool,
    pub user_name: String,
    pub head_photo: String,
    pub create_time: i64,
    /// Whether the caller may remove it.
    pub removable: bool,
    /// The oldest first; an answer has none of its own.
    #[schema(no_recursion)]
    pub replies: Vec<Comment>,
}

/// A comment to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewComment {
    /// The dashboard.
    pub id: String,
    /// 1 to 2,000 characters.
    pub content: String,
    /// The comment it answers.
    pub parent_id: Option<String>,
    pub share: Option<String>,
}

/// Which comments.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CommentList {
    pub id: String,
    pub share: Option<String>,
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
}

/// Which operations.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct RecordParams {
    /// Of whom; only where everybody's are listed.
    pub user_name: Option<String>,
    /// Milliseconds since 1970.
    pub from: Option<i64>,
    pub to: Option<i64>,
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
}

impl WidgetShows {
    /// Of a widget whose content the caller may not see, or that is gone.
    pub fn nothing(widget_id: &str) -> WidgetShows {
        WidgetShows {
            widget_id: widget_id.to_string(),
            title: None,
            title_zh: None,
            visible: false,
            visualization: None,
            graph: None,
            query_id: None,
            user_name: None,
            shown: None,
        }
    }
}

/// Whether a widget shows something saved.
pub fn shows_something(content: &WidgetContent) -> bool {
    matches!(content, WidgetContent::Visualization { .. } | WidgetContent::Counter { .. } | WidgetContent::Graph { .. })
}
