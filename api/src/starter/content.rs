//! The files of `data/starter/` as they are read.

use anyhow::Context;
use quarry_mapreduce::job_file;
use rust_embed::RustEmbed;
use serde::Deserialize;

use crate::creations::queries::{Parameter, ParameterType, QueryText};
use crate::creations::viz::Viz;
use crate::jobs::model::Kind;

/// The files, in the order in which their dashboards are shown.
const ROOMS: [&str; 9] = ["network", "fees", "supply", "defi", "nft", "validators", "airdrops", "tokens", "examples"];

#[derive(RustEmbed)]
#[folder = "../data/starter/"]
struct Files;

/// A text in both languages.
#[derive(Debug, Clone, Deserialize)]
pub struct Both {
    pub en: String,
    pub zh: String,
}

/// Everything there is, or one file of it.
#[derive(Debug, Default, Deserialize)]
pub struct Content {
    pub queries: Vec<StarterQuery>,
    pub dashboards: Vec<StarterDashboard>,
    pub projects: Vec<StarterProject>,
}

/// A query; its text is `queries/KEY.sql`, `.hql` for HIVE, `.cypher` for GRAPH; its spec `.js` for MAPREDUCE, `.json` for
/// LABEL.
#[derive(Debug, Deserialize)]
pub struct StarterQuery {
    pub key: String,
    #[serde(default = "sql")]
    pub kind: Kind,
    /// Whether it takes the parameter `resolution`: what `date_trunc` takes, a day when nobody says.
    #[serde(default)]
    pub resolution: bool,
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
        let mut all = Content::default();
        for room in ROOMS {
            let Content { queries, dashboards, projects } = serde_json::from_str(&file(&format!("{room}.json"))?)
                .with_context(|| format!("data/starter/{room}.json"))?;
            all.queries.extend(queries);
            all.dashboards.extend(dashboards);
            all.projects.extend(projects);
        }
        Ok(all)
    }
}

impl StarterQuery {
    /// What it runs.
    pub fn what(&self) -> anyhow::Result<QueryText> {
        let extension = match self.kind {
            Kind::Sql => "sql",
            Kind::Hive => "hql",
            Kind::Graph => "cypher",
            Kind::MapReduce => "js",
            Kind::Label => "json",
        };
        let text = file(&format!("queries/{}.{extension}", self.key))?;
        let (text, spec) =
            if self.kind.has_spec() { (String::new(), Some(job_file(&text)?.spec)) } else { (text, None) };
        Ok(QueryText { kind: self.kind, text, spec, parameters: self.parameters() })
    }

    fn parameters(&self) -> Vec<Parameter> {
        let resolution = Parameter {
            name: "resolution".to_string(),
            kind: ParameterType::List,
            title: String::new(),
            default: "day".into(),
            options: ["hour", "day", "week", "month"].map(str::to_string).into(),
            query_id: None,
            multiple: false,
            required: true,
        };
        if self.resolution { vec![resolution] } else { Vec::new() }
    }
}

fn sql() -> Kind {
    Kind::Sql
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

    /// Kinds of charts there are.
    const TYPES: usize = 19;

    #[test]
    fn the_files_fit_together() {
        let content = Content::read().unwrap();
        let mut charts = BTreeSet::new();
        let mut things = BTreeSet::new();
        for query in &content.queries {
            let what = query.what().unwrap();
            what.check().unwrap();
            assert_eq!(what.text.trim().is_empty(), what.spec.is_some(), "{}", query.key);
            assert_eq!(what.text.contains("{{resolution}}"), query.resolution, "{}", query.key);
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
            rules::tags(&project.tags).unwrap();
            assert!(project.items.iter().all(|item| things.contains(item)), "{}", project.key);
        }
        let texts = content.queries.iter().flat_map(|query| [&query.title, &query.notes]);
        let texts = texts.chain(content.dashboards.iter().flat_map(|board| [&board.title, &board.notes]));
        for text in texts.chain(content.projects.iter().flat_map(|project| [&project.title, &project.notes])) {
            assert!(!text.en.is_empty() && !text.zh.is_empty());
        }
    }

    #[test]
    fn there_are_examples_of_every_kind() {
        let content = Content::read().unwrap();
        for kind in Kind::ALL {
            let examples = content.queries.iter().filter(|query| query.kind == kind && !query.official);
            assert!(examples.count() >= 2, "{}", kind.name());
        }
    }

    #[test]
    fn official_dashboards_use_every_type_of_chart() {
        let content = Content::read().unwrap();
        let official: Vec<_> = content.dashboards.iter().filter(|dashboard| dashboard.official).collect();
        assert!(official.len() >= 8, "{}", official.len());
        let mut types = BTreeSet::new();
        for dashboard in official {
            assert!(dashboard.widgets.len() >= 6, "{}", dashboard.key);
            for widget in &dashboard.widgets {
                let (query, chart) = widget.chart.split_once('/').unwrap();
                let found = content.queries.iter().find(|one| one.key == query).unwrap();
                assert!(found.official, "{} shows {query}", dashboard.key);
                let chart = found.charts.iter().find(|one| one.key == chart).unwrap();
                types.insert(chart.viz.parts().unwrap().0);
            }
        }
        assert_eq!(types.len(), TYPES, "{types:?}");
    }

    #[test]
    fn widgets_of_a_dashboard_do_not_overlap() {
        for dashboard in Content::read().unwrap().dashboards {
            let mut cells = BTreeSet::new();
            for [x, y, w, h] in dashboard.widgets.iter().map(|widget| widget.at) {
                assert!(x + w <= 12, "{} is wider than the grid", dashboard.key);
                let free = (x..x + w).flat_map(|x| (y..y + h).map(move |y| (x, y))).all(|cell| cells.insert(cell));
                assert!(free, "{} at {x}, {y}", dashboard.key);
            }
        }
    }
}
