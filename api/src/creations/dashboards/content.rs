//! What is on a dashboard: widgets, where they stand, and the filters above them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::rich::RichBlock;
use crate::auth::rules::plain;
use crate::creations::queries::Parameter;
use crate::creations::viz::CounterOptions;
use crate::http::ApiError;
use crate::http::strict::within;

const MOST_WIDGETS: usize = 100;
const MOST_PARAMETERS: usize = 20;
const LONGEST_TEXT: usize = 20_000;
const COLUMNS: u16 = 12;
const TALLEST: u16 = 100;
const LOWEST: u16 = 10_000;
const MOST_BYTES: usize = 768 * 1024;

/// All of a dashboard but its head.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DashboardContent {
    #[serde(default)]
    pub widgets: Vec<Widget>,
    /// Filters: a value goes to the parameters of the widgets' queries that have its name, or that a widget maps to it.
    #[serde(default)]
    pub parameters: Vec<Parameter>,
    /// Minutes after which an open dashboard reads its results again; null for never.
    #[serde(default)]
    pub refresh_minutes: Option<u16>,
}

/// One widget.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Widget {
    /// Unique on the dashboard: 1 to 40 letters, digits, `-` or `_`.
    pub id: String,
    pub layout: Layout,
    /// In place of what the content is called.
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default = "yes")]
    pub show_title: bool,
    /// Whether it says how old its data are.
    #[serde(default)]
    pub show_time: bool,
    pub content: WidgetContent,
}

/// Place on a grid of 12 columns; rows are 40 pixels high.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Layout {
    pub x: u16,
    pub y: u16,
    pub w: u16,
    pub h: u16,
}

/// What a widget shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum WidgetContent {
    #[serde(rename_all = "camelCase")]
    Visualization {
        visualization_id: String,
        /// Parameter of the query by parameter of the dashboard, where their names differ.
        #[serde(default)]
        parameters: BTreeMap<String, String>,
    },
    /// One number of a query's result.
    #[serde(rename_all = "camelCase")]
    Counter {
        query_id: String,
        #[serde(default, deserialize_with = "within")]
        options: CounterOptions,
    },
    #[serde(rename_all = "camelCase")]
    Graph {
        graph_id: String,
    },
    Text {
        text: String,
    },
    Markdown {
        text: String,
    },
    RichText {
        #[serde(deserialize_with = "within")]
        blocks: Vec<RichBlock>,
    },
    /// One of the 3D models, by its name in `/visualization_model/…`.
    Model {
        model: String,
    },
    /// One of the dashboard's parameters, among the widgets.
    Filter {
        parameter: String,
    },
}

fn yes() -> bool {
    true
}

impl DashboardContent {
    /// Refuses what no dashboard can be.
    pub fn check(&self) -> Result<(), ApiError> {
        if self.widgets.len() > MOST_WIDGETS {
            return Err(bad(format!("A dashboard has at most {MOST_WIDGETS} widgets.")));
        }
        if self.parameters.len() > MOST_PARAMETERS {
            return Err(ApiError::invalid("parameters", format!("A dashboard has at most {MOST_PARAMETERS} filters.")));
        }
        let mut names = BTreeSet::new();
        for parameter in &self.parameters {
            parameter.check()?;
            if !names.insert(&parameter.name) {
                return Err(ApiError::invalid("parameters", format!("There are two filters {}.", parameter.name)));
            }
        }
        let mut ids = BTreeSet::new();
        for widget in &self.widgets {
            widget.check()?;
            if !ids.insert(&widget.id) {
                return Err(bad(format!("There are two widgets {}.", widget.id)));
            }
        }
        if self.refresh_minutes.is_some_and(|minutes| !(1..=1_440).contains(&minutes)) {
            return Err(ApiError::invalid("refreshMinutes", "A dashboard is refreshed every 1 to 1,440 minutes."));
        }
        let bytes = serde_json::to_vec(self).map_err(ApiError::internal)?.len();
        if bytes > MOST_BYTES {
            return Err(bad(format!("A dashboard is too large: {bytes} of at most {MOST_BYTES} bytes.")));
        }
        Ok(())
    }

