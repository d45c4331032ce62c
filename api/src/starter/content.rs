//! The files of `data/starter/` as they are read.

use rust_embed::RustEmbed;
use serde::Deserialize;

use crate::creations::viz::Viz;

#[derive(RustEmbed)]
#[folder = "../data/starter/"]
struct Files;

/// A text in both languages.
#[derive(Debug, Clone, Deserialize)]
pub struct Both {
    pub en: String,
    pub zh: String,
}

/// Everything there is.
#[derive(Debug, Deserialize)]
pub struct Content {
    pub queries: Vec<StarterQuery>,
    pub dashboards: Vec<StarterDashboard>,
    pub projects: Vec<StarterProject>,
}

/// A query; its text is `queries/KEY.sql`.
#[derive(Debug, Deserialize)]
pub struct StarterQuery {
    pub key: String,
    pub title: Both,
    pub notes: Both,
    #[serde(default)]
    pub tags: Vec<String>,
    #[serde(default)]
    pub official: bool,
    #[serde(default)]
    pub charts: Vec<StarterChart>,
}

/// A visualization of a query.
#[derive(Debug, Deserialize)]
pub struct StarterChart {
    pub key: String,
    pub title: Both,
    pub viz: Viz,
}

/// A dashboard of charts.
#[derive(Debug, Deserialize)]
pub struct StarterDashboard {
    pub key: String,
    pub title: Both,
    pub notes: Both,
    #[serde(default)]
    pub tags: Vec<String>,
    #[serde(default)]
    pub official: bool,
    pub widgets: Vec<StarterWidget>,
}

/// A chart on a dashboard.
#[derive(Debug, Deserialize)]
pub struct StarterWidget {
    /// `QUERY/CHART`.
    pub chart: String,
    /// Column, row, width and height.
    pub at: [u16; 4],
}

/// A project of queries and dashboards.
#[derive(Debug, Deserialize)]
pub struct StarterProject {
    pub key: String,
    pub title: Both,
    pub notes: Both,
    #[serde(default)]
    pub tags: Vec<String>,
    /// `query/KEY` or `dashboard/KEY`.
    pub items: Vec<String>,
}

impl Content {
    /// Reads the files that were built in.
    pub fn read() -> anyhow::Result<Content> {
        Ok(serde_json::from_str(&file("content.json")?)?)
    }
}

/// The text of a query.
pub fn query_text(key: &str) -> anyhow::Result<String> {
    file(&format!("queries/{key}.sql"))
}

fn file(name: &str) -> anyhow::Result<String> {
    let file = Files::get(name).ok_or_else(|| anyhow::anyhow!("data/starter/{name} is missing"))?;
    Ok(String::from_utf8(file.data.into_owned())?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::creations::rules;

    #[test]
    fn the_files_fit_together() {
        let content = Content::read().unwrap();
        let mut charts = BTreeSet::new();
        let mut things = BTreeSet::new();
        for query in &content.queries {
            assert!(!query_text(&query.key).unwrap().trim().is_empty());
            assert!(things.insert(format!("query/{}", query.key)), "{} is there twice", query.key);
            rules::tags(&query.tags).unwrap();
            for chart in &query.charts {
                chart.viz.check().unwrap();
                assert!(charts.insert(format!("{}/{}", query.key, chart.key)), "{} is there twice", chart.key);
            }
        }
        for dashboard in &content.dashboards {
            assert!(things.insert(format!("dashboard/{}", dashboard.key)));
            rules::tags(&dashboard.tags).unwrap();
            for widget in &dashboard.widgets {
                assert!(charts.contains(&widget.chart), "{} has no chart {}", dashboard.key, widget.chart);
            }
        }
        for project in &content.projects {
            assert!(project.items.iter().all(|item| things.contains(item)), "{}", project.key);
        }
        for text in content.queries.iter().flat_map(|query| [&query.title, &query.notes]) {
            assert!(!text.en.is_empty() && !text.zh.is_empty());
        }
    }

    #[test]
    fn an_official_dashboard_shows_only_official_queries() {
        let content = Content::read().unwrap();
        for dashboard in content.dashboards.iter().filter(|dashboard| dashboard.official) {
            for widget in &dashboard.widgets {
                let query = widget.chart.split_once('/').unwrap().0;
                let found = content.queries.iter().find(|one| one.key == query).unwrap();
                assert!(found.official, "{} shows {query}", dashboard.key);
            }
        }
    }
}