    /// Ids of the visualizations on it.
    pub fn visualizations(&self) -> BTreeSet<&str> {
        fn id(widget: &Widget) -> Option<&str> {
            match &widget.content {
                WidgetContent::Visualization { visualization_id, .. } => Some(visualization_id),
                _ => None,
            }
        }
        self.widgets.iter().filter_map(id).collect()
    }
}

impl Widget {
    fn check(&self) -> Result<(), ApiError> {
        let letters = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if !(1..=40).contains(&self.id.len()) || !self.id.bytes().all(letters) {
            return Err(bad("The id of a widget has 1 to 40 letters, digits, - or _."));
        }
        let Layout { x, y, w, h } = self.layout;
        if w == 0 || h == 0 || x.saturating_add(w) > COLUMNS || h > TALLEST || y > LOWEST {
            return Err(bad(format!("The widget {} does not fit on the grid of 12 columns.", self.id)));
        }
        if self.title.as_ref().is_some_and(|title| title.chars().count() > 120 || !plain(title)) {
            return Err(bad("The title of a widget has at most 120 characters on one line."));
        }
        match &self.content {
            WidgetContent::Text { text } | WidgetContent::Markdown { text } => {
                if text.chars().count() > LONGEST_TEXT {
                    return Err(bad(format!("The text of a widget has at most {LONGEST_TEXT} characters.")));
                }
                Ok(())
            }
            WidgetContent::RichText { blocks } => super::rich::check(blocks),
            WidgetContent::Visualization { visualization_id, parameters } => {
                if parameters.len() > MOST_PARAMETERS {
                    return Err(bad("A widget maps at most 20 filters."));
                }
                named(visualization_id)
            }
            WidgetContent::Counter { query_id, .. } => named(query_id),
            WidgetContent::Graph { graph_id } => named(graph_id),
            WidgetContent::Model { model } => named(model),
            WidgetContent::Filter { parameter } => named(parameter),
        }
    }
}

fn named(id: &str) -> Result<(), ApiError> {
    if (1..=80).contains(&id.chars().count()) { Ok(()) } else { Err(bad("A widget names what it shows.")) }
}

fn bad(msg: impl Into<String>) -> ApiError {
    ApiError::invalid("widgets", msg)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn content(widgets: Value) -> Result<DashboardContent, serde_json::Error> {
        serde_json::from_value(json!({"widgets": widgets}))
    }

    fn widget(id: &str, layout: [u16; 4], inner: Value) -> Value {
        json!({"id": id, "layout": {"x": layout[0], "y": layout[1], "w": layout[2], "h": layout[3]}, "content": inner})
    }

    #[test]
    fn widgets_stand_on_the_grid_and_have_ids_of_their_own() {
        let text = json!({"type": "text", "text": "hello"});
        let one = |id: &str, layout| widget(id, layout, text.clone());
        assert!(content(json!([one("a", [0, 0, 12, 4]), one("b", [6, 4, 6, 4])])).unwrap().check().is_ok());
        assert!(content(json!([one("a", [0, 0, 6, 4]), one("a", [6, 4, 6, 4])])).unwrap().check().is_err());
        for layout in [[6, 0, 7, 4], [0, 0, 0, 4], [0, 0, 4, 0], [0, 10_001, 4, 4]] {
            assert!(content(json!([one("a", layout)])).unwrap().check().is_err(), "{layout:?}");
        }
        assert!(content(json!([one("a b", [0, 0, 1, 1])])).unwrap().check().is_err());
    }

    #[test]
    fn contents_are_of_known_types() {
        for inner in [
            json!({"type": "visualization", "visualizationId": "v"}),
            json!({"type": "counter", "queryId": "q", "options": {"column": "n", "row": 1}}),
            json!({"type": "graph", "graphId": "g"}),
            json!({"type": "markdown", "text": "# x"}),
            json!({"type": "richText", "blocks": [{"type": "divider"}]}),
            json!({"type": "model", "model": "dao_model"}),
            json!({"type": "filter", "parameter": "day"}),
        ] {
            let sent = json!([widget("a", [0, 0, 1, 1], inner)]);
            content(sent).unwrap().check().unwrap();
        }
        assert!(content(json!([widget("a", [0, 0, 1, 1], json!({"type": "html", "text": "<b>"}))])).is_err());
    }
}
